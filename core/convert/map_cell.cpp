#include "core/convert/map_cell.hpp"

#include <cmath>
#include <string>

#include "core/base/error.hpp"

namespace bev::convert {
namespace {

// Cells of scenarios with a place: their content is within kReachM of the centre.
constexpr double kCellM = 8192, kReachM = 3072;

}  // namespace

MapCell::MapCell(std::optional<std::uint64_t> place, const geom::Vec3& centre) {
  if (!place) return;
  if (*place > kMaxPlace) {
    fail(Errc::limit_exceeded, {"scenario: too many scenarios for one map (found ",
                                *place, ", expected at most ", kMaxPlace, ")"});
  }
  // Cells fill growing squares: the shell of cells with max(i, j) == side.
  std::uint64_t side = 0;
  while ((side + 1) * (side + 1) <= *place) ++side;
  const auto rest = *place - side * side;
  const auto i = rest < side ? side : rest - side;
  const auto j = rest < side ? rest : side;
  cell_ = {static_cast<double>(i) * kCellM, static_cast<double>(j) * kCellM};
  frame_.dx = cell_->x - std::floor(centre.x + 0.5);
  frame_.dy = cell_->y - std::floor(centre.y + 0.5);
  frame_.prefix = std::to_string(*place) + ":";
}

void MapCell::check_reach(double x, double y) const {
  if (!cell_) return;
  if (std::abs(x - cell_->x) <= kReachM && std::abs(y - cell_->y) <= kReachM) return;
  fail(Errc::limit_exceeded,
       {"scenario: extends more than 3 km from the ego vehicle; convert it alone or "
        "without map"});
}

}  // namespace bev::convert

#include "core/convert/map_cell.hpp"

#include <cmath>
#include <string>

#include "core/base/error.hpp"

namespace bev::convert {
namespace {

// Cells of scenarios with a place: their content is within kReachM of the centre.
constexpr double kReachM = 3072;

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
  frame_.cell = {static_cast<double>(i) * kMapCellM,
                 static_cast<double>(j) * kMapCellM};
  frame_.dx = frame_.cell->x - std::floor(centre.x + 0.5);
  frame_.dy = frame_.cell->y - std::floor(centre.y + 0.5);
  frame_.prefix = std::to_string(*place) + ":";
}

void MapCell::check_reach(double x, double y) const {
  const auto& cell = frame_.cell;
  if (!cell) return;
  if (std::abs(x - cell->x) <= kReachM && std::abs(y - cell->y) <= kReachM) return;
  fail(Errc::limit_exceeded,
       {"scenario: extends more than 3 km from the ego vehicle; convert it alone or "
        "without map"});
}

void MapCell::move(SourceMap& map) const {
  map.prefix = frame_.prefix;
  map.cell = frame_.cell;
  const auto rename = [&](std::string& id) {
    if (!id.empty()) id.insert(0, frame_.prefix);
  };
  map.each_point([&](geom::Vec3& p) {
    p = frame_.moved(p);
    check_reach(p.x, p.y);
  });
  for (auto& lane : map.lanes) {
    for (auto* id : {&lane.id, &lane.left_neighbour, &lane.right_neighbour})
      rename(*id);
    for (auto* ids : {&lane.ahead, &lane.faces}) {
      for (auto& id : *ids) rename(id);
    }
  }
  for (auto& crosswalk : map.crosswalks) rename(crosswalk.id);
  for (auto& light : map.lights) {
    rename(light.id);
    for (auto& face : light.faces) rename(face.id);
  }
}

}  // namespace bev::convert

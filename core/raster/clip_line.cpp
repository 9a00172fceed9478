#include "core/raster/clip_line.hpp"

namespace bev::raster {
namespace {

constexpr unsigned kLeft = 1, kRight = 2, kAbove = 4, kBelow = 8;

unsigned side(std::int64_t v, std::int64_t most, unsigned low, unsigned high) noexcept {
  return (v < 0 ? low : 0U) | (v > most ? high : 0U);
}

/// Moves a point along the line to where its coordinate `across` equals `at`.
void move(std::int64_t& along, std::int64_t& across, std::int64_t to_along,
          std::int64_t to_across, std::int64_t at) noexcept {
  along += static_cast<std::int64_t>(static_cast<double>(at - across) *
                                     static_cast<double>(to_along - along) /
                                     static_cast<double>(to_across - across));
  across = at;
}

}  // namespace

bool clip_line(std::int64_t right, std::int64_t bottom, Point64& a,
               Point64& b) noexcept {
  const auto side_x = [&](const Point64& p) { return side(p.x, right, kLeft, kRight); };
  const auto side_y = [&](const Point64& p) {
    return side(p.y, bottom, kAbove, kBelow);
  };
  const auto into_rows = [&](Point64& p, const Point64& other, unsigned& where) {
    if ((where & (kAbove | kBelow)) == 0) return;
    move(p.x, p.y, other.x, other.y, (where & kBelow) != 0 ? bottom : 0);
    where = side_x(p);
  };
  const auto into_columns = [&](Point64& p, const Point64& other, unsigned& where) {
    if (where == 0) return;
    move(p.y, p.x, other.y, other.x, where == kLeft ? 0 : right);
    where = 0;
  };

  unsigned at_a = side_x(a) | side_y(a);
  unsigned at_b = side_x(b) | side_y(b);
  if ((at_a & at_b) != 0) return false;
  if ((at_a | at_b) == 0) return true;
  into_rows(a, b, at_a);
  into_rows(b, a, at_b);
  if ((at_a & at_b) != 0) return false;
  into_columns(a, b, at_a);
  into_columns(b, a, at_b);
  return true;
}

}  // namespace bev::raster

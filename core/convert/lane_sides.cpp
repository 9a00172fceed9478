#include "core/convert/lane_sides.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "core/base/error.hpp"
#include "core/geom/angle.hpp"
#include "core/geom/trig.hpp"

namespace bev::convert {
namespace {

using geom::Vec2;
using geom::Vec3;

constexpr double kDegree = 3.14159265358979323846 / 180;

Vec2 direction(const Vec3& from, const Vec3& to) {
  const double length = geom::hypot(to.x - from.x, to.y - from.y);
  if (length == 0) return {};
  return {(to.x - from.x) / length, (to.y - from.y) / length};
}

bool is_zero(Vec2 v) {
  return v.x == 0 && v.y == 0;
}

/// Returns the direction at each point: between its neighbours, or that of the nearest
/// point that has one.
std::vector<Vec2> directions(std::span<const Vec3> line) {
  std::vector<Vec2> out(line.size());
  for (std::size_t i = 0; i < line.size(); ++i) {
    out[i] = direction(line[i > 0 ? i - 1 : 0], line[std::min(i + 1, line.size() - 1)]);
  }
  for (std::size_t i = 1; i < out.size(); ++i) {
    if (is_zero(out[i])) out[i] = out[i - 1];
  }
  for (std::size_t i = out.size(); i-- > 1;) {
    if (is_zero(out[i - 1])) out[i - 1] = out[i];
  }
  return out;
}

double squared_distance(const Vec3& a, const Vec3& b) {
  return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

/// Returns the point of a step that is nearest to `p` in x and y.
Vec3 nearest_on_step(const Vec3& p, const Vec3& a, const Vec3& b) {
  const double dx = b.x - a.x, dy = b.y - a.y;
  const double length = dx * dx + dy * dy;
  if (length == 0) return a;
  const double t = std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length, 0.0, 1.0);
  return {a.x + t * dx, a.y + t * dy, a.z + t * (b.z - a.z)};
}

Vec3 nearest_on_line(const Vec3& p, std::span<const Vec3> line) {
  Vec3 best = line[0];
  double least = squared_distance(p, best);
  for (std::size_t i = 1; i < line.size(); ++i) {
    const Vec3 found = nearest_on_step(p, line[i - 1], line[i]);
    const double distance = squared_distance(p, found);
    if (distance < least) {
      least = distance;
      best = found;
    }
  }
  return best;
}

std::size_t nearest_point(const Vec3& p, std::span<const Vec3> line) {
  const auto found =
      std::min_element(line.begin(), line.end(), [&](const Vec3& a, const Vec3& b) {
        return squared_distance(a, p) < squared_distance(b, p);
      });
  return static_cast<std::size_t>(found - line.begin());
}

}  // namespace

Side SideMaker::make(std::span<const Vec3> centre, std::span<const SideLine> lines,
                     Hand hand, double half_width_m) {
  const double sign = hand == Hand::left ? 1 : -1;
  const auto along = directions(centre);
  Side out;
  for (std::size_t i = 0; i < centre.size(); ++i) {
    const Vec3& p = centre[i];
    out.points.push_back({p.x - sign * along[i].y * half_width_m,
                          p.y + sign * along[i].x * half_width_m, p.z});
  }
  std::vector<bool> is_on_line(centre.size());
  for (const auto& line : lines) {
    const auto end = std::min(line.end, centre.size());
    for (auto i = line.begin; i < end && !line.points.empty(); ++i) {
      count(line.points.size());
      const Vec3& p = centre[i];
      const Vec3 found = nearest_on_line(p, line.points);
      const double across = along[i].x * (found.y - p.y) - along[i].y * (found.x - p.x);
      const bool is_near = squared_distance(p, found) <= kMaxSideM * kMaxSideM;
      if (!is_near || !(across * sign > 0)) continue;
      out.points[i] = found;
      is_on_line[i] = true;
    }
  }
  out.from_lines =
      static_cast<std::size_t>(std::count(is_on_line.begin(), is_on_line.end(), true));
  return out;
}

void SideMaker::count(std::uint64_t comparisons) {
  comparisons_ += comparisons;
  if (comparisons_ > max_comparisons_) {
    fail(Errc::limit_exceeded, {"lane boundaries: too many points"});
  }
}

std::optional<LaneSides> SideMaker::divide(std::span<const Vec3> centre,
                                           std::span<const Vec3> outline) {
  if (outline.size() > 1 && squared_distance(outline.front(), outline.back()) == 0) {
    outline = outline.first(outline.size() - 1);
  }
  const auto along = directions(centre);
  std::vector<std::size_t> nearest(outline.size());
  std::vector<bool> is_left(outline.size());
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Vec3& p = outline[i];
    count(centre.size());
    nearest[i] = nearest_point(p, centre);
    const Vec3& c = centre[nearest[i]];
    const Vec2& to = along[nearest[i]];
    is_left[i] = to.x * (p.y - c.y) - to.y * (p.x - c.x) > 0;
  }
  std::size_t begin = 0, changes = 0;  // of the left side
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const bool before = is_left[i > 0 ? i - 1 : outline.size() - 1];
    if (is_left[i] == before) continue;
    ++changes;
    if (is_left[i]) begin = i;
  }
  if (changes != 2) return std::nullopt;
  LaneSides out;
  std::array<std::vector<std::size_t>, 2> order;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const auto row = (begin + i) % outline.size();
    (is_left[row] ? out.left : out.right).push_back(outline[row]);
    order[is_left[row] ? 0 : 1].push_back(nearest[row]);
  }
  // The ring goes along one side and back along the other.
  const auto ahead = [](const std::vector<std::size_t>& rows) {
    return static_cast<double>(rows.back()) - static_cast<double>(rows.front());
  };
  const bool is_left_ahead = ahead(order[0]) - ahead(order[1]) > 0;
  auto& back = is_left_ahead ? out.right : out.left;
  std::reverse(back.begin(), back.end());
  if (!has_direction(out.left) || !has_direction(out.right)) return std::nullopt;
  return out;
}

bool has_direction(std::span<const Vec3> line) {
  return std::any_of(line.begin(), line.end(), [&](const Vec3& p) {
    return p.x != line[0].x || p.y != line[0].y;
  });
}

std::vector<std::int32_t> lengths_cm(std::span<const Vec3> line) {
  constexpr double kMaxCm = std::numeric_limits<std::int32_t>::max();
  std::vector<std::int32_t> out;
  double length = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (i > 0) length += std::sqrt(squared_distance(line[i - 1], line[i]));
    out.push_back(
        static_cast<std::int32_t>(std::min(std::floor(length * 100 + 0.5), kMaxCm)));
  }
  return out;
}

Ends ends_of(std::span<const Vec3> line) {
  return {direction(line[0], line[1]),
          direction(line[line.size() - 2], line[line.size() - 1])};
}

map::Turn turn_of(const Ends& ends) {
  const double cross = ends.first.x * ends.last.y - ends.first.y * ends.last.x;
  const double dot = ends.first.x * ends.last.x + ends.first.y * ends.last.y;
  const double change = geom::atan2(cross, dot) / kDegree;
  if (std::abs(change) < 30) return map::Turn::through;
  if (std::abs(change) > 150) return map::Turn::u_turn;
  return change > 0 ? map::Turn::left : map::Turn::right;
}

}  // namespace bev::convert

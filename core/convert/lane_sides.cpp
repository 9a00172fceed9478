#include "core/convert/lane_sides.hpp"

#include <algorithm>
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
      comparisons_ += line.points.size();
      if (comparisons_ > max_comparisons_) {
        fail(Errc::limit_exceeded, {"lane boundaries: too many points"});
      }
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

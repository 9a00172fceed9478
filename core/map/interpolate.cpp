#include "core/map/interpolate.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/error.hpp"

namespace bev::map {
namespace {

using geom::Vec3;
using Points = std::vector<Vec3>;

constexpr std::size_t kMaxPoints = 16'000'000;

double distance(const Vec3& a, const Vec3& b) {
  const double x = b.x - a.x;
  const double y = b.y - a.y;
  const double z = b.z - a.z;
  return std::sqrt(x * x + y * y + z * z);
}

/// Returns each point's distance along the line.
std::vector<double> distances_along(std::span<const Vec3> line) {
  if (line.empty()) fail(Errc::invalid_argument, {"line has no points"});
  std::vector<double> along = {0};
  along.reserve(line.size());
  for (std::size_t i = 1; i < line.size(); ++i) {
    along.push_back(along.back() + distance(line[i - 1], line[i]));
  }
  return along;
}

/// Returns the point at distance `at` along the line, between points `i` and `i + 1`.
Vec3 between(std::span<const Vec3> line, std::span<const double> along, std::size_t i,
             double at) {
  if (i + 1 == line.size() || along[i] == at) return line[i];
  const double part = at - along[i];
  const double whole = along[i + 1] - along[i];
  const auto one = [&](double from, double to) {
    return (to - from) / whole * part + from;
  };
  const Vec3& a = line[i];
  const Vec3& b = line[i + 1];
  return {one(a.x, b.x), one(a.y, b.y), one(a.z, b.z)};
}

/// Returns points at ascending distances; `at(i)` is the i-th of `count` distances.
template <class At>
Points points_at(std::span<const Vec3> line, std::span<const double> along,
                 std::size_t count, At&& at) {
  if (count > kMaxPoints) {
    fail(Errc::limit_exceeded,
         {"too many points (found ", count, ", expected at most ", kMaxPoints, ")"});
  }
  Points out;
  out.reserve(count);
  std::size_t segment = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double distance = at(i);
    while (segment + 1 < along.size() && along[segment + 1] <= distance) ++segment;
    out.push_back(between(line, along, segment, distance));
  }
  return out;
}

Points midway(const Points& left, const Points& right) {
  Points out;
  out.reserve(left.size());
  for (std::size_t i = 0; i < left.size(); ++i) {
    const Vec3& a = left[i];
    const Vec3& b = right[i];
    out.push_back({(a.x + b.x) / 2, (a.y + b.y) / 2, (a.z + b.z) / 2});
  }
  return out;
}

/// Runs `make` and prefixes its errors with the lane's id.
template <class Make>
LaneLines named(const Lane& lane, Make&& make) {
  try {
    return make();
  } catch (const Error& error) {
    fail(error.code(), {"lane \"", lane.id, "\": ", error.what()});
  }
}

}  // namespace

Points points_by_count(std::span<const Vec3> line, std::size_t count) {
  if (count < 2) {
    fail(Errc::invalid_argument,
         {"too few points (found ", count, ", expected at least 2)"});
  }
  const auto along = distances_along(line);
  const double total = along.back();
  const double step = total / static_cast<double>(count - 1);
  return points_at(line, along, count, [&](std::size_t i) {
    return i + 1 == count ? total : static_cast<double>(i) * step;
  });
}

Points points_by_metres(std::span<const Vec3> line, double step_m) {
  if (!(step_m > 0)) {
    fail(Errc::invalid_argument,
         {"step must be above 0 (found ", std::to_string(step_m), " m)"});
  }
  const auto along = distances_along(line);
  const double count = std::ceil(along.back() / step_m);
  const auto most = static_cast<double>(kMaxPoints) + 1;
  return points_at(line, along, static_cast<std::size_t>(std::min(count, most)),
                   [&](std::size_t i) { return static_cast<double>(i) * step_m; });
}

LaneLines lane_by_count(const Lane& lane, std::size_t count) {
  return named(lane, [&] {
    LaneLines out{points_by_count(lane.left.points, count),
                  points_by_count(lane.right.points, count),
                  {}};
    out.mid = points_by_count(midway(out.left, out.right), count);
    return out;
  });
}

LaneLines lane_by_metres(const Lane& lane, double step_m) {
  return named(lane, [&] {
    LaneLines out{points_by_metres(lane.left.points, step_m),
                  points_by_metres(lane.right.points, step_m),
                  {}};
    // At least two: L5Kit refuses a lane with one point per side; its mid has length 0.
    const auto count =
        std::max({lane.left.points.size(), lane.right.points.size(), std::size_t{2}});
    out.mid = points_by_metres(midway(points_by_count(lane.left.points, count),
                                      points_by_count(lane.right.points, count)),
                               step_m);
    return out;
  });
}

}  // namespace bev::map

#include "core/series/centre_lines.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/error.hpp"
#include "core/geom/trig.hpp"
#include "core/map/interpolate.hpp"

namespace bev::series {
namespace {

using geom::Vec2;
using geom::Vec3;

constexpr std::size_t kMaxPoints = 1000;

void check(const FlatLines& lines, const char* what) {
  const auto& offsets = lines.offsets;
  const bool is_ordered = std::is_sorted(offsets.begin(), offsets.end());
  if (!offsets.empty() && offsets.front() == 0 && is_ordered &&
      lines.points.size() == std::size_t{2} * offsets.back())
    return;
  fail(Errc::invalid_argument,
       {what, " boundaries: the offsets do not match the points"});
}

std::vector<Vec3> points_of(const FlatLines& lines, std::size_t row) {
  std::vector<Vec3> out;
  for (std::size_t i = lines.offsets[row]; i < lines.offsets[row + 1]; ++i) {
    out.push_back({lines.points[2 * i], lines.points[2 * i + 1], 0});
  }
  return out;
}

double length_of(const std::vector<Vec3>& line) {
  double out = 0;
  for (std::size_t i = 1; i < line.size(); ++i) {
    out += geom::hypot(line[i].x - line[i - 1].x, line[i].y - line[i - 1].y);
  }
  return out;
}

/// Returns the number of points: one per metre.
std::size_t count_for(double metres) {
  if (!(metres > 1)) return 2;
  if (metres >= static_cast<double>(kMaxPoints)) return kMaxPoints;
  return static_cast<std::size_t>(std::ceil(metres)) + 1;
}

/// The point of a segment nearest to a point.
struct Foot {
  double squared = std::numeric_limits<double>::infinity();
  double side = 0;    ///< distance to the segment's line, positive to the left
  double beyond = 0;  ///< metres beyond the line's end
  double dx = 0, dy = 0;
};

/// Returns the nearest point of the segment from `a` to `b`; infinitely far if it has
/// no length.
Foot foot_of(Vec2 at, Vec2 a, Vec2 b) {
  Foot out;
  const double length = geom::hypot(b.x - a.x, b.y - a.y);
  if (!(length > 0)) return out;
  out.dx = (b.x - a.x) / length;
  out.dy = (b.y - a.y) / length;
  const double along = (at.x - a.x) * out.dx + (at.y - a.y) * out.dy;
  out.side = (at.y - a.y) * out.dx - (at.x - a.x) * out.dy;
  out.beyond = std::max({0.0, -along, along - length});
  out.squared = out.side * out.side + out.beyond * out.beyond;
  return out;
}

Foot nearest_of(const std::vector<Vec2>& line, Vec2 at) {
  Foot best;
  for (std::size_t i = 1; i < line.size(); ++i) {
    const auto foot = foot_of(at, line[i - 1], line[i]);
    if (foot.squared < best.squared) best = foot;
  }
  return best;
}

/// Returns the signed distance, if the line is a lane for the heading (cos, sin).
std::optional<double> offset_of(const Foot& foot, double cos, double sin) {
  static const double kMinCosine = geom::cos(CentreLines::kMaxAngleRad);
  if (!(foot.beyond <= CentreLines::kMaxBeyondM)) return std::nullopt;
  if (!(foot.dx * cos + foot.dy * sin >= kMinCosine)) return std::nullopt;
  const double metres = std::copysign(std::sqrt(foot.squared), foot.side);
  if (!(std::abs(metres) <= CentreLines::kMaxOffsetM)) return std::nullopt;
  return metres;
}

}  // namespace

CentreLines::CentreLines(LaneSides sides) : sides_(std::move(sides)) {
  check(sides_.left, "left");
  check(sides_.right, "right");
  if (sides_.left.offsets.size() != sides_.right.offsets.size()) {
    fail(Errc::invalid_argument,
         {"lane boundaries: the numbers of left and right lines differ"});
  }
  const auto count = sides_.left.offsets.size() - 1;
  std::vector<map::Box> boxes(count);
  for (std::size_t i = 0; i < count; ++i) {
    for (const auto& point : points_of(sides_.left, i)) boxes[i].add(point);
    for (const auto& point : points_of(sides_.right, i)) boxes[i].add(point);
  }
  index_ = map::BoxIndex(boxes);
  lines_.resize(count);
  known_.resize(count);
}

const std::vector<Vec2>& CentreLines::line(std::size_t lane) {
  auto& out = lines_.at(lane);
  if (known_[lane]) return out;
  known_[lane] = true;
  const auto left = points_of(sides_.left, lane), right = points_of(sides_.right, lane);
  if (left.empty() || right.empty()) return out;
  const auto count = count_for(std::max(length_of(left), length_of(right)));
  const auto a = map::points_by_count(left, count);
  const auto b = map::points_by_count(right, count);
  for (std::size_t i = 0; i < count; ++i) {
    out.push_back({(a[i].x + b[i].x) / 2, (a[i].y + b[i].y) / 2});
  }
  return out;
}

std::optional<LaneOffset> CentreLines::nearest(Vec2 at, double yaw) {
  if (std::isnan(at.x) || std::isnan(at.y) || !std::isfinite(yaw)) return std::nullopt;
  found_.clear();
  index_.near({at.x, at.y, kMaxOffsetM}, found_);
  const auto [sin, cos] = geom::sincos(yaw);
  std::optional<LaneOffset> best;
  for (const auto lane : found_) {
    const auto metres = offset_of(nearest_of(line(lane), at), cos, sin);
    if (metres && (!best || std::abs(*metres) < std::abs(best->metres)))
      best = LaneOffset{lane, *metres};
  }
  return best;
}

}  // namespace bev::series

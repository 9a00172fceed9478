#include "core/map/stop_lines.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/geom/trig.hpp"

namespace bev::map {
namespace {

using geom::Vec2;

Vec2 flat(const geom::Vec3& point) {
  return {point.x, point.y};
}

bool has_sides(const Lane& lane) {
  return !lane.left.points.empty() && !lane.right.points.empty();
}

StopLine across(const Lane& lane, bool at_end) {
  const auto &left = lane.left.points, &right = lane.right.points;
  return {flat(at_end ? left.back() : left.front()),
          flat(at_end ? right.back() : right.front()), at_end};
}

bool has_face(const Lane& lane, const SemanticMap& map) {
  return std::any_of(
      lane.traffic_controls.begin(), lane.traffic_controls.end(),
      [&](const std::string& id) { return map.face_row(id).has_value(); });
}

/// Returns how far to the right of its begin a lane ends, in radians.
double turned(const Lane& lane) {
  const auto begin = across(lane, false), end = across(lane, true);
  const Vec2 from = begin.at(0.5), to = end.at(0.5);
  const Vec2 along = {to.x - from.x, to.y - from.y};
  // The begin, from right to left, turned to the right.
  const Vec2 ahead = {begin.left.y - begin.right.y, begin.right.x - begin.left.x};
  const double angle = geom::atan2(along.x * ahead.y - along.y * ahead.x,
                                   along.x * ahead.x + along.y * ahead.y);
  return std::isnan(angle) ? 0 : angle;
}

using Lines = std::vector<std::optional<StopLine>>;

/// Greatest number of lanes that divide a stop line; above, each has all of it.
constexpr std::size_t kMaxDivided = 64;

/// Divides the begin of the lanes among those of them that have a stop line there.
void divide(const std::vector<std::uint32_t>& rows, const SemanticMap& map,
            Lines& lines) {
  if (rows.size() > kMaxDivided) return;
  const auto count = static_cast<double>(rows.size());
  for (const auto row : rows) {
    if (!lines[row]) continue;
    const double angle = turned(map.lanes()[row]);
    double before = 0;  // lanes to the left of this one
    for (const auto other : rows) {
      const double turn = turned(map.lanes()[other]);
      if (turn < angle || (turn == angle && other < row)) ++before;
    }
    lines[row]->from = before / count;
    lines[row]->to = (before + 1) / count;
  }
}

/// Lanes ahead of a lane, each once if they are few.
struct Ahead {
  std::vector<std::uint32_t> in_junction, outside;
};

Ahead ahead_of(const Lane& lane, const SemanticMap& map) {
  Ahead out;
  for (const auto& id : lane.lanes_ahead) {
    const auto row = map.lane_row(id);
    if (!row || &map.lanes()[*row] == &lane || !has_sides(map.lanes()[*row])) continue;
    auto& rows = map.lanes()[*row].in_junction ? out.in_junction : out.outside;
    if (rows.size() > kMaxDivided ||
        std::find(rows.begin(), rows.end(), *row) == rows.end()) {
      rows.push_back(*row);
    }
  }
  return out;
}

}  // namespace

Lines stop_lines(const SemanticMap& map) {
  const auto lanes = map.lanes();
  Lines out(lanes.size());
  std::vector<bool> has_lights(lanes.size());
  for (std::size_t row = 0; row < lanes.size(); ++row) {
    has_lights[row] = has_sides(lanes[row]) && has_face(lanes[row], map);
    if (has_lights[row]) out[row] = across(lanes[row], !lanes[row].in_junction);
  }
  for (std::uint32_t row = 0; row < lanes.size(); ++row) {
    if (lanes[row].in_junction) continue;
    const auto ahead = ahead_of(lanes[row], map);
    if (!has_lights[row]) {
      divide(ahead.in_junction, map, out);
      continue;
    }
    for (const auto next : ahead.in_junction) out[next].reset();
    if (std::any_of(ahead.outside.begin(), ahead.outside.end(),
                    [&](std::uint32_t next) { return has_lights[next]; })) {
      out[row].reset();
    }
  }
  return out;
}

}  // namespace bev::map

#include "core/scene/frame_view.hpp"

#include <algorithm>
#include <limits>

#include "core/geom/affine.hpp"
#include "core/geom/angle.hpp"
#include "core/geom/trig.hpp"
#include "core/scene/encounter.hpp"
#include "core/scene/labels.hpp"
#include "core/scene/motion.hpp"

namespace bev::scene {

namespace {

using Point = std::array<double, 2>;

// The AV's length and width in metres.
// Reference  L5Kit, data/labels and rasterization.
constexpr auto kUnknown = std::numeric_limits<float>::quiet_NaN();

Point xy(const std::array<double, 3>& translation) {
  return {translation[0], translation[1]};
}

std::array<Point, 4> as_points(const std::array<geom::Vec2, 4>& corners) {
  std::array<Point, 4> points{};
  for (std::size_t i = 0; i < corners.size(); ++i) {
    points[i] = {corners[i].x, corners[i].y};
  }
  return points;
}

/// Returns NaN if time does not advance.
float speed(const Point& from, const Point& to, std::int64_t from_ns,
            std::int64_t to_ns) {
  return static_cast<float>(geom::hypot(to[0] - from[0], to[1] - from[1]) /
                            seconds_between(from_ns, to_ns));
}

/// Returns the speed from the previous frame to now or, without that, from now to the
/// next.
/// @param position  returns a pointer to the position in a frame, or null
template <class Position>
float speed_by_differencing(const FrameWindow& window, const Position& position) {
  const auto& times = window.frames.timestamp;
  const auto now = window.now;
  const Point* here = position(now);
  const Point* before = now > 0 ? position(now - 1) : nullptr;
  if (before != nullptr) return speed(*before, *here, times[now - 1], times[now]);
  const Point* after = now + 1 < times.size() ? position(now + 1) : nullptr;
  if (after != nullptr) return speed(*here, *after, times[now], times[now + 1]);
  return kUnknown;
}

void ego_line(const FrameWindow& window, int step, std::size_t reach,
              std::vector<Point>& out) {
  const auto& where = window.frames.ego_translation;
  const auto available = step < 0 ? window.now : where.size() - 1 - window.now;
  out.clear();
  for (std::size_t i = 0; i <= std::min(reach, available); ++i) {
    out.push_back(xy(where[step < 0 ? window.now - i : window.now + i]));
  }
}

}  // namespace

void FrameView::derive(const FrameWindow& window, const ChunkedDataset& dataset,
                       const FrameOptions& options) {
  joiner_.rebuild(window);
  derive_ego(window, options);
  derive_agents(window, options);
  const auto gaps =
      options.across_gaps ? TrackJoiner::Gaps::skip : TrackJoiner::Gaps::end;
  joiner_.follow(-1, options.past, trails, gaps);
  joiner_.follow(+1, options.future, futures, gaps);
  derive_lights(window, dataset);
}

void FrameView::derive_ego(const FrameWindow& window, const FrameOptions& options) {
  const auto& r = window.frames.ego_rotation[window.now];
  ego_yaw = geom::rotation33_as_yaw(
      {{{r[0], r[1], r[2]}, {r[3], r[4], r[5]}, {r[6], r[7], r[8]}}});
  ego_trail.clear();
  ego_future.clear();
  if (!window.has_ego) {
    ego_speed = kUnknown;
    for (auto& corner : ego_corners) corner.fill(kUnknown);
    return;
  }
  const auto centre = xy(window.frames.ego_translation[window.now]);
  ego_corners = as_points(geom::rectangle_corners(
      {centre[0], centre[1]}, geom::sincos(ego_yaw), kEgoLength, kEgoWidth));
  ego_line(window, -1, options.past, ego_trail);
  ego_line(window, +1, options.future, ego_future);
  std::array<Point, 3> near{};
  ego_speed = speed_by_differencing(window, [&](std::size_t frame) {
    auto& slot = near[frame + 1 - window.now];
    slot = xy(window.frames.ego_translation[frame]);
    return &slot;
  });
}

void FrameView::derive_agents(const FrameWindow& window, const FrameOptions& options) {
  const auto& agents = window.agents;
  const auto count = agents.size();
  agent_row.resize(count);
  agent_corners.resize(count);
  agent_speed.resize(count);
  agent_label.resize(count);
  agent_class.resize(count);
  agent_probability.resize(count);
  agent_known_probability.resize(count);
  agent_kept.resize(count);
  agent_distance.resize(count);
  const auto ego = window.has_ego ? xy(window.frames.ego_translation[window.now])
                                  : Point{kUnknown, kUnknown};
  const auto first = window.frames.agent_index_interval[window.now].begin;
  for (std::size_t i = 0; i < count; ++i) {
    const auto& centre = agents.centroid[i];
    const auto& extent = agents.extent[i];
    const auto& probabilities = agents.label_probabilities[i];
    const auto label = most_probable(probabilities);
    agent_row[i] = first + static_cast<std::int64_t>(i);
    agent_corners[i] = as_points(geom::agent_corners(
        {centre[0], centre[1]}, agents.yaw[i], extent[0], extent[1]));
    agent_label[i] = static_cast<std::uint8_t>(label);
    agent_class[i] = static_cast<std::uint8_t>(class_of_label(label));
    agent_probability[i] = probabilities[label];
    agent_known_probability[i] = kept_mass(probabilities);
    agent_kept[i] = keeps(probabilities, options.threshold) ? 1 : 0;
    agent_distance[i] =
        static_cast<float>(geom::hypot(centre[0] - ego[0], centre[1] - ego[1]));
    agent_speed[i] =
        speed_by_differencing(window, [&](std::size_t frame) -> const Point* {
          if (frame == window.now) return &centre;
          const auto row = joiner_.find(frame, agents.track_id[i]);
          return row == TrackJoiner::kNone ? nullptr : &window.tracks.centroid[row];
        });
  }
}

void FrameView::derive_lights(const FrameWindow& window,
                              const ChunkedDataset& dataset) {
  const auto& faces = window.faces;
  light_state.resize(faces.size());
  for (std::size_t i = 0; i < faces.size(); ++i) {
    light_state[i] =
        static_cast<std::uint8_t>(state_of(faces.traffic_light_face_status[i]));
  }
  if (!dataset.has_faces()) {
    light_face_id = light_traffic_light_id = {{}, {0}};
    return;
  }
  light_face_id = zarr::decode_text(dataset.face_id_type(), faces.face_id);
  light_traffic_light_id =
      zarr::decode_text(dataset.traffic_light_id_type(), faces.traffic_light_id);
}

}  // namespace bev::scene

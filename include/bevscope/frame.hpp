#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "arrays.hpp"

namespace bev {

/// Options of a frame's derived values.
struct FrameOptions {
  std::uint32_t past = 25;   ///< frames per trail; 2.5 s at 10 Hz
  std::uint32_t future = 0;  ///< frames of future positions
  float threshold = 0.5F;    ///< for `kept`; L5Kit's default
  bool sequential = false;   ///< later frames follow: chunks are requested whole
  bool across_gaps = false;  ///< lines continue after frames without their agent
};

/// What an agent is, by its most probable label.
enum class AgentClass : std::uint8_t {
  vehicle = 0,     ///< cars, vans, trucks, buses, trams
  cyclist = 1,     ///< bicycles and motorcycles with their riders
  pedestrian = 2,  ///< people
  other = 3,       ///< everything else
};

/// State of a traffic light face.
enum class FaceState : std::uint8_t {
  active = 0,    ///< lit
  inactive = 1,  ///< not lit
  unknown = 2,   ///< not perceived
};

/// A point in world (metres).
using Point = std::array<double, 2>;

/// The four corners of a box in world: front left first, counter-clockwise.
using Corners = std::array<Point, 4>;

/// Lines of points, one per agent.
struct Polylines {
  std::span<const Point> points;           ///< of all lines
  std::span<const std::uint32_t> offsets;  ///< n + 1; line i begins at offsets[i]

  /// Returns the number of lines.
  std::size_t size() const noexcept { return offsets.empty() ? 0 : offsets.size() - 1; }

  /// Returns line `i`, which must be less than size().
  std::span<const Point> operator[](std::size_t i) const noexcept {
    return points.subspan(offsets[i], offsets[i + 1] - offsets[i]);
  }
};

/// The ego vehicle in a frame.
struct FrameEgo {
  /// Whether the data have no ego vehicle: the pose is then a place to look at; corners,
  /// speed and distances to it are NaN, trail and future empty.
  bool is_virtual = false;
  std::array<double, 3> translation{};              ///< as recorded
  std::array<std::array<double, 3>, 3> rotation{};  ///< as recorded
  Point centroid{};                                 ///< x and y of the translation
  double yaw = 0;                                   ///< heading
  float speed = 0;                                  ///< NaN without a neighbour frame
  Corners corners{};                                ///< of its box
  std::span<const Point> trail;                     ///< from this frame into the past
  std::span<const Point> future;                    ///< from this frame into the future
};

/// The agents of a frame, in file order: one value per agent.
struct FrameAgents {
  std::span<const std::int64_t> row;               ///< row of `agents`
  std::span<const std::uint64_t> track_id;         ///< unique within the scene
  std::span<const Point> centroid;                 ///< position
  std::span<const Corners> corners;                ///< of the agent's box
  std::span<const float> yaw;                      ///< heading
  std::span<const std::array<float, 3>> extent;    ///< length, width, height
  std::span<const std::array<float, 2>> velocity;  ///< as recorded
  std::span<const float> speed;                    ///< NaN if unknown
  std::span<const std::uint8_t> label;             ///< most probable label
  std::span<const AgentClass> agent_class;         ///< class of the label
  std::span<const float> probability;              ///< of the label
  std::span<const float> known_probability;        ///< compared with the threshold
  std::span<const bool> kept;                      ///< passes L5Kit's filter
  std::span<const float> distance;                 ///< to the ego vehicle
  std::span<const std::array<float, 17>> label_probabilities;  ///< as recorded
  Polylines trails;   ///< from this frame into the past
  Polylines futures;  ///< from this frame into the future

  /// Returns the number of agents.
  std::size_t size() const noexcept { return row.size(); }
};

/// The traffic light faces of a frame: one value per face.
struct FrameLights {
  TextView face_id;                              ///< id of the face in the map
  TextView traffic_light_id;                     ///< id of its traffic light
  std::span<const FaceState> state;              ///< most probable state
  std::span<const std::array<float, 3>> status;  ///< active, inactive, unknown

  /// Returns the number of faces.
  std::size_t size() const noexcept { return state.size(); }
};

/// A frame: its records, and values derived from them.
///
/// Units     Metres and radians in world, metres per second.
/// Lifetime  The spans are valid as long as a copy of the view, or its `owner`, exists.
///           They outlive the Dataset.
struct FrameView {
  std::int64_t index = 0;             ///< index in the data set
  std::int64_t timestamp = 0;         ///< nanoseconds
  FrameEgo ego;                       ///< the recording vehicle
  FrameAgents agents;                 ///< perceived road users
  FrameLights lights;                 ///< traffic light faces
  std::shared_ptr<const void> owner;  ///< owns the memory of the spans
};

}  // namespace bev

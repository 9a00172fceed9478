#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/scene/motion.hpp"
#include "core/scene/path.hpp"
#include "core/scene/recorded_columns.hpp"
#include "core/scene/tracks.hpp"
#include "core/series/centre_lines.hpp"

namespace bev::series {

/// A quantity over time; formulas are in docs/quantities.md.
enum class Quantity : std::uint8_t {
  x,                  ///< metres in world
  y,                  ///< metres in world
  speed,              ///< m/s
  acceleration,       ///< m/s^2
  jerk,               ///< m/s^3
  yaw,                ///< radians, unwrapped
  yaw_rate,           ///< rad/s
  curvature,          ///< 1/m
  ego_distance,       ///< m
  lead_gap,           ///< m
  time_to_collision,  ///< s
  lane_offset,        ///< m
};

/// Returns the quantity of a name such as "lead_gap".
///
/// @throws Error  invalid_argument for an unknown name
Quantity quantity_from(std::string_view name);

/// Frames and agents of one scene.
///
/// Shapes  Of m agents: yaws, (length, width, height), label probabilities (or none).
///         `absent` is empty, or has one AbsentRows per frame. If the ego vehicle is
///         virtual, its poses are unknown, whatever the columns contain.
struct SceneRows : scene::RecordedColumns {
  std::vector<float> yaws;
  std::vector<float> extents;
  std::vector<float> label_probabilities;
  std::vector<std::uint8_t> absent;
  bool ego_is_virtual = false;
};

/// What is absent of a frame: its values are unknown, whatever the columns contain.
enum class AbsentRows : std::uint8_t { none, agents, frame };

/// An agent's track, or nullopt: the ego vehicle.
using Subject = std::optional<std::uint64_t>;

/// Quantities of a scene's tracks, one value per frame, NaN if unknown.
///
/// Units          As in Quantity.
/// Throws         The constructor throws invalid_argument for inconsistent columns, and
///                corrupt_chunk for invalid intervals.
/// Thread safety  One object belongs to one thread.
class SceneSeries {
 public:
  /// Speeds below it have no curvature.
  static constexpr double kMinSpeedMps = 1;
  /// Greatest gap to a vehicle ahead.
  static constexpr double kMaxLeadGapM = 100;

  explicit SceneSeries(SceneRows rows);

  /// Sets the lanes of `lane_offset`; without them it is NaN.
  void set_lanes(LaneSides sides) { lanes_ = CentreLines(std::move(sides)); }

  /// Sets the threshold of agents that count for `lead_gap` and `time_to_collision`: the
  /// sum of their known classes' probabilities is above it, as in the viewer. Default 0.
  void set_threshold(float threshold) { threshold_ = threshold; }

  /// Returns one value per frame.
  std::vector<double> values(const Subject& subject, Quantity quantity);

  /// Returns the row of each frame's agent, relative to the scene's first; -1 in frames
  /// without it. Of the ego vehicle, the frames' numbers.
  std::vector<std::int32_t> rows_of(const Subject& subject) const;

 private:
  struct Body {
    scene::PoseAt pose;
    double length = 0, width = 0;
  };

  std::size_t size() const noexcept { return rows_.timestamps.size(); }
  bool has(std::size_t frame, AbsentRows absent) const;
  std::optional<std::size_t> row_in(std::size_t frame, std::uint64_t track) const;
  Body body(std::size_t frame, const Subject& subject) const;
  Body body_of_row(std::size_t row) const;
  std::vector<scene::PoseAt> poses(const Subject& subject) const;
  scene::Path ego_path() const;
  std::vector<scene::Path> paths(const Subject& subject) const;
  double lead_gap(std::size_t frame, const Subject& subject) const;
  bool passes(std::size_t row) const;
  std::vector<double> gaps(const Subject& subject) const;
  std::vector<double> collision_times(const Subject& subject) const;
  std::vector<double> lane_offsets(const Subject& subject);
  std::vector<double> ego_distances(const Subject& subject) const;

  SceneRows rows_;
  std::int64_t first_ = 0;
  std::unique_ptr<scene::TrackIndex> index_;  // of rows_'s memory, which does not move
  std::vector<double> ego_yaws_;
  CentreLines lanes_;
  float threshold_ = 0;
};

}  // namespace bev::series

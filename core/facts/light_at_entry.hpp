#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/facts/turns.hpp"
#include "core/map/lane_lights.hpp"
#include "core/map/map_source.hpp"
#include "core/map/stop_lines.hpp"

namespace bev::facts {

/// The light when the ego vehicle crosses a stop line. The numbers are part of the
/// interface.
enum class Light : std::uint8_t {
  unknown = 0,  ///< without a map, or no face of the lane was active
  none = 1,     ///< it crosses no stop line
  red = 2,
  yellow = 3,
  green = 4,
};

struct LightAtEntry {
  Light light = Light::unknown;
  std::int32_t frame = kNoFrame;
};

/// Finds the light at the first stop line of the map that the ego vehicle crosses; see
/// map::stop_lines.
///
/// Lifetime       Keeps the map alive.
/// Thread safety  Immutable; concurrent calls of find() are safe.
class LightsOfMap {
 public:
  /// Seconds after the first crossed stop line in which others compete with it.
  static constexpr double kSameEntryS = 1;
  /// Maximum angle between the ego vehicle and the lane at its stop line: 60 degrees.
  static constexpr double kMaxAngleRad = 1.0471975511965976;
  /// Maximum number of lanes with lights that are examined at one place.
  static constexpr std::size_t kMaxLanes = 64;

  /// @param maps  of parts, each is examined when a vehicle is there
  explicit LightsOfMap(map::MapSource maps);

  /// Returns the ids of the active faces of a frame of the scene.
  using ActiveFaces = std::function<std::vector<std::string_view>(std::uint32_t frame)>;

  LightAtEntry find(const Path& ego, const ActiveFaces& active) const;

 private:
  /// A lane, and the steps during which the ego vehicle is on it.
  struct Visit {
    std::uint32_t lane = 0;
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  std::vector<std::uint32_t> lanes_at(geom::Vec2 at) const;
  std::vector<Visit> visits(const Path& ego) const;

  /// Returns the first step beyond the stop line, if the visit crosses it.
  std::optional<std::size_t> crossing(const Path& ego, const Visit& visit) const;

  map::MapSource maps_;
  std::shared_ptr<const map::SemanticMap> map_;  // of the members below; null for parts
  std::optional<map::LaneLights> lights_;
  std::vector<std::optional<map::StopLine>> stops_;
  std::vector<std::uint32_t> lanes_;  // with stop lines
  map::BoxIndex index_;               // of their bounds
};

}  // namespace bev::facts

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "core/facts/turns.hpp"
#include "core/map/lane_lights.hpp"
#include "core/map/semantic_map.hpp"

namespace bev::facts {

/// The light when the ego vehicle crosses a stop line. The numbers are part of the
/// interface.
enum class Light : std::uint8_t {
  unknown = 0,  ///< without a map, or no face of the lane was active
  none = 1,     ///< it enters no lane with a traffic light
  red = 2,
  yellow = 3,
  green = 4,
};

struct LightAtEntry {
  Light light = Light::unknown;
  std::int32_t frame = kNoFrame;
};

/// Finds the light at the first stop line that the ego vehicle crosses. A stop line is
/// the begin of a lane with traffic lights.
///
/// Lifetime       Keeps the map alive.
/// Thread safety  Immutable; concurrent calls of find() are safe.
class LightsOfMap {
 public:
  /// Seconds after the first entered lane in which other lanes compete with it.
  static constexpr double kSameEntryS = 1;
  /// Maximum angle between the ego vehicle and the begin of the lane: 60 degrees.
  static constexpr double kMaxAngle = 1.0471975511965976;
  /// Maximum number of lanes with lights that are examined at one place.
  static constexpr std::size_t kMaxLanes = 64;

  explicit LightsOfMap(std::shared_ptr<const map::SemanticMap> map);

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
  bool is_entry(const Path& ego, const Visit& visit) const;

  std::shared_ptr<const map::SemanticMap> map_;
  map::LaneLights lights_;
  std::vector<std::uint32_t> lanes_;  // with traffic lights
  map::BoxIndex index_;               // of their bounds
};

}  // namespace bev::facts

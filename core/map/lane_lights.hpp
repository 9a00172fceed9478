#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/map/semantic_map.hpp"

namespace bev::map {

/// The state of a lane's traffic lights.
enum class LaneLight : std::uint8_t { none = 0, red = 1, yellow = 2, green = 3 };

/// Computes which lanes are red, yellow or green, given the active faces.
///
/// If several faces of a lane are active, the order is red, yellow, green. L5Kit uses
/// the last face in set iteration order, so its result may vary between runs.
///
/// Lifetime       Copies what it needs from the map.
/// Thread safety  Immutable; concurrent calls of colours() are safe.
/// Reference      Lane colours of L5Kit's semantic rasterizer.
class LaneLights {
 public:
  explicit LaneLights(const SemanticMap& map);

  /// @param active  ids of the active faces; unknown and duplicate ids are ignored
  /// Returns  one value per lane, in the map's order
  std::vector<LaneLight> colours(std::span<const std::string_view> active) const;

 private:
  std::vector<std::uint32_t> first_;  ///< n + 1: first face of lane i
  std::vector<std::uint32_t> faces_;  ///< rows of faces
  std::vector<Colour> face_colours_;
  std::unordered_map<std::string, std::uint32_t, IdHash, std::equal_to<>> face_rows_;
};

/// L5Kit's model feature for a light colour: 0 unknown, 1 green, 2 yellow, 3 red, 4
/// without traffic light; of several lights, the maximum.
int light_feature(Colour colour) noexcept;
inline constexpr int kNoLightFeature = 4;

/// An active face and its colour.
struct ActiveFace {
  std::string_view id;
  Colour colour = Colour::red;
};

/// Returns L5Kit's traffic light feature of a lane: 4 if no traffic light controls it,
/// otherwise the maximum of 0 unknown, 1 green, 2 yellow and 3 red over its controls in
/// `active`.
///
/// Throws     out_of_range for an unknown lane row; not_found if the lane names a
///            control that the map does not have
/// Reference  L5Kit's MapAPI, get_tl_feature_for_lane.
int traffic_light_feature(const SemanticMap& map, std::uint32_t lane,
                          std::span<const ActiveFace> active);

}  // namespace bev::map

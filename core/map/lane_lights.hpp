#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/map/semantic_map.hpp"

namespace bev::map {

/// What a lane's traffic lights show to those on it.
enum class LaneLight : std::uint8_t { none = 0, red = 1, yellow = 2, green = 3 };

/// Which of a map's lanes are red, yellow or green, given the faces that are lit.
///
/// L5Kit takes whichever of several lit faces comes last in the iteration of a set, so
/// that its answer may differ from run to run; here red is before yellow before green.
///
/// Lifetime  Copies what it needs of the map.
/// Threads   colours() keeps nothing; any number may ask.
/// Source    L5Kit's semantic rasterizer, which colours lanes so.
class LaneLights {
 public:
  explicit LaneLights(const SemanticMap& map);

  /// @param active  ids of the faces that are lit; ids of no face of this map, and
  ///                the same id twice, change nothing
  /// @returns       one value a lane, in the order of the map's lanes
  std::vector<LaneLight> colours(std::span<const std::string_view> active) const;

 private:
  std::vector<std::uint32_t> first_;  ///< n + 1: where the faces of lane i begin
  std::vector<std::uint32_t> faces_;  ///< rows of faces
  std::vector<Colour> face_colours_;
  std::unordered_map<std::string, std::uint32_t, IdHash, std::equal_to<>> face_rows_;
};

/// What L5Kit's models are told of a lane: 0 where its lights show nothing, 1 green, 2
/// yellow, 3 red, 4 where it has none; of several the greatest.
int light_feature(Colour colour) noexcept;
inline constexpr int kNoLightFeature = 4;

/// A face that is lit, and what it shows.
struct ActiveFace {
  std::string_view id;
  Colour colour = Colour::red;
};

/// L5Kit's feature of a lane for models: 4 if no traffic light controls it, else the
/// greatest of 0 unknown, 1 green, 2 yellow and 3 red over those of its controls that
/// are in `active`.
///
/// @throws Error  out_of_range for a row that is no lane; not_found where it names
///                a control that the map does not have
/// Source         L5Kit's MapAPI, get_tl_feature_for_lane.
int traffic_light_feature(const SemanticMap& map, std::uint32_t lane,
                          std::span<const ActiveFace> active);

}  // namespace bev::map

#pragma once

#include <cstdint>
#include <optional>

#include "core/map/elements.hpp"

namespace bev::map {

/// The colour of a traffic-light face by the number of its field in the oneof of
/// TrafficControlElement: plain faces and the arrows left, right, upper left and upper
/// right. Nullopt for all else, flashing signals and u-turn arrows among it.
///
/// Source  L5Kit's MapAPI, is_traffic_face_color.
std::optional<Colour> face_colour(std::uint32_t control_type);

}  // namespace bev::map

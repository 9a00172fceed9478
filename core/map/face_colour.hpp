#pragma once

#include <cstdint>
#include <optional>

#include "core/map/elements.hpp"

namespace bev::map {

/// Returns the colour of a traffic light face from its field number in
/// TrafficControlElement's oneof: plain faces and left, right, upper left and upper
/// right arrows. Returns nullopt for anything else, including flashing signals and
/// u-turn arrows.
///
/// Reference  L5Kit's MapAPI, is_traffic_face_color.
std::optional<Colour> face_colour(std::uint32_t control_type);

}  // namespace bev::map

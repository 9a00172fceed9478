#include "core/map/face_colour.hpp"

namespace bev::map {

std::optional<Colour> face_colour(std::uint32_t control_type) {
  switch (control_type) {
    case 11:  // plain
    case 30:  // left
    case 32:  // right
    case 38:  // upper left
    case 41:  // upper right
      return Colour::red;
    case 12:
    case 36:
    case 37:
    case 39:
    case 42: return Colour::yellow;
    case 13:
    case 31:
    case 33:
    case 40:
    case 43: return Colour::green;
    default: return std::nullopt;
  }
}

}  // namespace bev::map

#pragma once

#include <optional>
#include <string_view>

#include "core/geom/affine.hpp"

namespace bev::map {

/// The contents of a data set's meta.json.
struct Meta {
  geom::Affine3 ecef_from_world;  ///< `world_to_ecef`, metres to metres
  geom::Affine3 world_from_ecef;  ///< the inverse of ecef_from_world
  /// `ecef_to_aerial`, metres to (row, column) of the aerial image; absent if the file
  /// has none. Its third row is zero, so it has no inverse.
  std::optional<geom::Affine3> aerial_from_ecef;
};

/// Parses meta.json.
///
/// Throws  invalid_metadata, naming the field, for invalid JSON, a matrix that is not
///         4x4 finite numbers, a last row other than 0 0 0 1, or a singular
///         world_to_ecef
Meta parse_meta(std::string_view json);

}  // namespace bev::map

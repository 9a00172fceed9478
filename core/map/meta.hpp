#pragma once

#include <optional>
#include <string_view>

#include "core/geom/affine.hpp"

namespace bev::map {

/// What meta.json says of a data set's frames.
struct Meta {
  geom::Affine3 ecef_from_world;  ///< its `world_to_ecef`, metres to metres
  geom::Affine3 world_from_ecef;  ///< the inverse of it
  /// Its `ecef_to_aerial`, metres to (row, column) of the aerial image; not there where
  /// the file has none. Its third row is zero, so that it has no inverse.
  std::optional<geom::Affine3> aerial_from_ecef;
};

/// Reads meta.json.
///
/// @throws Error  invalid_metadata that names what is missing or not as it should be:
///                not JSON, no 4x4 of finite numbers, a last row other than 0 0 0 1, a
///                world_to_ecef that cannot be undone
Meta parse_meta(std::string_view json);

}  // namespace bev::map

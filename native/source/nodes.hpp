#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/zarr/metadata.hpp"
#include "native/source/source.hpp"

namespace bev::native {

/// What there is at a path of a store, of version 2 or 3.
enum class Node { none, group, array };

/// @throws Error  what the source throws; invalid_metadata for a zarr.json that is none
Node node_at(Source& source, const std::string& path);

/// The metadata of an array.
///
/// @throws Error  missing_key where there is no array; what parse_array_meta throws
zarr::ArrayMeta array_meta_at(Source& source, const std::string& path);

/// The paths of the arrays among the objects of a listing, in order of key, those with
/// broken metadata among them; "" for the store itself.
std::vector<std::string> array_paths(Source& source, std::span<const Listed> objects);

}  // namespace bev::native

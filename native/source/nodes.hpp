#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/zarr/metadata.hpp"
#include "native/source/source.hpp"

namespace bev::native {

/// The kind of node at a path of a store, version 2 or 3.
enum class Node { none, group, array };

/// Throws  errors of the source; invalid_metadata for an invalid zarr.json
Node node_at(Source& source, const std::string& path);

/// Returns an array's metadata.
///
/// Throws  missing_key if there is no array; errors of parse_array_meta
zarr::ArrayMeta array_meta_at(Source& source, const std::string& path);

/// Returns the paths of the arrays among listed objects, sorted by key, including those
/// with invalid metadata; "" for the store's root.
std::vector<std::string> array_paths(Source& source, std::span<const Listed> objects);

}  // namespace bev::native

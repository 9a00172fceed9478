#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/zarr/metadata.hpp"

namespace bev::save {

/// Returns the metadata of an array to create.
///
/// @param dtype   NumPy's code, or the fields of a record as JSON
/// @param chunks  {}: one chunk, or as many rows as 1 MiB has
/// @param fill    the fill value as JSON
/// @param format  version of the format, 2 or 3
/// Throws  invalid_argument for another number of chunk lengths than axes, lengths of 0,
///         an unknown codec, an order other than C or F, another version, or what the
///         types refuse; unsupported for what version 3 lacks: array_v3_json()
zarr::ArrayMeta array_spec(std::vector<std::uint64_t> shape, const std::string& dtype,
                           std::vector<std::uint64_t> chunks, const std::string& codec,
                           std::optional<int> level, const std::string& fill,
                           char order, int format = 2);

}  // namespace bev::save

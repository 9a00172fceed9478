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
/// Throws  invalid_argument for another number of chunk lengths than axes, lengths of 0,
///         an unknown codec, an order other than C or F, or what the types refuse
zarr::ArrayMeta array_spec(std::vector<std::uint64_t> shape, const std::string& dtype,
                           std::vector<std::uint64_t> chunks, const std::string& codec,
                           std::optional<int> level, const std::string& fill,
                           char order);

}  // namespace bev::save

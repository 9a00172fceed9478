#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <vector>

#include "core/zarr/dtype.hpp"
#include "core/zarr/json_view.hpp"

namespace bev::zarr {

/// Converts a version 3 data type to a version 2 `dtype`: "float64" to "<f8" or ">f8".
///
/// @param order   '<' or '>', from the codec `bytes`
/// @throws Error  unsupported for an unsupported type, by name; invalid_metadata
nlohmann::json dtype_from_v3(JsonView data_type, char order, std::string_view where,
                             int depth = 0);

/// Parses a version 3 fill value to the bytes of one element.
///
/// @throws Error  invalid_metadata for a value that the type does not have
std::vector<std::byte> fill_from_v3(JsonView value, const DType& type,
                                    std::string_view where);

}  // namespace bev::zarr

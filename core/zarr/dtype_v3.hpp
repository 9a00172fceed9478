#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <vector>

#include "core/zarr/dtype.hpp"
#include "core/zarr/json_view.hpp"

namespace bev::zarr {

/// A data type of version 3 as the `dtype` of version 2: "float64" is "<f8", or ">f8".
///
/// @param order   '<' or '>', what the codec `bytes` says
/// @throws Error  unsupported for a type that is not read here, by name;
///                invalid_metadata
nlohmann::json dtype_from_v3(JsonView data_type, char order, std::string_view where,
                             int depth = 0);

/// The bytes of one element whose value version 3 spells so.
///
/// @throws Error  invalid_metadata for a value that the type does not have
std::vector<std::byte> fill_from_v3(JsonView value, const DType& type,
                                    std::string_view where);

}  // namespace bev::zarr

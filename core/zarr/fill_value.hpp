#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string_view>
#include <vector>

#include "core/zarr/dtype.hpp"
#include "core/zarr/json_view.hpp"

namespace bev::zarr {

/// The bytes of one element, in the type's own byte order, that a `fill_value` means.
///
/// null and, for types that are not numbers, 0 mean zeros. Numbers stand as they are,
/// reals also as "NaN", "Infinity", "-Infinity"; complex numbers are pairs; S, V and
/// records are base64, U is text; dates are integers or "NaT".
///
/// @throws Error  invalid_metadata if the value is not one of the type's; unsupported
///                for elements of more than 256 MiB, before there is memory for one
///
/// Source: Zarr v2 specification, "Fill value encoding"; what it leaves open as
/// zarr-python 2 (zarr.meta, decode_fill_value) has it.
std::vector<std::byte> parse_fill_value(JsonView value, const DType& type,
                                        std::string_view where);

/// The other direction: what to write for an element.
nlohmann::json fill_value_json(std::span<const std::byte> element, const DType& type);

}  // namespace bev::zarr

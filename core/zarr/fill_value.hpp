#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string_view>
#include <vector>

#include "core/zarr/dtype.hpp"
#include "core/zarr/json_view.hpp"

namespace bev::zarr {

/// Parses a `fill_value` to the bytes of one element, in the type's byte order.
///
/// null and, for non-numeric types, 0 mean zeros. Numbers are JSON numbers, reals also
/// "NaN", "Infinity", "-Infinity"; complex numbers are pairs; S, V and records are
/// Base64, U is text; dates are integers or "NaT".
///
/// @throws Error  invalid_metadata if the type has no such value; unsupported for
///                elements larger than 256 MiB, before memory is allocated
/// Reference  Zarr v2 specification, "Fill value encoding"; otherwise as zarr-python 2
///            (zarr.meta, decode_fill_value).
std::vector<std::byte> parse_fill_value(JsonView value, const DType& type,
                                        std::string_view where);

/// Returns the `fill_value` to write for an element.
nlohmann::json fill_value_json(std::span<const std::byte> element, const DType& type);

}  // namespace bev::zarr

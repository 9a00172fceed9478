#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/zarr/number.hpp"

namespace bev::reader {

/// Formats a number: integers in decimal, reals as python_repr() does.
std::string number_text(const zarr::Number& number);

/// Parses a decimal integer that spans the whole text; nullopt for anything else and
/// for integers that fit in neither int64 nor uint64. Negative integers are signed, all
/// others unsigned.
std::optional<zarr::Number> parse_integer(std::string_view text);

/// Returns whether a JSON parser that stores numbers as double reads this integer
/// exactly: its magnitude is at most 2^53.
bool is_exact_in_json(const zarr::Number& integer) noexcept;

}  // namespace bev::reader

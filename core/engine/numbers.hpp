#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/store/box_selection.hpp"

namespace bev {

/// Converts a JavaScript number to an integer. Accepts only integers that a double
/// represents exactly.
///
/// @param what  the argument's name in messages: "begin"
/// Throws  invalid_argument: "begin: invalid number (found 1.5, expected an
///         integer up to 2^53)"
std::int64_t integer_from(double number, std::string_view what);

/// As integer_from(); also refuses negative numbers.
std::uint64_t index_from(double number, std::string_view what);

/// As index_from(); also refuses values above 32 bits.
std::uint32_t count_from(double number, std::string_view what);

std::vector<std::int64_t> integers_from(std::span<const double> numbers,
                                        std::string_view what);

/// Converts groups of four numbers (begin, end, step, index) to one selection per axis.
/// NaN marks an omitted value.
///
/// Throws  invalid_argument for a value out of range, or a length that is not a
///         multiple of 4
std::vector<store::AxisSlice> axes_from(std::span<const double> numbers);

}  // namespace bev

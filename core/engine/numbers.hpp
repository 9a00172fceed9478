#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/store/box_selection.hpp"

namespace bev {

/// A number of JavaScript as a position: an integer that a double holds exactly.
///
/// @param what    names it in messages: "begin"
/// @throws Error  invalid_argument: "begin: 1.5, expected an integer up to 2^53"
std::int64_t integer_from(double number, std::string_view what);

/// The same, and not negative.
std::uint64_t index_from(double number, std::string_view what);

/// An index that fits 32 bits.
std::uint32_t count_from(double number, std::string_view what);

std::vector<std::int64_t> integers_from(std::span<const double> numbers,
                                        std::string_view what);

/// What is taken of each axis, from four numbers: begin, end, step, index. NaN is for
/// what is not given.
///
/// @throws Error  invalid_argument for a number that is none of these, or a list that
///                does not end with an axis
std::vector<store::AxisSlice> axes_from(std::span<const double> numbers);

}  // namespace bev

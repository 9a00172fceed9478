#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace bev::native {

/// Parses --index for a data set of `length` items: a list 0,5,-1 or a slice A:B:S with
/// Python's meaning; S may be negative. Items are in the given order.
///
/// Throws  out_of_range for an item after the last, invalid_argument for one before the
///         first; cli::UsageError for invalid syntax and a step of 0
std::vector<std::uint64_t> parse_indices(std::string_view text, std::uint64_t length);

}  // namespace bev::native

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace bev::native {

/// The items that --index names, of a data set of `length`: a list 0,5,-1 or a slice
/// A:B:S, each as Python reads them; S may be negative. In the order given.
///
/// @throws Error            out_of_range for an item behind the last, invalid_argument
///                          for one before the first
/// @throws cli::UsageError  for a text that is neither, and for a step of 0
std::vector<std::uint64_t> parse_indices(std::string_view text, std::uint64_t length);

}  // namespace bev::native

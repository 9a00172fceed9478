#pragma once

#include <cstddef>

namespace bev::test {

/// Returns the number of `new` calls in this program so far.
std::size_t allocations() noexcept;

/// Returns the bytes that `new` has allocated and `delete` has not freed.
std::size_t live_bytes() noexcept;

/// Returns the highest live_bytes() since the last reset_peak().
std::size_t peak_bytes() noexcept;
void reset_peak() noexcept;  ///< starts with the current live_bytes()

}  // namespace bev::test

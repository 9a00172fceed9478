#pragma once

#include <cstddef>

namespace bev::test {

/// Returns the number of `new` calls in this program so far.
std::size_t allocations() noexcept;

}  // namespace bev::test

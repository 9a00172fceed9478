#pragma once

#include <cstddef>

namespace bev::test {

/// How often memory was asked for with `new` so far, by anything in this program.
std::size_t allocations() noexcept;

}  // namespace bev::test

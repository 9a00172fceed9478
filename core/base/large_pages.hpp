#pragma once

#include <cstddef>

namespace bev {

/// Asks for memory that was not touched yet to come in large pages, where it is much
/// and the system has such: touching it first costs a fraction then.
void prefer_large_pages(void* memory, std::size_t bytes) noexcept;

}  // namespace bev

#pragma once

#include <cstddef>
#include <functional>

namespace bev {

/// Runs `work(i)` for every i below `count`, in any order and at any time, and returns
/// when all are done. Passes on what the first of those that throw has thrown.
using Workers = void (*)(std::size_t count,
                         const std::function<void(std::size_t)>& work);

/// Lends the core a host's threads; null takes them back. It has none of its own, and
/// in a browser gets none: then work is done one after the other.
///
/// Threads  Any; it holds for the whole process.
void lend_workers(Workers workers) noexcept;

/// Runs `work` by the workers lent, else here, in order, up to the first that throws.
void in_parallel(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace bev

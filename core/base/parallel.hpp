#pragma once

#include <cstddef>
#include <functional>

namespace bev {

/// Runs `work(i)` for every i below `count`, in any order and concurrently, and returns
/// when all calls are done. Rethrows the first exception.
using Workers = void (*)(std::size_t count,
                         const std::function<void(std::size_t)>& work);

/// Sets the host's thread pool for the core, which has no threads of its own; null
/// removes it. Without a pool, as in a browser, work runs sequentially.
///
/// Thread safety  Any thread; applies to the whole process.
void set_workers(Workers workers) noexcept;

/// Runs `work` in the host's thread pool; without one on this thread, in order, up to
/// the first exception.
void in_parallel(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace bev

#pragma once

#include <cstddef>
#include <functional>

namespace bev::native {

/// Runs `work(i)` for every i below `count`, on this thread and as many others as the
/// machine has processors for, up to seven. What runs at the same time must not share
/// what it writes.
///
/// Errors  What the work of the least i that failed has thrown, after all others ran.
void on_threads(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace bev::native

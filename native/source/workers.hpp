#pragma once

#include <cstddef>
#include <functional>

namespace bev::native {

/// Runs `work(i)` for every i below `count`, on this thread and one per further
/// processor, up to seven. Concurrent calls must not write shared data.
///
/// Throws  The error of the lowest i that failed, after all others have run.
void on_threads(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace bev::native

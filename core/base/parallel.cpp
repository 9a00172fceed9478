#include "core/base/parallel.hpp"

#include <atomic>

namespace bev {
namespace {

std::atomic<Workers> host_workers{nullptr};

}  // namespace

void set_workers(Workers workers) noexcept {
  host_workers = workers;
}

void in_parallel(std::size_t count, const std::function<void(std::size_t)>& work) {
  const Workers workers = host_workers;
  if (workers != nullptr && count > 1) return workers(count, work);
  for (std::size_t i = 0; i < count; ++i) work(i);
}

}  // namespace bev

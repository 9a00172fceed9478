#include "core/base/parallel.hpp"

#include <atomic>

namespace bev {
namespace {

std::atomic<Workers> lent{nullptr};

}  // namespace

void set_workers(Workers workers) noexcept {
  lent = workers;
}

void in_parallel(std::size_t count, const std::function<void(std::size_t)>& work) {
  const Workers workers = lent;
  if (workers != nullptr && count > 1) return workers(count, work);
  for (std::size_t i = 0; i < count; ++i) work(i);
}

}  // namespace bev

#include "core/base/large_pages.hpp"

#ifdef __linux__
#include <sys/mman.h>

#include <cstdint>
#endif

namespace bev {

#ifdef __linux__

void advise_huge_pages(void* memory, std::size_t bytes) noexcept {
  constexpr std::size_t kMinBytes = std::size_t{4} << 20;
  constexpr std::uintptr_t kPage = 4096;
  if (bytes < kMinBytes) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  const auto first = (begin + kPage - 1) / kPage * kPage;
  // Advice only: the kernel may ignore it.
  static_cast<void>(
      madvise(reinterpret_cast<void*>(first), begin + bytes - first, MADV_HUGEPAGE));
}

#else

void advise_huge_pages(void* /*memory*/, std::size_t /*bytes*/) noexcept {}

#endif

}  // namespace bev

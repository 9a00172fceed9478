#include "tests/support/allocations.hpp"

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> count = 0;
std::atomic<std::size_t> live = 0;
std::atomic<std::size_t> peak = 0;

void* allocate(std::size_t size) noexcept {
  count.fetch_add(1, std::memory_order_relaxed);
  void* const memory = std::malloc(std::max<std::size_t>(size, 1));
  if (memory == nullptr) return nullptr;
  const auto bytes = malloc_usable_size(memory);
  const auto now = live.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  auto highest = peak.load(std::memory_order_relaxed);
  while (now > highest && !peak.compare_exchange_weak(highest, now)) {
  }
  return memory;
}

void release(void* memory) noexcept {
  if (memory == nullptr) return;
  live.fetch_sub(malloc_usable_size(memory), std::memory_order_relaxed);
  std::free(memory);
}

}  // namespace

std::size_t bev::test::allocations() noexcept {
  return count;
}
std::size_t bev::test::live_bytes() noexcept {
  return live;
}
std::size_t bev::test::peak_bytes() noexcept {
  return peak;
}
void bev::test::reset_peak() noexcept {
  peak.store(live);
}

// All related forms are replaced too, otherwise sanitizers report mismatched calls.

void* operator new(std::size_t size) {
  if (void* const memory = allocate(size)) return memory;
  throw std::bad_alloc();
}
void* operator new[](std::size_t size) {
  return operator new(size);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return allocate(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return allocate(size);
}
void operator delete(void* memory) noexcept {
  release(memory);
}
void operator delete[](void* memory) noexcept {
  release(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  release(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  release(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  release(memory);
}
void operator delete[](void* memory, const std::nothrow_t&) noexcept {
  release(memory);
}

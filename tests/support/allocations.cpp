#include "tests/support/allocations.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace {

std::size_t count = 0;

void* allocate(std::size_t size) noexcept {
  ++count;
  return std::malloc(std::max<std::size_t>(size, 1));
}

}  // namespace

std::size_t bev::test::allocations() noexcept {
  return count;
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
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}

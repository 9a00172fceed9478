#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace bev {

/// Allocator whose containers leave new trivial values uninitialized: resize() costs an
/// allocation but no pass over the memory.
template <class T>
struct Uninitialized : std::allocator<T> {
  template <class U>
  // NOLINTNEXTLINE(readability-identifier-naming): the name that containers look for
  struct rebind {
    using other = Uninitialized<U>;
  };

  template <class U>
  void construct(U* place) noexcept {
    ::new (static_cast<void*>(place)) U;
  }
  template <class U, class... Args>
  void construct(U* place, Args&&... args) {
    ::new (static_cast<void*>(place)) U(static_cast<Args&&>(args)...);
  }
};

/// Bytes that resize() leaves uninitialized; the caller must write them before reading.
using RawBytes = std::vector<std::byte, Uninitialized<std::byte>>;

}  // namespace bev

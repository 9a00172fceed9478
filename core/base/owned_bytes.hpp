#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
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

/// Read-only bytes with shared ownership. Takes over a container without copying its
/// bytes; copies share them.
///
/// Lifetime  The bytes live as long as the last copy.
class OwnedBytes {
 public:
  OwnedBytes() = default;
  OwnedBytes(std::vector<std::byte> bytes) : OwnedBytes(shared(std::move(bytes))) {}
  OwnedBytes(RawBytes bytes) : OwnedBytes(shared(std::move(bytes))) {}

  std::size_t size() const noexcept { return view_.size(); }
  const std::byte* data() const noexcept { return view_.data(); }
  std::span<const std::byte> span() const noexcept { return view_; }
  operator std::span<const std::byte>() const noexcept { return view_; }

 private:
  template <class Container>
  explicit OwnedBytes(std::shared_ptr<const Container> owner)
      : view_(owner->data(), owner->size()), owner_(std::move(owner)) {}

  template <class Container>
  static std::shared_ptr<const Container> shared(Container bytes) {
    return std::make_shared<const Container>(std::move(bytes));
  }

  std::span<const std::byte> view_;
  std::shared_ptr<const void> owner_;
};

}  // namespace bev

#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/base/uninitialized.hpp"

namespace bev {

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

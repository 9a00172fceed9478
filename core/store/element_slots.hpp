#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "core/zarr/decode.hpp"

namespace bev::store {

/// Whole elements as they are decoded: in the slot, where one takes all of each, else
/// by themselves until finish() takes them apart.
///
/// Lifetime  The slots outlive it.
class ElementSlots {
 public:
  ElementSlots(std::size_t element_size, std::size_t bytes,
               std::span<const zarr::ColumnSlot> slots)
      : size_(element_size),
        slots_(slots),
        direct_(slots.size() == 1 && slots[0].size == element_size),
        own_(direct_ ? 0 : bytes) {}

  /// Where the elements go, in the order of the result.
  std::span<std::byte> bytes() noexcept {
    return direct_ ? slots_[0].out : std::span<std::byte>(own_);
  }

  void finish() {
    if (direct_) return;
    for (const auto& slot : slots_) split(slot);
  }

 private:
  void split(const zarr::ColumnSlot& slot) {
    const auto count = own_.size() / size_;
    for (std::size_t i = 0; i < count && slot.size > 0; ++i) {
      std::memcpy(slot.out.data() + i * slot.size,
                  own_.data() + i * size_ + slot.offset, slot.size);
    }
  }

  std::size_t size_;
  std::span<const zarr::ColumnSlot> slots_;
  bool direct_;
  std::vector<std::byte> own_;
};

}  // namespace bev::store

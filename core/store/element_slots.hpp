#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "core/zarr/decode.hpp"

namespace bev::store {

/// Output of whole decoded elements: the slot itself, if one slot takes whole elements;
/// otherwise a buffer that finish() splits into the slots.
///
/// Lifetime  The slots' buffers outlive it.
class ElementSlots {
 public:
  ElementSlots(std::size_t element_size, std::size_t bytes,
               std::span<const zarr::ColumnSlot> slots)
      : size_(element_size),
        slots_(slots),
        direct_(slots.size() == 1 && slots[0].size == element_size),
        own_(direct_ ? 0 : bytes) {}

  /// Returns the buffer for the elements, in the result's order.
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

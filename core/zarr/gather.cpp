#include "core/zarr/gather.hpp"

#include <cstring>

namespace bev::zarr {
namespace {

// A constant size lets the compiler copy in registers.
template <std::size_t kSize>
void copy_fixed(const std::byte* from, std::size_t record_size, std::size_t count,
                std::byte* to) {
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(to + i * kSize, from + i * record_size, kSize);
  }
}

void copy_column(const std::byte* from, std::size_t record_size, std::size_t count,
                 const ColumnSlot& slot) {
  std::byte* to = slot.out.data();
  switch (slot.size) {
    case 1: return copy_fixed<1>(from, record_size, count, to);
    case 2: return copy_fixed<2>(from, record_size, count, to);
    case 4: return copy_fixed<4>(from, record_size, count, to);
    case 8: return copy_fixed<8>(from, record_size, count, to);
    case 12: return copy_fixed<12>(from, record_size, count, to);
    case 16: return copy_fixed<16>(from, record_size, count, to);
    default: break;
  }
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(to + i * slot.size, from + i * record_size, slot.size);
  }
}

}  // namespace

void gather(const std::byte* records, std::size_t record_size, std::size_t count,
            std::span<const ColumnSlot> slots) {
  if (count == 0) return;
  for (const ColumnSlot& slot : slots) {
    if (slot.size == 0) continue;
    if (slot.size == record_size) {
      std::memcpy(slot.out.data(), records, count * record_size);
    } else {
      copy_column(records + slot.offset, record_size, count, slot);
    }
  }
}

}  // namespace bev::zarr

#pragma once

#include <cstddef>
#include <span>

#include "core/zarr/decode.hpp"

namespace bev::zarr {

/// Copies the slots' bytes out of `count` contiguous records.
void gather(const std::byte* records, std::size_t record_size, std::size_t count,
            std::span<const ColumnSlot> slots);

}  // namespace bev::zarr

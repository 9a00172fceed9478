#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/owned_bytes.hpp"
#include "core/zarr/dtype.hpp"

namespace bev::zarr {

/// Returns the exact value of an IEEE 754 half. NaNs keep their payload.
float half_to_float(std::uint16_t half) noexcept;

/// Returns the nearest half, ties to even; infinity on overflow. Rounds once, straight
/// from double, as NumPy does.
std::uint16_t half_from_double(double value) noexcept;

/// Returns whether elements are halves.
inline bool is_half(const DType& type) noexcept {
  return type.kind == Kind::real && type.item_size == 2;
}

/// Converts halves to floats, little-endian: JavaScript has no array of halves.
RawBytes widened(std::span<const std::byte> halves);

}  // namespace bev::zarr

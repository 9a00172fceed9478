#pragma once

#include <cstdint>

namespace bev::zarr {

/// Returns the exact value of an IEEE 754 half. NaNs keep their payload.
float half_to_float(std::uint16_t half) noexcept;

/// Returns the nearest half, ties to even; infinity on overflow. Rounds once, straight
/// from double, as NumPy does.
std::uint16_t half_from_double(double value) noexcept;

}  // namespace bev::zarr

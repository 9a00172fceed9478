#pragma once

#include <cstdint>

namespace bev::zarr {

/// The value of an IEEE 754 half, exactly. NaNs keep their payload.
float half_to_float(std::uint16_t half) noexcept;

/// The nearest half, ties to even; what is too large becomes infinite. One rounding,
/// straight from double, as NumPy does it.
std::uint16_t half_from_double(double value) noexcept;

}  // namespace bev::zarr

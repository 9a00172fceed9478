#pragma once

#include <cstddef>
#include <cstdint>

#include "core/zarr/dtype.hpp"

namespace bev::zarr {

/// A number of any NumPy type of up to 8 bytes, without loss.
struct Number {
  enum class Kind { signed_int, unsigned_int, real };

  Kind kind = Kind::real;
  std::uint64_t bits = 0;  ///< of an integer, two's complement
  double real = 0;

  double as_real() const noexcept;
};

/// Returns whether load_number and store_number support the type: a scalar boolean,
/// integer or real.
bool is_number(const DType& type) noexcept;

Number load_number(const DType& type, const std::byte* from) noexcept;

/// Writes the number as NumPy's astype does. Integers lose their upper bits, reals
/// their fraction; a real outside an integer's range becomes its smallest value.
void store_number(const DType& type, const Number& number, std::byte* to) noexcept;

/// Rounds to the nearest real of that type, as NumPy's arithmetic in it does.
double rounded_to(const DType& type, double value) noexcept;

}  // namespace bev::zarr

#pragma once

#include <cstddef>
#include <cstdint>

#include "core/zarr/dtype.hpp"

namespace bev::zarr {

/// A number of any of NumPy's types up to 8 bytes, without loss.
struct Number {
  enum class Kind { signed_int, unsigned_int, real };

  Kind kind = Kind::real;
  std::uint64_t bits = 0;  ///< of an integer, two's complement
  double real = 0;

  double as_real() const noexcept;
};

/// Whether load_number and store_number know the type: a scalar boolean, integer or
/// real.
bool is_number(const DType& type) noexcept;

Number load_number(const DType& type, const std::byte* from) noexcept;

/// Writes the number as NumPy's astype does. Integers lose their upper bits, reals
/// their fraction; a real that an integer cannot hold becomes its smallest.
void store_number(const DType& type, const Number& number, std::byte* to) noexcept;

/// The nearest real of that type: what NumPy's arithmetic in it gives.
double rounded_to(const DType& type, double value) noexcept;

}  // namespace bev::zarr

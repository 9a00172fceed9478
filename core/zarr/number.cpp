#include "core/zarr/number.hpp"

#include <bit>

#include "core/base/bytes.hpp"
#include "core/zarr/half.hpp"

namespace bev::zarr {
namespace {

std::endian order_of(const DType& type) noexcept {
  return type.order == ByteOrder::big ? std::endian::big : std::endian::little;
}

std::uint64_t load_bits(const DType& type, const std::byte* from) noexcept {
  const auto order = order_of(type);
  switch (type.item_size) {
    case 1: return load<std::uint8_t>(from, order);
    case 2: return load<std::uint16_t>(from, order);
    case 4: return load<std::uint32_t>(from, order);
    default: return load<std::uint64_t>(from, order);
  }
}

void store_bits(const DType& type, std::uint64_t bits, std::byte* to) noexcept {
  const auto order = order_of(type);
  switch (type.item_size) {
    case 1: return store_as(to, static_cast<std::uint8_t>(bits & 0xff), order);
    case 2: return store_as(to, static_cast<std::uint16_t>(bits & 0xffff), order);
    case 4: return store_as(to, static_cast<std::uint32_t>(bits & 0xffffffff), order);
    default: return store_as(to, bits, order);
  }
}

void store_real(const DType& type, const Number& number, std::byte* to) noexcept {
  const auto order = order_of(type);
  if (type.item_size == 2)
    return store_as(to, half_from_double(number.as_real()), order);
  if (type.item_size == 8) return store_as(to, number.as_real(), order);
  float value = 0;  // rounds an integer once
  switch (number.kind) {
    case Number::Kind::real: value = static_cast<float>(number.real); break;
    case Number::Kind::unsigned_int: value = static_cast<float>(number.bits); break;
    case Number::Kind::signed_int:
      value = static_cast<float>(static_cast<std::int64_t>(number.bits));
      break;
  }
  store_as(to, value, order);
}

// Truncates a real to an integer of `bits` bits.
std::uint64_t truncated(double real, std::size_t bits, bool is_signed) noexcept {
  const auto magnitude = is_signed ? bits - 1 : bits;
  double limit = 1;
  for (std::size_t i = 0; i < magnitude; ++i) limit *= 2;
  const double least = is_signed ? -limit : 0;
  const bool fits = real > least - 1 && real < limit;
  if (!fits) return is_signed ? ~std::uint64_t{0} << magnitude : 0;
  return real < 0 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(real))
                  : static_cast<std::uint64_t>(real);
}

}  // namespace

double Number::as_real() const noexcept {
  switch (kind) {
    case Kind::signed_int: return static_cast<double>(static_cast<std::int64_t>(bits));
    case Kind::unsigned_int: return static_cast<double>(bits);
    case Kind::real: break;
  }
  return real;
}

bool is_number(const DType& type) noexcept {
  const bool known = type.kind == Kind::boolean || type.kind == Kind::signed_int ||
                     type.kind == Kind::unsigned_int || type.kind == Kind::real;
  return known && type.shape.empty();
}

Number load_number(const DType& type, const std::byte* from) noexcept {
  const auto bits = load_bits(type, from);
  if (type.kind == Kind::real) {
    const auto order = order_of(type);
    if (type.item_size == 2) {
      return {Number::Kind::real, 0,
              double{half_to_float(static_cast<std::uint16_t>(bits))}};
    }
    if (type.item_size == 4) {
      return {Number::Kind::real, 0, double{load<float>(from, order)}};
    }
    return {Number::Kind::real, 0, load<double>(from, order)};
  }
  if (type.kind != Kind::signed_int) return {Number::Kind::unsigned_int, bits, 0};
  const auto unused = 64 - 8 * type.item_size;
  const auto extended = static_cast<std::int64_t>(bits << unused) >> unused;
  return {Number::Kind::signed_int, static_cast<std::uint64_t>(extended), 0};
}

void store_number(const DType& type, const Number& number, std::byte* to) noexcept {
  if (type.kind == Kind::real) return store_real(type, number, to);
  const bool real = number.kind == Number::Kind::real;
  if (type.kind == Kind::boolean) {
    const bool set = real ? number.real != 0 : number.bits != 0;
    return store_bits(type, set ? 1 : 0, to);
  }
  const bool is_signed = type.kind == Kind::signed_int;
  store_bits(type,
             real ? truncated(number.real, 8 * type.item_size, is_signed) : number.bits,
             to);
}

double rounded_to(const DType& type, double value) noexcept {
  return type.item_size == 4 ? double{static_cast<float>(value)} : value;
}

}  // namespace bev::zarr

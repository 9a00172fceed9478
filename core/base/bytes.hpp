#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <type_traits>

namespace bev {

template <class T>
concept Arithmetic = std::is_arithmetic_v<T>;

namespace detail {

template <Arithmetic T>
std::array<std::byte, sizeof(T)> in_order(const std::byte* from, std::endian order) {
  std::array<std::byte, sizeof(T)> bytes{};
  std::memcpy(bytes.data(), from, sizeof(T));
  if (order != std::endian::native) std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

}  // namespace detail

/// Loads a T in the given byte order from `from`, which may be unaligned. The caller
/// has checked that sizeof(T) bytes are readable.
///
/// Example  The bytes 0x39 0x30 are 12345 as little-endian std::uint16_t, 14640 as
///          big-endian.
template <Arithmetic T>
T load(const std::byte* from, std::endian order) {
  const auto bytes = detail::in_order<T>(from, order);
  T value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  return value;
}

template <Arithmetic T>
T load_le(const std::byte* from) {
  return load<T>(from, std::endian::little);
}

template <Arithmetic T>
T load_be(const std::byte* from) {
  return load<T>(from, std::endian::big);
}

/// Stores `value` in the given byte order at `to`, which may be unaligned.
template <Arithmetic T>
void store_as(std::byte* to, T value, std::endian order) {
  std::array<std::byte, sizeof(T)> bytes{};
  std::memcpy(bytes.data(), &value, sizeof(T));
  if (order != std::endian::native) std::reverse(bytes.begin(), bytes.end());
  std::memcpy(to, bytes.data(), sizeof(T));
}

template <Arithmetic T>
void store_le(std::byte* to, T value) {
  store_as(to, value, std::endian::little);
}

template <Arithmetic T>
void store_be(std::byte* to, T value) {
  store_as(to, value, std::endian::big);
}

}  // namespace bev

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/zarr/number.hpp"

namespace bev::reader {

/// Mixes the bits of a value; every output bit depends on every input bit. The same in
/// all builds and versions, since splits and orders are made with it.
///
/// Reference  Steele, Lea, Flood: "Fast splittable pseudorandom number generators",
///            2014 (the output function of SplitMix64).
constexpr std::uint64_t mixed(std::uint64_t value) noexcept {
  value += 0x9e3779b97f4a7c15u;
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9u;
  value = (value ^ value >> 27) * 0x94d049bb133111ebu;
  return value ^ value >> 31;
}

/// Hashes a number: equal numbers of all kinds have equal hashes.
std::uint64_t hash_of(const zarr::Number& number, std::uint64_t seed) noexcept;

/// Hashes bytes.
std::uint64_t hash_of(std::span<const std::byte> bytes, std::uint64_t seed) noexcept;

/// Converts a hash to a number from 0 to below 1.
constexpr double unit_of(std::uint64_t hash) noexcept {
  return static_cast<double>(hash >> 11) * 0x1p-53;
}

}  // namespace bev::reader

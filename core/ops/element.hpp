#pragma once

#include <cstddef>
#include <cstdint>

namespace bev::ops {

/// NumPy's little-endian code of an element type.
template <class T>
inline constexpr const char* kDtype = nullptr;
template <>
inline constexpr const char* kDtype<double> = "<f8";
template <>
inline constexpr const char* kDtype<float> = "<f4";
template <>
inline constexpr const char* kDtype<std::int64_t> = "<i8";
template <>
inline constexpr const char* kDtype<std::uint64_t> = "<u8";
template <>
inline constexpr const char* kDtype<std::uint32_t> = "<u4";
template <>
inline constexpr const char* kDtype<std::uint8_t> = "|u1";
template <>
inline constexpr const char* kDtype<std::byte> = "|u1";

}  // namespace bev::ops

#pragma once

#include <cstddef>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace bev::zarr {

// A 16-byte vector with unaligned loads and stores.
#if defined(__SSE2__)

using Vector16 = __m128i;

inline Vector16 load16(const std::byte* from) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
}

inline void store16(std::byte* to, Vector16 value) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), value);
}

#else

struct Vector16 {
  std::byte bytes[16];
};

inline Vector16 load16(const std::byte* from) {
  Vector16 value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

inline void store16(std::byte* to, const Vector16& value) {
  std::memcpy(to, &value, sizeof value);
}

#endif

}  // namespace bev::zarr

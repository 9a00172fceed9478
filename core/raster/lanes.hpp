#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// The arithmetic of warping and resizing, all channels of a pixel at once where the
// machine has 128-bit vectors (SSE2, which Emscripten turns into WebAssembly's), one by
// one elsewhere. Both are exact.

namespace bev::raster {

/// A pixel as four lanes of 16 bits: red lowest, green, blue, and one that is not used.
using Lanes = std::uint64_t;

constexpr Lanes lanes(std::uint8_t red, std::uint8_t green,
                      std::uint8_t blue) noexcept {
  return Lanes{red} | Lanes{green} << 16 | Lanes{blue} << 32;
}

/// Red, green and blue in front of what is in memory after them, of 8 bytes.
using TwoPixels = std::array<std::uint8_t, 8>;

inline TwoPixels two_pixels(const std::uint8_t* rgb) noexcept {
  TwoPixels out;
  std::memcpy(out.data(), rgb, out.size());
  return out;
}

/// Two pixels and the two below them, by how near they are: x and y in 32nds.
inline Lanes bilinear(const TwoPixels& upper, const TwoPixels& lower, int x,
                      int y) noexcept {
#if defined(__SSE2__)
  const __m128i zero = _mm_setzero_si128();
  const auto along = [&](const TwoPixels& pixels) {
    const __m128i wide = _mm_unpacklo_epi8(
        _mm_loadl_epi64(reinterpret_cast<const __m128i*>(pixels.data())), zero);
    const __m128i pairs = _mm_unpacklo_epi16(wide, _mm_srli_si128(wide, 6));
    return _mm_madd_epi16(pairs, _mm_set1_epi32(x << 16 | (32 - x)));
  };
  const __m128i rows = _mm_packs_epi32(along(upper), along(lower));
  const __m128i pairs = _mm_unpacklo_epi16(rows, _mm_srli_si128(rows, 8));
  const __m128i sum = _mm_add_epi32(
      _mm_madd_epi16(pairs, _mm_set1_epi32(y << 16 | (32 - y))), _mm_set1_epi32(512));
  Lanes out = 0;
  _mm_storel_epi64(reinterpret_cast<__m128i*>(&out),
                   _mm_packs_epi32(_mm_srli_epi32(sum, 10), zero));
  return out;
#else
  Lanes out = 0;
  for (std::size_t c = 0; c < 3; ++c) {
    const int above = upper[c] * (32 - x) + upper[c + 3] * x;
    const int below = lower[c] * (32 - x) + lower[c + 3] * x;
    out |= static_cast<Lanes>((above * (32 - y) + below * y + 512) >> 10) << 16 * c;
  }
  return out;
#endif
}

/// (a * weight + b * second_weight) >> 4, lane by lane, of weights that add up to 2048.
inline Lanes between(Lanes a, Lanes b, std::uint16_t weight,
                     std::uint16_t second_weight) noexcept {
#if defined(__SSE2__)
  const auto vector = [](const Lanes& pixel) {
    return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(&pixel));
  };
  const __m128i sum = _mm_madd_epi16(_mm_unpacklo_epi16(vector(a), vector(b)),
                                     _mm_set1_epi32(second_weight << 16 | weight));
  Lanes out = 0;
  _mm_storel_epi64(reinterpret_cast<__m128i*>(&out),
                   _mm_packs_epi32(_mm_srli_epi32(sum, 4), _mm_setzero_si128()));
  return out;
#else
  Lanes out = 0;
  for (unsigned shift = 0; shift < 48; shift += 16) {
    const Lanes sum =
        (a >> shift & 0xFFFFU) * weight + (b >> shift & 0xFFFFU) * second_weight;
    out |= (sum >> 4) << shift;
  }
  return out;
#endif
}

}  // namespace bev::raster

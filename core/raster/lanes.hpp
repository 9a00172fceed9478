#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// Arithmetic of warping and resizing. Processes all channels of a pixel at once with
// 128-bit vectors (SSE2, which Emscripten translates to WebAssembly SIMD), otherwise
// one by one. Both versions are exact.

namespace bev::raster {

/// A pixel as four 16-bit lanes: red (lowest), green, blue, unused.
using Lanes = std::uint64_t;

constexpr Lanes lanes(std::uint8_t red, std::uint8_t green,
                      std::uint8_t blue) noexcept {
  return Lanes{red} | Lanes{green} << 16 | Lanes{blue} << 32;
}

/// Eight bytes from memory: two RGB pixels and two unused bytes.
using TwoPixels = std::array<std::uint8_t, 8>;

inline TwoPixels two_pixels(const std::uint8_t* rgb) noexcept {
  TwoPixels out;
  std::memcpy(out.data(), rgb, out.size());
  return out;
}

/// Bilinear interpolation of two pixels and the two below; x and y in 32nds.
inline Lanes bilinear(const TwoPixels& upper, const TwoPixels& lower, int x,
                      int y) noexcept {
#if defined(__SSE2__)
  const auto wide = [](const TwoPixels& pixels) {
    const auto* const from = reinterpret_cast<const __m128i*>(pixels.data());
    return _mm_unpacklo_epi8(_mm_loadl_epi64(from), _mm_setzero_si128());
  };
  const __m128i above = wide(upper);
  const __m128i down = _mm_mullo_epi16(_mm_sub_epi16(wide(lower), above),
                                       _mm_set1_epi16(static_cast<short>(y)));
  const __m128i rows = _mm_add_epi16(_mm_slli_epi16(above, 5), down);
  const __m128i pairs = _mm_unpacklo_epi16(rows, _mm_srli_si128(rows, 6));
  const __m128i sum = _mm_add_epi32(
      _mm_madd_epi16(pairs, _mm_set1_epi32(x * 65535 + 32)), _mm_set1_epi32(512));
  Lanes out = 0;
  _mm_storel_epi64(reinterpret_cast<__m128i*>(&out),
                   _mm_packs_epi32(_mm_srli_epi32(sum, 10), _mm_setzero_si128()));
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

/// Interpolation position between a row's pixels `first` and `first + 1`.
struct alignas(16) Between {
  Between() = default;
  /// The weights are in 2048ths and sum to 2048. With a full first weight, `at` may be
  /// the last pixel.
  Between(std::int32_t at, std::uint16_t weight, std::uint16_t second) noexcept
      : weights{weight, second, weight, second, weight, second, weight, second},
        first(at) {}

  std::array<std::uint16_t, 8> weights{};  ///< alternating, one pair per colour
  std::int32_t first = 0;
};

/// One colour of a pixel, from lanes or from three bytes per pixel.
inline std::uint32_t colour_of(const Lanes* row, std::int32_t x, std::size_t c) {
  return static_cast<std::uint32_t>(row[x] >> 16 * c & 0xFFFFU);
}
inline std::uint32_t colour_of(const std::uint8_t* row, std::int32_t x, std::size_t c) {
  return row[static_cast<std::size_t>(x) * 3 + c];
}

#if defined(__SSE2__)
/// Interleaves the colours of a pixel with those of the next one.
inline __m128i pairs_of(const Lanes* row, std::int32_t x) noexcept {
  const __m128i two = _mm_loadu_si128(reinterpret_cast<const __m128i*>(row + x));
  return _mm_unpacklo_epi16(two, _mm_srli_si128(two, 8));
}
inline __m128i pairs_of(const std::uint8_t* row, std::int32_t x) noexcept {
  std::array<int, 2> four;
  const std::uint8_t* const from = row + static_cast<std::ptrdiff_t>(x) * 3;
  std::memcpy(&four[0], from, sizeof(int));
  std::memcpy(&four[1], from + 3, sizeof(int));
  const __m128i pairs =
      _mm_unpacklo_epi8(_mm_cvtsi32_si128(four[0]), _mm_cvtsi32_si128(four[1]));
  return _mm_unpacklo_epi8(pairs, _mm_setzero_si128());
}

/// Sums the colours of two pixels and of the two below.
inline __m128i sums_of(const Lanes* upper, const Lanes* lower) noexcept {
  const auto two = [](const Lanes* from) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  };
  const __m128i sums = _mm_add_epi16(two(upper), two(lower));
  return _mm_add_epi16(sums, _mm_srli_si128(sums, 8));
}
inline __m128i sums_of(const std::uint8_t* upper, const std::uint8_t* lower) noexcept {
  const auto two = [](const std::uint8_t* from) {
    return _mm_unpacklo_epi8(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from)),
                             _mm_setzero_si128());
  };
  const __m128i sums = _mm_add_epi16(two(upper), two(lower));
  return _mm_add_epi16(sums, _mm_srli_si128(sums, 6));
}

inline void store_four(std::uint8_t* out, __m128i bytes) noexcept {
  const int four = _mm_cvtsi128_si32(bytes);
  std::memcpy(out, &four, sizeof four);
}
#endif

/// Computes (first * weight + next * second_weight) >> 4 for each place.
///
/// Shapes  `row` has padding after its last pixel, of any value: one element if lanes,
///         four if bytes.
template <class Row>
void between(const Row* row, std::span<const Between> places, Lanes* out) noexcept {
  const std::size_t width = places.size();
  std::size_t x = 0;
#if defined(__SSE2__)
  const auto mixed = [&](std::size_t i) {
    const Between& place = places[i];
    const auto* const weights = reinterpret_cast<const __m128i*>(place.weights.data());
    const __m128i pairs = pairs_of(row, place.first);
    return _mm_srli_epi32(_mm_madd_epi16(pairs, _mm_load_si128(weights)), 4);
  };
  for (; x + 2 <= width; x += 2) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + x),
                     _mm_packs_epi32(mixed(x), mixed(x + 1)));
  }
#endif
  for (; x < width; ++x) {
    const auto& [weights, first] = places[x];
    out[x] = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      const std::uint32_t sum = colour_of(row, first, c) * weights[0] +
                                colour_of(row, first + 1, c) * weights[1];
      out[x] |= Lanes{sum >> 4} << 16 * c;
    }
  }
}

/// Averages 2 x 2 pixels of two rows into each of `width` output pixels.
///
/// Shapes  Rows are padded as for between().
template <class Row>
void halve(const Row* upper, const Row* lower, std::size_t width,
           const std::array<std::uint8_t*, 3>& out) noexcept {
  std::size_t x = 0;
#if defined(__SSE2__)
  constexpr std::size_t kStep = sizeof(Row) == 1 ? 6 : 2;
  const auto sums = [&](std::size_t i) {
    return sums_of(upper + i * kStep, lower + i * kStep);
  };
  for (; x + 4 <= width; x += 4) {
    const __m128i early = _mm_unpacklo_epi16(sums(x), sums(x + 1));
    const __m128i late = _mm_unpacklo_epi16(sums(x + 2), sums(x + 3));
    const auto means = [](__m128i four_times) {
      const __m128i two = _mm_set1_epi16(2);
      return _mm_srli_epi16(_mm_add_epi16(four_times, two), 2);
    };
    const __m128i bytes = _mm_packus_epi16(means(_mm_unpacklo_epi32(early, late)),
                                           means(_mm_unpackhi_epi32(early, late)));
    store_four(out[0] + x, bytes);
    store_four(out[1] + x, _mm_srli_si128(bytes, 4));
    store_four(out[2] + x, _mm_srli_si128(bytes, 8));
  }
#endif
  for (; x < width; ++x) {
    const auto first = static_cast<std::int32_t>(2 * x);
    for (std::size_t c = 0; c < 3; ++c) {
      const std::uint32_t sum =
          colour_of(upper, first, c) + colour_of(upper, first + 1, c) +
          colour_of(lower, first, c) + colour_of(lower, first + 1, c);
      out[c][x] = static_cast<std::uint8_t>((sum + 2) >> 2);
    }
  }
}

/// Two rows and their weights in the interpolated row, in 2048ths.
struct TwoRows {
  const Lanes* upper;
  const Lanes* lower;
  std::uint16_t weight, second_weight;
};

/// Writes ((upper * weight >> 16) + (lower * second_weight >> 16) + 2) >> 2 of each
/// colour to planes.
inline void mix(const TwoRows& rows, std::size_t width,
                const std::array<std::uint8_t*, 3>& out) noexcept {
  std::size_t x = 0;
#if defined(__SSE2__)
  const auto scaled = [](const Lanes* from, std::uint16_t weight) {
    return _mm_mulhi_epu16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)),
                           _mm_set1_epi16(static_cast<short>(weight)));
  };
  const auto two = [&](std::size_t i) {
    const __m128i sum = _mm_add_epi16(scaled(rows.upper + i, rows.weight),
                                      scaled(rows.lower + i, rows.second_weight));
    return _mm_srli_epi16(_mm_add_epi16(sum, _mm_set1_epi16(2)), 2);
  };
  const auto four = [&](std::size_t i) { return _mm_packus_epi16(two(i), two(i + 2)); };
  const auto store = [](std::uint8_t* to, __m128i bytes) {
    _mm_storel_epi64(reinterpret_cast<__m128i*>(to), bytes);
  };
  for (; x + 8 <= width; x += 8) {
    const __m128i first = four(x), last = four(x + 4);
    const __m128i low = _mm_unpacklo_epi8(first, last);
    const __m128i high = _mm_unpackhi_epi8(first, last);
    const __m128i even = _mm_unpacklo_epi8(low, high);
    const __m128i odd = _mm_unpackhi_epi8(low, high);
    const __m128i red_green = _mm_unpacklo_epi8(even, odd);
    store(out[0] + x, red_green);
    store(out[1] + x, _mm_srli_si128(red_green, 8));
    store(out[2] + x, _mm_unpackhi_epi8(even, odd));
  }
#endif
  for (; x < width; ++x) {
    for (std::size_t c = 0; c < 3; ++c) {
      const auto part = [&](const Lanes* row, std::uint32_t weight) {
        return static_cast<std::uint32_t>(row[x] >> 16 * c & 0xFFFFU) * weight >> 16;
      };
      const std::uint32_t sum =
          part(rows.upper, rows.weight) + part(rows.lower, rows.second_weight);
      out[c][x] = static_cast<std::uint8_t>((sum + 2) >> 2);
    }
  }
}

/// Converts pixels of three bytes to lanes; reads nothing beyond the span.
inline void widen(std::span<const std::uint8_t> rgb, Lanes* out) noexcept {
  const std::size_t count = rgb.size() / 3;
  std::size_t i = 0;
#if defined(__SSE2__)
  const __m128i colours = _mm_set_epi32(0xFFFF, -1, 0xFFFF, -1);
  for (; i + 3 <= count; i += 2) {  // each pair loads two extra bytes
    const auto* const from = reinterpret_cast<const __m128i*>(&rgb[i * 3]);
    const __m128i wide = _mm_unpacklo_epi8(_mm_loadl_epi64(from), _mm_setzero_si128());
    const __m128i two = _mm_unpacklo_epi64(wide, _mm_srli_si128(wide, 6));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i), _mm_and_si128(two, colours));
  }
#endif
  for (; i < count; ++i) out[i] = lanes(rgb[i * 3], rgb[i * 3 + 1], rgb[i * 3 + 2]);
}

}  // namespace bev::raster

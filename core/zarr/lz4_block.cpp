#include "core/zarr/lz4_block.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <cstring>

#include "core/base/bytes.hpp"
#include "core/zarr/vector16.hpp"

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

namespace bev::zarr {
namespace {

constexpr unsigned kLong = 15;  // in a token: more length bytes follow
constexpr std::size_t kMinMatch = 4;
// The fast loop leaves the last bytes of a stream to the careful loop, because its wide
// loads would read past the end.
constexpr std::ptrdiff_t kMargin = 64;

/// Read and write positions of the decoder.
struct At {
  const std::byte* in;  // null: the stream is damaged
  std::byte* out;
};

constexpr At kDamaged{nullptr, nullptr};

struct Bounds {
  const std::byte* in_end;
  std::byte* begin;
  std::byte* stop;  // target reached
  std::size_t capacity;

  /// Returns whether to continue. If all of `out` is needed, decoding continues to the
  /// end of the stream, to detect a stream that holds more.
  bool goes_on(const std::byte* out) const {
    return out < stop || stop == begin + capacity;
  }
  /// 64 bits: length bytes can add up to more than a pointer can address.
  bool has_room(const std::byte* out, std::uint64_t bytes) const {
    return static_cast<std::uint64_t>(out - begin) + bytes <= capacity;
  }
  bool reaches_back(const std::byte* out, std::size_t distance) const {
    return distance != 0 && distance <= static_cast<std::size_t>(out - begin);
  }
};

unsigned byte_at(const std::byte* at) {
  return std::to_integer<unsigned>(*at);
}

struct Length {
  std::uint64_t bytes = 0;
  const std::byte* after;  // null: the stream ends within it
};

inline Length read_length(unsigned code, const std::byte* in,
                          const std::byte* const end) {
  Length length{code, in};
  if (code != kLong) return length;
  for (unsigned more = 255; more == 255; ++length.after) {
    if (length.after == end) return {0, nullptr};
    more = byte_at(length.after);
    length.bytes += more;
  }
  return length;
}

// Copies up to 63 bytes more than needed: most copies then take one iteration, which
// costs less than a mispredicted branch. `from` may be 16 bytes before `to`.
inline void copy_wide(const std::byte* from, std::byte* to, const std::byte* end) {
  do {
    store16(to, load16(from));
    store16(to + 16, load16(from + 16));
    store16(to + 32, load16(from + 32));
    store16(to + 48, load16(from + 48));
    from += 64;
    to += 64;
  } while (to < end);
}

inline void copy8(const std::byte* from, std::byte* to) {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, from, 8);
  std::memcpy(to, &bytes, 8);
}

/// For each match distance below 16: the shuffle indices that repeat that many bytes to
/// 16, and the number of these bytes that are whole repetitions.
struct Turns {
  std::array<std::array<std::byte, 16>, 16> places{};
  std::array<std::uint8_t, 16> step{};

  constexpr Turns() {
    for (std::size_t distance = 1; distance < 16; ++distance) {
      for (std::size_t i = 0; i < 16; ++i) {
        places[distance][i] = static_cast<std::byte>(i % distance);
      }
      step[distance] = static_cast<std::uint8_t>(16 - 16 % distance);
    }
  }
};
constexpr Turns kTurns;

// Repeats the `distance` bytes before `to`; writes up to 15 bytes more than needed.
inline void repeat(std::byte* to, const std::byte* end, std::size_t distance) {
  const std::byte* from = to - distance;
  const auto& places = kTurns.places[distance];
#if defined(__wasm_simd128__)
  const auto turns = static_cast<Vector16>(
      wasm_i8x16_swizzle(wasm_v128_load(from), wasm_v128_load(places.data())));
#else
  std::byte bytes[16];
  for (std::size_t i = 0; i < 16; ++i) bytes[i] = from[byte_at(&places[i])];
  const auto turns = load16(bytes);
#endif
  do {
    store16(to, turns);
    to += kTurns.step[distance];
  } while (to < end);
}

// Returns `at` unchanged if the literals end too near the end of the stream.
inline At copy_long_literals(const Bounds& bounds, At at) {
  const auto literals = read_length(kLong, at.in, bounds.in_end);
  if (!literals.after) return kDamaged;
  const auto left = static_cast<std::uint64_t>(bounds.in_end - literals.after);
  if (literals.bytes + kMargin > left) return at;
  if (!bounds.has_room(at.out, literals.bytes)) return kDamaged;
  const auto size = static_cast<std::size_t>(literals.bytes);
  copy_wide(literals.after, at.out, at.out + size);
  return {literals.after + size, at.out + size};
}

inline At copy_match(const Bounds& bounds, At at, unsigned code, std::size_t distance) {
  const auto match = read_length(code, at.in, bounds.in_end);
  const auto bytes = match.bytes + kMinMatch;
  if (!match.after || !bounds.has_room(at.out, bytes)) return kDamaged;
  auto* const end = at.out + static_cast<std::size_t>(bytes);
  if (distance >= 16) {
    copy_wide(at.out - distance, at.out, end);
  } else {
    repeat(at.out, end, distance);
  }
  return {match.after, end};
}

// Decodes sequences far from the end of the stream; copies short literals and matches
// as vectors. Their overshoot fits in the slack; the caller checks the capacity.
At decode_fast(const Bounds& bounds, At at) {
  const auto* const in_fast = bounds.in_end - std::min(kMargin, bounds.in_end - at.in);
  while (at.in < in_fast && at.out < bounds.stop) {
    const auto* const sequence = at.in;
    const unsigned token = byte_at(at.in++);
    if (token >> 4 != kLong) {
      store16(at.out, load16(at.in));
      at.in += token >> 4;
      at.out += token >> 4;
    } else {
      const auto next = copy_long_literals(bounds, at);
      if (!next.in) return kDamaged;
      if (next.in == at.in) return {sequence, at.out};
      at = next;
    }
    const std::size_t distance = load_le<std::uint16_t>(at.in);
    at.in += 2;
    if (!bounds.reaches_back(at.out, distance)) return kDamaged;
    const unsigned code = token & 15;
    if (code != kLong && distance >= 8) {
      copy8(at.out - distance, at.out);
      copy8(at.out - distance + 8, at.out + 8);
      std::memcpy(at.out + 16, at.out - distance + 16, 2);
      at.out += code + kMinMatch;
    } else {
      at = copy_match(bounds, at, code, distance);
      if (!at.in) return kDamaged;
    }
  }
  return at;
}

// Decodes the end of a stream without reading past it. Its last match can be long: if
// the last fields of the records are zero, it covers several planes.
At decode_carefully(const Bounds& bounds, At at) {
  while (at.in != bounds.in_end && bounds.goes_on(at.out)) {
    const unsigned token = byte_at(at.in++);
    const auto literals = read_length(token >> 4, at.in, bounds.in_end);
    if (!literals.after || !bounds.has_room(at.out, literals.bytes)) return kDamaged;
    const auto left = static_cast<std::uint64_t>(bounds.in_end - literals.after);
    if (literals.bytes > left) return kDamaged;
    const auto size = static_cast<std::size_t>(literals.bytes);
    at = {literals.after + size, std::copy_n(literals.after, size, at.out)};
    if (literals.bytes == left || !bounds.goes_on(at.out)) break;
    if (bounds.in_end - at.in < 2) return kDamaged;
    const std::size_t distance = load_le<std::uint16_t>(at.in);
    if (!bounds.reaches_back(at.out, distance)) return kDamaged;
    at = copy_match(bounds, {at.in + 2, at.out}, token & 15, distance);
    if (!at.in) return kDamaged;
  }
  return at;
}

}  // namespace

bool decode_lz4(std::span<const std::byte> stream, std::span<std::byte> out,
                std::size_t target) {
  assert(target <= out.size());
  auto* const begin = out.data();
  const auto* const in_end = stream.data() + stream.size();
  const Bounds bounds{in_end, begin, begin + target, out.size()};
  auto at = decode_fast(bounds, {stream.data(), begin});
  if (at.in) at = decode_carefully(bounds, at);
  if (!at.in) return false;
  const auto got = static_cast<std::size_t>(at.out - begin);
  return got >= target && got <= out.size();
}

}  // namespace bev::zarr

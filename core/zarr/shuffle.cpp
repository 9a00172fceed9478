#include "core/zarr/shuffle.hpp"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <cstring>

#include "core/zarr/vector16.hpp"

namespace bev::zarr {
namespace {

constexpr std::size_t kMaxSize = 255;  // Blosc's largest typesize

#if defined(__SSE2__)

constexpr std::size_t kTileRows = 16;
constexpr std::size_t kTilesOfLine = 4;  // tiles of a plane per cache line

// One step of a transposition: interleaves the rows of a and b.
struct Pair {
  __m128i low, high;
};

Pair zip8(__m128i a, __m128i b) {
  return {_mm_unpacklo_epi8(a, b), _mm_unpackhi_epi8(a, b)};
}
Pair zip16(__m128i a, __m128i b) {
  return {_mm_unpacklo_epi16(a, b), _mm_unpackhi_epi16(a, b)};
}
Pair zip32(__m128i a, __m128i b) {
  return {_mm_unpacklo_epi32(a, b), _mm_unpackhi_epi32(a, b)};
}

// Read and write positions of a tile of 16 rows.
struct Tile {
  const std::byte* in;  // first row of the first plane
  std::size_t rows;     // stride between planes
  std::byte* out;       // first selected byte of the first row
  std::size_t size;     // stride between rows
};

// Four planes of 16 rows, as four vectors of four rows each.
struct Quad {
  __m128i rows[4];
};

// Here and below, addresses are incremented step by step: WebAssembly compilers keep
// sums of products as written, which would cost a fifth of the unshuffle time. Leaves
// `in` at the plane after the four.
Quad transpose4(const std::byte*& in, std::size_t distance) {
  const __m128i first = load16(in);
  in += distance;
  const Pair a = zip8(first, load16(in));
  in += distance;
  const __m128i third = load16(in);
  in += distance;
  const Pair b = zip8(third, load16(in));
  in += distance;
  const Pair low = zip16(a.low, b.low);
  const Pair high = zip16(a.high, b.high);
  return {{low.low, low.high, high.low, high.high}};
}

void store8(std::byte* to, __m128i value) {
  _mm_storel_epi64(reinterpret_cast<__m128i*>(to), value);
}

void store4(std::byte* to, __m128i value) {
  const int bits = _mm_cvtsi128_si32(value);
  std::memcpy(to, &bits, 4);
}

// Inlined into the loops: otherwise each tile is reloaded from memory.
[[gnu::always_inline]] inline void tile2(const Tile& tile) {
  const Pair rows = zip8(load16(tile.in), load16(tile.in + tile.rows));
  if (tile.size == 2) {
    store16(tile.out, rows.low);
    store16(tile.out + 16, rows.high);
    return;
  }
  std::byte pairs[32];
  store16(pairs, rows.low);
  store16(pairs + 16, rows.high);
  for (std::size_t i = 0; i < kTileRows; ++i) {
    std::memcpy(tile.out + i * tile.size, pairs + 2 * i, 2);
  }
}

[[gnu::always_inline]] inline void tile4(const Tile& tile) {
  const std::byte* in = tile.in;
  const Quad quad = transpose4(in, tile.rows);
  for (std::size_t i = 0; i < 4; ++i) {
    const __m128i rows = quad.rows[i];
    std::byte* out = tile.out + 4 * i * tile.size;
    if (tile.size == 4) {
      store16(out, rows);
      continue;
    }
    store4(out, rows);
    store4(out + tile.size, _mm_srli_si128(rows, 4));
    store4(out + 2 * tile.size, _mm_srli_si128(rows, 8));
    store4(out + 3 * tile.size, _mm_srli_si128(rows, 12));
  }
}

[[gnu::always_inline]] inline void tile8(const Tile& tile) {
  const std::byte* in = tile.in;
  const Quad a = transpose4(in, tile.rows);
  const Quad b = transpose4(in, tile.rows);
  for (std::size_t i = 0; i < 4; ++i) {
    const Pair rows = zip32(a.rows[i], b.rows[i]);
    std::byte* out = tile.out + 4 * i * tile.size;
    if (tile.size == 8) {
      store16(out, rows.low);
      store16(out + 16, rows.high);
      continue;
    }
    store8(out, rows.low);
    store8(out + tile.size, _mm_srli_si128(rows.low, 8));
    store8(out + 2 * tile.size, rows.high);
    store8(out + 3 * tile.size, _mm_srli_si128(rows.high, 8));
  }
}

[[gnu::always_inline]] inline void tile16(const Tile& tile) {
  const std::size_t distance = tile.rows;
  const std::byte* in = tile.in;
  std::byte* out = tile.out;
  const Quad a = transpose4(in, distance);
  const Quad b = transpose4(in, distance);
  const Quad c = transpose4(in, distance);
  const Quad d = transpose4(in, distance);
  for (std::size_t i = 0; i < 4; ++i) {
    const Pair front = zip32(a.rows[i], b.rows[i]);
    const Pair back = zip32(c.rows[i], d.rows[i]);
    store16(out, _mm_unpacklo_epi64(front.low, back.low));
    out += tile.size;
    store16(out, _mm_unpackhi_epi64(front.low, back.low));
    out += tile.size;
    store16(out, _mm_unpacklo_epi64(front.high, back.high));
    out += tile.size;
    store16(out, _mm_unpackhi_epi64(front.high, back.high));
    out += tile.size;
  }
}

// Transposes consecutive tiles along the rows.
template <void transpose(const Tile&)>
void repeat_shuffle(Tile tile, std::size_t tiles) {
  for (; tiles > 0; --tiles) {
    transpose(tile);
    tile.in += kTileRows;
    tile.out += kTileRows * tile.size;
  }
}

// The planes of a selection in groups of 16, 8, 4 or 2. If the size is not a sum of
// these, the last group overlaps the previous one: some bytes are written twice.
class Groups {
 public:
  explicit Groups(std::size_t size) : size_(size) {
    std::size_t at = 0;
    for (std::size_t width = 16; width >= 2; width /= 2) {
      for (; at + width <= size; at += width) add(at, width);
      // A wider overlapping group is faster than several narrow ones, if there are
      // enough planes before it.
      if (at < size && size >= width && size - at > width / 2) {
        add(size - width, width);
        at = size;
      }
    }
    if (at < size) add(size - 2, 2);
  }

  void transpose(const std::byte* in, std::size_t rows, std::byte* out,
                 std::size_t tiles) const {
    for (std::size_t i = 0; i < count_; ++i) {
      const Group group = groups_[i];
      const Tile first{in + group.plane * rows, rows, out + group.plane, size_};
      switch (group.width) {
        case 16: repeat_shuffle<tile16>(first, tiles); break;
        case 8: repeat_shuffle<tile8>(first, tiles); break;
        case 4: repeat_shuffle<tile4>(first, tiles); break;
        default: repeat_shuffle<tile2>(first, tiles); break;
      }
    }
  }

 private:
  struct Group {
    std::size_t plane, width;
  };

  void add(std::size_t plane, std::size_t width) { groups_[count_++] = {plane, width}; }

  std::size_t size_;
  std::size_t count_ = 0;
  Group groups_[kMaxSize / 16 + 4];
};

// Iterates rows outside, planes inside: a few tiles write their part of `out` at once,
// which is 1.5 times faster than one pass over `out` per 16 planes.
void unshuffle_wide(const std::byte* in, std::size_t rows, const Selection& selection,
                    std::byte* out) {
  const std::size_t size = selection.size;
  const Groups groups(size);
  std::size_t row = 0;
  for (std::size_t tiles = selection.count / kTileRows; tiles > 0;) {
    const auto some = std::min(tiles, kTilesOfLine);
    groups.transpose(in + row, rows, out + row * size, some);
    row += some * kTileRows;
    tiles -= some;
  }
  if (row == selection.count) return;
  // The last tile also reads rows that are not selected or past the block; only
  // selected rows are copied.
  std::byte last[kTileRows * kMaxSize];
  groups.transpose(in + row, rows, last, 1);
  std::memcpy(out + row * size, last, (selection.count - row) * size);
}

#else

void unshuffle_wide(const std::byte* in, std::size_t rows, const Selection& selection,
                    std::byte* out) {
  for (std::size_t row = 0; row < selection.count; ++row) {
    for (std::size_t plane = 0; plane < selection.size; ++plane) {
      *out++ = in[plane * rows + row];
    }
  }
}

#endif

// Transposes eight bytes as an 8 x 8 bit matrix.
// Reference  H. S. Warren, Hacker's Delight, 7-3.
std::uint64_t transposed(std::uint64_t bits) {
  const auto swap = [&bits](unsigned shift, std::uint64_t mask) {
    const auto moved = (bits ^ bits >> shift) & mask;
    bits ^= moved ^ moved << shift;
  };
  swap(7, 0x00aa00aa00aa00aa);
  swap(14, 0x0000cccc0000cccc);
  swap(28, 0x00000000f0f0f0f0);
  return bits;
}

}  // namespace

void unshuffle(ShuffledBlock block, Selection selection, std::byte* out) {
  assert(selection.size <= kMaxSize && selection.row + selection.count <= block.rows);
  if (selection.size == 0 || selection.count == 0) return;
  const std::byte* in = block.data + selection.plane * block.rows + selection.row;
  if (selection.size == 1) {
    std::memcpy(out, in, selection.count);
  } else {
    unshuffle_wide(in, block.rows, selection, out);
  }
}

void unshuffle_bits(std::span<const std::byte> from, std::size_t size, std::byte* to) {
  const std::size_t eights = from.size() / size / 8;  // bytes per bit plane
  for (std::size_t byte = 0; byte < size; ++byte) {
    const std::byte* planes = from.data() + byte * 8 * eights;
    for (std::size_t eight = 0; eight < eights; ++eight) {
      std::uint64_t bits = 0;
      for (unsigned bit = 0; bit < 8; ++bit) {
        bits |= std::to_integer<std::uint64_t>(planes[bit * eights + eight]) << 8 * bit;
      }
      bits = transposed(bits);
      std::byte* element = to + eight * 8 * size + byte;
      for (unsigned i = 0; i < 8; ++i) {
        element[i * size] = static_cast<std::byte>(bits >> 8 * i & 0xff);
      }
    }
  }
}

}  // namespace bev::zarr

#include <blosc.h>
#include <doctest/doctest.h>
#include <lz4.h>
#include <zstd.h>

#include <array>
#include <optional>
#include <string>

#include "core/base/error.hpp"
#include "core/zarr/chunk_layout.hpp"
#include "core/zarr/column.hpp"
#include "core/zarr/decode.hpp"
#include "tests/support/codec_cases.hpp"
#include "tests/support/files.hpp"
#include "tests/support/goldens.hpp"
#include "tests/support/parts.hpp"
#include "tests/support/records.hpp"

using bev::Errc;
using bev::Error;
using bev::test::Random;
using namespace bev::zarr;

namespace {

using Id = Compressor::Id;
using Bytes = std::vector<std::byte>;

constexpr std::array kBits = {0x01u, 0x10u, 0xffu};

/// Number of truncations of a chunk and of changed bytes.
struct Damage {
  int cuts = 50;
  int flips = 200;
};
// Sanitizers are slow: they check fewer damages, but of every chunk and every byte.
#ifdef NDEBUG
constexpr Damage kOfGoldens;
constexpr std::size_t kBitsApart = 1;
#else
constexpr Damage kOfGoldens{15, 50};
constexpr std::size_t kBitsApart = 3;
#endif

// Returns the whole chunk; nullopt if it is rejected with an error for damaged data.
std::optional<Bytes> decoded(const ArrayMeta& meta, const Bytes& chunk) {
  Bytes out(meta.chunk_bytes());
  try {
    decode_chunk(meta, {"a/0", chunk}, out);
    return out;
  } catch (const Error& error) {
    const bool typed =
        error.code() == Errc::corrupt_chunk || error.code() == Errc::unsupported;
    CHECK(typed);
    CHECK(std::string(error.what()).starts_with("a/0: "));
    return std::nullopt;
  }
}

// Does the same by the codec's own library, but only for chunks that were decoded, so
// that the length in the header is right.
std::optional<Bytes> by_library(const ArrayMeta& meta, const Bytes& chunk,
                                const Bytes& undamaged) {
  Bytes out(meta.chunk_bytes());
  const auto size = static_cast<int>(out.size());
  auto* to = reinterpret_cast<char*>(out.data());
  switch (meta.compressor.id) {
    case Id::zlib:
    case Id::gzip: return undamaged;  // their checksums leave no other result
    case Id::zstd:
      if (ZSTD_decompress(out.data(), out.size(), chunk.data(), chunk.size()) !=
          out.size()) {
        return std::nullopt;
      }
      return out;
    case Id::lz4:
      if (LZ4_decompress_safe(reinterpret_cast<const char*>(chunk.data()) + 4, to,
                              static_cast<int>(chunk.size()) - 4, size) != size) {
        return std::nullopt;
      }
      return out;
    case Id::none: return chunk;
    case Id::blosc: break;
  }
#ifdef __EMSCRIPTEN__
  const int items = size / std::to_integer<int>(chunk[3]);
  const int got = blosc_getitem(chunk.data(), 0, items, out.data());
#else
  const int got = blosc_decompress_ctx(chunk.data(), out.data(), out.size(), 1);
#endif
  return got == size ? std::optional(out) : std::nullopt;
}

// Decodes parts of the chunk: each is rejected, or equals the whole if that was
// decoded.
bool columns_agree(const ArrayMeta& meta, const Bytes& chunk,
                   const std::optional<Bytes>& whole) {
  const std::size_t record = meta.dtype.size();
  const auto rows = static_cast<std::size_t>(meta.chunks[0]);
  const RowRange part{rows / 4, rows / 2};
  for (const Column& column : columns_of(meta.dtype, {})) {
    const std::size_t size = column.type.size();
    Bytes out(part.size() * size);
    const std::array slots{ColumnSlot{column.offset, size, out}};
    try {
      decode_columns(meta, {"a/0", chunk}, part, slots);
    } catch (const Error&) {
      if (whole) return false;  // if the whole decodes, so must parts
      continue;
    }
    for (std::size_t i = 0; whole && i < out.size(); ++i) {
      const std::size_t from =
          (part.begin + i / size) * record + column.offset + i % size;
      if (out[i] != (*whole)[from]) return false;
    }
  }
  return true;
}

// Decodes every unit by itself: each is rejected, or equals the whole if that was
// decoded. A unit may be rejected though the whole is not: a stream that extends into
// the next block finds that block only in the whole.
bool parts_agree(const ArrayMeta& meta, const Bytes& chunk,
                 const std::optional<Bytes>& whole) {
  if (!ChunkLayout::possible(meta)) return true;
  const std::size_t record = meta.dtype.size();
  try {
    const ChunkLayout layout(meta, {"a/0", chunk}, 1);
    const auto step = layout.unit_rows();
    for (std::size_t row = 0; step > 0 && row < meta.chunks[0]; row += step) {
      const auto units = layout.whole_units({row, row + 1});
      const auto part = bev::test::part_of_chunk(layout, units, chunk);
      if (!part) return !whole;
      Bytes out(units.size() * record);
      const std::array slots{ColumnSlot{0, record, out}};
      decode_part(meta, {"a/0", *part}, units.size(), {0, units.size()}, slots);
      const auto at = static_cast<std::ptrdiff_t>(units.begin * record);
      if (whole && !std::equal(out.begin(), out.end(), whole->begin() + at)) {
        return false;
      }
    }
  } catch (const Error& error) {
    CHECK(std::string(error.what()).starts_with("a/0: "));
  }
  return true;
}

void check_damaged(const ArrayMeta& meta, const Bytes& chunk, const Bytes& undamaged) {
  const auto ours = decoded(meta, chunk);
  if (ours) CHECK(ours == by_library(meta, chunk, undamaged));
  CHECK(columns_agree(meta, chunk, ours));
  CHECK(parts_agree(meta, chunk, ours));
}

void check_all_damage(const ArrayMeta& meta, const Bytes& chunk, std::uint64_t seed,
                      Damage damage = {}) {
  const Bytes undamaged = *decoded(meta, chunk);
  for (int i = 0; i < damage.cuts; ++i) {
    const std::size_t size = chunk.size() * static_cast<std::size_t>(i) /
                             static_cast<std::size_t>(damage.cuts);
    const Bytes head(chunk.begin(), chunk.begin() + static_cast<std::ptrdiff_t>(size));
    CAPTURE(size);
    CHECK_FALSE(decoded(meta, head).has_value());  // a truncated chunk always throws
    CHECK(columns_agree(meta, head, std::nullopt));
    if (size >= kBloscHeaderBytes) CHECK(parts_agree(meta, head, std::nullopt));
  }
  Random random(seed);
  for (int i = 0; i < damage.flips; ++i) {
    Bytes flipped = chunk;
    const std::size_t at = random.below(chunk.size());
    flipped[at] ^= static_cast<std::byte>(1 + random.below(255));
    CAPTURE(at);
    check_damaged(meta, flipped, undamaged);
  }
  CHECK(decoded(meta, chunk) == undamaged);  // scratch memory keeps no damage
}

}  // namespace

TEST_SUITE("zarr/damage") {
  TEST_CASE("a damaged chunk is refused, or decodes as its library does") {
    for (const auto& one : bev::test::codec_cases()) {
      CAPTURE(one.name);
      check_all_damage(one.meta(), one.chunk(), 1);
    }
  }

  TEST_CASE("every byte of a Blosc header and table is changed") {
    for (const auto& one : bev::test::codec_cases()) {
      const ArrayMeta meta = one.meta();
      if (meta.compressor.id != Id::blosc) continue;
      CAPTURE(one.name);
      const Bytes chunk = one.chunk();
      for (std::size_t at = 0; at < 40; ++at) {
        for (std::size_t i = at % kBitsApart; i < kBits.size(); i += kBitsApart) {
          Bytes flipped = chunk;
          flipped[at] ^= static_cast<std::byte>(kBits[i]);
          CAPTURE(at);
          check_damaged(meta, flipped, one.elements());
        }
      }
    }
  }

  TEST_CASE("damaged chunks of the golden stores") {
    BEV_REQUIRE_GOLDENS();
    for (const char* store :
         {"raw", "blosc_blosclz", "blosc_lz4_bit", "blosc_lz4_blocks", "blosc_lz4hc",
          "blosc_zlib_noshuffle", "blosc_zstd_bit", "gzip", "zlib", "zstd",
          "missing_chunk"}) {
      for (const char* array : {"agents", "frames", "scenes", "traffic_light_faces"}) {
        const std::string folder =
            bev::test::goldens() + "/inputs/codecs/" + store + ".zarr/" + array + "/";
        CAPTURE(folder);
        const auto meta =
            parse_array_meta(bev::test::read_text(folder + ".zarray"), array);
        for (std::uint64_t i = 0; i * meta.chunks[0] < meta.shape[0]; ++i) {
          const auto chunk =
              bev::test::find_file(folder + chunk_key(meta, std::array{i}));
          if (chunk) check_all_damage(meta, *chunk, i, kOfGoldens);
        }
      }
    }
  }
}

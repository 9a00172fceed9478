#include "core/zarr/chunk_layout.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "tests/support/codec_cases.hpp"
#include "tests/support/parts.hpp"
#include "tests/support/records.hpp"

using namespace bev::zarr;
using bev::ByteRange;
using bev::test::codec_cases;
using bev::test::part_of_chunk;
using Bytes = std::vector<std::byte>;

namespace {

ArrayMeta raw_meta(const std::string& shape, const std::string& dtype) {
  const std::string text = R"({"zarr_format": 2, "compressor": null, "filters": null,
    "fill_value": 0, "order": "C", "shape": )" +
                           shape + R"(, "chunks": )" + shape + R"(, "dtype": ")" +
                           dtype + "\"}";
  return parse_array_meta(std::string_view(text), "x/.zarray");
}

std::size_t sum(const std::vector<ByteRange>& ranges) {
  std::size_t bytes = 0;
  for (const auto& range : ranges) bytes += static_cast<std::size_t>(range.size());
  return bytes;
}

}  // namespace

TEST_SUITE("zarr/chunk_layout") {
  TEST_CASE("every unit of every codec decodes to its part of the chunk") {
    std::size_t with_units = 0;
    for (const auto& one : codec_cases()) {
      CAPTURE(one.name);
      const auto meta = one.meta();
      if (!ChunkLayout::possible(meta)) continue;
      const auto chunk = one.chunk();
      const auto elements = one.elements();
      const ChunkLayout layout(meta, {"a/0", chunk}, 1);
      CHECK(layout.bytes() == chunk.size());
      if (layout.unit_rows() == 0) continue;
      ++with_units;
      const auto rows = static_cast<std::size_t>(meta.chunk_rows());
      const auto record = meta.dtype.size();
      for (std::size_t begin = 0; begin < rows; begin += layout.unit_rows()) {
        for (const std::size_t last : {begin, rows - 1}) {
          const auto units = layout.whole_units({begin, last + 1});
          const auto part = part_of_chunk(layout, units, chunk);
          REQUIRE(part.has_value());
          Bytes out(units.size() * record);
          const std::array slots{ColumnSlot{0, record, out}};
          decode_part(meta, {"a/0", *part}, units.size(), {0, units.size()}, slots);
          const auto from =
              elements.begin() + static_cast<std::ptrdiff_t>(units.begin * record);
          CHECK(std::equal(out.begin(), out.end(), from));
        }
      }
    }
    CHECK(with_units > 15);
  }

  TEST_CASE("a chunk's head is its header and block table") {
    for (const auto& one : codec_cases()) {
      if (one.name != "blosc_unsorted") continue;
      const auto meta = one.meta();
      const auto chunk = one.chunk();
      CHECK(ChunkLayout::head_bytes(meta, {"a/0", {}}) == 16);
      const auto head = std::span(chunk).first(16);
      const auto blocks = parse_blosc_head({"a/0", head}, meta.chunk_bytes()).blocks();
      CHECK(ChunkLayout::head_bytes(meta, {"a/0", head}) == 16 + 4 * blocks);
      const auto all = std::span(chunk).first(16 + 4 * blocks);
      const ChunkLayout layout(meta, {"a/0", all}, 1);
      std::vector<ByteRange> ranges;
      layout.byte_ranges({0, static_cast<std::size_t>(meta.chunk_rows())}, ranges);
      CHECK(ranges.size() == blocks);
      CHECK(sum(ranges) == chunk.size() - all.size());  // no byte twice, none missing
    }
  }

  TEST_CASE("uncompressed chunks have units of 64 KiB") {
    const auto meta = raw_meta("[100000]", "<i4");
    const ChunkLayout layout(meta, {"a/0", {}});
    CHECK(layout.bytes() == 400000);
    CHECK(layout.unit_rows() == 16384);
    const auto units = layout.whole_units({99999, 100000});
    CHECK(units.begin == 98304);
    CHECK(units.end == 100000);
    std::vector<ByteRange> ranges;
    layout.byte_ranges(units, ranges);
    CHECK(ranges == std::vector<ByteRange>{{393216, 400000}});
  }

  TEST_CASE("small, multi-dimensional and empty chunks have no units") {
    CHECK(ChunkLayout(raw_meta("[100]", "<i4"), {"a/0", {}}).unit_rows() == 0);
    CHECK_FALSE(ChunkLayout::possible(raw_meta("[4, 4]", "<i4")));
    CHECK_FALSE(ChunkLayout::possible(raw_meta("[]", "<i4")));
  }

  TEST_CASE("chunks with overlapping blocks have no units") {
    for (const auto& one : codec_cases()) {
      if (one.name != "blosc_lz41") continue;
      auto chunk = one.chunk();
      const ChunkLayout sound(one.meta(), {"a/0", chunk}, 1);
      CHECK(sound.unit_rows() > 0);
      bev::store_le(chunk.data() + 20, bev::load_le<std::uint32_t>(chunk.data() + 16));
      const ChunkLayout layout(one.meta(), {"a/0", chunk}, 1);
      CHECK(layout.unit_rows() == 0);
    }
  }

  TEST_CASE("a damaged block is named by its number in the whole chunk") {
    for (const auto& one : codec_cases()) {
      if (one.name != "blosc_lz41") continue;
      const auto meta = one.meta();
      auto chunk = one.chunk();
      const ChunkLayout layout(meta, {"a/0", chunk}, 1);
      const auto rows = static_cast<std::size_t>(meta.chunk_rows());
      const auto units = layout.whole_units({rows - 1, rows});
      std::vector<ByteRange> ranges;
      layout.byte_ranges(units, ranges);
      bev::store_le(chunk.data() + ranges[0].begin, std::uint32_t{0xffffff});
      const auto part = part_of_chunk(layout, units, chunk);
      Bytes out(units.size() * meta.dtype.size());
      const std::array slots{ColumnSlot{0, meta.dtype.size(), out}};
      const auto block = layout.block_of(units.begin);
      std::string message;
      try {
        decode_part(meta, {"a/0", *part, block}, units.size(), {0, units.size()},
                    slots);
      } catch (const bev::Error& error) {
        message = error.what();
      }
      CHECK(block > 0);
      const auto named = "a/0: blosc lz4: block " + std::to_string(block) + ": ";
      CHECK(message.starts_with(named));
    }
  }
}

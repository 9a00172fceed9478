#include "tests/fuzz/targets.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/zarr/chunk_layout.hpp"
#include "core/zarr/column.hpp"
#include "core/zarr/decode.hpp"
#include "core/zarr/encode.hpp"
#include "core/zarr/metadata.hpp"
#include "core/zarr/metadata_v3.hpp"
#include "tests/support/parts.hpp"

namespace bev::test {
namespace {

using namespace bev::zarr;
using Bytes = std::span<const std::byte>;

// Metadata may request more memory than a test has.
constexpr std::size_t kMaxInput = std::size_t{1} << 20;

std::string_view text_of(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void must_hold(bool property, const char* what) {
  if (!property) throw std::logic_error(what);
}

std::optional<ArrayMeta> parsed(std::string_view text) {
  try {
    return parse_array_meta(text, "fuzz");
  } catch (const Error&) {
    return std::nullopt;
  }
}

// Parses metadata of either version.
std::optional<ArrayMeta> parsed_any(std::string_view text) {
  if (auto meta = parsed(text)) return meta;
  try {
    return parse_array_v3(text, "fuzz");
  } catch (const Error&) {
    return std::nullopt;
  }
}

void check_rewritten(const ArrayMeta& meta) {
  const ArrayMeta again = parse_array_meta(array_meta_json(meta), "again");
  must_hold(again.shape == meta.shape && again.chunks == meta.chunks, "grid");
  must_hold(again.dtype == meta.dtype && again.order == meta.order, "type");
  must_hold(again.fill == meta.fill && again.fill_is_null == meta.fill_is_null, "fill");
  must_hold(again.compressor == meta.compressor && again.separator == meta.separator,
            "compressor");
}

// Compares every column of some rows with the whole decoded chunk.
void check_columns(const ArrayMeta& meta, EncodedChunk chunk, Bytes whole,
                   RowRange rows) {
  const std::size_t record = meta.dtype.size();
  for (const Column& column : columns_of(meta.dtype, {})) {
    const std::size_t size = column.type.size();
    std::vector<std::byte> out(rows.size() * size);
    const ColumnSlot slot{column.offset, size, out};
    decode_columns(meta, chunk, rows, std::span(&slot, 1));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Bytes expected =
          whole.subspan((rows.begin + i) * record + column.offset, size);
      must_hold(std::equal(expected.begin(), expected.end(),
                           out.begin() + static_cast<std::ptrdiff_t>(i * size)),
                "a column differs from the whole chunk");
    }
  }
}

// Decodes every unit separately: either an Error, or the same as in the whole chunk, if
// that was decoded.
void check_parts(const ArrayMeta& meta, EncodedChunk chunk,
                 const std::optional<Bytes>& whole) {
  if (!ChunkLayout::possible(meta)) return;
  const std::size_t record = meta.dtype.size();
  try {
    const ChunkLayout layout(meta, chunk, 1);
    const auto step = layout.unit_rows();
    const std::vector<std::byte> all(chunk.bytes.begin(), chunk.bytes.end());
    for (std::size_t row = 0; step > 0 && row < meta.chunks[0]; row += step) {
      const auto units = layout.whole_units({row, row + 1});
      const auto part = part_of_chunk(layout, units, all);
      if (!part) return must_hold(!whole, "a part lies outside of its chunk");
      std::vector<std::byte> out(units.size() * record);
      const ColumnSlot slot{0, record, out};
      decode_part(meta, {chunk.key, *part}, units.size(), {0, units.size()},
                  std::span(&slot, 1));
      if (!whole) continue;
      const auto expected = whole->subspan(units.begin * record, out.size());
      must_hold(std::equal(out.begin(), out.end(), expected.begin()),
                "a part differs from the whole chunk");
    }
  } catch (const Error&) {
    return;
  }
}

}  // namespace

void metadata_target(Bytes input) {
  if (const auto meta = parsed(text_of(input))) check_rewritten(*meta);
  try {
    parse_root_v3(text_of(input), "fuzz");
  } catch (const Error&) {
    // Metadata that is not of version 3 may be of version 2.
  }
  try {
    parse_consolidated(text_of(input), "fuzz");
  } catch (const Error&) {
    return;
  }
}

void decode_target(Bytes input) {
  if (input.size() < 2) return;
  const std::size_t text = load_le<std::uint16_t>(input.data());
  if (text > input.size() - 2) return;
  const auto meta = parsed_any(text_of(input.subspan(2, text)));
  if (!meta || meta->sharding || meta->chunk_bytes() > kMaxInput) return;
  const EncodedChunk chunk{"fuzz/0", input.subspan(2 + text)};
  std::vector<std::byte> whole(meta->chunk_bytes());
  try {
    decode_chunk(*meta, chunk, whole);
  } catch (const Error&) {
    return check_parts(*meta, chunk, std::nullopt);
  }
  check_parts(*meta, chunk, whole);
  const std::size_t rows = whole.size() / meta->dtype.size();
  if (meta->shape.size() != 1) return;
  check_columns(*meta, chunk, whole, {0, rows});
  check_columns(*meta, chunk, whole, {rows / 3, rows / 2});
}

}  // namespace bev::test

#include "tests/fuzz/targets.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/zarr/column.hpp"
#include "core/zarr/consolidated.hpp"
#include "core/zarr/decode.hpp"
#include "core/zarr/encode.hpp"
#include "core/zarr/metadata.hpp"

namespace bev::test {
namespace {

using namespace bev::zarr;
using Bytes = std::span<const std::byte>;

// Metadata may ask for more memory than a test has.
constexpr std::size_t kMostBytes = std::size_t{1} << 20;

std::string_view as_text(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void hold(bool property, const char* what) {
  if (!property) throw std::logic_error(what);
}

std::optional<ArrayMeta> parsed(std::string_view text) {
  try {
    return parse_array_meta(text, "fuzz");
  } catch (const Error&) {
    return std::nullopt;
  }
}

void check_rewritten(const ArrayMeta& meta) {
  const ArrayMeta again = parse_array_meta(array_meta_json(meta), "again");
  hold(again.shape == meta.shape && again.chunks == meta.chunks, "grid");
  hold(again.dtype == meta.dtype && again.order == meta.order, "type");
  hold(again.fill == meta.fill && again.fill_is_null == meta.fill_is_null, "fill");
  hold(again.compressor == meta.compressor && again.separator == meta.separator,
       "compressor");
}

// Every column of some rows, against the chunk decoded as a whole.
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
      hold(std::equal(expected.begin(), expected.end(),
                      out.begin() + static_cast<std::ptrdiff_t>(i * size)),
           "a column differs from the whole chunk");
    }
  }
}

}  // namespace

void metadata_target(Bytes input) {
  if (const auto meta = parsed(as_text(input))) check_rewritten(*meta);
  try {
    parse_consolidated(as_text(input), "fuzz");
  } catch (const Error&) {
    return;
  }
}

void decode_target(Bytes input) {
  if (input.size() < 2) return;
  const std::size_t text = load_le<std::uint16_t>(input.data());
  if (text > input.size() - 2) return;
  const auto meta = parsed(as_text(input.subspan(2, text)));
  if (!meta || meta->chunk_bytes() > kMostBytes) return;
  const EncodedChunk chunk{"fuzz/0", input.subspan(2 + text)};
  std::vector<std::byte> whole(meta->chunk_bytes());
  try {
    decode_chunk(*meta, chunk, whole);
  } catch (const Error&) {
    return;
  }
  const std::size_t rows = whole.size() / meta->dtype.size();
  if (meta->shape.size() != 1) return;
  check_columns(*meta, chunk, whole, {0, rows});
  check_columns(*meta, chunk, whole, {rows / 3, rows / 2});
}

}  // namespace bev::test

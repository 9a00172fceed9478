#include "core/reader/statistics_recorder.hpp"

#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/reader/statistics_fields.hpp"
#include "core/zarr/column.hpp"
#include "core/zarr/crc32c.hpp"

namespace bev::reader {
namespace {

/// Returns a column of records.
std::vector<std::byte> values_of(const zarr::Column& column, std::size_t record_bytes,
                                 std::span<const std::byte> records) {
  const auto size = column.type.size();
  const auto count = records.size() / record_bytes;
  std::vector<std::byte> out(count * size);
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(out.data() + i * size,
                records.data() + i * record_bytes + column.offset, size);
  }
  return out;
}

}  // namespace

void StatisticsRecorder::add(std::string_view path, const zarr::ArrayMeta& array,
                             const Chunk& chunk) {
  if (is_full_) return;
  const auto rows = zarr::by_row(array);
  if (!rows) return;
  const auto& meta = *rows;
  // Arrays of a columnar copy without limits have no entry.
  const bool is_table = meta.dtype.kind == zarr::Kind::record;
  StatisticsFields fields(path, meta.dtype);
  if (!is_table && fields.empty()) return;
  const auto record_bytes = meta.dtype.size();
  if (record_bytes == 0 || chunk.rows.size() % record_bytes != 0) {
    fail_at(Errc::invalid_argument, path, {"statistics: not whole rows"});
  }
  std::vector<std::vector<std::byte>> values;
  for (const auto& column : fields.columns()) {
    values.push_back(values_of(column, record_bytes, chunk.rows));
  }
  try {
    statistics_.set_array(path, {meta.shape.front(), meta.chunk_rows(),
                                 zarr::to_json(meta.dtype).dump()});
    statistics_.add(path, chunk.number,
                    {chunk.encoded.size(), zarr::crc32c(chunk.encoded)},
                    fields.of_chunk(values));
  } catch (const Error& error) {
    if (error.code() != Errc::limit_exceeded) throw;
    is_full_ = true;
    statistics_ = {};
  }
}

std::optional<std::string> StatisticsRecorder::to_json(std::size_t most) const {
  if (is_full_) return std::nullopt;
  std::size_t bytes = 0;
  for (const auto& path : statistics_.arrays()) bytes += statistics_.json_bytes(path);
  if (bytes > most) return std::nullopt;
  auto text = statistics_.to_json();
  if (text.size() > most) return std::nullopt;
  return text;
}

}  // namespace bev::reader

#include "core/scan/chunk_ranges.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "core/base/error.hpp"
#include "core/geom/trig.hpp"
#include "core/reader/derived.hpp"
#include "core/zarr/shard_index.hpp"

namespace bev {
namespace {

using reader::Origin;
using reader::Range;
using zarr::Number;

Number whole(std::uint64_t value) {
  return {Number::Kind::unsigned_int, value, 0};
}

Number real(float value) {
  return {Number::Kind::real, 0, static_cast<double>(value)};
}

}  // namespace

std::shared_ptr<const KnownStatistics> KnownStatistics::read(EngineState& state,
                                                             store::Reader& reader) {
  using reader::Statistics;
  if (state.statistics) return state.statistics;
  if (!reader.known(Statistics::kKey)) return nullptr;
  const auto out = std::make_shared<KnownStatistics>();
  if (const auto* text = state.store.catalogue().document(Statistics::kKey)) {
    try {
      out->found = Statistics::parse(*text);
    } catch (const Error& error) {
      out->problem = error.what();  // then everything is read
    }
  }
  state.statistics = out;
  return out;
}

ColumnChunks column_chunks(const store::Array& table, const store::Array& column,
                           std::uint64_t chunk) noexcept {
  const auto rows = table.meta.chunk_rows();
  const auto length = column.meta.chunk_rows();
  if (rows == length) return {chunk, chunk};
  const auto first = chunk * rows;
  const auto count = std::min(rows, table.length() - first);
  return {first / length, (first + count - 1) / length};
}

std::string object_of(const store::Array& array, std::uint64_t chunk) {
  const std::span<const std::uint64_t> at(&chunk, 1);
  if (!array.meta.sharding) return array.key(at);
  return array.key(zarr::slot_of(*array.meta.sharding, at).shard);
}

ChunkRanges::ChunkRanges(const reader::Statistics* statistics,
                         const reader::LearntRanges& learnt, const ReaderTable& table,
                         ObjectVersion version)
    : statistics_(statistics),
      learnt_(learnt),
      view_(table.view),
      version_(std::move(version)) {
  if (statistics == nullptr) return;
  for (const auto* array : {table.array, table.frames, table.scenes}) {
    if (array == nullptr || array->meta.shape.size() != 1) continue;
    for (const auto* stored : store::stored_arrays(*array)) {
      const auto& meta = stored->meta;
      valid_[stored] = statistics->valid_chunks(
          stored->path,
          {stored->length(), meta.chunk_rows(), zarr::to_json(meta.dtype).dump()});
    }
  }
}

std::uint64_t ChunkRanges::valid_chunks(const store::Array& array) const {
  const auto found = valid_.find(&array);
  return found == valid_.end() ? 0 : found->second;
}

/// Returns whether the statistics of a chunk may be used.
bool ChunkRanges::is_indexed(const store::Array& array, std::uint64_t chunk) const {
  if (chunk >= valid_chunks(array)) return false;
  if (!version_) return true;
  const auto [at, is_new] = current_.try_emplace({&array, chunk}, true);
  if (is_new) {
    const auto known = statistics_->identity(array.path, chunk);
    const auto now = version_(object_of(array, chunk));
    at->second =
        !known || known->validator.empty() || now.empty() || now == known->validator;
  }
  return at->second;
}

const store::Array& stored_array(const store::Array& table,
                                 const reader::ViewColumn& column,
                                 std::size_t element) noexcept {
  if (column.origin != Origin::stored && column.inputs.empty()) return table;
  const auto& field =
      column.origin == Origin::stored ? column.stored : column.inputs[0];
  const auto& array = store::stored_at(table, field.offset);
  // Of split vectors, each element has an array.
  if (&array == &table || array.meta.dtype.size() == field.type.size()) return array;
  return store::stored_at(table, field.offset + element * field.type.item_size);
}

namespace {

/// An element in the statistics of the array that holds it.
struct InStatistics {
  std::string_view field;
  std::size_t element = 0;
};

InStatistics in_statistics(const store::Array& stored, const store::Array& table,
                           const zarr::Column& field, std::size_t element) {
  if (&stored == &table) return {field.path, element};
  const bool is_split = stored.meta.dtype.size() != field.type.size();
  return {{}, is_split ? 0 : element};
}

}  // namespace

std::optional<Range> ChunkRanges::range(const store::Array& table, std::uint64_t chunk,
                                        std::size_t column, std::size_t element) const {
  const auto& found = view_.columns[column];
  const auto& array = stored_array(table, found, element);
  if (found.origin == Origin::row) {
    const auto first = chunk * array.meta.chunk_rows();
    const auto rows = std::min(array.meta.chunk_rows(), array.length() - first);
    return Range{whole(first), whole(first + rows - 1), false, true};
  }
  const auto chunks = column_chunks(table, array, chunk);
  if (!chunks.is_one()) return std::nullopt;
  const auto at = chunks.first;
  const auto& name = view_.schema.columns[column].name;
  if (found.origin == Origin::stored) {
    if (auto out = indexed_range(table, at, found.stored, element)) return out;
  } else if (reader::derives_from_field(found.origin) && is_indexed(array, at)) {
    if (auto out = statistics_->range(array.path, at, name, 0)) return out;
  }
  if (found.origin == Origin::speed) {
    if (auto out = range_of_speed(table, at, found.inputs[0])) return out;
  }
  return learnt_.range({array.path, at}, name, element);
}

/// Returns the range of an element of a field in the statistics file; nullopt if it is
/// not there, or not valid.
std::optional<Range> ChunkRanges::indexed_range(const store::Array& table,
                                                std::uint64_t chunk,
                                                const zarr::Column& field,
                                                std::size_t element) const {
  const auto& array = stored_array(table, {.stored = field}, element);
  if (!is_indexed(array, chunk)) return std::nullopt;
  const auto [name, at] = in_statistics(array, table, field, element);
  return statistics_->range(array.path, chunk, name, at);
}

/// Returns the range of the length of vectors whose elements have known ranges.
std::optional<Range> ChunkRanges::range_of_speed(const store::Array& table,
                                                 std::uint64_t chunk,
                                                 const zarr::Column& velocity) const {
  double low[2], high[2];
  for (std::size_t i = 0; i < 2; ++i) {
    const auto known = indexed_range(table, chunk, velocity, i);
    // The length of (infinity, NaN) is infinity: limits without NaN say nothing of it.
    if (!known || known->has_nan || !known->has_value) return std::nullopt;
    const auto min = known->min.as_real();
    const auto max = known->max.as_real();
    const bool through_zero = min <= 0 && max >= 0;
    low[i] = through_zero ? 0 : std::min(std::fabs(min), std::fabs(max));
    high[i] = std::max(std::fabs(min), std::fabs(max));
  }
  // Lengths are rounded: one step more on both sides.
  const auto least = static_cast<float>(geom::hypot(low[0], low[1]));
  const auto most = static_cast<float>(geom::hypot(high[0], high[1]));
  return Range{real(least > 0 ? std::nextafter(least, 0.0F) : 0.0F),
               real(std::nextafter(most, std::numeric_limits<float>::infinity())),
               false, true};
}

const std::vector<std::string>* ChunkRanges::texts(const store::Array& table,
                                                   std::uint64_t chunk,
                                                   std::size_t column) const {
  const auto& found = view_.columns[column];
  const auto& array = stored_array(table, found, 0);
  const auto chunks = column_chunks(table, array, chunk);
  if (!chunks.is_one()) return nullptr;
  const auto at = chunks.first;
  if (found.origin == Origin::stored && is_indexed(array, at)) {
    const auto* out = statistics_->texts(
        array.path, at, in_statistics(array, table, found.stored, 0).field);
    if (out != nullptr) return out;
  }
  return learnt_.texts({array.path, at}, view_.schema.columns[column].name);
}

void ChunkRanges::check(const store::Array& array, std::uint64_t chunk,
                        std::uint64_t encoded_bytes) const {
  // Statistics of chunks that are known to be others were not used.
  if (is_indexed(array, chunk)) {
    const auto known = statistics_->identity(array.path, chunk);
    if (known && known->size != encoded_bytes) {
      fail_at(Errc::changed, array.path,
              {"chunk ", chunk, " is not the one of ", reader::Statistics::kKey,
               " (found ", encoded_bytes, " bytes, expected ", known->size,
               "); update it by bevscope index"});
    }
  }
  const auto learnt = learnt_.encoded_bytes({array.path, chunk});
  if (learnt && *learnt != encoded_bytes) {
    fail_at(Errc::changed, array.path,
            {"chunk ", chunk, " changed while it was read (found ", encoded_bytes,
             " bytes, expected ", *learnt, ")"});
  }
}

std::optional<Range> RangesOfChunk::range(std::size_t column,
                                          std::size_t element) const {
  if (view_.columns[column].level != level_) return std::nullopt;
  return ranges_.range(array_, chunk_, column, element);
}

const std::vector<std::string>* RangesOfChunk::texts(std::size_t column) const {
  if (view_.columns[column].level != level_) return nullptr;
  return ranges_.texts(array_, chunk_, column);
}

}  // namespace bev

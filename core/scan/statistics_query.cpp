#include "core/scan/statistics_query.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "core/engine/state.hpp"
#include "core/scan/chunk_ranges.hpp"
#include "core/scene/dataset.hpp"
#include "core/store/columns.hpp"
#include "core/zarr/crc32c.hpp"

namespace bev {
namespace {

std::uint64_t chunks_in(const store::Array& array) {
  const auto rows = array.meta.chunk_rows();
  return array.length() / rows + (array.length() % rows != 0);
}

store::RowSelection rows_of(const store::Array& array, std::uint64_t chunk) {
  const auto chunk_rows = array.meta.chunk_rows();
  const auto first = chunk * chunk_rows;
  const auto count = std::min<std::uint64_t>(chunk_rows, array.length() - first);
  store::RowSelection out;
  out.first = first;
  out.count = static_cast<std::size_t>(count);
  return out;
}

}  // namespace

StatisticsQuery::StatisticsQuery(std::shared_ptr<EngineState> state,
                                 StatisticsOptions options)
    : Query(std::move(state), "statistics"),
      options_(std::move(options)),
      statistics_(std::move(options_.earlier)) {}

bool StatisticsQuery::next() {
  if (!std::exchange(begun_, true)) return true;
  if (!read_) {
    fail(Errc::invalid_argument, {"statistics: next() before the chunk was read"});
  }
  if (!find_chunk()) return false;
  read_ = false;
  ask_again();
  return true;
}

bool StatisticsQuery::gather(store::Reader& reader) {
  begun_ = true;
  if (!is_open_ && !open(reader)) return false;
  read_ = source_ == sources_.size() || read_chunk(reader);
  return read_;
}

// Finds the arrays and the first chunk to read.
bool StatisticsQuery::open(store::Reader& reader) {
  if (!find_arrays(reader)) return false;
  for (const auto* array : found_) begin_array(*array);
  check_keys();
  is_open_ = true;
  find_chunk();
  return true;
}

bool StatisticsQuery::find_arrays(store::Reader& reader) {
  // The documents that tell the store's version.
  bool known = true;
  for (const auto* key : {".zmetadata", ".zgroup", "zarr.json"}) {
    known = reader.known(key) && known;
  }
  if (!known) return false;
  const bool chosen = !options_.arrays.empty();
  auto paths = options_.arrays;
  if (!chosen) paths = {scene::kArrays.begin(), scene::kArrays.end()};
  if (!chosen) paths.emplace_back();
  found_.clear();
  bool complete = true;
  for (const auto& path : paths) {
    const auto found = reader.array(path, chosen);
    complete = complete && found;
    if (!found) continue;
    if (*found != nullptr) {
      add_array(**found);
    } else if (chosen) {
      fail(Errc::not_found, {"unknown array \"", path, "\""});
    }
  }
  if (complete && found_.empty()) {
    fail(Errc::not_found, {"statistics: no arrays (expected scenes, frames, agents or "
                           "traffic_light_faces, or names of others)"});
  }
  return complete;
}

/// Adds an array, or the columns of a table that have limits.
void StatisticsQuery::add_array(const store::Array& array) {
  for (const auto* stored : store::stored_arrays(array)) {
    const bool has_fields =
        !reader::StatisticsFields(stored->path, stored->meta.dtype).empty();
    if (stored == &array || has_fields) {
      found_.push_back(stored);
    }
  }
}

void StatisticsQuery::begin_array(const store::Array& array) {
  const auto& meta = array.meta;
  if (meta.shape.size() != 1) {
    fail(Errc::unsupported,
         {"statistics of ", array.name(), ": unsupported number of axes (found ",
          meta.shape.size(), ", expected 1)"});
  }
  reader::StatisticsFields fields(array.path, meta.dtype);
  statistics_.set_array(array.path, {array.length(), meta.chunk_rows(),
                                     zarr::to_json(meta.dtype).dump()});
  statistics_.set_fields(array.path, fields.names());
  if (options_.keys) statistics_.set_keys(array.path, keys_of(array));
  sources_.push_back({&array, std::move(fields)});
  arrays_.push_back({array.path, chunks_in(array)});
  chunk_count_ += arrays_.back().chunk_count;
}

/// Returns the fields of an array that are keys; a column's field has no name of its own.
std::vector<std::string> StatisticsQuery::keys_of(const store::Array& array) {
  std::vector<std::string> out;
  for (const auto& column : zarr::columns_of(array.meta.dtype, {})) {
    const auto name = column.path.empty() ? array.path.substr(array.path.rfind('/') + 1)
                                          : column.path;
    const auto found = std::find(options_.keys->begin(), options_.keys->end(), name);
    if (found == options_.keys->end()) continue;
    if (!reader::Statistics::can_be_key(column.type)) {
      fail(
          Errc::invalid_argument,
          {"statistics: key ", name, " of ", array.name(), ": unsupported type (found ",
           zarr::to_json(column.type).dump(), ", expected an integer or a string)"});
    }
    out.push_back(column.path);
    found_keys_.insert(name);
  }
  return out;
}

void StatisticsQuery::check_keys() const {
  if (!options_.keys) return;
  for (const auto& key : *options_.keys) {
    if (!found_keys_.contains(key)) {
      fail(Errc::not_found, {"statistics: key ", key, ": no array has this field"});
    }
  }
}

// Advances to the current or a later chunk that must be read; false after the last.
bool StatisticsQuery::find_chunk() {
  for (; source_ < sources_.size(); ++source_, chunk_ = 0) {
    const auto& source = sources_[source_];
    const auto end = std::min(arrays_[source_].chunk_count, options_.end_chunk);
    for (chunk_ = std::max(chunk_, options_.begin_chunk); chunk_ < end; ++chunk_) {
      version_.clear();
      if (options_.version)
        version_ = options_.version(object_of(*source.array, chunk_));
      if (!is_unchanged(source)) return true;
      ++done_count_;
    }
  }
  return false;
}

bool StatisticsQuery::is_unchanged(const Source& source) {
  const auto known = statistics_.identity(source.array->path, chunk_);
  return known && !version_.empty() && known->validator == version_;
}

bool StatisticsQuery::read_chunk(store::Reader& reader) {
  auto& [array, fields] = sources_[source_];
  const auto columns = fields.columns();
  const auto encoded = reader.encoded(*array, {&chunk_, 1});
  if (!encoded) return false;
  const auto rows = rows_of(*array, chunk_);
  std::size_t row_bytes = 0;
  for (const auto& column : columns) row_bytes += column.type.size();
  store::result_bytes(*array, rows.count, row_bytes);
  buffers_.resize(columns.size());
  std::vector<zarr::ColumnSlot> slots;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto size = columns[i].type.size();
    buffers_[i].resize(rows.count * size);
    slots.push_back({columns[i].offset, size, buffers_[i]});
  }
  if (!reader.read(*array, rows, slots, store::Access::whole)) return false;

  reader::ChunkIdentity identity{encoded->bytes.size(), zarr::crc32c(encoded->bytes),
                                 version_};
  statistics_.add(array->path, chunk_, std::move(identity), fields.of_chunk(buffers_));
  auto& counts = arrays_[source_];
  ++counts.read_count;
  counts.encoded_bytes += encoded->bytes.size();
  ++done_count_;
  ++chunk_;
  return true;
}

std::unique_ptr<StatisticsQuery> Engine::statistics(StatisticsOptions options) {
  state_->require_stored("statistics");
  return std::make_unique<StatisticsQuery>(state_, std::move(options));
}

}  // namespace bev

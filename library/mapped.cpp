#include <algorithm>
#include <bevscope/mapped.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/store/catalogue.hpp"
#include "library/dataset_impl.hpp"

namespace bev {
namespace {

/// Returns why the bytes of a chunk are not its rows; null if they are.
///
/// @param by_row  whether each chunk has whole rows, one after another
const char* obstacle_to_mapping(const store::Array& array, bool by_row) {
  const auto& meta = array.meta;
  if (array.columns != nullptr) return "it is stored by column: map its columns";
  if (meta.sharding) return "its chunks are parts of shards";
  if (meta.compressor.id != zarr::Compressor::Id::none) {
    return "its chunks are compressed";
  }
  if (!meta.filters.empty()) return "its chunks have filters";
  if (meta.checksum) return "its chunks have checksums";
  if (meta.shape.empty()) return "it has no axes";
  return by_row ? nullptr : "its chunks are not whole rows in order C";
}

}  // namespace

MappedChunk Dataset::map_chunk(std::string_view path, std::uint64_t chunk) {
  // Reads the array's metadata, if that was not read yet.
  const auto query = impl_->engine.rows({.array = std::string(path), .end = 0});
  bev::run(impl_->engine, *query, *impl_->source);
  const auto* const array = impl_->engine.array(path);
  if (array == nullptr) fail(Errc::not_found, {"unknown array \"", path, "\""});
  const auto meta = zarr::by_row(array->meta);
  if (const auto* const obstacle = obstacle_to_mapping(*array, meta.has_value())) {
    fail_at(Errc::unsupported, array->name(), {"cannot be mapped: ", obstacle});
  }
  const auto rows = meta->chunk_rows();
  const auto length = array->length();
  const auto count = length / rows + (length % rows > 0 ? 1 : 0);
  if (chunk >= count) fail_index({array->name(), ": chunk "}, chunk, count);
  std::vector<std::uint64_t> place(array->meta.shape.size());
  place.front() = chunk;
  const auto key = array->key(place);
  const auto found = impl_->source->map(key);
  if (!found) {
    fail(Errc::not_found, {key, ": not stored; its rows are fill values"});
  }
  const auto expected = meta->chunk_bytes();
  if (found->bytes.size() != expected) {
    fail_at(
        Errc::corrupt_chunk, key,
        {"wrong length (found ", found->bytes.size(), ", expected ", expected, ")"});
  }
  MappedChunk out;
  out.first_row = chunk * rows;
  out.rows = std::min(rows, length - out.first_row);
  out.row_bytes = meta->dtype.size();
  out.bytes = found->bytes.first(static_cast<std::size_t>(out.rows) * out.row_bytes);
  out.owner = found->owner;
  return out;
}

}  // namespace bev

#include "core/save/array_join.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/save/batch.hpp"
#include "core/save/stored_rows.hpp"
#include "core/zarr/metadata.hpp"
#include "core/zarr/metadata_v3.hpp"

namespace bev::save {
namespace {

PartArray objects_of(std::uint64_t rows, std::uint64_t chunk_rows) {
  PartArray out;
  // The length of an only chunk is that of the data, not one that fits the limit
  if (rows > chunk_rows) out.chunk_rows = chunk_rows;
  for (std::uint64_t first = 0; first < rows; first += chunk_rows) {
    out.objects.push_back({first, std::min(chunk_rows, rows - first), 0, 0});
  }
  return out;
}

}  // namespace

Base::Base(const DataConfig& config, std::uint64_t rows) : config_(config) {
  manifest_.rows = rows;
  manifest_.complete = true;
}

std::vector<std::string> Base::missing() const {
  std::vector<std::string> out;
  for (std::size_t i = metas_.size(); i < config_.attributes().size(); ++i) {
    out.push_back(config_.attributes()[i].name +
                  (config_.zarr_format() == 3 ? "/zarr.json" : "/.zarray"));
  }
  return out;
}

void Base::supply(std::string_view document, std::string_view where) {
  auto meta = config_.zarr_format() == 3
                  ? zarr::parse_array_v3(document, where)
                  : std::optional(zarr::parse_array_meta(document, where));
  const auto& attribute = config_.attributes()[metas_.size()];
  const auto rows = attribute.is_values && meta && !meta->shape.empty()
                        ? meta->shape.front()
                        : manifest_.rows;
  const auto expected =
      config_.array_meta(attribute, rows, meta ? meta->chunk_rows() : 1);
  if (!meta || meta->shape != expected.shape || meta->chunks != expected.chunks ||
      meta->dtype != expected.dtype || meta->compressor != expected.compressor ||
      meta->sharding != expected.sharding) {
    fail_at(Errc::invalid_metadata, where, {"is not that of the config"});
  }
  manifest_.arrays.push_back(objects_of(rows, meta->chunk_rows()));
  if (attribute.is_values) manifest_.arrays.back().values = rows;
  metas_.push_back(std::move(*meta));
}

std::string Base::key(std::size_t attribute, std::uint64_t index) const {
  return config_.attributes()[attribute].name + "/" +
         chunk_object(metas_[attribute], index);
}

std::span<const std::byte> Base::chunk_of(std::size_t attribute, std::uint64_t index,
                                          std::span<const std::byte> object) const {
  const auto name = key(attribute, index);
  return chunk_in(metas_[attribute], {name, object}, index);
}

ArrayJoin::ArrayJoin(const Inputs& from, std::size_t attribute)
    : from_(from), attribute_(attribute), plan_(from.parts, attribute) {}

/// Returns what is added to the intervals of a slice; 0 for other arrays.
std::uint64_t ArrayJoin::shift_of(const Slice& slice) const {
  if (!schema().values) return 0;
  return rows_before(from_.parts, slice.part, *schema().values);
}

std::string ArrayJoin::source_key(const Slice& slice) const {
  return is_base(slice) ? from_.base->key(attribute_, slice.object)
                        : object_key(schema(), plan_.object(slice));
}

std::string ArrayJoin::key(std::uint64_t index, std::uint64_t chunk_rows) const {
  const auto meta = from_.config.array_meta(schema(), plan_.rows(), chunk_rows);
  return schema().name + "/" + chunk_object(meta, index);
}

PlannedChunk ArrayJoin::chunk(std::uint64_t index, std::uint64_t chunk_rows) const {
  auto out = plan_.chunk(index, chunk_rows);
  if (out.is_copy && is_base(out.slices[0])) {
    out.is_copy = from_.base->chunk_rows(attribute_) == chunk_rows &&
                  from_.config.chunks_per_shard() == 0;
  }
  if (out.is_copy) out.is_copy = shift_of(out.slices[0]) == 0;
  return out;
}

bool ArrayJoin::is_base_shard(std::uint64_t index,
                              std::uint64_t chunk_rows) const noexcept {
  const auto per_shard = from_.config.chunks_per_shard();
  return per_shard > 0 && from_.base != nullptr &&
         from_.base->chunk_rows(attribute_) == chunk_rows &&
         (index + per_shard) * chunk_rows <= from_.base->manifest().rows_of(attribute_);
}

std::uint64_t ArrayJoin::limited(std::uint64_t chunk_rows) const noexcept {
  return std::min(chunk_rows, std::max<std::uint64_t>(plan_.rows(), 1));
}

std::vector<Slice> ArrayJoin::sample(const ChunkLength& length) const {
  return plan_.slices(0, std::min(length.needed(), plan_.rows()));
}

std::optional<std::uint64_t> ArrayJoin::tried(ChunkLength& length,
                                              std::span<const std::byte> rows) const {
  if (length.needed() > plan_.rows()) return length.finish(rows);
  length.search(rows);
  return length.rows();
}

std::vector<std::byte> ArrayJoin::decoded(const std::vector<Slice>& slices,
                                          const Read& read) const {
  const auto row = schema().row_bytes();
  std::vector<std::byte> out;
  for (const auto& slice : slices) {
    const auto count =
        is_base(slice) ? from_.base->chunk_rows(attribute_) : plan_.object(slice).rows;
    auto bytes = read(slice);
    if (is_base(slice)) bytes = from_.base->chunk_of(attribute_, slice.object, bytes);
    auto all = decode_rows(from_.config, schema(), count, bytes);
    if (const auto shift = shift_of(slice)) shift_intervals(all, shift);
    const auto rows =
        std::span(all).subspan(static_cast<std::size_t>(slice.begin) * row,
                               static_cast<std::size_t>(slice.end - slice.begin) * row);
    out.insert(out.end(), rows.begin(), rows.end());
  }
  return out;
}

std::vector<std::byte> ArrayJoin::encoded(const PlannedChunk& chunk,
                                          std::uint64_t chunk_rows,
                                          const Read& read) const {
  auto rows = decoded(chunk.slices, read);
  rows.resize(static_cast<std::size_t>(chunk_rows) * schema().row_bytes());
  return encode_rows(from_.config, schema(), rows);
}

}  // namespace bev::save

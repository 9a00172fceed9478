#include "core/engine/chunk_ranges.hpp"

#include <nlohmann/json.hpp>

#include "core/base/error.hpp"

namespace bev {

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

ChunkRanges::ChunkRanges(const reader::Statistics* statistics, const ReaderTable& table)
    : statistics_(statistics) {
  if (statistics == nullptr) return;
  for (const auto* array : {table.array, table.frames, table.scenes}) {
    if (array == nullptr || array->meta.shape.size() != 1) continue;
    const auto& meta = array->meta;
    valid_[array] = statistics->valid_chunks(
        array->path,
        {array->length(), meta.chunk_rows(), zarr::to_json(meta.dtype).dump()});
  }
}

std::uint64_t ChunkRanges::valid_chunks(const store::Array& array) const {
  const auto found = valid_.find(&array);
  return found == valid_.end() ? 0 : found->second;
}

std::optional<reader::Range> ChunkRanges::range(const store::Array& array,
                                                std::uint64_t chunk,
                                                std::string_view field,
                                                std::size_t element) const {
  if (chunk >= valid_chunks(array)) return std::nullopt;
  return statistics_->range(array.path, chunk, field, element);
}

void ChunkRanges::check(const store::Array& array, std::uint64_t chunk,
                        std::uint64_t encoded_bytes) const {
  if (chunk >= valid_chunks(array)) return;
  const auto known = statistics_->identity(array.path, chunk);
  if (!known || known->size == encoded_bytes) return;
  fail_at(Errc::changed, array.path,
          {"chunk ", chunk, " is not the one of ", reader::Statistics::kKey, " (found ",
           encoded_bytes, " bytes, expected ", known->size,
           "); update it by bevscope index"});
}

std::optional<reader::Range> RangesOfChunk::range(std::size_t column,
                                                  std::size_t element) const {
  const auto& found = view_.columns[column];
  if (found.level != level_ || found.origin != reader::Origin::stored) {
    return std::nullopt;
  }
  return ranges_.range(array_, chunk_, found.stored.path, element);
}

}  // namespace bev

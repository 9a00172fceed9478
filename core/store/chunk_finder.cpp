#include "core/store/chunk_finder.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/error.hpp"

namespace bev::store {

namespace {

// A shard that is smaller once decoded is read as it is.
constexpr std::uint64_t kWholeBytes = std::uint64_t{128} << 10;

std::uint64_t decoded_bytes(const zarr::ArrayMeta& meta) {
  double bytes = static_cast<double>(meta.chunk_bytes());
  for (const auto count : meta.sharding->counts) bytes *= static_cast<double>(count);
  return bytes < 1e18 ? static_cast<std::uint64_t>(bytes) : ~std::uint64_t{0};
}

EncodedBytes whole_object(const std::string& key, ObjectRef object) {
  const std::span<const std::byte> bytes = object->bytes;
  const bool absent = object->absent;
  return {std::move(object), bytes, absent, key, key};
}

}  // namespace

std::optional<EncodedBytes> ChunkFinder::find(std::span<const std::uint64_t> chunk) {
  if (!array_.meta.sharding) {
    const auto key = array_.key(chunk);
    auto object = store_.touch(key, plan_);
    if (!object) return std::nullopt;
    return whole_object(key, std::move(object));
  }
  const auto place = zarr::slot_of(*array_.meta.sharding, chunk);
  const auto key = array_.key(place.shard);
  try {
    const auto& shard = open(key);
    if (shard.whole && shard.whole->absent) return whole_object(key, shard.whole);
    if (!shard.index) return std::nullopt;
    return find_in(key, shard, place.slot);
  } catch (const Error& error) {
    if (error.code() == Errc::corrupt_chunk) store_.forget(key);
    throw;
  }
}

const ChunkFinder::Shard& ChunkFinder::open(const std::string& key) {
  const auto [found, fresh] = shards_.try_emplace(key);
  auto& shard = found->second;
  if (!fresh) return shard;
  const auto& meta = array_.meta;
  shard.whole = store_.find(key, plan_);
  if (!shard.whole) {
    shard.pieces = store_.pieces(key);
    if (shard.pieces.empty() && decoded_bytes(meta) <= kWholeBytes) {
      plan_.want(key, true);
    } else {
      open_pieces(key, shard);
    }
    return shard;
  }
  if (shard.whole->absent) return shard;
  const std::span<const std::byte> bytes = shard.whole->bytes;
  const auto size = std::min(zarr::index_bytes(*meta.sharding), bytes.size());
  const auto index = meta.sharding->index_first ? bytes.first(size) : bytes.last(size);
  shard.index.emplace(*meta.sharding, zarr::EncodedChunk{key, index}, bytes.size());
  return shard;
}

void ChunkFinder::open_pieces(const std::string& key, Shard& shard) {
  const auto place = place_of_index(key, shard.pieces);
  if (!place || !hold_or_want(key, shard.pieces, *place)) return;
  std::vector<std::byte> index(static_cast<std::size_t>(place->end - place->begin));
  shard.pieces.copy(*place, index.data());
  shard.index.emplace(*array_.meta.sharding, zarr::EncodedChunk{key, index},
                      shard.pieces.end());
}

// Nullopt, and the end of the shard wanted, while that is not known.
std::optional<ByteRange> ChunkFinder::place_of_index(const std::string& key,
                                                     const Pieces& pieces) const {
  const auto& sharding = *array_.meta.sharding;
  const std::uint64_t size = zarr::index_bytes(sharding);
  const auto end = pieces.end();
  if (end && *end < size) {
    fail(Errc::corrupt_chunk, {key, ": ", *end, " bytes, the shard index has ", size});
  }
  if (sharding.index_first) return ByteRange{0, size};
  if (end) return ByteRange{*end - size, *end};
  plan_.want_tail(key, size);
  return std::nullopt;
}

std::optional<EncodedBytes> ChunkFinder::find_in(const std::string& key,
                                                 const Shard& shard, std::size_t slot) {
  EncodedBytes out{nullptr, {}, false, key, key + " chunk " + std::to_string(slot)};
  const auto place = shard.index->find(slot);
  if (!place) {
    out.absent = true;
    return out;
  }
  if (shard.whole) {
    out.owner = shard.whole;
    out.bytes = std::span(shard.whole->bytes)
                    .subspan(static_cast<std::size_t>(place->begin),
                             static_cast<std::size_t>(place->size));
    return out;
  }
  const ByteRange range{place->begin, place->begin + place->size};
  if (!hold_or_want(key, shard.pieces, range)) return std::nullopt;
  Object copy;
  copy.bytes.resize(static_cast<std::size_t>(place->size));
  shard.pieces.copy(range, copy.bytes.data());
  out.owner = std::make_shared<const Object>(std::move(copy));
  out.bytes = out.owner->bytes;
  return out;
}

bool ChunkFinder::hold_or_want(const std::string& key, const Pieces& pieces,
                               ByteRange range) {
  for (const auto& piece : pieces.within(range)) plan_.hold(piece);
  const auto holes = pieces.holes(range);
  if (holes.empty()) return true;
  const auto end = pieces.end();
  if (end && range.end > *end) {
    fail(Errc::corrupt_chunk,
         {key, ": ends after ", *end, " bytes, expected at least ", range.end});
  }
  plan_.want(key, holes);
  return false;
}

}  // namespace bev::store

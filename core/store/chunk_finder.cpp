#include "core/store/chunk_finder.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/error.hpp"

namespace bev::store {

namespace {

// Shards of at most this decoded size are requested whole.
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

// Locates the chunk in a slot of a shard that is in memory, whole or in pieces.
ChunkLocation place_in(const std::string& key, const zarr::ShardIndex& index,
                       std::size_t slot, const ObjectRef& whole,
                       const HeldRanges& pieces) {
  ChunkLocation out;
  out.found.object = key;
  out.found.name = key + " chunk " + std::to_string(slot);
  const auto place = index.find(slot);
  out.found.absent = !place;
  if (!place) return out;
  out.range = ByteRange{place->begin, place->begin + place->size};
  if (!whole) {
    out.pieces = pieces.part(*out.range);
    return out;
  }
  out.found.owner = whole;
  out.found.bytes = whole->bytes.span().subspan(static_cast<std::size_t>(place->begin),
                                                static_cast<std::size_t>(place->size));
  return out;
}

}  // namespace

std::optional<ChunkLocation> ChunkFinder::locate(std::span<const std::uint64_t> chunk) {
  if (!array_.meta.sharding) return checked(object_at(array_.key(chunk)));
  const auto place = zarr::slot_of(*array_.meta.sharding, chunk);
  const auto key = array_.key(place.shard);
  store_.check_failure(key);
  auto found = place_in_shard(key, place.slot);
  if (!found) return std::nullopt;
  store_.check_failure(found->found.name);
  return checked(*std::move(found));
}

ChunkLocation ChunkFinder::checked(ChunkLocation place) const {
  if (!place.found.absent || missing_ == Missing::fill) return place;
  fail(Errc::missing_key,
       {place.found.name, ": missing from the store (expected every chunk of ",
        array_.name(), ")"});
}

std::optional<ChunkLocation> ChunkFinder::place_in_shard(const std::string& key,
                                                         std::size_t slot) {
  try {
    const auto& shard = open(key);
    if (shard.whole && shard.whole->absent) {
      return ChunkLocation{whole_object(key, shard.whole), std::nullopt, {}};
    }
    if (!shard.index) return std::nullopt;
    return place_in(key, *shard.index, slot, shard.whole, shard.pieces);
  } catch (const Error& error) {
    if (error.code() == Errc::corrupt_chunk) {
      store_.remember_failure(key, key, error);
    }
    throw;
  }
}

std::optional<EncodedBytes> ChunkFinder::find(std::span<const std::uint64_t> chunk) {
  auto place = locate(chunk);
  if (!place || !complete(*place)) return std::nullopt;
  return std::move(place->found);
}

void ChunkFinder::request(const ChunkLocation& place, std::vector<ByteRange> ranges) {
  const auto base = place.range ? place.range->begin : 0;
  for (auto& range : ranges) range = {range.begin + base, range.end + base};
  plan_.request(place.found.object, ranges);
}

void ChunkFinder::request(const ChunkLocation& place) {
  if (!place.range) return plan_.request(place.found.object, true);
  request(place, place.pieces.holes({0, place.bytes()}));
}

void ChunkFinder::pin(const ChunkLocation& place, ByteRange range) {
  for (const auto& piece : place.pieces.within(range)) plan_.pin(piece);
}

bool ChunkFinder::complete(ChunkLocation& place) {
  if (place.known()) return true;
  auto& found = place.found;
  if (!place.range) {
    request(place);
    return false;
  }
  const ByteRange all{0, place.bytes()};
  pin(place, all);
  const auto end = place.pieces.end().value_or(all.end);
  if (end < all.end) {
    const Error error(Errc::corrupt_chunk,
                      bev::joined({found.name, ": truncated (found ", end,
                                   " bytes, expected ", all.end, ")"}));
    store_.remember_failure(found.object, found.name, error);
    throw error;
  }
  if (!place.pieces.holes(all).empty()) {
    request(place);
    return false;
  }
  join(place, static_cast<std::size_t>(all.end));
  return true;
}

void ChunkFinder::join(ChunkLocation& place, std::size_t size) {
  auto& found = place.found;
  if (!place.range) {
    found.owner = store_.join(found.object, place.pieces, size, plan_);
  } else if (auto sole = place.pieces.sole({0, size})) {
    found.owner = std::move(sole->owner);
    found.bytes = sole->bytes;
    return;
  } else {
    found.owner = std::make_shared<const Object>(Object{place.pieces.all(size)});
  }
  found.bytes = found.owner->bytes;
}

ChunkLocation ChunkFinder::object_at(std::string key) {
  store_.check_failure(key);
  ChunkLocation out;
  if (auto object = store_.find(key, plan_)) {
    out.found = whole_object(key, std::move(object));
    return out;
  }
  out.pieces = store_.pieces(key);
  out.found.name = key;
  out.found.object = std::move(key);
  return out;
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
      plan_.request(key, true);
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
  if (!place || !pin_or_request(key, shard.pieces, *place)) return;
  std::vector<std::byte> index(static_cast<std::size_t>(place->end - place->begin));
  shard.pieces.copy(*place, index.data());
  shard.index.emplace(*array_.meta.sharding, zarr::EncodedChunk{key, index},
                      shard.pieces.end());
}

// Returns nullopt and requests the end of the shard while its size is not known.
std::optional<ByteRange> ChunkFinder::place_of_index(const std::string& key,
                                                     const HeldRanges& pieces) const {
  const auto& sharding = *array_.meta.sharding;
  const std::uint64_t size = zarr::index_bytes(sharding);
  const auto end = pieces.end();
  if (end && *end < size) {
    fail(Errc::corrupt_chunk, {key, ": truncated shard index (found ", *end,
                               " bytes, expected ", size, ")"});
  }
  if (sharding.index_first) return ByteRange{0, size};
  if (end) return ByteRange{*end - size, *end};
  plan_.request_tail(key, size);
  return std::nullopt;
}

bool ChunkFinder::pin_or_request(const std::string& key, const HeldRanges& pieces,
                                 ByteRange range) {
  for (const auto& piece : pieces.within(range)) plan_.pin(piece);
  const auto holes = pieces.holes(range);
  if (holes.empty()) return true;
  const auto end = pieces.end();
  if (end && range.end > *end) {
    fail(Errc::corrupt_chunk, {key, ": truncated (found ", *end,
                               " bytes, expected at least ", range.end, ")"});
  }
  plan_.request(key, holes);
  return false;
}

}  // namespace bev::store

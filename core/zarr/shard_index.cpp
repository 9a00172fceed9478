#include "core/zarr/shard_index.hpp"

#include <bit>
#include <limits>
#include <string>

#include "core/base/bytes.hpp"
#include "core/base/checked.hpp"
#include "core/base/error.hpp"
#include "core/zarr/crc32c.hpp"

namespace bev::zarr {
namespace {

constexpr std::size_t kEntryBytes = 16;

}  // namespace

ShardSlot slot_of(const Sharding& sharding, std::span<const std::uint64_t> chunk) {
  ShardSlot out;
  for (std::size_t axis = 0; axis < chunk.size(); ++axis) {
    const auto count = sharding.counts[axis];
    out.shard.push_back(chunk[axis] / count);
    out.slot = out.slot * static_cast<std::size_t>(count) +
               static_cast<std::size_t>(chunk[axis] % count);
  }
  return out;
}

std::size_t index_bytes(const Sharding& sharding) {
  std::size_t bytes = kEntryBytes;
  for (const auto count : sharding.counts) bytes *= static_cast<std::size_t>(count);
  return bytes + (sharding.checksum ? kChecksumBytes : 0);
}

ShardIndex::ShardIndex(const Sharding& sharding, EncodedChunk index,
                       std::optional<std::uint64_t> object)
    : key_(index.key), big_endian_(sharding.big_endian), object_(object) {
  const auto expected = index_bytes(sharding);
  if (index.bytes.size() != expected) {
    fail(Errc::corrupt_chunk, {key_, ": shard index has the wrong length (found ",
                               index.bytes.size(), " bytes, expected ", expected, ")"});
  }
  auto entries = index;
  if (sharding.checksum) entries = without_checksum(index);
  entries_.assign(entries.bytes.begin(), entries.bytes.end());
}

std::optional<ShardIndex::Place> ShardIndex::find(std::size_t slot) const {
  const auto order = big_endian_ ? std::endian::big : std::endian::little;
  const auto* entry = entries_.data() + slot * kEntryBytes;
  const Place place{load<std::uint64_t>(entry, order),
                    load<std::uint64_t>(entry + sizeof(std::uint64_t), order)};
  constexpr auto kNone = std::numeric_limits<std::uint64_t>::max();
  if (place.begin == kNone && place.size == kNone) return std::nullopt;
  constexpr auto kMax =
      static_cast<std::uint64_t>(std::numeric_limits<std::ptrdiff_t>::max());
  const auto end = checked_add(place.begin, place.size);
  if (end && *end < kNone && place.size <= kMax && (!object_ || *end <= *object_)) {
    return place;
  }
  fail(Errc::corrupt_chunk,
       {key_, ": shard index: chunk ", slot, " is outside the shard (", place.size,
        " bytes at ", place.begin,
        object_ ? joined({", shard size ", *object_}) : std::string(), ")"});
}

}  // namespace bev::zarr

// Replaces blosc_items.cpp, codec.cpp, crc32c.cpp, filter.cpp, metadata_v3.cpp and
// shard_index.cpp in the wasm module that pages load first: datasets written by L5Kit
// do not need them. `unsupported` makes the page load the full module.

#include "core/base/error.hpp"
#include "core/zarr/blosc_items.hpp"
#include "core/zarr/codec.hpp"
#include "core/zarr/crc32c.hpp"
#include "core/zarr/filter.hpp"
#include "core/zarr/metadata_v3.hpp"
#include "core/zarr/shard_index.hpp"

namespace bev::zarr {
namespace {

[[noreturn]] void refuse_format(std::string_view where, std::string_view what) {
  fail_at(Errc::unsupported, where, {what, " requires the full module"});
}

}  // namespace

bool decodes(Compressor::Id codec, std::string_view cname) noexcept {
  using Id = Compressor::Id;
  return codec == Id::none || (codec == Id::blosc && cname.starts_with("lz4"));
}

void blosc_items(EncodedChunk chunk, const BloscHeader& header, RowRange items,
                 std::byte* out) {
  if (header.format() == BloscHeader::Format::lz4) {
    return lz4_items(chunk, header, items, out);
  }
  refuse_format(chunk.key, to_string(header.format()));
}

void check_plausible(Compressor::Id codec, EncodedChunk chunk, std::size_t) {
  refuse_format(chunk.key, to_string(codec));
}

void decode_stream(Compressor::Id codec, EncodedChunk chunk, std::span<std::byte>) {
  refuse_format(chunk.key, to_string(codec));
}

// Unused in that module, but referred to by sources of its batches.
std::uint32_t crc32c(std::span<const std::byte>) noexcept {
  return 0;
}

EncodedChunk without_checksum(EncodedChunk bytes) {
  refuse_format(bytes.key, "a checksum");
}

std::vector<Filter> parse_filters(JsonView filters, std::string_view key) {
  if (filters.is_null() || (filters.is_list() && filters.size() == 0)) return {};
  refuse_format(key, "a filter");
}

void check_filters(const ArrayMeta& /*meta*/, std::string_view /*key*/) {}

std::size_t filtered_bytes(const ArrayMeta& meta) {
  return meta.chunk_bytes();
}

void undo_filters(const ArrayMeta& /*meta*/, EncodedChunk chunk,
                  std::span<const std::byte> /*stored*/, std::span<std::byte> /*out*/) {
  refuse_format(chunk.key, "a filter");
}

std::optional<ArrayMeta> parse_array_v3(std::string_view, std::string_view key) {
  refuse_format(key, "version 3");
}

Group parse_root_v3(std::string_view, std::string_view key) {
  refuse_format(key, "version 3");
}

ShardSlot slot_of(const Sharding&, std::span<const std::uint64_t> chunk) {
  return {{chunk.begin(), chunk.end()}, 0};
}

std::size_t index_bytes(const Sharding&) {
  return 0;
}

ShardIndex::ShardIndex(const Sharding&, EncodedChunk index,
                       std::optional<std::uint64_t> object)
    : key_(index.key), big_endian_(false), object_(object) {
  refuse_format(index.key, "a shard");
}

std::optional<ShardIndex::Place> ShardIndex::find(std::size_t) const {
  static_cast<void>(big_endian_);  // unused here
  refuse_format(key_, "a shard");
}

}  // namespace bev::zarr

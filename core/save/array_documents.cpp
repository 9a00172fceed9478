#include "core/save/array_documents.hpp"

#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/checked.hpp"
#include "core/base/error.hpp"
#include "core/zarr/array_writer.hpp"
#include "core/zarr/encode.hpp"
#include "core/zarr/json_view.hpp"
#include "core/zarr/metadata_v3.hpp"
#include "core/zarr/metadata_v3_json.hpp"

namespace bev::save {
namespace {

using nlohmann::json;

constexpr std::string_view kVersion2 = ".zarray";
constexpr std::string_view kVersion3 = "zarr.json";

std::string beneath(std::string_view array, std::string_view name) {
  return array.empty() ? std::string(name)
                       : std::string(array) + "/" + std::string(name);
}

zarr::ArrayMeta parse(const std::string& text, const std::string& key) {
  if (!key.ends_with(kVersion3)) return zarr::parse_array_meta(text, key);
  auto meta = zarr::parse_array_v3(text, key);
  if (!meta) fail_at(Errc::not_found, key, {"a group (expected an array)"});
  return *std::move(meta);
}

void check_writable(const zarr::ArrayMeta& meta, const std::string& key) {
  const auto& shards = meta.sharding;
  const bool is_odd =
      shards && (shards->index_first || shards->big_endian || !shards->checksum);
  if (!meta.filters.empty() || is_odd) {
    fail_at(
        Errc::unsupported, key,
        {"writing into arrays with ",
         is_odd ? "such an index of shards (expected: little-endian, at the end, with "
                  "CRC-32C)"
                : "filters",
         " is not supported"});
  }
  // With the index of a shard, of which a chunk takes sixteen bytes
  constexpr std::uint64_t kEntryBytes = 16;
  std::uint64_t size = meta.chunk_bytes() + (shards ? kEntryBytes : 0);
  if (shards) {
    for (const auto count : shards->counts) {
      size = mul_or_throw<std::uint64_t>(size, count, key, Errc::unsupported);
    }
  }
  if (size > zarr::ArrayWriter::kMaxChunkBytes) {
    fail_at(Errc::unsupported, key,
            {shards ? "shard" : "chunk", " too large (found ", size,
             " bytes, expected at most ", zarr::ArrayWriter::kMaxChunkBytes, ")"});
  }
}

}  // namespace

std::vector<std::string> document_keys(std::string_view array) {
  return {beneath(array, kVersion2), beneath(array, kVersion3)};
}

ArrayDocument parse_document(std::string key, std::string text) {
  auto meta = parse(text, key);
  check_writable(meta, key);
  auto chunk = meta;
  chunk.sharding.reset();
  return {std::move(key), std::move(text), std::move(meta), std::move(chunk)};
}

ArrayDocument new_document(std::string_view array, const zarr::ArrayMeta& meta) {
  if (!meta.prefixed_keys) {
    return parse_document(beneath(array, kVersion2), zarr::array_meta_json(meta));
  }
  auto key = beneath(array, kVersion3);
  auto text = zarr::array_v3_json(meta, 0, key).dump(4, ' ', true);
  return parse_document(std::move(key), std::move(text));
}

std::string with_shape(const ArrayDocument& document,
                       std::span<const std::uint64_t> shape) {
  json node = zarr::parse_json(document.text, document.key);
  node["shape"] = shape;
  return node.dump(4, ' ', true);
}

std::optional<std::string> consolidated_with(std::string_view text,
                                             std::string_view key,
                                             std::string_view array,
                                             const ArrayDocument& document) {
  json root = zarr::parse_json(text, key);
  const bool is_version3 = key.ends_with(kVersion3);
  const json::json_pointer entries(is_version3 ? "/consolidated_metadata/metadata"
                                               : "/metadata");
  if (!root.is_object() || !root.contains(entries) || !root[entries].is_object()) {
    return std::nullopt;
  }
  auto& entry =
      root[entries][is_version3 ? std::string(array) : beneath(array, kVersion2)];
  auto wanted = zarr::parse_json(document.text, document.key);
  if (entry == wanted) return std::nullopt;
  entry = std::move(wanted);
  return root.dump(4, ' ', true);
}

std::optional<std::vector<std::uint64_t>> chunk_of_key(const zarr::ArrayMeta& meta,
                                                       std::string_view name) {
  std::vector<std::uint64_t> chunk;
  auto rest = name;
  if (meta.prefixed_keys) {
    if (!rest.starts_with('c')) return std::nullopt;
    rest.remove_prefix(rest.size() > 1 ? 2 : 1);
  }
  while (!rest.empty() && chunk.size() < meta.shape.size()) {
    std::uint64_t number = 0;
    const auto [end, error] =
        std::from_chars(rest.data(), rest.data() + rest.size(), number);
    if (error != std::errc()) return std::nullopt;
    chunk.push_back(number);
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    if (!rest.empty()) rest.remove_prefix(1);
  }
  if (chunk.size() != meta.shape.size()) return std::nullopt;
  // The one spelling: neither "01" nor "1.partial"
  return zarr::chunk_key(meta, chunk) == name ? std::optional(chunk) : std::nullopt;
}

}  // namespace bev::save

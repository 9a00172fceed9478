#include "core/save/array_documents.hpp"

#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.hpp"
#include "core/zarr/array_writer.hpp"
#include "core/zarr/json_view.hpp"
#include "core/zarr/metadata_v3.hpp"

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
  const char* const found = !meta.filters.empty() ? "filters"
                            : meta.sharding       ? "shards"
                            : meta.checksum       ? "checksums"
                                                  : nullptr;
  if (found != nullptr) {
    fail_at(Errc::unsupported, key,
            {"writing into arrays with ", found, " is not supported"});
  }
  if (meta.chunk_bytes() > zarr::ArrayWriter::kMaxChunkBytes) {
    fail_at(Errc::unsupported, key,
            {"chunk too large (found ", meta.chunk_bytes(), " bytes, expected at most ",
             zarr::ArrayWriter::kMaxChunkBytes, ")"});
  }
}

}  // namespace

std::vector<std::string> document_keys(std::string_view array) {
  return {beneath(array, kVersion2), beneath(array, kVersion3)};
}

ArrayDocument parse_document(std::string key, std::string text) {
  auto meta = parse(text, key);
  check_writable(meta, key);
  return {std::move(key), std::move(text), std::move(meta)};
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

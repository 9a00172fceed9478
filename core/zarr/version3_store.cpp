#include "core/zarr/version3_store.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/zarr/crc32c.hpp"
#include "core/zarr/encode.hpp"
#include "core/zarr/json_view.hpp"
#include "core/zarr/metadata.hpp"
#include "core/zarr/metadata_v3_json.hpp"

namespace bev::zarr {
namespace {

using nlohmann::json;

constexpr std::string_view kOwn = ".bevscope/";
constexpr std::string_view kGroup = ".zgroup";
constexpr std::string_view kArray = ".zarray";
constexpr std::string_view kAttributes = ".zattrs";
constexpr std::string_view kConsolidated = ".zmetadata";
constexpr std::size_t kEntryBytes = 16;

/// A key's folder, "" at the root, and the name in it.
struct Key {
  std::string_view folder, name;
};

Key split(std::string_view key) {
  const auto slash = key.rfind('/');
  if (slash == key.npos) return {{}, key};
  return {key.substr(0, slash), key.substr(slash + 1)};
}

std::string joined_path(std::string_view folder, std::string_view name) {
  return folder.empty() ? std::string(name) : joined({folder, "/", name});
}

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Parses "3.0.0".
std::vector<std::uint64_t> numbers_of(std::string_view name, std::string_view array) {
  std::vector<std::uint64_t> out;
  const auto* at = name.data();
  const auto* const end = at + name.size();
  for (;;) {
    std::uint64_t value = 0;
    const auto parsed = std::from_chars(at, end, value);
    const bool more = parsed.ptr != end;
    if (parsed.ec != std::errc{} || (more && *parsed.ptr != '.')) {
      fail_at(Errc::invalid_argument, array, {"invalid chunk name \"", name, "\""});
    }
    out.push_back(value);
    if (!more) return out;
    at = parsed.ptr + 1;
  }
}

std::string chunk_name(std::span<const std::uint64_t> numbers) {
  std::string out = "c";
  for (const auto number : numbers) out += "/" + std::to_string(number);
  return out;
}

// Version 3 has a member of its own for the names of axes.
void add_attributes(json& node, json attributes) {
  const std::string key(kDimensions);
  if (attributes.contains(key)) {
    node["dimension_names"] = attributes[key];
    attributes.erase(key);
  }
  node["attributes"] = std::move(attributes);
}

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

}  // namespace

std::vector<std::byte> encode_shard(const Shard& chunks, std::size_t slots) {
  constexpr auto kNone = std::numeric_limits<std::uint64_t>::max();
  std::size_t total = 0;
  for (const auto& [slot, chunk] : chunks) total += chunk.size();
  std::vector<std::byte> bytes;
  bytes.reserve(total + slots * kEntryBytes + kChecksumBytes);
  std::vector<std::byte> index(slots * kEntryBytes);
  for (std::size_t slot = 0; slot < slots; ++slot) {
    auto* const entry = index.data() + slot * kEntryBytes;
    const auto found = chunks.find(slot);
    const bool has = found != chunks.end();
    store_le(entry, has ? static_cast<std::uint64_t>(bytes.size()) : kNone);
    store_le(entry + sizeof(std::uint64_t),
             has ? static_cast<std::uint64_t>(found->second.size()) : kNone);
    if (has) bytes.insert(bytes.end(), found->second.begin(), found->second.end());
  }
  append_checksum(index);
  bytes.insert(bytes.end(), index.begin(), index.end());
  return bytes;
}

Version3Store::Version3Store(std::unique_ptr<NewStore> store,
                             std::uint64_t chunks_per_shard)
    : store_(std::move(store)),
      per_shard_(static_cast<std::size_t>(std::min(chunks_per_shard, kMaxChunks))) {
  if (chunks_per_shard <= kMaxChunks) return;
  fail(Errc::invalid_argument, {"too many chunks per shard (found ", chunks_per_shard,
                                ", expected at most ", kMaxChunks, ")"});
}

Version3Store::~Version3Store() = default;

void Version3Store::put(std::string_view key, std::span<const std::byte> bytes) {
  const auto [folder, name] = split(key);
  if (key.starts_with(kOwn)) return store_->put(key, bytes);
  if (name == kConsolidated) return;  // made anew by commit()
  if (name == kGroup || name == kArray || name == kAttributes) {
    documents_[std::string(key)] = text_of(bytes);
    return;
  }
  put_chunk(folder, name, bytes);
}

void Version3Store::put_chunk(std::string_view array, std::string_view name,
                              std::span<const std::byte> bytes) {
  auto numbers = numbers_of(name, array);
  if (per_shard_ == 0) {
    return store_->put(joined_path(array, chunk_name(numbers)), bytes);
  }
  const auto slot = static_cast<std::size_t>(numbers[0] % per_shard_);
  numbers[0] /= per_shard_;
  const auto key = joined_path(array, chunk_name(numbers));
  auto& shard = open_[key];
  if (written_.contains(key) ||
      !shard.try_emplace(slot, bytes.begin(), bytes.end()).second) {
    fail_at(Errc::invalid_argument, array, {"chunk ", name, " is written twice"});
  }
  if (shard.size() < per_shard_) return;
  store_->put(key, encode_shard(shard, per_shard_));
  open_.erase(key);
  written_.insert(key);
}

void Version3Store::commit() {
  for (const auto& [key, shard] : open_) {
    store_->put(key, encode_shard(shard, per_shard_));
  }
  write_metadata();
  store_->commit();
}

void Version3Store::write_metadata() {
  json nodes = json::object();  // by path
  for (const auto& [key, text] : documents_) {
    const auto [folder, name] = split(key);
    const auto document = parse_json(text, key);
    auto& node = nodes[std::string(folder)];
    if (name == kArray) {
      auto made =
          array_v3_json(array_meta_from_json(document, key), per_shard_, folder);
      if (node.contains("attributes")) made["attributes"] = node["attributes"];
      node = std::move(made);
    } else if (name == kAttributes) {
      add_attributes(node, document);
    } else {
      node["zarr_format"] = 3;
      node["node_type"] = "group";
      if (!node.contains("attributes")) node["attributes"] = json::object();
    }
  }
  json root = nodes.value("", json::object());
  nodes.erase("");
  for (const auto& [path, node] : nodes.items()) {
    const auto text = node.dump(2, ' ', true);
    store_->put(path + "/zarr.json", bytes_of(text));
  }
  if (root.value("node_type", "") == "group") {
    root["consolidated_metadata"] = {
        {"kind", "inline"}, {"must_understand", false}, {"metadata", nodes}};
  }
  const auto text = root.dump(2, ' ', true);
  store_->put("zarr.json", bytes_of(text));
}

}  // namespace bev::zarr

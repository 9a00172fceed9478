#include "core/save/config.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <span>

#include "core/base/checked.hpp"
#include "core/base/error.hpp"
#include "core/base/json_tree.hpp"
#include "core/base/own_json.hpp"
#include "core/zarr/encode.hpp"
#include "core/zarr/json_view.hpp"
#include "core/zarr/metadata_v3_json.hpp"
#include "core/zarr/shard_index.hpp"
#include "core/zarr/version3_store.hpp"

namespace bev::save {
namespace {

using nlohmann::json;
using zarr::JsonView;

constexpr std::string_view kWhere = "data config";
constexpr std::string_view kFormat = "bevscope data config";
constexpr std::uint64_t kVersion = 1;

/// Checks the level before any row is encoded with it. zstd accepts every level.
void check_level(const zarr::Compressor& compressor) {
  using Id = zarr::Compressor::Id;
  const int most = compressor.id == Id::lz4 ? 65'537 : 9;
  const int level = compressor.level;
  if (compressor.id == Id::zstd || (level >= 0 && level <= most)) return;
  fail_at(
      Errc::invalid_argument, kWhere,
      {"compressor: level out of range (found ", level, ", expected 0 to ", most, ")"});
}

/// Returns the compressor as a .zarray spells it.
json compressor_json(const zarr::Compressor& compressor) {
  zarr::ArrayMeta meta;
  meta.dtype = zarr::parse_dtype(json("|u1"), kWhere);
  meta.fill.resize(1);
  meta.compressor = compressor;
  return json_of(zarr::array_meta_json(meta)).at("compressor");
}

}  // namespace

DataConfig DataConfig::parse(std::string_view text) {
  if (text.size() > kMaxJson) {
    fail_at(
        Errc::limit_exceeded, kWhere,
        {"too long (found ", text.size(), " bytes, expected at most ", kMaxJson, ")"});
  }
  bool too_deep = false;
  const auto root = parse_json_tree(text, too_deep);
  if (!root || !root->is_object()) {
    fail_at(Errc::invalid_argument, kWhere, {"not a JSON object"});
  }
  check_members(*root,
                {"format", "version", "name", "additional", "attributes", "compressor",
                 "max_object_size", "zarr_format", "chunks_per_shard"});
  const JsonView view(*root);
  if (view["format"] && !view["format"].is(kFormat)) {
    refuse("format", view["format"], kFormat);
  }
  if (view["version"] && !view["version"].is(kVersion)) {
    refuse("version", view["version"], "1");
  }
  DataConfig out;
  out.name_ = text_member(*root, "name");
  const auto additional = view["additional"];
  if (additional && !additional.is_object()) {
    refuse("additional", additional, "an object");
  }
  out.additional_ =
      std::make_shared<json>(additional ? additional.json() : json::object());
  out.read_sizes(*root);
  out.read_compressor(root->contains("compressor") ? root->at("compressor") : json());
  if (!view["attributes"].is_list()) refuse("attributes", view["attributes"], "a list");
  out.read_attributes(root->at("attributes"));
  return out;
}

/// Reads the limit of objects, and what divides them into chunks.
void DataConfig::read_sizes(const json& root) {
  const JsonView view(root);
  if (const auto size = view["max_object_size"]) {
    const auto count = size.count();
    if (!count || *count < kMinObjectSize || *count > kMaxObjectSize) {
      refuse("max_object_size", size, "1024 to 1073741824 bytes");
    }
    max_object_size_ = *count;
  }
  max_chunk_size_ = max_object_size_;
  if (const auto format = view["zarr_format"]) {
    if (!format.is(2) && !format.is(3)) refuse("zarr_format", format, "2 or 3");
    zarr_format_ = static_cast<int>(*format.count());
  }
  const auto shard = view["chunks_per_shard"];
  if (!shard || shard.is(0)) return;
  const auto count = shard.count();
  if (!count || *count > zarr::Version3Store::kMaxChunks) {
    refuse("chunks_per_shard", shard, "0 to 65535");
  }
  if (zarr_format_ != 3) {
    fail_at(Errc::invalid_argument, kWhere, {"chunks_per_shard needs zarr_format 3"});
  }
  chunks_per_shard_ = *count;
  const std::uint64_t index = zarr::index_bytes(*sharding(1));
  const auto least = *count * kMinChunkSize + index;
  if (max_object_size_ < least) {
    fail_at(Errc::invalid_argument, kWhere,
            {"too many chunks per shard (found ", *count, " for objects of ",
             max_object_size_, " bytes, expected objects of at least ", least, ")"});
  }
  max_chunk_size_ = (max_object_size_ - index) / *count;
}

void DataConfig::read_attributes(const json& list) {
  if (list.empty() || list.size() > kMaxAttributes) {
    fail_at(Errc::invalid_argument, kWhere,
            {"found ", list.size(), " attributes, expected 1 to ", kMaxAttributes});
  }
  for (const auto& given : list) add_field(read_field(given));
}

/// Adds a field and its arrays.
void DataConfig::add_field(Field field) {
  const auto first = attributes_.size();
  add_arrays(field, attributes_);
  for (auto i = first; i < attributes_.size(); ++i) {
    const auto& attribute = attributes_[i];
    for (std::size_t other = 0; other < i; ++other) {
      if (attributes_[other].name != attribute.name) continue;
      fail_at(Errc::invalid_argument, kWhere,
              {"two attributes are named \"", attribute.name, "\""});
    }
    check_row(attribute);
    if (zarr_format_ != 3) continue;
    if (attribute.name == "zarr.json") {
      refuse("name", json(attribute.name), "a name that version 3 does not use");
    }
    auto meta = array_meta(attribute, 0, 1);
    meta.sharding.reset();
    zarr::array_v3_json(meta, 0, attribute.name);
  }
  fields_.push_back(std::move(field));
  const auto is_special = [](const Field& one) {
    return one.is_ragged() || one.nullable;
  };
  if (!has_table() && std::any_of(fields_.begin(), fields_.end(), is_special)) {
    refuse("name", json(kTable),
           "another name beside fields that vary in length or may be null");
  }
}

DataConfig DataConfig::with_fields(const std::vector<std::string>& names) const {
  if (names.empty()) {
    fail_at(Errc::invalid_argument, kWhere, {"no attributes are named"});
  }
  auto out = *this;
  out.fields_.clear();
  out.attributes_.clear();
  for (const auto& name : names) {
    const auto found = std::find_if(fields_.begin(), fields_.end(),
                                    [&](const Field& one) { return one.name == name; });
    if (found == fields_.end()) {
      fail_at(Errc::not_found, kWhere, {"attribute \"", name, "\" not found"});
    }
    out.add_field(*found);
  }
  return out;
}

bool DataConfig::has_table() const noexcept {
  return std::none_of(attributes_.begin(), attributes_.end(),
                      [](const Attribute& one) { return one.name == kTable; });
}

/// Requires that a row fits into an object however badly it compresses, so that saving
/// never fails for the content of a row.
void DataConfig::check_row(const Attribute& attribute) const {
  constexpr std::uint64_t kFraction = 128;  // above zlib's, zstd's and lz4's expansion
  constexpr std::uint64_t kHead = 128;
  const auto most = max_chunk_size_ - max_chunk_size_ / kFraction - kHead;
  std::uint64_t bytes = attribute.dtype.size();
  for (const auto length : attribute.shape) {
    bytes = checked_mul(bytes, length).value_or(most + 1);
  }
  if (bytes > 0 && bytes <= most) return;
  fail_at(Errc::limit_exceeded, kWhere,
          {attribute.name, ": a row does not fit (found ", bytes,
           " bytes, expected 1 to ", most, " for ",
           chunks_per_shard_ > 0 ? "chunks" : "objects", " of ", max_chunk_size_, ")"});
}

void DataConfig::read_compressor(const json& given) {
  const json meta = {{"zarr_format", 2},   {"shape", {0U}},      {"chunks", {1U}},
                     {"dtype", "|u1"},     {"order", "C"},       {"fill_value", 0},
                     {"filters", nullptr}, {"compressor", given}};
  try {
    compressor_ = zarr::array_meta_from_json(meta, kWhere).compressor;
  } catch (const Error& error) {
    throw Error(Errc::invalid_argument, error.what());
  }
  if (given.is_null()) return;
  check_level(compressor_);
  const auto known = compressor_json(compressor_);
  for (const auto& [name, value] : given.items()) {
    if (known.contains(name)) continue;
    fail_at(Errc::invalid_argument, kWhere,
            {"compressor: unknown member \"", name, "\""});
  }
}

std::string DataConfig::to_json() const {
  json attributes = json::array();
  for (const auto& field : fields_) attributes.push_back(field_json(field));
  json out = {{"format", kFormat},
              {"version", kVersion},
              {"name", name_},
              {"additional", *additional_},
              {"attributes", attributes},
              {"compressor", compressor_json(compressor_)},
              {"max_object_size", max_object_size_}};
  if (zarr_format_ == 3) out["zarr_format"] = zarr_format_;
  if (chunks_per_shard_ > 0) out["chunks_per_shard"] = chunks_per_shard_;
  return out.dump(-1, ' ', true);
}

std::string DataConfig::fingerprint() const {
  return fingerprint_of(to_json());
}

/// Returns how an array with so many axes is sharded.
std::optional<zarr::Sharding> DataConfig::sharding(std::size_t axes) const {
  if (chunks_per_shard_ == 0) return std::nullopt;
  zarr::Sharding out;
  out.counts.assign(axes, 1);
  out.counts.at(0) = chunks_per_shard_;
  out.checksum = true;
  return out;
}

zarr::ArrayMeta DataConfig::array_meta(const Attribute& attribute, std::uint64_t rows,
                                       std::uint64_t chunk_rows) const {
  zarr::ArrayMeta meta;
  meta.shape = {rows};
  meta.chunks = {chunk_rows};
  meta.shape.insert(meta.shape.end(), attribute.shape.begin(), attribute.shape.end());
  meta.chunks.insert(meta.chunks.end(), attribute.shape.begin(), attribute.shape.end());
  meta.dtype = attribute.dtype;
  meta.fill.resize(attribute.dtype.size());
  if (!attribute.is_raw) meta.compressor = compressor_;
  meta.prefixed_keys = zarr_format_ == 3;
  if (meta.prefixed_keys) meta.separator = '/';
  meta.sharding = sharding(meta.shape.size());
  return meta;
}

bool is_key_name(std::string_view name) noexcept {
  constexpr std::string_view kForbidden = "/\\:*?\"<>|";
  return !name.empty() && name.front() != '.' && name.back() != '.' &&
         name.back() != ' ' && std::all_of(name.begin(), name.end(), [&](char c) {
           const auto code = static_cast<unsigned char>(c);
           return code >= 0x20 && code != 0x7f &&
                  kForbidden.find(c) == std::string_view::npos;
         });
}

std::string fingerprint_of(std::string_view text) {
  constexpr std::uint64_t kBasis = 0xcbf29ce484222325u;
  constexpr std::uint64_t kPrime = 0x100000001b3u;
  auto hash = kBasis;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * kPrime;
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out(16, '0');
  for (auto at = out.rbegin(); at != out.rend(); ++at, hash >>= 4) {
    *at = kDigits[hash & 15];
  }
  return out;
}

}  // namespace bev::save

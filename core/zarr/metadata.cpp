#include "core/zarr/metadata.hpp"

#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/checked.hpp"
#include "core/base/error.hpp"
#include "core/zarr/codec.hpp"
#include "core/zarr/fill_value.hpp"
#include "core/zarr/filter.hpp"
#include "core/zarr/json_view.hpp"

namespace bev::zarr {
namespace {

using nlohmann::json;

void check_format(JsonView meta, std::string_view key) {
  if (!meta.is_object()) fail_at(Errc::invalid_metadata, key, {"not a JSON object"});
  const auto format = required(meta, "zarr_format", key);
  if (format.number() == 2.0) return;
  const bool number = format.count() || format.integer();
  fail_at(number ? Errc::unsupported : Errc::invalid_metadata, key,
          {"unsupported zarr_format (found ", format.dump(), ", expected 2)"});
}

std::vector<std::uint64_t> lengths(JsonView meta, std::string_view name,
                                   std::string_view key) {
  const auto list = required(meta, name, key);
  std::vector<std::uint64_t> values;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (const auto length = list.at(i).count()) values.push_back(*length);
  }
  if (list.is_list() && values.size() == list.size()) return values;
  fail_at(Errc::invalid_metadata, key,
          {"invalid ", name, " (found ", list.dump(), ", expected a list of lengths)"});
}

void read_grid(JsonView json_meta, std::string_view key, ArrayMeta& meta) {
  meta.shape = lengths(json_meta, "shape", key);
  meta.chunks = lengths(json_meta, "chunks", key);
  if (meta.shape.size() != meta.chunks.size()) {
    fail_at(Errc::invalid_metadata, key,
            {"lengths of shape and chunks differ (found ", meta.shape.size(), " and ",
             meta.chunks.size(), ")"});
  }
  for (std::size_t i = 0; i < meta.chunks.size(); ++i) {
    // zarr-python writes chunks of length 0 for an empty axis without chunks.
    if (meta.chunks[i] == 0 && meta.shape[i] == 0) meta.chunks[i] = 1;
    if (meta.chunks[i] == 0)
      fail_at(Errc::invalid_metadata, key, {"chunk length must not be 0"});
  }
}

void check_sizes_metadata(const ArrayMeta& meta, std::string_view key) {
  auto whole = static_cast<std::uint64_t>(meta.dtype.size());
  std::uint64_t chunk = whole;
  const std::string text(key);
  for (std::size_t i = 0; i < meta.shape.size(); ++i) {
    if (meta.shape[i] > 0) whole = mul_or_throw(whole, meta.shape[i], text + ": size");
    chunk = mul_or_throw(chunk, meta.chunks[i], text + ": chunk size");
  }
  if (chunk > static_cast<std::uint64_t>(std::numeric_limits<std::ptrdiff_t>::max())) {
    fail_at(Errc::unsupported, key, {"chunk too large (found ", chunk, " bytes)"});
  }
}

int integer(JsonView object, std::string_view name, int otherwise,
            std::string_view key) {
  constexpr std::int64_t kMax = 1 << 30;
  const auto found = object[name];
  if (found.is_null()) return otherwise;
  const auto value = found.integer();
  if (value && *value >= -kMax && *value <= kMax) return static_cast<int>(*value);
  fail_at(
      Errc::invalid_metadata, key,
      {"compressor: invalid ", name, " (found ", found.dump(), ", expected a number)"});
}

void read_blosc(JsonView object, std::string_view key, Compressor& out) {
  constexpr std::string_view kNames[] = {"lz4", "lz4hc", "blosclz", "zstd", "zlib"};
  const auto given = object["cname"];
  const auto name = given.text();
  if (!name && !given.is_null()) {
    fail_at(Errc::invalid_metadata, key,
            {"compressor blosc: invalid cname (found ", given.dump(),
             ", expected a string)"});
  }
  out.cname = name ? *name : "lz4";  // numcodecs' default
  bool known = false;
  for (const auto each : kNames) known = known || each == out.cname;
  if (!known) {
    fail_at(Errc::unsupported, key,
            {"compressor blosc: cname \"", out.cname, "\" is not supported"});
  }
  out.level = integer(object, "clevel", 5, key);
  out.shuffle = integer(object, "shuffle", 1, key);
  const int blocksize = integer(object, "blocksize", 0, key);
  if (out.shuffle < -1 || out.shuffle > 2 || blocksize < 0) {
    fail_at(Errc::invalid_metadata, key,
            {"compressor blosc: shuffle ", out.shuffle, " or blocksize ", blocksize,
             " is out of range"});
  }
  out.blocksize = static_cast<std::size_t>(blocksize);
}

Compressor read_compressor(JsonView meta, std::string_view key) {
  using CodecId = Compressor::Id;
  Compressor out;
  const auto object = required(meta, "compressor", key);
  if (object.is_null()) return out;
  const auto name = object["id"].text();
  if (!name) {
    fail_at(Errc::invalid_metadata, key,
            {"compressor ", object.dump(), ": id is missing"});
  }
  for (const Id known :
       {CodecId::blosc, CodecId::zlib, CodecId::gzip, CodecId::zstd, CodecId::lz4}) {
    if (*name == to_string(known)) out.id = known;
  }
  if (out.id == CodecId::blosc) read_blosc(object, key, out);
  if (out.id == CodecId::none || !decodes(out.id, out.cname)) {
    fail_at(Errc::unsupported, key,
            {"compressor \"", *name, "\" ", out.cname, out.cname.empty() ? "" : " ",
             "is not supported"});
  }
  if (out.id == CodecId::lz4) {
    out.level = integer(object, "acceleration", 1, key);
  } else if (out.id != CodecId::blosc) {
    out.level = integer(object, "level", 1, key);
  }
  return out;
}

// Returns a member that is one of two letters; the first if it is absent.
char letter(JsonView meta, std::string_view name, std::string_view two,
            std::string_view key) {
  const auto found = meta[name];
  if (!found) return two[0];
  const auto text = found.text();
  if (text && text->size() == 1 && two.find((*text)[0]) != std::string_view::npos) {
    return (*text)[0];
  }
  fail_at(Errc::invalid_metadata, key,
          {"invalid ", name, " (found ", found.dump(), ", expected \"",
           two.substr(0, 1), "\" or \"", two.substr(1), "\")"});
}

ArrayMeta read_array(JsonView json_meta, std::string_view key) {
  check_format(json_meta, key);
  ArrayMeta meta;
  read_grid(json_meta, key, meta);
  // Before the dtype: variable-length strings are "|O", and the filter's error says
  // more.
  meta.filters = parse_filters(json_meta["filters"], key);
  meta.dtype = parse_dtype(required(json_meta, "dtype", key), key);
  check_sizes_metadata(meta, key);
  check_filters(meta, key);
  meta.order = letter(json_meta, "order", "CF", key);
  meta.separator = letter(json_meta, "dimension_separator", "./", key);
  meta.compressor = read_compressor(json_meta, key);
  const auto fill = required(json_meta, "fill_value", key);
  meta.fill_is_null = fill.is_null();
  meta.fill = parse_fill_value(fill, meta.dtype, key);
  return meta;
}

void read_entry(const std::string& name, const json& value, Group& group) {
  if (name == ".zattrs") group.attrs = std::make_shared<const json>(value);
  constexpr std::string_view kSuffix = ".zarray";
  if (!name.ends_with(kSuffix)) return;
  const bool root = name.size() == kSuffix.size();
  const auto path = name.substr(0, name.size() - kSuffix.size() - (root ? 0 : 1));
  if (!root && name[path.size()] != '/') return;
  try {
    group.arrays.emplace(path, array_meta_from_json(value, name));
  } catch (const Error& error) {
    group.refused.emplace(path, error);
  }
}

}  // namespace

std::string_view to_string(Compressor::Id id) {
  switch (id) {
    case Compressor::Id::none: return "none";
    case Compressor::Id::blosc: return "blosc";
    case Compressor::Id::zlib: return "zlib";
    case Compressor::Id::gzip: return "gzip";
    case Compressor::Id::zstd: return "zstd";
    case Compressor::Id::lz4: return "lz4";
  }
  return "none";
}

std::size_t ArrayMeta::chunk_bytes() const noexcept {
  std::size_t bytes = dtype.size();
  for (const std::uint64_t length : chunks) bytes *= static_cast<std::size_t>(length);
  return bytes;
}

ArrayMeta parse_array_meta(std::string_view text, std::string_view key) {
  ArrayMeta meta = read_array(parse_json(text, key), key);
  meta.json = std::string(text);
  return meta;
}

ArrayMeta array_meta_from_json(const nlohmann::json& json_meta, std::string_view key) {
  ArrayMeta meta = read_array(json_meta, key);
  meta.json = json_meta.dump(4);
  return meta;
}

void check_group(std::string_view text, std::string_view key) {
  check_format(parse_json(text, key), key);
}

Group parse_consolidated(std::string_view text, std::string_view key) {
  const json whole = parse_json(text, key);
  const auto metadata = JsonView(whole)["metadata"];
  if (!metadata.is_object()) {
    fail(Errc::invalid_metadata, {key, ": \"metadata\" is missing"});
  }
  Group group;
  for (const auto& [name, value] : *metadata.json().get_ptr<const json::object_t*>()) {
    read_entry(name, value, group);
  }
  return group;
}

std::optional<ArrayMeta> by_row(ArrayMeta meta) {
  const auto axes = meta.shape.size();
  if (axes == 1) return meta;
  if (axes == 0 || meta.order != 'C' || !meta.dtype.shape.empty() ||
      !std::equal(meta.shape.begin() + 1, meta.shape.end(), meta.chunks.begin() + 1)) {
    return std::nullopt;
  }
  if (meta.sharding) {
    auto& counts = meta.sharding->counts;  // one per axis; empty axes have any number
    if (std::any_of(counts.begin() + 1, counts.end(),
                    [](std::uint64_t count) { return count != 1; })) {
      return std::nullopt;
    }
    counts.resize(1);
  }
  for (std::size_t axis = 1; axis < axes; ++axis) {
    // The product is no overflow: it is part of the chunk's size, which was checked.
    meta.dtype.shape.push_back(static_cast<std::size_t>(meta.shape[axis]));
  }
  meta.shape.resize(1);
  meta.chunks.resize(1);
  return meta;
}

std::string chunk_key(const ArrayMeta& meta, std::span<const std::uint64_t> chunk) {
  if (chunk.empty()) return meta.prefixed_keys ? "c" : "0";
  std::string key = meta.prefixed_keys ? "c" : "";
  for (const std::uint64_t index : chunk) {
    if (!key.empty()) key += meta.separator;
    key += std::to_string(index);
  }
  return key;
}

}  // namespace bev::zarr

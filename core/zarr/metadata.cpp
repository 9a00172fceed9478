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
#include "core/zarr/refuse.hpp"

namespace bev::zarr {
namespace {

void check_format(JsonView meta, std::string_view key) {
  if (!meta.is_object()) refuse(Errc::invalid_metadata, key, {"not a JSON object"});
  const auto format = required(meta, "zarr_format", key);
  if (format.number() == 2.0) return;
  const bool number = format.count() || format.integer();
  refuse(number ? Errc::unsupported : Errc::invalid_metadata, key,
         {"zarr_format ", format.dump(), ", expected 2"});
}

std::vector<std::uint64_t> lengths(JsonView meta, std::string_view name,
                                   std::string_view key) {
  const auto list = required(meta, name, key);
  std::vector<std::uint64_t> values;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (const auto length = list.at(i).count()) values.push_back(*length);
  }
  if (list.is_list() && values.size() == list.size()) return values;
  refuse(Errc::invalid_metadata, key,
         {name, " ", list.dump(), ", expected a list of lengths"});
}

void read_grid(JsonView json_meta, std::string_view key, ArrayMeta& meta) {
  meta.shape = lengths(json_meta, "shape", key);
  meta.chunks = lengths(json_meta, "chunks", key);
  if (meta.shape.size() != meta.chunks.size()) {
    refuse(Errc::invalid_metadata, key,
           {"shape has ", meta.shape.size(), " axes, chunks ", meta.chunks.size()});
  }
  for (std::size_t i = 0; i < meta.chunks.size(); ++i) {
    // zarr-python writes chunks of length 0 for an empty axis without chunks.
    if (meta.chunks[i] == 0 && meta.shape[i] == 0) meta.chunks[i] = 1;
    if (meta.chunks[i] == 0)
      refuse(Errc::invalid_metadata, key, {"chunks of length 0"});
  }
}

void check_sizes(const ArrayMeta& meta, std::string_view key) {
  auto whole = static_cast<std::uint64_t>(meta.dtype.size());
  std::uint64_t chunk = whole;
  const std::string text(key);
  for (std::size_t i = 0; i < meta.shape.size(); ++i) {
    if (meta.shape[i] > 0) whole = mul_or_throw(whole, meta.shape[i], text + ": size");
    chunk = mul_or_throw(chunk, meta.chunks[i], text + ": chunk size");
  }
  if (chunk > static_cast<std::uint64_t>(std::numeric_limits<std::ptrdiff_t>::max())) {
    refuse(Errc::unsupported, key,
           {"a chunk of ", chunk, " bytes, more than memory can hold"});
  }
}

int integer(JsonView object, std::string_view name, int otherwise,
            std::string_view key) {
  constexpr std::int64_t kMost = 1 << 30;
  const auto found = object[name];
  if (found.is_null()) return otherwise;
  const auto value = found.integer();
  if (value && *value >= -kMost && *value <= kMost) return static_cast<int>(*value);
  refuse(Errc::invalid_metadata, key,
         {"compressor: ", name, " ", found.dump(), ", expected a number"});
}

void read_blosc(JsonView object, std::string_view key, Compressor& out) {
  constexpr std::string_view kNames[] = {"lz4", "lz4hc", "blosclz", "zstd", "zlib"};
  const auto given = object["cname"];
  const auto name = given.text();
  if (!name && !given.is_null()) {
    refuse(Errc::invalid_metadata, key,
           {"compressor blosc: cname ", given.dump(), ", expected a string"});
  }
  out.cname = name ? *name : "lz4";  // numcodecs' default
  bool known = false;
  for (const auto each : kNames) known = known || each == out.cname;
  if (!known) {
    refuse(Errc::unsupported, key,
           {"compressor blosc: cname \"", out.cname, "\" is not supported"});
  }
  out.level = integer(object, "clevel", 5, key);
  out.shuffle = integer(object, "shuffle", 1, key);
  const int blocksize = integer(object, "blocksize", 0, key);
  if (out.shuffle < -1 || out.shuffle > 2 || blocksize < 0) {
    refuse(Errc::invalid_metadata, key,
           {"compressor blosc: shuffle ", out.shuffle, ", blocksize ", blocksize,
            ", expected -1 to 2 and 0 or more"});
  }
  out.blocksize = static_cast<std::size_t>(blocksize);
}

Compressor read_compressor(JsonView meta, std::string_view key) {
  using Id = Compressor::Id;
  Compressor out;
  const auto object = required(meta, "compressor", key);
  if (object.is_null()) return out;
  const auto name = object["id"].text();
  if (!name) {
    refuse(Errc::invalid_metadata, key, {"compressor ", object.dump(), " has no id"});
  }
  for (const Id known : {Id::blosc, Id::zlib, Id::gzip, Id::zstd, Id::lz4}) {
    if (*name == to_string(known)) out.id = known;
  }
  if (out.id == Id::blosc) read_blosc(object, key, out);
  if (out.id == Id::none || !decodes(out.id, out.cname)) {
    refuse(Errc::unsupported, key,
           {"compressor \"", *name, "\" ", out.cname, out.cname.empty() ? "" : " ",
            "is not supported"});
  }
  if (out.id == Id::lz4) {
    out.level = integer(object, "acceleration", 1, key);
  } else if (out.id != Id::blosc) {
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
  refuse(Errc::invalid_metadata, key,
         {name, " ", found.dump(), ", expected \"", two.substr(0, 1), "\" or \"",
          two.substr(1), "\""});
}

ArrayMeta read_array(JsonView json_meta, std::string_view key) {
  check_format(json_meta, key);
  ArrayMeta meta;
  read_grid(json_meta, key, meta);
  // Before the dtype: variable-length strings are "|O", and the filter's error says
  // more.
  meta.filters = parse_filters(json_meta["filters"], key);
  meta.dtype = parse_dtype(required(json_meta, "dtype", key), key);
  check_sizes(meta, key);
  check_filters(meta, key);
  meta.order = letter(json_meta, "order", "CF", key);
  meta.separator = letter(json_meta, "dimension_separator", "./", key);
  meta.compressor = read_compressor(json_meta, key);
  const auto fill = required(json_meta, "fill_value", key);
  meta.fill_is_null = fill.is_null();
  meta.fill = parse_fill_value(fill, meta.dtype, key);
  return meta;
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

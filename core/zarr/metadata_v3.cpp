#include "core/zarr/metadata_v3.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "core/base/checked.hpp"
#include "core/base/error.hpp"
#include "core/zarr/dtype_v3.hpp"
#include "core/zarr/json_view.hpp"

namespace bev::zarr {
namespace {

using nlohmann::json;

/// A named extension: {"name": ..., "configuration": {...}}, or the name alone.
struct Extension {
  std::string_view name;
  JsonView configuration;  // none, or an object
};

Extension extension(JsonView value, std::string_view what, std::string_view key) {
  if (const auto text = value.text()) return {*text, {}};
  const auto name = value["name"].text();
  if (!name) {
    fail_at(Errc::invalid_metadata, key,
            {what, " ", value.dump(), ": name is missing"});
  }
  const auto configuration = value["configuration"];
  if (configuration && !configuration.is_object()) {
    fail_at(Errc::invalid_metadata, key,
            {what, " ", *name, ": invalid configuration ", configuration.dump()});
  }
  return {*name, configuration};
}

/// The codec chain, converted to members of a .zarray.
class Chain {
 public:
  Chain(JsonView codecs, std::size_t axes, std::string_view key)
      : axes_(axes), key_(key) {
    if (codecs.size() == 0) {
      fail_at(Errc::invalid_metadata, key, {"invalid codecs ", codecs.dump()});
    }
    for (std::size_t i = 0; i < codecs.size(); ++i) {
      add(extension(codecs.at(i), "codec", key));
    }
    if (!bytes_) fail_at(Errc::invalid_metadata, key, {"codecs: \"bytes\" is missing"});
  }

  char endian = '<';
  char order = 'C';
  bool checksum = false;
  json compressor = nullptr;
  JsonView inner_chunks;  // of shards
  Sharding sharding;

 private:
  void add(const Extension& codec) {
    const auto& name = codec.name;
    if (inner_chunks) {
      fail_at(Errc::unsupported, key_,
              {"codec \"", name, "\" around shards is not supported"});
    }
    if (name == "transpose" && !bytes_) {
      order = transposed(codec.configuration["order"]);
    } else if (name == "sharding_indexed" && !bytes_ && order == 'C') {
      read_shards(codec.configuration);
    } else if (name == "bytes" && !bytes_) {
      bytes_ = true;
      endian = read_endian(codec.configuration["endian"]);
    } else if (name == "crc32c" && bytes_ && !checksum) {
      checksum = true;
    } else if (bytes_ && compressor.is_null() && !checksum &&
               (name == "blosc" || name == "gzip" || name == "zstd")) {
      read_compressor(codec);
    } else {
      fail_at(Errc::unsupported, key_, {"codec \"", name, "\" is not supported here"});
    }
  }

  char read_endian(JsonView end) const {
    if (!end || end.is("little")) return '<';
    if (end.is("big")) return '>';
    fail_at(Errc::invalid_metadata, key_, {"codec bytes: invalid endian ", end.dump()});
  }

  char transposed(JsonView given) const {
    bool rising = given.size() == axes_ && given.is_list();
    bool falling = rising;
    for (std::size_t axis = 0; axis < axes_; ++axis) {
      rising = rising && given.at(axis).is(axis);
      falling = falling && given.at(axis).is(axes_ - 1 - axis);
    }
    if (rising || given.is("C")) return 'C';
    if (falling || given.is("F")) return 'F';
    fail_at(Errc::unsupported, key_,
            {"codec transpose: order ", given.dump(), " is not supported"});
  }

  // Reads the inner chain of the shards and the chain of their index.
  void read_shards(JsonView configuration) {
    const Chain inner(required(configuration, "codecs", key_), axes_, key_);
    const Chain index(required(configuration, "index_codecs", key_), axes_ + 1, key_);
    const auto place = configuration["index_location"];
    const bool known = !place || place.is("start") || place.is("end");
    if (inner.inner_chunks || index.inner_chunks || !index.compressor.is_null() ||
        index.order != 'C' || !known) {
      fail_at(Errc::unsupported, key_,
              {"codec sharding_indexed ", configuration.dump(), " is not supported"});
    }
    inner_chunks = required(configuration, "chunk_shape", key_);
    sharding.index_first = place.is("start");
    sharding.checksum = index.checksum;
    sharding.big_endian = index.endian == '>';
    bytes_ = true;
    endian = inner.endian;
    order = inner.order;
    checksum = inner.checksum;
    compressor = inner.compressor;
  }

  void read_compressor(const Extension& codec) {
    compressor = codec.configuration ? codec.configuration.json() : json::object();
    set(compressor, "id", std::string(codec.name));
    if (codec.name != "blosc") return;
    constexpr std::array<std::string_view, 3> kShuffles{"noshuffle", "shuffle",
                                                        "bitshuffle"};
    const auto given = codec.configuration["shuffle"];
    std::size_t shuffle = 0;
    while (given && shuffle < 3 && !given.is(kShuffles[shuffle])) ++shuffle;
    if (shuffle == 3) {
      fail_at(Errc::invalid_metadata, key_,
              {"codec blosc: invalid shuffle ", given.dump()});
    }
    set(compressor, "shuffle", json(shuffle));
    compressor.erase("typesize");  // each chunk's header states it
  }

  std::size_t axes_;
  std::string_view key_;
  bool bytes_ = false;
};

// Returns the number of chunks per shard along each axis.
std::vector<std::uint64_t> counts_of(JsonView shards, const ArrayMeta& meta,
                                     std::string_view key) {
  constexpr std::uint64_t kMax = std::uint64_t{1} << 22;  // an index of 64 MiB
  std::vector<std::uint64_t> counts;
  std::uint64_t all = 1;
  bool good = shards.is_list() && shards.size() == meta.chunks.size();
  for (std::size_t axis = 0; good && axis < meta.chunks.size(); ++axis) {
    const auto length = shards.at(axis).count().value_or(0);
    good = length > 0 && length % meta.chunks[axis] == 0;
    if (!good) break;
    counts.push_back(length / meta.chunks[axis]);
    all = checked_mul(all, counts.back()).value_or(kMax + 1);
  }
  if (!good) {
    fail_at(Errc::invalid_metadata, key,
            {"shard shape must be a multiple of the chunk shape (found ", shards.dump(),
             ")"});
  }
  if (all > kMax) fail_at(Errc::unsupported, key, {"too many chunks per shard"});
  return counts;
}

// Reads the prefix and the separator of chunk keys.
void read_keys(JsonView node, std::string_view key, json& v2, bool& prefixed) {
  constexpr std::string_view kEncoding = "chunk_key_encoding";
  const auto keys = extension(required(node, kEncoding, key), kEncoding, key);
  if (keys.name != "default" && keys.name != "v2") {
    fail_at(Errc::unsupported, key,
            {kEncoding, " \"", keys.name, "\" is not supported"});
  }
  prefixed = keys.name == "default";
  const auto separator = keys.configuration["separator"];
  set(v2, "dimension_separator",
      separator ? separator.json() : json(std::string(prefixed ? "/" : ".")));
}

// Returns whether the node is an array, as opposed to a group.
bool is_array(JsonView node, std::string_view key) {
  if (!node.is_object() || !required(node, "zarr_format", key).is(3)) {
    fail_at(Errc::invalid_metadata, key, {"\"zarr_format\" is not 3"});
  }
  const auto type = required(node, "node_type", key);
  if (type.is("array")) return true;
  if (type.is("group")) return false;
  fail_at(Errc::invalid_metadata, key,
          {"invalid node_type (found ", type.dump(), ", expected array or group)"});
}

// Unknown members may only be ignored if the file says so.
void check_extensions(const json& node, std::string_view key) {
  constexpr std::string_view kKnown[] = {
      "zarr_format",        "node_type",           "shape",
      "data_type",          "chunk_grid",          "codecs",
      "fill_value",         "attributes",          "dimension_names",
      "chunk_key_encoding", "storage_transformers"};
  for (const auto& [name, value] : node.get_ref<const json::object_t&>()) {
    bool known = JsonView(value)["must_understand"].boolean() == false;
    for (const auto one : kKnown) known = known || one == name;
    if (!known) fail_at(Errc::unsupported, key, {"unknown extension \"", name, "\""});
  }
  const auto transformers = JsonView(node)["storage_transformers"];
  const bool none = transformers.is_list() && transformers.size() == 0;
  if (!transformers.is_null() && !none) {
    fail_at(Errc::unsupported, key, {"storage_transformers are not supported"});
  }
}

ArrayMeta array_from(const json& node, std::string_view key) {
  check_extensions(node, key);
  const auto grid = extension(required(node, "chunk_grid", key), "chunk_grid", key);
  if (grid.name != "regular") {
    fail_at(Errc::unsupported, key,
            {"chunk_grid \"", grid.name, "\" is not supported"});
  }
  const auto shape = required(node, "shape", key);
  Chain chain(required(node, "codecs", key), shape.size(), key);
  bool prefixed = false;
  json v2 = json::object();
  set(v2, "zarr_format", json(2));
  set(v2, "fill_value", json());
  set(v2, "filters", json());
  set(v2, "shape", shape.json());
  const auto grid_chunks = required(grid.configuration, "chunk_shape", key);
  const bool sharded = static_cast<bool>(chain.inner_chunks);
  set(v2, "chunks", (sharded ? chain.inner_chunks : grid_chunks).json());
  set(v2, "dtype", dtype_from_v3(required(node, "data_type", key), chain.endian, key));
  set(v2, "order", std::string(1, chain.order));
  set(v2, "compressor", std::move(chain.compressor));
  read_keys(node, key, v2, prefixed);
  ArrayMeta meta = array_meta_from_json(v2, key);
  meta.fill = fill_from_v3(required(node, "fill_value", key), meta.dtype, key);
  meta.fill_is_null = false;
  meta.prefixed_keys = prefixed;
  meta.checksum = chain.checksum;
  if (!sharded) return meta;
  meta.sharding = chain.sharding;
  meta.sharding->counts = counts_of(grid_chunks, meta, key);
  return meta;
}

void read_node(const std::string& path, const json& node, Group& group) {
  const auto key = path + "/zarr.json";
  try {
    if (is_array(node, key)) group.arrays.emplace(path, array_from(node, key));
  } catch (const Error& error) {
    group.refused.emplace(path, error);
  }
}

}  // namespace

std::optional<ArrayMeta> parse_array_v3(std::string_view text, std::string_view key) {
  const json node = parse_json(text, key);
  if (!is_array(node, key)) return std::nullopt;
  return array_from(node, key);
}

Group parse_root_v3(std::string_view text, std::string_view key) {
  const json node = parse_json(text, key);
  const bool array = is_array(node, key);
  const JsonView root(node);
  Group group;
  const auto attributes = root["attributes"];
  if (attributes && !attributes.is_object()) {
    fail_at(Errc::invalid_metadata, key, {"attributes: not a JSON object"});
  }
  if (attributes) group.attrs = std::make_shared<const json>(attributes.json());
  if (array) {
    group.arrays.emplace("", array_from(node, key));
    return group;
  }
  const auto entries = root["consolidated_metadata"]["metadata"];
  if (!entries.is_object()) return group;
  for (const auto& [path, entry] : entries.json().get_ref<const json::object_t&>()) {
    read_node(path, entry, group);
  }
  return group;
}

}  // namespace bev::zarr

#include "core/zarr/metadata_v3.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "core/base/checked.hpp"
#include "core/base/error.hpp"
#include "core/zarr/dtype_v3.hpp"

namespace bev::zarr {
namespace {

using nlohmann::json;

[[noreturn]] void refuse(Errc code, std::string_view key, Message what) {
  fail(code, {key, ": ", joined(what)});
}

/// A named extension: {"name": ..., "configuration": {...}}, or the name alone.
struct Extension {
  std::string name;
  json configuration = json::object();
};

Extension extension(const json& value, const std::string& what, std::string_view key) {
  Extension out;
  if (value.is_string()) {
    out.name = value.get<std::string>();
    return out;
  }
  const auto name = value.is_object() ? value.find("name") : value.end();
  if (name == value.end() || !name->is_string()) {
    refuse(Errc::invalid_metadata, key, {what, " ", value.dump(), " has no name"});
  }
  out.name = name->get<std::string>();
  const auto found = value.find("configuration");
  if (found == value.end()) return out;
  if (!found->is_object()) {
    refuse(Errc::invalid_metadata, key,
           {what, " ", out.name, ": configuration ", found->dump()});
  }
  out.configuration = *found;
  return out;
}

const json& member(const json& object, const char* name, std::string_view key) {
  const auto found = object.find(name);
  if (found == object.end()) {
    refuse(Errc::invalid_metadata, key, {"no \"", name, "\""});
  }
  return *found;
}

/// The chain of codecs, link by link, as members of a .zarray.
class Chain {
 public:
  Chain(const json& codecs, std::size_t axes, std::string_view key)
      : axes_(axes), key_(key) {
    if (!codecs.is_array() || codecs.empty()) {
      refuse(Errc::invalid_metadata, key, {"codecs ", codecs.dump()});
    }
    for (const json& codec : codecs) add(extension(codec, "codec", key));
    if (!bytes_) refuse(Errc::invalid_metadata, key, {"codecs without \"bytes\""});
  }

  char endian = '<';
  char order = 'C';
  bool checksum = false;
  json compressor = nullptr;
  json inner_chunks = nullptr;  // of shards
  Sharding sharding;

 private:
  void add(const Extension& codec) {
    const auto& name = codec.name;
    if (!inner_chunks.is_null()) {
      refuse(Errc::unsupported, key_,
             {"codec \"", name, "\" around shards is not supported"});
    }
    if (name == "transpose" && !bytes_) {
      order = transposed(codec.configuration);
    } else if (name == "sharding_indexed" && !bytes_ && order == 'C') {
      read_shards(codec.configuration);
    } else if (name == "bytes" && !bytes_) {
      bytes_ = true;
      const json end = codec.configuration.value("endian", json("little"));
      if (end != "little" && end != "big") {
        refuse(Errc::invalid_metadata, key_, {"codec bytes: endian ", end.dump()});
      }
      endian = end == "big" ? '>' : '<';
    } else if (name == "crc32c" && bytes_ && !checksum) {
      checksum = true;
    } else if (bytes_ && compressor.is_null() && !checksum &&
               (name == "blosc" || name == "gzip" || name == "zstd")) {
      compressor = as_compressor(codec);
    } else {
      refuse(Errc::unsupported, key_, {"codec \"", name, "\" is not supported here"});
    }
  }

  char transposed(const json& configuration) const {
    const json given = configuration.value("order", json());
    json rising = json::array();
    json falling = json::array();
    for (std::size_t axis = 0; axis < axes_; ++axis) {
      rising.push_back(axis);
      falling.push_back(axes_ - 1 - axis);
    }
    if (given == rising || given == "C") return 'C';
    if (given == falling || given == "F") return 'F';
    refuse(Errc::unsupported, key_,
           {"codec transpose: order ", given.dump(), " is not supported"});
  }

  // Inside of shards the chain goes on; the index has one of its own.
  void read_shards(const json& configuration) {
    const Chain inner(member(configuration, "codecs", key_), axes_, key_);
    const Chain index(member(configuration, "index_codecs", key_), axes_ + 1, key_);
    const json place = configuration.value("index_location", json("end"));
    const bool known = place == "start" || place == "end";
    if (!inner.inner_chunks.is_null() || !index.inner_chunks.is_null() ||
        !index.compressor.is_null() || index.order != 'C' || !known) {
      refuse(Errc::unsupported, key_,
             {"codec sharding_indexed ", configuration.dump(), " is not supported"});
    }
    inner_chunks = member(configuration, "chunk_shape", key_);
    sharding.index_first = place == "start";
    sharding.checksum = index.checksum;
    sharding.big_endian = index.endian == '>';
    bytes_ = true;
    endian = inner.endian;
    order = inner.order;
    checksum = inner.checksum;
    compressor = inner.compressor;
  }

  json as_compressor(const Extension& codec) const {
    json out = codec.configuration;
    out["id"] = codec.name;
    if (codec.name != "blosc") return out;
    constexpr std::string_view kShuffles[] = {"noshuffle", "shuffle", "bitshuffle"};
    const json given = out.value("shuffle", json("noshuffle"));
    int shuffle = -1;
    for (int i = 0; i < 3; ++i) {
      if (given == kShuffles[i]) shuffle = i;
    }
    if (shuffle < 0) {
      refuse(Errc::invalid_metadata, key_, {"codec blosc: shuffle ", given.dump()});
    }
    out["shuffle"] = shuffle;
    out.erase("typesize");  // the chunk's own header says it
    return out;
  }

  std::size_t axes_;
  std::string_view key_;
  bool bytes_ = false;
};

// How many chunks a shard has along each axis.
std::vector<std::uint64_t> counts_of(const json& shards, const ArrayMeta& meta,
                                     std::string_view key) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 22;  // an index of 64 MiB
  std::vector<std::uint64_t> counts;
  std::uint64_t all = 1;
  bool good = shards.is_array() && shards.size() == meta.chunks.size();
  for (std::size_t axis = 0; good && axis < meta.chunks.size(); ++axis) {
    const json& length = shards[axis];
    good = length.is_number_unsigned() && length > 0 &&
           length.get<std::uint64_t>() % meta.chunks[axis] == 0;
    if (!good) break;
    counts.push_back(length.get<std::uint64_t>() / meta.chunks[axis]);
    all = checked_mul(all, counts.back()).value_or(kMost + 1);
  }
  if (!good) {
    refuse(Errc::invalid_metadata, key,
           {"shards of ", shards.dump(), ", expected a multiple of their chunks"});
  }
  if (all > kMost) refuse(Errc::unsupported, key, {"shards of too many chunks"});
  return counts;
}

// Where a chunk's name begins, and what separates its numbers.
void read_keys(const json& node, std::string_view key, json& v2, bool& prefixed) {
  const auto keys =
      extension(member(node, "chunk_key_encoding", key), "chunk_key_encoding", key);
  if (keys.name != "default" && keys.name != "v2") {
    refuse(Errc::unsupported, key,
           {"chunk_key_encoding \"", keys.name, "\" is not supported"});
  }
  prefixed = keys.name == "default";
  v2["dimension_separator"] =
      keys.configuration.value("separator", json(prefixed ? "/" : "."));
}

void check_node(const json& node, std::string_view key) {
  if (!node.is_object() || member(node, "zarr_format", key) != 3) {
    refuse(Errc::invalid_metadata, key, {"no zarr_format 3"});
  }
  const json& type = member(node, "node_type", key);
  if (type != "array" && type != "group") {
    refuse(Errc::invalid_metadata, key,
           {"node_type ", type.dump(), ", expected array or group"});
  }
}

// What a reader does not know it may pass over only where the file says so.
void check_extensions(const json& node, std::string_view key) {
  constexpr std::string_view kKnown[] = {
      "zarr_format",        "node_type",           "shape",
      "data_type",          "chunk_grid",          "codecs",
      "fill_value",         "attributes",          "dimension_names",
      "chunk_key_encoding", "storage_transformers"};
  for (const auto& [name, value] : node.items()) {
    bool known = value.is_object() && value.value("must_understand", json()) == false;
    for (const auto one : kKnown) known = known || one == name;
    if (!known) refuse(Errc::unsupported, key, {"\"", name, "\" is not known here"});
  }
  const json transformers = node.value("storage_transformers", json::array());
  if (!transformers.empty()) {
    refuse(Errc::unsupported, key, {"storage_transformers are not supported"});
  }
}

ArrayMeta array_from(const json& node, std::string_view key) {
  check_extensions(node, key);
  const auto grid = extension(member(node, "chunk_grid", key), "chunk_grid", key);
  if (grid.name != "regular") {
    refuse(Errc::unsupported, key, {"chunk_grid \"", grid.name, "\" is not supported"});
  }
  const json& shape = member(node, "shape", key);
  const Chain chain(member(node, "codecs", key), shape.size(), key);
  bool prefixed = false;
  json v2{{"zarr_format", 2}, {"fill_value", nullptr}, {"filters", nullptr}};
  v2["shape"] = shape;
  const json& grid_chunks = member(grid.configuration, "chunk_shape", key);
  const bool sharded = !chain.inner_chunks.is_null();
  v2["chunks"] = sharded ? chain.inner_chunks : grid_chunks;
  v2["dtype"] = dtype_from_v3(member(node, "data_type", key), chain.endian, key);
  v2["order"] = std::string(1, chain.order);
  v2["compressor"] = chain.compressor;
  read_keys(node, key, v2, prefixed);
  ArrayMeta meta = array_meta_from_json(v2, key);
  meta.fill = fill_from_v3(member(node, "fill_value", key), meta.dtype, key);
  meta.fill_is_null = false;
  meta.prefixed_keys = prefixed;
  meta.checksum = chain.checksum;
  if (!sharded) return meta;
  meta.sharding = chain.sharding;
  meta.sharding->counts = counts_of(grid_chunks, meta, key);
  return meta;
}

void read_entry(const std::string& path, const json& node, Group& group) {
  const auto key = path + "/zarr.json";
  try {
    check_node(node, key);
    if (node["node_type"] == "array") group.arrays.emplace(path, array_from(node, key));
  } catch (const Error& error) {
    group.refused.emplace(path, error);
  }
}

}  // namespace

std::optional<ArrayMeta> parse_array_v3(std::string_view text, std::string_view key) {
  const json node = parse_json(text, key);
  check_node(node, key);
  if (node["node_type"] == "group") return std::nullopt;
  return array_from(node, key);
}

Group parse_root_v3(std::string_view text, std::string_view key) {
  const json node = parse_json(text, key);
  check_node(node, key);
  Group group;
  group.attrs = node.value("attributes", json::object());
  if (!group.attrs.is_object()) {
    refuse(Errc::invalid_metadata, key, {"attributes: not a JSON object"});
  }
  if (node["node_type"] == "array") {
    group.arrays.emplace("", array_from(node, key));
    return group;
  }
  const json all = node.value("consolidated_metadata", json());
  const auto entries = all.is_object() ? all.find("metadata") : all.end();
  if (entries == all.end() || !entries->is_object()) return group;
  for (const auto& [path, entry] : entries->items()) read_entry(path, entry, group);
  return group;
}

}  // namespace bev::zarr

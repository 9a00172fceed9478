#include "core/zarr/metadata_v3_json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.hpp"
#include "core/zarr/fill_value.hpp"

namespace bev::zarr {
namespace {

using nlohmann::json;
using Id = Compressor::Id;

json extension(std::string_view name, json configuration) {
  return {{"name", name}, {"configuration", std::move(configuration)}};
}

/// Returns "int", "float" ... with the number of bits.
std::string sized(std::string_view name, std::size_t bytes) {
  return std::string(name) + std::to_string(8 * bytes);
}

/// Divides "25s" into its factor and unit.
json time_unit(const std::string& unit) {
  if (unit.empty()) return {{"unit", "generic"}, {"scale_factor", 1}};
  const auto digits = std::min(unit.find_first_not_of("0123456789"), unit.size());
  const auto factor = digits == 0 ? 1 : std::stoul(unit.substr(0, digits));
  return {{"unit", unit.substr(digits)}, {"scale_factor", factor}};
}

/// Returns the order of all numbers in a type; none if it does not matter.
ByteOrder order_of(const DType& type, std::string_view where) {
  if (type.kind != Kind::record) return type.order;
  auto order = ByteOrder::none;
  for (const auto& field : type.fields) {
    const auto inner = order_of(field.type, where);
    if (inner == ByteOrder::none) continue;
    if (order != ByteOrder::none && order != inner) {
      fail_at(Errc::unsupported, where, {"version 3 has one byte order per record"});
    }
    order = inner;
  }
  return order;
}

json type_json(const DType& type, std::string_view where) {
  const auto bytes = type.item_size;
  if (!type.shape.empty()) {
    fail_at(Errc::unsupported, where,
            {"version 3 has no records whose fields have a shape"});
  }
  switch (type.kind) {
    case Kind::boolean: return "bool";
    case Kind::signed_int: return sized("int", bytes);
    case Kind::unsigned_int: return sized("uint", bytes);
    case Kind::real: return sized("float", bytes);
    case Kind::complex: return sized("complex", bytes);
    case Kind::bytes:
      return extension("null_terminated_bytes", {{"length_bytes", bytes}});
    case Kind::unicode:
      return extension("fixed_length_utf32", {{"length_bytes", bytes}});
    case Kind::raw: return extension("raw_bytes", {{"length_bytes", bytes}});
    case Kind::datetime: return extension("numpy.datetime64", time_unit(type.unit));
    case Kind::timedelta: return extension("numpy.timedelta64", time_unit(type.unit));
    case Kind::record: break;
  }
  json fields = json::array();
  for (const auto& field : type.fields) {
    fields.push_back(json::array({field.name, type_json(field.type, where)}));
  }
  return extension("structured", {{"fields", std::move(fields)}});
}

json blosc_json(const Compressor& compressor, std::size_t item_size) {
  const auto automatic = item_size == 1 ? 2 : 1;
  const auto shuffle = compressor.shuffle < 0 ? automatic : compressor.shuffle;
  constexpr const char* kShuffles[] = {"noshuffle", "shuffle", "bitshuffle"};
  return {{"cname", compressor.cname},
          {"clevel", compressor.level},
          {"shuffle", kShuffles[std::clamp(shuffle, 0, 2)]},
          {"typesize", std::max<std::size_t>(item_size, 1)},
          {"blocksize", compressor.blocksize}};
}

json codecs_json(const ArrayMeta& meta, std::string_view where) {
  const auto order = order_of(meta.dtype, where);
  json codecs = json::array();
  if (order == ByteOrder::none) {
    codecs.push_back({{"name", "bytes"}});
  } else {
    const auto* const name = order == ByteOrder::big ? "big" : "little";
    codecs.push_back(extension("bytes", {{"endian", name}}));
  }
  const auto& compressor = meta.compressor;
  switch (compressor.id) {
    case Id::none: break;
    case Id::gzip:
      codecs.push_back(extension("gzip", {{"level", compressor.level}}));
      break;
    case Id::zstd:
      codecs.push_back(
          extension("zstd", {{"level", compressor.level}, {"checksum", false}}));
      break;
    case Id::blosc:
      codecs.push_back(extension("blosc", blosc_json(compressor, meta.dtype.size())));
      break;
    default:
      fail_at(Errc::unsupported, where,
              {"version 3 has no codec ", to_string(compressor.id),
               " (expected none, gzip, zstd or blosc)"});
  }
  return codecs;
}

/// Returns the value that zarr-python writes for zeros, where version 2 has null.
json fill_json(const ArrayMeta& meta) {
  const bool is_zero = std::all_of(meta.fill.begin(), meta.fill.end(),
                                   [](std::byte byte) { return byte == std::byte{}; });
  switch (meta.dtype.kind) {
    case Kind::boolean: return !is_zero;
    case Kind::bytes:
    case Kind::unicode:
      if (is_zero) return "";
      break;
    default: break;
  }
  return fill_value_json(meta.fill, meta.dtype);
}

json shards_json(const ArrayMeta& meta, json inner) {
  json index = json::array(
      {extension("bytes", {{"endian", "little"}}), json{{"name", "crc32c"}}});
  return json::array({extension("sharding_indexed", {{"chunk_shape", meta.chunks},
                                                     {"codecs", std::move(inner)},
                                                     {"index_codecs", std::move(index)},
                                                     {"index_location", "end"}})});
}

}  // namespace

json array_v3_json(const ArrayMeta& meta, std::uint64_t chunks_per_shard,
                   std::string_view where) {
  if (!meta.filters.empty() || meta.order != 'C' || meta.sharding || meta.checksum) {
    fail_at(Errc::unsupported, where,
            {"filters, Fortran order and shards cannot be converted to version 3"});
  }
  auto codecs = codecs_json(meta, where);
  auto grid = meta.chunks;
  if (chunks_per_shard > 0 && !grid.empty()) {
    grid[0] *= chunks_per_shard;
    codecs = shards_json(meta, std::move(codecs));
  }
  return {{"zarr_format", 3},
          {"node_type", "array"},
          {"shape", meta.shape},
          {"data_type", type_json(meta.dtype, where)},
          {"chunk_grid", extension("regular", {{"chunk_shape", grid}})},
          {"chunk_key_encoding", extension("default", {{"separator", "/"}})},
          {"fill_value", fill_json(meta)},
          {"codecs", std::move(codecs)},
          {"attributes", json::object()}};
}

}  // namespace bev::zarr

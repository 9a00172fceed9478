#include "core/zarr/encode.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/zarr/crc32c.hpp"
#include "core/zarr/encode_codec.hpp"
#include "core/zarr/fill_value.hpp"

namespace bev::zarr {
namespace {

using Id = Compressor::Id;
using nlohmann::json;

json compressor_json(const Compressor& compressor) {
  if (compressor.id == Id::none) return nullptr;
  json out{{"id", to_string(compressor.id)}};
  if (compressor.id == Id::blosc) {
    out["cname"] = compressor.cname;
    out["clevel"] = compressor.level;
    out["shuffle"] = compressor.shuffle;
    out["blocksize"] = compressor.blocksize;
  } else {
    out[compressor.id == Id::lz4 ? "acceleration" : "level"] = compressor.level;
  }
  return out;
}

constexpr std::string_view kBlosc = "blosc:";
constexpr std::string_view kBloscNames[] = {"blosclz", "lz4", "lz4hc", "zlib", "zstd"};

int usual_level(Id id) {
  constexpr int kZstd = 3;
  constexpr int kBloscLevel = 5;
  switch (id) {
    case Id::none: return 0;
    case Id::blosc: return kBloscLevel;
    case Id::zstd: return kZstd;
    default: return 1;
  }
}

}  // namespace

Compressor compressor_named(std::string_view name, std::optional<int> level) {
  Compressor out;
  if (name.starts_with(kBlosc)) out.cname = name.substr(kBlosc.size());
  bool known = std::find(std::begin(kBloscNames), std::end(kBloscNames), out.cname) !=
               std::end(kBloscNames);
  if (known) out.id = Id::blosc;
  for (const auto id : {Id::none, Id::zlib, Id::gzip, Id::zstd, Id::lz4}) {
    if (name != to_string(id)) continue;
    out.id = id;
    known = true;
  }
  if (!known) {
    fail(Errc::invalid_argument,
         {"codec: unknown name \"", name,
          "\" (expected none, zlib, gzip, zstd, lz4 or blosc:NAME)"});
  }
  out.level = level.value_or(usual_level(out.id));
  return out;
}

std::vector<std::byte> encode_chunk(const ArrayMeta& meta,
                                    std::span<const std::byte> elements) {
  if (elements.size() != meta.chunk_bytes()) {
    fail(Errc::invalid_argument, {"encode: wrong length (found ", elements.size(),
                                  " bytes, expected ", meta.chunk_bytes(), ")"});
  }
  if (!meta.filters.empty() || meta.sharding) {
    throw Error(Errc::unsupported,
                "encode: writing filters and shards is not supported");
  }
  auto out = meta.compressor.id == Id::none
                 ? std::vector<std::byte>(elements.begin(), elements.end())
                 : encode_with_codec(meta, elements);
  if (meta.checksum) append_checksum(out);
  return out;
}

std::string array_meta_json(const ArrayMeta& meta) {
  json out;
  out["zarr_format"] = 2;
  out["shape"] = meta.shape;
  out["chunks"] = meta.chunks;
  out["dtype"] = to_json(meta.dtype);
  out["order"] = std::string(1, meta.order);
  out["fill_value"] =
      meta.fill_is_null ? json() : fill_value_json(meta.fill, meta.dtype);
  out["filters"] = nullptr;
  out["compressor"] = compressor_json(meta.compressor);
  if (meta.separator != '.')
    out["dimension_separator"] = std::string(1, meta.separator);
  return out.dump(4, ' ', true);  // zarr-python reads metadata as ASCII
}

std::string axis_names_json(std::string_view rows, std::string_view array,
                            std::size_t axes) {
  json names = json::array();
  if (axes > 0) names.push_back(std::string(rows));
  for (std::size_t i = 1; i < axes; ++i) {
    names.push_back(std::string(array) + "_" + std::to_string(i));
  }
  json out;
  out[std::string(kDimensions)] = std::move(names);
  return out.dump(4, ' ', true);
}

}  // namespace bev::zarr

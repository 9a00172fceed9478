#include "core/zarr/encode.hpp"

#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
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

}  // namespace

std::vector<std::byte> encode_chunk(const ArrayMeta& meta,
                                    std::span<const std::byte> elements) {
  if (elements.size() != meta.chunk_bytes()) {
    fail(Errc::invalid_argument, {"encode: wrong length (found ", elements.size(),
                                  " bytes, expected ", meta.chunk_bytes(), ")"});
  }
  if (!meta.filters.empty() || meta.sharding || meta.checksum) {
    throw Error(Errc::unsupported,
                "encode: writing filters, shards and checksums is not supported");
  }
  if (meta.compressor.id == Id::none) return {elements.begin(), elements.end()};
  return encode_with_codec(meta, elements);
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

}  // namespace bev::zarr

#include "core/save/array_spec.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.hpp"
#include "core/zarr/box.hpp"
#include "core/zarr/encode.hpp"
#include "core/zarr/fill_value.hpp"
#include "core/zarr/metadata_v3_json.hpp"

namespace bev::save {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{1} << 20;

nlohmann::json spec_json(const std::string& text, const char* what) {
  return zarr::parse_json(text, std::string("create: ") + what);
}

zarr::DType spec_type(const std::string& dtype) {
  const bool is_list = dtype.starts_with('[');
  return zarr::parse_dtype(is_list ? spec_json(dtype, "dtype") : nlohmann::json(dtype),
                           "create: dtype");
}

std::vector<std::uint64_t> usual_chunks(const zarr::ArrayMeta& meta) {
  auto chunks = meta.shape;
  for (auto& length : chunks) length = std::max<std::uint64_t>(length, 1);
  if (chunks.empty()) return chunks;
  const auto row = std::max<std::size_t>(zarr::row_bytes(meta), 1);
  chunks.front() = std::min<std::uint64_t>(chunks.front(),
                                           std::max<std::size_t>(kChunkBytes / row, 1));
  return chunks;
}

zarr::ArrayMeta made(std::vector<std::uint64_t> shape, const std::string& dtype,
                     std::vector<std::uint64_t> chunks, const std::string& codec,
                     std::optional<int> level, const std::string& fill, char order) {
  zarr::ArrayMeta meta;
  meta.shape = std::move(shape);
  meta.dtype = spec_type(dtype);
  meta.chunks = chunks.empty() ? usual_chunks(meta) : std::move(chunks);
  meta.order = order;
  meta.compressor = zarr::compressor_named(codec, level);
  const auto value = spec_json(fill, "fill value");
  meta.fill_is_null = value.is_null();
  meta.fill = zarr::parse_fill_value(value, meta.dtype, "create");
  // Checks all of it as when the array is opened.
  return zarr::parse_array_meta(zarr::array_meta_json(meta), "create");
}

}  // namespace

zarr::ArrayMeta array_spec(std::vector<std::uint64_t> shape, const std::string& dtype,
                           std::vector<std::uint64_t> chunks, const std::string& codec,
                           std::optional<int> level, const std::string& fill,
                           char order, int format) {
  if (format != 2 && format != 3) {
    fail(Errc::invalid_argument,
         {"create: unknown zarr format (found ", format, ", expected 2 or 3)"});
  }
  if (order != 'C' && order != 'F') {
    fail(Errc::invalid_argument, {"create: order must be C or F"});
  }
  if (!chunks.empty() && chunks.size() != shape.size()) {
    fail(Errc::invalid_argument, {"create: wrong number of chunk lengths (found ",
                                  chunks.size(), ", expected ", shape.size(), ")"});
  }
  if (std::count(chunks.begin(), chunks.end(), 0) > 0) {
    fail(Errc::invalid_argument, {"create: chunk length must not be 0"});
  }
  try {
    auto meta =
        made(std::move(shape), dtype, std::move(chunks), codec, level, fill, order);
    if (format == 2) return meta;
    static_cast<void>(zarr::array_v3_json(meta, 0, "create"));  // checks it
    meta.prefixed_keys = true;
    return meta;
  } catch (const Error& error) {
    if (error.code() != Errc::invalid_metadata) throw;
    throw Error(Errc::invalid_argument, error.what());
  }
}

}  // namespace bev::save

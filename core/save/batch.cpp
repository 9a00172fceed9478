#include "core/save/batch.hpp"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "core/base/checked.hpp"
#include "core/base/error.hpp"

namespace bev::save {
namespace {

using nlohmann::json;

std::string text_of(std::span<const std::uint64_t> shape) {
  std::string out = "(";
  for (const auto length : shape) out += std::to_string(length) + ", ";
  if (!shape.empty()) out.resize(out.size() - (shape.size() == 1 ? 1 : 2));
  return out + ")";
}

/// Returns the type that a code or a JSON list of fields means.
zarr::DType type_of(const BatchArray& array) {
  try {
    if (!array.dtype.starts_with('[')) {
      return zarr::parse_dtype(json(array.dtype), array.name);
    }
    const auto fields = zarr::parse_json(array.dtype, array.name);
    return zarr::parse_dtype(fields, array.name);
  } catch (const Error& error) {
    throw Error(Errc::invalid_argument, error.what());
  }
}

void check_array(const Attribute& attribute, const BatchArray& array) {
  if (type_of(array) != attribute.dtype) {
    fail_at(Errc::invalid_argument, array.name,
            {"wrong dtype (found ", array.dtype, ", expected ",
             zarr::to_json(attribute.dtype).dump(), ")"});
  }
  const std::span<const std::uint64_t> shape(array.shape);
  const std::vector<std::uint64_t> item(shape.begin() + (shape.empty() ? 0 : 1),
                                        shape.end());
  if (shape.empty() || item != attribute.shape) {
    fail_at(Errc::invalid_argument, array.name,
            {"wrong shape (found ", text_of(shape), ", expected rows of ",
             text_of(attribute.shape), ")"});
  }
  const auto bytes = checked_mul<std::uint64_t>(shape[0], attribute.row_bytes());
  if (bytes == array.bytes.size()) return;
  fail_at(Errc::invalid_argument, array.name,
          {"wrong length (found ", array.bytes.size(), " bytes, expected ", shape[0],
           " rows of ", attribute.row_bytes(), ")"});
}

}  // namespace

BatchArray array_of(const DataConfig& config, std::string name, std::string dtype,
                    std::span<const std::byte> bytes) {
  BatchArray out{std::move(name), std::move(dtype), {0}, bytes};
  for (const auto& attribute : config.attributes()) {
    if (attribute.name != out.name) continue;
    if (out.dtype.empty()) out.dtype = attribute.dtype_text();
    out.shape[0] = bytes.size() / attribute.row_bytes();
    out.shape.insert(out.shape.end(), attribute.shape.begin(), attribute.shape.end());
  }
  return out;
}

Batch checked_batch(const DataConfig& config, std::span<const BatchArray> arrays) {
  const auto& attributes = config.attributes();
  std::vector<const BatchArray*> found(attributes.size());
  for (const auto& array : arrays) {
    std::size_t at = 0;
    while (at < attributes.size() && attributes[at].name != array.name) ++at;
    if (at == attributes.size()) {
      fail_at(Errc::invalid_argument, array.name, {"not an attribute of the config"});
    }
    if (found[at] != nullptr) {
      fail_at(Errc::invalid_argument, array.name, {"given twice"});
    }
    found[at] = &array;
  }
  Batch batch;
  std::optional<std::uint64_t> rows;
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    if (found[i] == nullptr) {
      fail_at(Errc::invalid_argument, attributes[i].name, {"missing in the batch"});
    }
    check_array(attributes[i], *found[i]);
    const auto count = found[i]->shape[0];
    if (rows && *rows != count) {
      fail_at(Errc::invalid_argument, attributes[i].name,
              {"wrong number of rows (found ", count, ", expected ", *rows, " as in ",
               attributes[0].name, ")"});
    }
    rows = count;
    batch.columns.push_back(found[i]->bytes);
  }
  batch.rows = rows.value_or(0);
  return batch;
}

}  // namespace bev::save

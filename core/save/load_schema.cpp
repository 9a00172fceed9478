#include "core/save/load_schema.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.hpp"
#include "core/zarr/json_view.hpp"

namespace bev::save {
namespace {

using zarr::JsonView;

/// Whether an array's shape is that of `rows` items of the attribute.
bool is_shape(JsonView shape, const Attribute& attribute, std::uint64_t rows) {
  if (!shape.is_list() || shape.size() != attribute.shape.size() + 1) return false;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (shape.at(axis).count() != (axis == 0 ? rows : attribute.shape[axis - 1])) {
      return false;
    }
  }
  return true;
}

RowLayout layout_of(JsonView array, const Attribute& attribute, std::uint64_t rows,
                    std::string_view where) {
  if (!array) {
    fail_at(Errc::invalid_metadata, where, {"array ", attribute.name, " not found"});
  }
  if (attribute.is_values) {
    rows = array["shape"].is_list() ? array["shape"].at(0).count().value_or(0) : 0;
  }
  if (!is_shape(array["shape"], attribute, rows)) {
    fail_at(Errc::invalid_metadata, where,
            {attribute.name, ": wrong shape (found ", array["shape"].dump(),
             ", expected ", rows, " rows as in the config)"});
  }
  const auto dtype = zarr::parse_dtype(array["dtype"], attribute.name);
  if (dtype != attribute.dtype) {
    fail_at(Errc::invalid_metadata, where,
            {attribute.name, ": wrong dtype (found ", array["dtype"].dump(),
             ", expected ", zarr::to_json(attribute.dtype).dump(), ")"});
  }
  const auto& chunks = array["chunks"];
  const std::uint64_t length = chunks.is_list() ? chunks.at(0).count().value_or(0) : 0;
  if (length == 0) {
    fail_at(Errc::invalid_metadata, where,
            {attribute.name, ": wrong chunks (found ", array["chunks"].dump(), ")"});
  }
  RowLayout out{attribute.row_bytes(), length};
  if (attribute.is_values) out.values = rows;
  return out;
}

}  // namespace

LoadSchema load_schema(std::string_view description, std::string_view where,
                       const std::optional<std::vector<std::string>>& fields) {
  const auto root = zarr::parse_json(description, where);
  const JsonView view(root);
  auto committed = committed_from(view["attrs"].dump(), where);
  if (!committed) {
    fail_at(Errc::invalid_argument, where, {"not a data set written by a saver"});
  }
  LoadSchema out{*std::move(committed), {}};
  auto& config = out.committed.config;
  if (fields) config = config.with_fields(*fields);
  const auto& attributes = config.attributes();
  for (const auto& attribute : attributes) {
    out.layouts.push_back(layout_of(view["arrays"][attribute.name], attribute,
                                    out.committed.rows, where));
  }
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    if (attributes[i].values) out.layouts[*attributes[i].values].intervals = i;
  }
  return out;
}

std::size_t chunks_within(const LoadSchema& schema, std::size_t byte_budget) noexcept {
  constexpr std::uint64_t kMaxChunks = 16;
  const auto count = byte_budget / schema.committed.config.max_chunk_size();
  return static_cast<std::size_t>(std::clamp<std::uint64_t>(count, 1, kMaxChunks));
}

}  // namespace bev::save

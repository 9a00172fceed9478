#include "core/save/load_session.hpp"

#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.hpp"
#include "core/zarr/decode.hpp"
#include "core/zarr/json_view.hpp"

namespace bev::save {
namespace {

using nlohmann::json;
using zarr::JsonView;

/// Returns consolidated metadata in the form of Engine::describe().
json description_of(std::string_view zmetadata, std::string_view where) {
  const auto root = zarr::parse_json(zmetadata, where);
  const auto all = JsonView(root)["metadata"];
  if (!all.is_object()) {
    fail_at(Errc::invalid_metadata, where, {"no consolidated metadata"});
  }
  json arrays = json::object();
  constexpr std::string_view kEnd = "/.zarray";
  for (const auto& [key, document] : all.json().items()) {
    const std::string_view name(key);
    if (!name.ends_with(kEnd)) continue;
    arrays[std::string(name.substr(0, name.size() - kEnd.size()))] = document;
  }
  const auto attributes = all[".zattrs"];
  return {{"attrs", attributes ? attributes.json() : json::object()},
          {"arrays", std::move(arrays)}};
}

std::vector<zarr::ArrayMeta> metas_of(const json& description, const LoadSchema& schema,
                                      std::string_view where, std::size_t byte_budget) {
  std::vector<zarr::ArrayMeta> out;
  for (std::size_t i = 0; i < schema.layouts.size(); ++i) {
    const auto& attribute = schema.committed.config.attributes()[i];
    const auto& document = description.at("arrays").at(attribute.name);
    out.push_back(zarr::array_meta_from_json(document, attribute.name));
    const auto& meta = out.back();
    const auto expected = schema.committed.config.array_meta(
        attribute, schema.committed.rows, schema.layouts[i].chunk_rows);
    if (meta.chunks != expected.chunks || meta.order != expected.order) {
      fail_at(Errc::invalid_metadata, where,
              {attribute.name, ": chunks are not consecutive rows"});
    }
    if (meta.chunk_bytes() <= byte_budget) continue;
    fail_at(Errc::out_of_memory, where,
            {attribute.name, ": byte budget too small (found ", byte_budget,
             ", expected at least ", meta.chunk_bytes(), ")"});
  }
  return out;
}

}  // namespace

LoadSession::LoadSession(std::string_view zmetadata, std::string_view where,
                         std::size_t byte_budget)
    : schema_([&] {
        return load_schema(description_of(zmetadata, where).dump(), where);
      }()),
      metas_(metas_of(description_of(zmetadata, where), schema_, where, byte_budget)),
      loader_(schema_.layouts, schema_.committed.rows,
              {byte_budget, chunks_within(schema_, byte_budget)}) {}

std::string LoadSession::key(const ChunkRequest& request) const {
  const auto& meta = metas_[request.id.attribute];
  std::vector<std::uint64_t> place(meta.shape.size());
  place[0] = request.id.number;
  return schema_.committed.config.attributes()[request.id.attribute].name + "/" +
         zarr::chunk_key(meta, place);
}

void LoadSession::supply(const ChunkRequest& request,
                         std::span<const std::byte> encoded) {
  const auto& meta = metas_[request.id.attribute];
  const auto name = key(request);
  const auto rows = std::make_shared<RawBytes>(meta.chunk_bytes());
  zarr::decode_chunk(meta, {name, encoded}, *rows);
  const auto bytes = static_cast<std::size_t>(request.end - request.begin) *
                     schema_.layouts[request.id.attribute].row_bytes;
  loader_.supply(request, {std::span(*rows).first(bytes), rows});
}

}  // namespace bev::save

#include "core/save/load_session.hpp"

#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/own_json.hpp"
#include "core/save/stored_rows.hpp"
#include "core/zarr/decode.hpp"
#include "core/zarr/json_view.hpp"
#include "core/zarr/metadata_v3.hpp"

namespace bev::save {
namespace {

using nlohmann::json;
using zarr::JsonView;

/// Objects that are listed at most, as no metadata bounds them.
constexpr std::size_t kMaxObjects = 10'000'000;

/// Reads consolidated metadata: a .zmetadata, or a zarr.json.
zarr::Group group_of(std::string_view text, std::string_view where) {
  const auto root = zarr::parse_json(text, where);
  if (!JsonView(root)["zarr_format"].is(3)) {
    return zarr::parse_consolidated(text, where);
  }
  if (JsonView(root)["consolidated_metadata"]["metadata"].is_object()) {
    return zarr::parse_root_v3(text, where);
  }
  fail_at(Errc::invalid_metadata, where, {"no consolidated metadata"});
}

/// Returns metadata in the form of Engine::describe().
json description_of(const zarr::Group& group) {
  json arrays = json::object();
  for (const auto& [name, meta] : group.arrays) arrays[name] = json_of(meta.json);
  return {{"attrs", group.attrs ? *group.attrs : json::object()},
          {"arrays", std::move(arrays)}};
}

std::vector<zarr::ArrayMeta> metas_of(const zarr::Group& group,
                                      const LoadSchema& schema, std::string_view where,
                                      std::size_t byte_budget) {
  std::vector<zarr::ArrayMeta> out;
  for (std::size_t i = 0; i < schema.layouts.size(); ++i) {
    const auto& attribute = schema.committed.config.attributes()[i];
    out.push_back(group.arrays.at(attribute.name));  // load_schema() has found it
    const auto& meta = out.back();
    const auto& layout = schema.layouts[i];
    const auto expected = schema.committed.config.array_meta(
        attribute, layout.intervals ? layout.values : schema.committed.rows,
        layout.chunk_rows);
    const bool is_row_wise = !meta.sharding || zarr::by_row(meta).has_value();
    if (meta.chunks != expected.chunks || meta.order != expected.order ||
        !is_row_wise) {
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

LoadSession::LoadSession(std::string_view metadata, std::string_view where,
                         std::size_t byte_budget,
                         const std::optional<std::vector<std::string>>& fields)
    : LoadSession(group_of(metadata, where), where, byte_budget, fields) {}

LoadSession::LoadSession(const zarr::Group& group, std::string_view where,
                         std::size_t byte_budget,
                         const std::optional<std::vector<std::string>>& fields)
    : schema_(load_schema(description_of(group).dump(), where, fields)),
      metas_(metas_of(group, schema_, where, byte_budget)),
      loader_(schema_.layouts, schema_.committed.rows,
              {byte_budget, chunks_within(schema_, byte_budget)}) {}

std::string LoadSession::key(const ChunkRequest& request) const {
  return schema_.committed.config.attributes()[request.id.attribute].name + "/" +
         chunk_object(metas_[request.id.attribute], request.id.number);
}

void LoadSession::supply(const ChunkRequest& request,
                         std::span<const std::byte> object) {
  const auto& meta = metas_[request.id.attribute];
  const auto name = key(request);
  const auto rows = std::make_shared<RawBytes>(meta.chunk_bytes());
  const auto encoded = chunk_in(meta, {name, object}, request.id.number);
  zarr::decode_chunk(meta, {name, encoded}, *rows);
  const auto bytes = static_cast<std::size_t>(request.end - request.begin) *
                     schema_.layouts[request.id.attribute].row_bytes;
  loader_.supply(request, {std::span(*rows).first(bytes), rows});
}

StoredObjects stored_objects(std::string_view metadata, std::string_view where) {
  const auto group = group_of(metadata, where);
  StoredObjects out{load_schema(description_of(group).dump(), where).committed, {}, {}};
  std::vector<ArrayRows> arrays;
  for (const auto& attribute : out.committed.config.attributes()) {
    const auto& meta = group.arrays.at(attribute.name);
    arrays.push_back({meta.shape.front(), meta.chunks.front()});
  }
  for (const auto& [key, text] : documents_of(out.committed, arrays)) {
    out.documents.push_back(key);
  }
  for (const auto& attachment : out.committed.attachments) {
    out.others.push_back(attachment_key(attachment));
  }
  for (const auto& [name, meta] : group.arrays) {
    const auto rows = meta.chunks.front();
    if (meta.shape.front() / rows > kMaxObjects - out.others.size()) {
      fail_at(Errc::limit_exceeded, where,
              {name, ": more than ", kMaxObjects, " objects"});
    }
    for (std::uint64_t i = 0; i * rows < meta.shape.front(); ++i) {
      auto key = name + "/" + chunk_object(meta, i);
      if (out.others.empty() || out.others.back() != key) {
        out.others.push_back(std::move(key));  // chunks of a shard have equal keys
      }
    }
  }
  return out;
}

}  // namespace bev::save

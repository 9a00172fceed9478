#include "core/scene/copy_layout.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "core/scene/dataset.hpp"
#include "core/zarr/encode.hpp"

namespace bev::scene {
namespace {

/// Returns the array in "agents.yaw".
std::string_view array_of(std::string_view name) {
  return name.substr(0, name.find('.'));
}

void check_array(std::string_view array, std::span<const std::string_view> known,
                 std::string_view what) {
  if (std::find(known.begin(), known.end(), array) != known.end()) return;
  std::string names;
  for (const auto name : known)
    names += (names.empty() ? "" : ", ") + std::string(name);
  fail(Errc::not_found,
       {what, ": unknown array \"", array, "\" (expected ", names, ")"});
}

/// Returns the fields that are named for an array; nullopt for all of them.
std::optional<std::vector<std::string_view>> fields_named(const CopyLayout& layout,
                                                          std::string_view path) {
  std::optional<std::vector<std::string_view>> out;
  for (const std::string_view name : layout.fields) {
    if (array_of(name) != path) continue;
    if (name == path) return std::nullopt;
    if (!out) out = interval_names(path);
    out->push_back(name.substr(path.size() + 1));
  }
  return out;
}

std::vector<zarr::Field> chosen_fields(const CopyLayout& layout, std::string_view path,
                                       const zarr::DType& record) {
  const auto names = fields_named(layout, path);
  if (!names) return record.fields;
  const auto has = [](const auto& fields, std::string_view name) {
    return std::any_of(fields.begin(), fields.end(),
                       [&](const zarr::Field& field) { return field.name == name; });
  };
  const auto intervals = interval_names(path);
  for (const auto name : *names) {
    // The three-array layout has no interval of faces.
    const bool optional =
        std::find(intervals.begin(), intervals.end(), name) != intervals.end();
    if (optional || has(record.fields, name)) continue;
    std::string known;
    for (const auto& field : record.fields) {
      known += (known.empty() ? "" : ", ") + field.name;
    }
    fail(Errc::not_found,
         {"fields: ", path, " has no field \"", name, "\" (expected ", known, ")"});
  }
  std::vector<zarr::Field> out;
  for (const auto& field : record.fields) {
    if (std::find(names->begin(), names->end(), field.name) != names->end()) {
      out.push_back(field);
    }
  }
  return out;
}

zarr::Compressor compressor_of(const CopyLayout& layout,
                               const zarr::Compressor& original) {
  if (layout.codec) return zarr::compressor_named(*layout.codec, layout.level);
  auto out = original;
  if (layout.level) out.level = *layout.level;
  return out;
}

}  // namespace

CopyLayout viewing_layout(CopyLayout given) {
  constexpr int kLevel = 9;
  given.tracks = true;
  given.chunk_rows.insert({{std::string(kScenes), 256},
                           {std::string(kFrames), 32},
                           {std::string(kAgents), 128},
                           {std::string(kTracks), 512},
                           {std::string(kFaces), 512}});
  if (!given.codec) {
    given.codec = "blosc:lz4hc";
    if (!given.level) given.level = kLevel;
  }
  return given;
}

TableLayout table_layout(const CopyLayout& layout, std::string_view path,
                         const zarr::ArrayMeta& record) {
  if (record.dtype.kind != zarr::Kind::record || !record.dtype.shape.empty() ||
      record.shape.size() != 1) {
    fail_at(Errc::unsupported, path, {"not a table of records"});
  }
  TableLayout out;
  const auto given = layout.chunk_rows.find(path);
  out.chunk_rows =
      given == layout.chunk_rows.end() ? record.chunk_rows() : given->second;
  out.compressor = compressor_of(layout, record.compressor);
  out.fields = chosen_fields(layout, path, record.dtype);
  out.columnar = layout.columnar;
  out.split_vectors = layout.split_vectors;
  return out;
}

TableLayout tracks_layout(const CopyLayout& layout, const zarr::ArrayMeta& agents) {
  auto own = layout;
  own.fields = {"agent_tracks.centroid", "agent_tracks.track_id"};
  return table_layout(own, kTracks, agents);
}

void check_names(const CopyLayout& layout) {
  for (const auto& entry : layout.chunk_rows) {
    check_array(entry.first, kCompleteArrays, "chunks");
  }
  for (const std::string_view name : layout.fields) {
    check_array(array_of(name), kArrays, "fields");
  }
}

std::vector<std::string_view> interval_names(std::string_view path) {
  if (path == kScenes) return {"frame_index_interval"};
  if (path == kFrames) {
    return {"agent_index_interval", "traffic_light_faces_index_interval"};
  }
  return {};
}

}  // namespace bev::scene

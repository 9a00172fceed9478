#include "core/scene/copier.hpp"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/base/json_tree.hpp"
#include "core/base/own_json.hpp"
#include "core/scene/intervals.hpp"
#include "core/scene/virtual_records.hpp"
#include "core/store/columns.hpp"
#include "core/zarr/column.hpp"
#include "core/zarr/json_view.hpp"

namespace bev::scene {
namespace {

using nlohmann::json;

constexpr std::string_view kFramesOfScenes = "frame_index_interval";
constexpr std::string_view kAgentsOfFrames = "agent_index_interval";
constexpr std::string_view kFacesOfFrames = "traffic_light_faces_index_interval";

const zarr::Field* find_field(const zarr::DType& record, std::string_view name) {
  for (const auto& field : record.fields) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

/// Checks that a field is an interval: two 64-bit integers.
void check_type(const zarr::DType& record, std::string_view array,
                std::string_view name) {
  const auto* field = find_field(record, name);
  const bool valid = field != nullptr && field->type.kind == zarr::Kind::signed_int &&
                     field->type.item_size == sizeof(std::int64_t) &&
                     field->type.shape == std::vector<std::size_t>{2};
  if (valid) return;
  fail_at(Errc::invalid_metadata, array,
          {"field ", name, " is not an interval (expected <i8 of shape 2)"});
}

/// Returns what the attributes of a converted data set say of each scene; null if that is
/// not a list with an element for each.
json* list_of_scenes(json& attributes, std::uint64_t count) {
  const auto found = zarr::JsonView(attributes)["bevscope"]["scenes"];
  if (!found.is_list() || found.size() != count) return nullptr;
  return &attributes["bevscope"]["scenes"];
}

std::uint64_t count_of(const Interval& rows) {
  return static_cast<std::uint64_t>(rows.end - rows.begin);
}

}  // namespace

/// An array of the original, and its copy.
struct Copier::Table {
  std::string_view path;
  zarr::DType type;    ///< of the original
  zarr::DType native;  ///< the same, little-endian
  std::uint64_t length = 0;
  std::unique_ptr<TableWriter> writer;
};

Copier::Copier(Sink& sink, std::string_view description, const CopyLayout& layout,
               const TableWriter::OnChunk& on_chunk,
               std::shared_ptr<const Overlay> overlay)
    : sink_(sink), overlay_(std::move(overlay)) {
  check_names(layout);
  const auto root = zarr::parse_json(description, "description");
  const auto& arrays = root.at("arrays");
  const std::string key(store::kColumnsAttribute);
  auto attributes = root.at("attrs");
  const bool is_columnar = attributes.contains(key);
  attributes.erase(key);
  if (layout.columnar) attributes[key] = json{{"version", store::kColumnsVersion}};
  if (layout.columnar && layout.split_vectors) {
    attributes[key][std::string(store::kSplitVectors)] = true;
  }
  for (std::size_t i = 0; i < kArrays.size(); ++i) {
    const auto record = open_table(i, arrays, layout, on_chunk);
    if (layout.columnar && !record.is_null()) {
      attributes[key]["tables"][std::string(kArrays[i])] = record;
    }
  }
  // Attributes of scenarios are most of what opening a copy loads, so that copies in
  // another layout have no indentation; others have the original's bytes.
  indent_ = layout.columnar || layout.tracks ? -1 : 4;
  if (auto* scenes = list_of_scenes(attributes, scene_count())) {
    scenes_ = scenes->dump();
    *scenes = json::array();
  }
  attributes_ = attributes.dump(indent_, ' ', true);
  for (const auto& entry : arrays.items()) {
    const auto& path = entry.key();
    // Columns of the original's tables are copied with them.
    const auto name = is_columnar ? path.substr(0, path.find('/')) : path;
    const auto copied =
        std::any_of(tables_.begin(), tables_.end(),
                    [&](const auto& table) { return table && table->path == name; });
    if (!copied && path != kTracks) left_out_.push_back(path);
  }
}

Copier::~Copier() = default;

/// Returns the type of the copy's records; null if the original has no such table.
json Copier::open_table(std::size_t index, const json& arrays, const CopyLayout& layout,
                        const TableWriter::OnChunk& on_chunk) {
  const std::string path(kArrays[index]);
  const bool linked = index != faces_index || find_field(tables_[frames_index]->type,
                                                         kFacesOfFrames) != nullptr;
  if (!arrays.contains(path) || !linked) {
    if (index == faces_index) return nullptr;
    fail(Errc::missing_key,
         {path, "/.zarray: not found (expected in an L5Kit data set)"});
  }
  auto document = arrays.at(path);
  document["zarr_format"] = 2;
  auto meta = zarr::array_meta_from_json(document, path + "/.zarray");
  auto table = std::make_unique<Table>();
  table->path = kArrays[index];
  table->type = meta.dtype;
  table->native = zarr::native_type(meta.dtype);
  table->length = meta.shape.empty() ? 0 : meta.shape.front();
  meta.dtype = table->native;
  const auto stored = table_layout(layout, path, meta);
  for (const auto name : interval_names(path)) {
    if (name != kFacesOfFrames || arrays.contains(std::string(kFaces))) {
      check_type(meta.dtype, path, name);
    }
  }
  table->writer =
      std::make_unique<TableWriter>(sink_, path, meta.dtype, stored, on_chunk);
  if (index == agents_index && layout.tracks) {
    tracks_ = std::make_unique<TableWriter>(sink_, std::string(kTracks), meta.dtype,
                                            tracks_layout(layout, meta));
  }
  tables_[index] = std::move(table);
  return zarr::to_json(record_of(stored.fields));
}

std::uint64_t Copier::scene_count() const noexcept {
  return tables_[scenes_index]->length;
}

bool Copier::has_faces() const noexcept {
  return tables_[faces_index] != nullptr;
}

/// Returns a copy of the records, little-endian.
std::vector<std::byte> Copier::native(std::size_t index,
                                      std::span<const std::byte> records,
                                      std::uint64_t count) const {
  const auto& table = *tables_[index];
  if (records.size() != count * table.type.size()) {
    fail_at(Errc::invalid_argument, table.path,
            {"records have the wrong length (found ", records.size(),
             " bytes, expected ", count, " rows of ", table.type.size(), ")"});
  }
  std::vector<std::byte> out(records.begin(), records.end());
  zarr::to_native(table.type, out);
  return out;
}

/// Checks the intervals in a field and moves them to where the copy has the rows.
///
/// Returns  the rows of the original that they span
Interval Copier::rebase(std::vector<std::byte>& records, std::size_t index,
                        std::string_view name, std::size_t target) const {
  const auto& table = *tables_[index];
  const auto& next = *tables_[target];
  const auto offset = find_field(table.native, name)->offset;
  const auto stride = table.native.size();
  std::vector<Interval> intervals(records.size() / stride);
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    const auto* at = records.data() + i * stride + offset;
    intervals[i] = {load_le<std::int64_t>(at),
                    load_le<std::int64_t>(at + sizeof(std::int64_t))};
  }
  const auto first =
      index == scenes_index ? static_cast<std::int64_t>(scene_) : frame_rows_.begin;
  IntervalField field{table.path, name, next.path, next.length};
  if (overlay_) {
    field.virtual_end = overlay_->end(static_cast<VirtualArray>(target - frames_index));
  }
  const auto rows = check_intervals(intervals, first, field);
  const auto shift = static_cast<std::int64_t>(next.writer->rows()) - rows.begin;
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    auto* at = records.data() + i * stride + offset;
    store_le(at, intervals[i].begin + shift);
    store_le(at + sizeof(std::int64_t), intervals[i].end + shift);
  }
  return rows;
}

bool Copier::begin(std::uint64_t scene, std::span<const std::byte> record) {
  scene_ = scene;
  copied_.push_back(scene);
  auto records = native(scenes_index, record, 1);
  const auto* const edited = overlay_ ? overlay_->find(scene) : nullptr;
  if (edited != nullptr) {
    const auto put = [&](std::string_view name, std::span<const std::int64_t> values) {
      auto* at =
          records.data() + find_field(tables_[scenes_index]->native, name)->offset;
      std::memcpy(at, values.data(), values.size_bytes());
    };
    const auto rows = overlay_->frames_of(scene);
    put(kFramesOfScenes, std::array{rows.begin, rows.end});
    put("start_time", edited->scenes.start_time);
    put("end_time", edited->scenes.end_time);
  }
  frame_rows_ = rebase(records, scenes_index, kFramesOfScenes, frames_index);
  tables_[scenes_index]->writer->append(records);
  if (edited != nullptr) append_from_memory();
  return edited != nullptr;
}

void Copier::append_from_memory() {
  const auto records = [&](VirtualArray array, const Interval& rows,
                           std::size_t index) {
    return virtual_records(*overlay_, array, rows, tables_[index]->type);
  };
  frames(records(VirtualArray::frames, frame_rows_, frames_index));
  agents(records(VirtualArray::agents, agent_rows_, agents_index));
  if (has_faces()) faces(records(VirtualArray::faces, face_rows_, faces_index));
}

void Copier::frames(std::span<const std::byte> frames) {
  auto records = native(frames_index, frames, count_of(frame_rows_));
  agent_rows_ = rebase(records, frames_index, kAgentsOfFrames, agents_index);
  face_rows_ = {};
  if (has_faces()) {
    face_rows_ = rebase(records, frames_index, kFacesOfFrames, faces_index);
  }
  tables_[frames_index]->writer->append(records);
}

void Copier::agents(std::span<const std::byte> agents) {
  const auto records = native(agents_index, agents, count_of(agent_rows_));
  tables_[agents_index]->writer->append(records);
  if (tracks_) tracks_->append(records);
}

void Copier::faces(std::span<const std::byte> faces) {
  if (!has_faces()) return;
  tables_[faces_index]->writer->append(
      native(faces_index, faces, count_of(face_rows_)));
}

std::string Copier::attributes() const {
  if (scenes_.empty()) return attributes_;
  auto out = json::parse(attributes_);
  auto all = json::parse(scenes_);
  auto& scenes = out["bevscope"]["scenes"];
  for (const auto scene : copied_) {
    scenes.push_back(all[static_cast<std::size_t>(scene)]);
  }
  return out.dump(indent_, ' ', true);
}

void Copier::close() {
  std::map<std::string, std::string> documents;
  for (const auto& table : tables_) {
    if (table) table->writer->close(documents);
  }
  if (tracks_) tracks_->close(documents);
  documents[".zgroup"] = json{{"zarr_format", 2}}.dump(4);
  documents[".zattrs"] = attributes();
  json all = json::object();
  for (const auto& [key, text] : documents) all[key] = json_of(text);
  documents[".zmetadata"] =
      json{{"metadata", all}, {"zarr_consolidated_format", 1}}.dump(indent_, ' ', true);
  for (const auto* key : {".zgroup", ".zattrs", ".zmetadata"}) {
    sink_.put(key, std::as_bytes(std::span(documents.at(key))));
  }
}

}  // namespace bev::scene

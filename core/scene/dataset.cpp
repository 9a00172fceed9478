#include "core/scene/dataset.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <utility>

#include "core/base/error.hpp"
#include "core/store/selection.hpp"

namespace bev::scene {

namespace {

using Table = ChunkedDataset::Table;

/// Throws invalid_argument unless a column in memory has `rows` values. Strings may
/// have another length than the stored ones.
void check_width(std::string_view array, const zarr::Column& column, std::size_t bytes,
                 std::size_t rows) {
  const auto expected = rows * column.type.size();
  if (bytes == expected) return;
  fail(Errc::invalid_argument,
       {array, ": wrong length of ", column.path, " in memory (found ", bytes,
        " bytes, expected ", expected, ")"});
}

/// One read of rows: some columns into vectors. Checks the result's size before it
/// allocates memory.
///
/// Lifetime  Columns and vectors outlive run(), which fills them and returns false
///           while requests are pending.
/// Throws    out_of_range for rows that do not exist, limit_exceeded for too many rows;
///           otherwise as Reader::read.
class TableRead {
 public:
  [[gnu::noinline]] TableRead(const Table& table, Interval rows) : table_(table) {
    if (table.overlay != nullptr && rows.begin >= kFirstVirtualRow) {
      table.overlay->rows(table.virtual_array, rows);  // throws if there are none
      rows_.first = static_cast<std::uint64_t>(rows.begin);
      rows_.count = static_cast<std::size_t>(rows.end - rows.begin);
      is_virtual_ = true;
      return;
    }
    const auto& array = *table.array;
    rows_ =
        store::RowSelection::range(array.path, array.length(), rows.begin, rows.end);
    store::result_bytes(array, rows_.count, array.meta.dtype.size());
  }

  /// Adds a column of type T; the type was checked when the table was opened.
  template <class T>
  TableRead& column(const zarr::Column& column, std::vector<T>& out) {
    out.resize(rows_.count);
    return add(column, std::as_writable_bytes(std::span(out)));
  }

  /// Adds the bytes of a string column.
  TableRead& text(const zarr::Column& column, std::vector<std::byte>& out) {
    out.resize(rows_.count * column.type.size());
    return add(column, out);
  }

  [[gnu::noinline]] bool run(store::Reader& reader,
                             store::Access access = store::Access::parts) const {
    if (is_virtual_) return copy_from_memory();
    std::array<zarr::ColumnSlot, kMaxTargets> slots;
    for (std::size_t i = 0; i < count_; ++i) {
      const auto& column = *targets_[i].column;
      slots[i] = {column.offset, column.type.size(), targets_[i].out};
    }
    if (!reader.read(*table_.array, rows_, std::span(slots).first(count_), access)) {
      return false;
    }
    for (std::size_t i = 0; i < count_; ++i) {
      zarr::to_native(targets_[i].column->type, targets_[i].out);
    }
    return true;
  }

 private:
  /// A column and the memory for its values.
  struct Target {
    const zarr::Column* column = nullptr;
    std::span<std::byte> out;
  };

  static constexpr std::size_t kMaxTargets = 6;  // number of an agent's fields

  TableRead& add(const zarr::Column& column, std::span<std::byte> out) {
    targets_[count_++] = {&column, out};
    return *this;
  }

  bool copy_from_memory() const {
    const auto begin = static_cast<std::int64_t>(rows_.first);
    const auto found = table_.overlay->rows(
        table_.virtual_array, {begin, begin + static_cast<std::int64_t>(rows_.count)});
    const auto rows = static_cast<std::size_t>(found.all.end - found.all.begin);
    for (std::size_t i = 0; i < count_; ++i) {
      const auto& [column, out] = targets_[i];
      const auto index = static_cast<std::size_t>(column - table_.columns.data());
      const auto from = found.columns[index];
      check_width(table_.array->name(), *column, from.size(), rows);
      const auto first = found.first * column->type.size();
      if (!out.empty()) std::memcpy(out.data(), from.data() + first, out.size());
    }
    return true;
  }

  const Table& table_;
  store::RowSelection rows_;
  bool is_virtual_ = false;
  std::array<Target, kMaxTargets> targets_;
  std::size_t count_ = 0;
};

/// A field of the format: its type in native byte order ("<U" for a string of any
/// length) and its subarray's shape, 0 for no further axis. Constant data, because lists
/// that are built at run time are larger in wasm.
struct FieldSpec {
  std::string_view name;
  std::string_view type;
  std::array<std::size_t, 2> lengths{};

  std::vector<std::size_t> shape() const {
    return {lengths.begin(), std::find(lengths.begin(), lengths.end(), 0U)};
  }
};

std::string spell(std::string_view type, const std::vector<std::size_t>& shape) {
  std::string text(type);
  for (std::size_t i = 0; i < shape.size(); ++i) {
    text += (i == 0 ? " of shape " : " x ") + std::to_string(shape[i]);
  }
  return text;
}

bool matches(const zarr::DType& found, const std::string& code, const FieldSpec& spec) {
  const bool type = spec.type == "<U" ? found.kind == zarr::Kind::unicode
                                      : std::string_view(code) == spec.type;
  return type && found.shape == spec.shape();
}

zarr::Column find_column(const store::Array& array, const FieldSpec& spec) {
  for (const auto& field : array.meta.dtype.fields) {
    if (field.name != spec.name) continue;
    const auto code = zarr::to_string(zarr::native_type(field.type));
    if (matches(field.type, code, spec)) return {field.name, field.offset, field.type};
    fail(Errc::invalid_metadata,
         {array.name(), ": field ", field.name, " has the wrong type (found ",
          spell(code, field.type.shape), ", expected ", spell(spec.type, spec.shape()),
          ")"});
  }
  fail(Errc::invalid_metadata,
       {array.name(), ": field ", spec.name, " not found (expected ",
        spell(spec.type, spec.shape()), ")"});
}

bool has_field(const store::Array& array, std::string_view name) {
  for (const auto& field : array.meta.dtype.fields) {
    if (field.name == name) return true;
  }
  return false;
}

Table bound(const store::Array& array, std::span<const FieldSpec> fields) {
  if (array.meta.shape.size() != 1) {
    fail(Errc::invalid_metadata, {array.name(), ": wrong number of axes (found ",
                                  array.meta.shape.size(), ", expected 1)"});
  }
  Table table{&array, {}};
  for (const auto& spec : fields) table.columns.push_back(find_column(array, spec));
  return table;
}

constexpr std::array<FieldSpec, 4> kSceneFields{{{"frame_index_interval", "<i8", {2}},
                                                 {"host", "<U"},
                                                 {"start_time", "<i8"},
                                                 {"end_time", "<i8"}}};

constexpr std::array<FieldSpec, 5> kFrameFields{
    {{"timestamp", "<i8"},
     {"agent_index_interval", "<i8", {2}},
     {"ego_translation", "<f8", {3}},
     {"ego_rotation", "<f8", {3, 3}},
     {"traffic_light_faces_index_interval", "<i8", {2}}}};

constexpr std::array<FieldSpec, 6> kAgentFields{
    {{"centroid", "<f8", {2}},
     {"track_id", "<u8"},
     {"extent", "<f4", {3}},
     {"yaw", "<f4"},
     {"velocity", "<f4", {2}},
     {"label_probabilities", "<f4", {kLabelCount}}}};
// The first fields are those of agent_tracks.
constexpr std::size_t kTrackFields = 2;

constexpr std::array<FieldSpec, 3> kFaceFields{
    {{"face_id", "<U"},
     {"traffic_light_id", "<U"},
     {"traffic_light_face_status", "<f4", {3}}}};

const store::Array& required(const store::Array* array, std::string_view path) {
  if (array != nullptr) return *array;
  fail(Errc::missing_key,
       {path, "/.zarray: not found (expected in an L5Kit data set)"});
}

/// Adds the fields of PoseColumns.
template <class Columns>
TableRead& add_pose(TableRead& read, const Table& agents, Columns& out) {
  return read.column(agents.columns[0], out.centroid)
      .column(agents.columns[1], out.track_id)
      .column(agents.columns[2], out.extent)
      .column(agents.columns[3], out.yaw);
}

}  // namespace

std::optional<ChunkedDataset> ChunkedDataset::open(store::Reader& reader) {
  const auto scenes = reader.array(kScenes);
  const auto frames = reader.array(kFrames);
  const auto agents = reader.array(kAgents);
  const auto faces = reader.array(kFaces, false);
  if (!scenes || !frames || !agents || !faces) return std::nullopt;

  ChunkedDataset dataset;
  dataset.scenes_ = bound(required(*scenes, kScenes), kSceneFields);
  dataset.agents_ = bound(required(*agents, kAgents), kAgentFields);
  const auto* tracks = reader.catalogue().parsed(kTracks);
  const bool has_tracks =
      tracks != nullptr && tracks->meta.shape == dataset.agents_.array->meta.shape;
  dataset.tracks_ = bound(has_tracks ? *tracks : *dataset.agents_.array,
                          std::span(kAgentFields).first(kTrackFields));
  const auto& frames_array = required(*frames, kFrames);
  const std::span<const FieldSpec> fields = kFrameFields;
  const bool linked = has_field(frames_array, fields.back().name);
  const bool with_faces = *faces != nullptr && linked;
  const auto known = with_faces ? fields : fields.first(fields.size() - 1);
  dataset.frames_ = bound(frames_array, known);
  if (with_faces) dataset.faces_ = bound(**faces, kFaceFields);
  return dataset;
}

ChunkedDataset ChunkedDataset::with(std::shared_ptr<const Overlay> overlay) const {
  auto out = *this;
  out.replace_scenes(std::move(overlay));
  return out;
}

void ChunkedDataset::replace_scenes(std::shared_ptr<const Overlay> overlay) {
  overlay_ = std::move(overlay);
  const auto bind = [&](Table& table, VirtualArray array) {
    table.overlay = overlay_.get();
    table.virtual_array = array;
  };
  bind(frames_, VirtualArray::frames);
  bind(agents_, VirtualArray::agents);
  bind(tracks_, VirtualArray::agents);
  if (faces_) bind(*faces_, VirtualArray::faces);
}

std::int64_t ChunkedDataset::virtual_end(VirtualArray array) const noexcept {
  return overlay_ == nullptr ? 0 : overlay_->end(array);
}

IntervalField ChunkedDataset::frames_of_scenes() const noexcept {
  return {kScenes, "frame_index_interval", kFrames, frame_count(),
          virtual_end(VirtualArray::frames)};
}

IntervalField ChunkedDataset::agents_of_frames() const noexcept {
  return {kFrames, "agent_index_interval", kAgents, agent_count(),
          virtual_end(VirtualArray::agents)};
}

IntervalField ChunkedDataset::faces_of_frames() const noexcept {
  return {kFrames, "traffic_light_faces_index_interval", kFaces, face_count(),
          virtual_end(VirtualArray::faces)};
}

bool ChunkedDataset::read_scenes(store::Reader& reader, Interval rows,
                                 SceneColumns& out) const {
  const auto& columns = scenes_.columns;
  const bool read = TableRead(scenes_, rows)
                        .column(columns[0], out.frame_index_interval)
                        .text(columns[1], out.host)
                        .column(columns[2], out.start_time)
                        .column(columns[3], out.end_time)
                        .run(reader);
  if (!read || overlay_ == nullptr) return read;
  for (auto row = rows.begin; row < rows.end; ++row) {
    const auto scene = static_cast<std::uint64_t>(row);
    const auto* const replaced = overlay_->find(scene);
    if (replaced == nullptr) continue;
    const auto i = static_cast<std::size_t>(row - rows.begin);
    const auto& [frames, host, start_time, end_time] = replaced->scenes;
    check_width(kScenes, columns[1], host.size(), 1);
    std::copy(host.begin(), host.end(),
              out.host.begin() + static_cast<std::ptrdiff_t>(i * host.size()));
    out.frame_index_interval[i] = overlay_->frames_of(scene);
    out.start_time[i] = start_time.front();
    out.end_time[i] = end_time.front();
  }
  return true;
}

bool ChunkedDataset::read_scene_intervals(store::Reader& reader, Interval rows,
                                          std::vector<Interval>& out) const {
  // Requested whole: a chunk holds thousands of scenes of a few bytes each, and the
  // next scene is looked up in it too.
  return TableRead(scenes_, rows)
      .column(scenes_.columns[0], out)
      .run(reader, store::Access::whole);
}

bool ChunkedDataset::read_agent_intervals(store::Reader& reader, Interval rows,
                                          std::vector<Interval>& out) const {
  return TableRead(frames_, rows).column(frames_.columns[1], out).run(reader);
}

Interval ChunkedDataset::frames_in_same_chunks(Interval rows) const {
  if (overlay_ != nullptr && rows.begin >= kFirstVirtualRow) {
    return overlay_->rows(VirtualArray::frames, rows).all;
  }
  const auto length = frame_count();
  const auto per_chunk = std::max<std::uint64_t>(frames_.array->meta.chunk_rows(), 1);
  const auto first = static_cast<std::uint64_t>(rows.begin) / per_chunk * per_chunk;
  const auto last = static_cast<std::uint64_t>(rows.end - 1) / per_chunk * per_chunk;
  // Not last + per_chunk, which a hostile chunk length would overflow.
  const auto end = last + std::min(per_chunk, length - last);
  return {static_cast<std::int64_t>(first), static_cast<std::int64_t>(end)};
}

bool ChunkedDataset::read_timestamps(store::Reader& reader, Interval rows,
                                     std::vector<std::int64_t>& out) const {
  return TableRead(frames_, rows).column(frames_.columns[0], out).run(reader);
}

bool ChunkedDataset::read_frames(store::Reader& reader, Interval rows,
                                 FrameColumns& out) const {
  const auto& columns = frames_.columns;
  TableRead read(frames_, rows);
  read.column(columns[0], out.timestamp)
      .column(columns[1], out.agent_index_interval)
      .column(columns[2], out.ego_translation)
      .column(columns[3], out.ego_rotation);
  if (has_faces()) {
    read.column(columns[4], out.traffic_light_faces_index_interval);
  } else {
    out.traffic_light_faces_index_interval.assign(out.size(), Interval{});
  }
  return read.run(reader);
}

void ChunkedDataset::request_frames(store::Reader& reader, Interval rows) const {
  const auto& array = *frames_.array;
  reader.request(array, store::RowSelection::range(array.path, array.length(),
                                                   rows.begin, rows.end));
}

bool ChunkedDataset::read_agents(store::Reader& reader, Interval rows,
                                 AgentColumns& out) const {
  TableRead read(agents_, rows);
  return add_pose(read, agents_, out)
      .column(agents_.columns[4], out.velocity)
      .column(agents_.columns[5], out.label_probabilities)
      .run(reader);
}

bool ChunkedDataset::read_tracks(store::Reader& reader, Interval rows,
                                 TrackColumns& out) const {
  return TableRead(tracks_, rows)
      .column(tracks_.columns[0], out.centroid)
      .column(tracks_.columns[1], out.track_id)
      .run(reader);
}

bool ChunkedDataset::read_poses(store::Reader& reader, Interval rows,
                                PoseColumns& out) const {
  TableRead read(agents_, rows);
  return add_pose(read, agents_, out).run(reader);
}

bool ChunkedDataset::read_selection_columns(store::Reader& reader, Interval rows,
                                            SelectionColumns& out) const {
  TableRead read(agents_, rows);
  return add_pose(read, agents_, out)
      .column(agents_.columns[5], out.label_probabilities)
      .run(reader);
}

bool ChunkedDataset::read_labels(
    store::Reader& reader, Interval rows,
    std::vector<std::array<float, kLabelCount>>& out) const {
  return TableRead(agents_, rows).column(agents_.columns[5], out).run(reader);
}

bool ChunkedDataset::read_faces(store::Reader& reader, Interval rows,
                                FaceColumns& out) const {
  if (!faces_) {
    out = {};
    return true;
  }
  return TableRead(*faces_, rows)
      .text(faces_->columns[0], out.face_id)
      .text(faces_->columns[1], out.traffic_light_id)
      .column(faces_->columns[2], out.traffic_light_face_status)
      .run(reader);
}

}  // namespace bev::scene

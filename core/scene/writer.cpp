#include "core/scene/writer.hpp"

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/base/json_tree.hpp"
#include "core/base/own_json.hpp"
#include "core/scene/labels.hpp"
#include "core/scene/pending_rows.hpp"
#include "core/zarr/encode.hpp"
#include "core/zarr/text.hpp"

namespace bev::scene {
namespace {

using nlohmann::json;
using Bytes = std::vector<std::byte>;

constexpr std::size_t kTextLength = 16;  // code points of a <U16

json scene_dtype() {
  return json::array({{"frame_index_interval", "<i8", {2U}},
                      {"host", "<U16"},
                      {"start_time", "<i8"},
                      {"end_time", "<i8"}});
}

json frame_dtype() {
  return json::array({{"timestamp", "<i8"},
                      {"agent_index_interval", "<i8", {2U}},
                      {"traffic_light_faces_index_interval", "<i8", {2U}},
                      {"ego_translation", "<f8", {3U}},
                      {"ego_rotation", "<f8", {3U, 3U}}});
}

json agent_dtype() {
  return json::array({{"centroid", "<f8", {2U}},
                      {"extent", "<f4", {3U}},
                      {"yaw", "<f4"},
                      {"velocity", "<f4", {2U}},
                      {"track_id", "<u8"},
                      {"label_probabilities", "<f4", {kLabelCount}}});
}

json face_dtype() {
  return json::array({{"face_id", "<U16"},
                      {"traffic_light_id", "<U16"},
                      {"traffic_light_face_status", "<f4", {3U}}});
}

/// Appends values to a record, little-endian.
class Packer {
 public:
  explicit Packer(Bytes& out) : out_(out) {}

  template <Arithmetic T>
  Packer& value(T value) {
    out_.resize(out_.size() + sizeof(T));
    store_le(out_.data() + out_.size() - sizeof(T), value);
    return *this;
  }

  template <class Values>
  Packer& values(const Values& all) {
    for (const auto one : all) value(one);
    return *this;
  }

  Packer& interval(const Interval& interval) {
    return value(interval.begin).value(interval.end);
  }

  Packer& text(std::string_view text, std::string_view field) {
    const auto points = zarr::code_points(text);
    if (points.size() > kTextLength) {
      fail(Errc::invalid_argument,
           {field, ": \"", text, "\" is too long (found ", points.size(),
            " code points, expected at most ", kTextLength, ")"});
    }
    for (const auto point : points) value(point);
    out_.resize(out_.size() + (kTextLength - points.size()) * sizeof(std::uint32_t));
    return *this;
  }

 private:
  Bytes& out_;
};

void pack(Bytes& out, const Scene& scene) {
  Packer(out)
      .interval(scene.frame_index_interval)
      .text(scene.host, "host")
      .value(scene.start_time)
      .value(scene.end_time);
}

void pack(Bytes& out, const Frame& frame) {
  Packer(out)
      .value(frame.timestamp)
      .interval(frame.agent_index_interval)
      .interval(frame.traffic_light_faces_index_interval)
      .values(frame.ego_translation)
      .values(frame.ego_rotation);
}

void pack(Bytes& out, const Agent& agent) {
  Packer(out)
      .values(agent.centroid)
      .values(agent.extent)
      .value(agent.yaw)
      .values(agent.velocity)
      .value(agent.track_id)
      .values(agent.label_probabilities);
}

void pack(Bytes& out, const Face& face) {
  Packer(out)
      .text(face.face_id, "face_id")
      .text(face.traffic_light_id, "traffic_light_id")
      .values(face.traffic_light_face_status);
}

zarr::Compressor compressor(const WriterOptions& options) {
  return zarr::compressor_named(options.codec, options.level);
}

/// Writes an array; holds the records that do not fill a chunk yet.
class ArrayWriter {
 public:
  ArrayWriter(Sink& sink, std::string path, const json& dtype, std::uint64_t chunk_rows,
              const zarr::Compressor& compressor)
      : sink_(sink), path_(std::move(path)) {
    if (chunk_rows == 0) {
      fail(Errc::invalid_argument, {path_, ": chunk length must not be 0"});
    }
    meta_.shape = {0};
    meta_.chunks = {chunk_rows};
    meta_.dtype = zarr::parse_dtype(dtype, path_);
    meta_.compressor = compressor;
    meta_.fill.resize(meta_.dtype.size());
    meta_.chunk_bytes();
  }

  template <class Record>
  void append(std::span<const Record> records) {
    for (const auto& record : records) {
      pack(pending_, record);
      ++meta_.shape[0];
      if (pending_.size() == meta_.chunk_bytes()) flush();
    }
  }

  std::uint64_t count() const noexcept { return meta_.shape[0]; }

  json state() const { return pending_state(meta_.shape[0], pending_); }

  void restore(const json& state) {
    const auto rows = restored_rows(state, meta_, pending_);
    meta_.shape[0] = rows;
    chunk_ = rows / meta_.chunks[0];
  }

  /// Writes pending records, padded with zeros, and the metadata, and returns the
  /// metadata.
  std::string close() {
    if (!pending_.empty()) {
      pending_.resize(meta_.chunk_bytes());
      flush();
    }
    auto text = zarr::array_meta_json(meta_);
    sink_.put(path_ + "/.zarray", std::as_bytes(std::span(text)));
    return text;
  }

 private:
  void flush() {
    const auto key = path_ + "/" + std::to_string(chunk_);
    sink_.put(key, zarr::encode_chunk(meta_, pending_));
    ++chunk_;
    pending_.clear();
  }

  Sink& sink_;
  std::string path_;
  zarr::ArrayMeta meta_;
  Bytes pending_;
  std::uint64_t chunk_ = 0;
};

json attributes() {
  json labels = json::array();
  for (const auto label : kPerceptionLabels) labels.push_back(std::string(label));
  return {{"format_version", 2}, {"labels", labels}};
}

Interval shifted(const Interval& interval, std::int64_t by) {
  return {interval.begin + by, interval.end + by};
}

}  // namespace

class Writer::Impl {
 public:
  Impl(Sink& out, const WriterOptions& options)
      : sink(out),
        scenes(out, "scenes", scene_dtype(), options.scenes_per_chunk,
               compressor(options)),
        frames(out, "frames", frame_dtype(), options.frames_per_chunk,
               compressor(options)),
        agents(out, "agents", agent_dtype(), options.agents_per_chunk,
               compressor(options)),
        faces(out, "traffic_light_faces", face_dtype(), options.faces_per_chunk,
              compressor(options)) {}

  template <class Record>
  void append(ArrayWriter& array, std::span<const Record> records) {
    if (closed) {
      fail(Errc::invalid_argument, {"writer: already closed"});
    }
    array.append(records);
  }

  void close() {
    if (std::exchange(closed, true)) return;
    const json group = {{"zarr_format", 2}};
    json all = {{".zgroup", group}, {".zattrs", attributes()}};
    // Attributes may be large: they are moved, not copied.
    for (auto& [name, value] : extra.items()) all[".zattrs"][name] = std::move(value);
    all["scenes/.zarray"] = json_of(scenes.close());
    all["frames/.zarray"] = json_of(frames.close());
    all["agents/.zarray"] = json_of(agents.close());
    all["traffic_light_faces/.zarray"] = json_of(faces.close());
    write(".zgroup", group);
    write(".zattrs", all[".zattrs"]);
    json consolidated = {{"zarr_consolidated_format", 1}};
    consolidated["metadata"] = std::move(all);
    write(".zmetadata", consolidated);
  }

  void write(std::string_view key, const json& document) {
    const auto text = document.dump(4, ' ', true);
    sink.put(key, std::as_bytes(std::span(text)));
  }

  Sink& sink;
  ArrayWriter scenes;
  ArrayWriter frames;
  ArrayWriter agents;
  ArrayWriter faces;
  json extra = json::object();
  bool closed = false;
};

Writer::Writer(Sink& sink, const WriterOptions& options)
    : impl_(std::make_unique<Impl>(sink, options)) {}

Writer::~Writer() = default;

void Writer::append(std::span<const Scene> scenes) {
  impl_->append(impl_->scenes, scenes);
}
void Writer::append(std::span<const Frame> frames) {
  impl_->append(impl_->frames, frames);
}
void Writer::append(std::span<const Agent> agents) {
  impl_->append(impl_->agents, agents);
}
void Writer::append(std::span<const Face> faces) {
  impl_->append(impl_->faces, faces);
}

std::int64_t Writer::scene_count() const noexcept {
  return static_cast<std::int64_t>(impl_->scenes.count());
}

std::int64_t Writer::frame_count() const noexcept {
  return static_cast<std::int64_t>(impl_->frames.count());
}

std::int64_t Writer::agent_count() const noexcept {
  return static_cast<std::int64_t>(impl_->agents.count());
}

std::int64_t Writer::face_count() const noexcept {
  return static_cast<std::int64_t>(impl_->faces.count());
}

void Writer::set_attribute(const std::string& name, std::string_view text) {
  bool too_deep = false;
  auto value = parse_json_tree(text, too_deep);
  if (!value) fail(Errc::invalid_argument, {"attribute ", name, ": not JSON"});
  impl_->extra[name] = std::move(*value);
}

json Writer::state() const {
  return {{"scenes", impl_->scenes.state()},
          {"frames", impl_->frames.state()},
          {"agents", impl_->agents.state()},
          {"faces", impl_->faces.state()}};
}

void Writer::restore(const json& state) {
  impl_->scenes.restore(state_member(state, "scenes"));
  impl_->frames.restore(state_member(state, "frames"));
  impl_->agents.restore(state_member(state, "agents"));
  impl_->faces.restore(state_member(state, "faces"));
}

void Writer::close() {
  impl_->close();
}

void append_scene(Writer& writer, const SceneRecords& records) {
  auto scene = records.scene;
  scene.frame_index_interval =
      shifted(scene.frame_index_interval, writer.frame_count());
  auto frames = records.frames;
  for (auto& frame : frames) {
    frame.agent_index_interval =
        shifted(frame.agent_index_interval, writer.agent_count());
    frame.traffic_light_faces_index_interval =
        shifted(frame.traffic_light_faces_index_interval, writer.face_count());
  }
  writer.append(std::span(&scene, 1));
  writer.append(frames);
  writer.append(records.agents);
  writer.append(records.faces);
}

}  // namespace bev::scene

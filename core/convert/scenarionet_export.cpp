#include "core/convert/scenarionet_export.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/convert/scenarionet.hpp"
#include "core/convert/scenarionet_export_map.hpp"
#include "core/geom/trig.hpp"
#include "core/pickle/write.hpp"
#include "core/scene/encounter.hpp"
#include "core/scene/labels.hpp"
#include "core/scene/virtual_egos.hpp"
#include "core/zarr/json_view.hpp"

namespace bev::convert {
namespace {

using nlohmann::json;
using pickle::Writer;

constexpr double kEgoHeight = 1.8;  // L5Kit's, of a data set without one
constexpr double kMovingM = 1;      // MetaDrive's: an object that moved more is moving
constexpr std::size_t kNoRow = SIZE_MAX;

/// A track, as columns of one row per frame.
struct ExportedTrack {
  std::string id;
  const char* type = "OTHER";
  std::string_view category;  ///< a label of L5Kit
  std::vector<double> position, heading, velocity, length, width, height;
  std::vector<std::uint8_t> valid;

  explicit ExportedTrack(std::size_t frames)
      : position(3 * frames),
        heading(frames),
        velocity(2 * frames),
        length(frames),
        width(frames),
        height(frames),
        valid(frames) {}
};

const char* type_of_label(std::string_view label) {
  for (const auto* end : {"CAR", "VAN", "TRAM", "BUS", "TRUCK", "VEHICLE"}) {
    if (label.ends_with(end)) return "VEHICLE";
  }
  if (label.ends_with("PEDESTRIAN")) return "PEDESTRIAN";
  for (const auto* end : {"CYCLIST", "BICYCLE", "MOTORCYCLE"}) {
    if (label.ends_with(end)) return "CYCLIST";
  }
  return "OTHER";
}

std::size_t label_of_agent(const scene::Agent& agent) {
  const auto& all = agent.label_probabilities;
  return static_cast<std::size_t>(std::max_element(all.begin(), all.end()) -
                                  all.begin());
}

/// Returns a text for a file's name.
std::string file_part(std::string_view text) {
  std::string out(text);
  for (auto& one : out) {
    const bool is_kept = (one >= 'a' && one <= 'z') || (one >= 'A' && one <= 'Z') ||
                         (one >= '0' && one <= '9') || one == '-' || one == '.';
    if (!is_kept) one = '_';
  }
  return out;
}

std::string text_in(const json& object, const char* key, std::string otherwise) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return found != object.end() && found->is_string() ? found->get<std::string>()
                                                     : std::move(otherwise);
}

template <class T>
void write_column(Writer& out, const char* key, const char* code,
                  const std::vector<T>& values, std::size_t columns = 0) {
  std::vector<std::size_t> shape{columns == 0 ? values.size()
                                              : values.size() / columns};
  if (columns > 0) shape.push_back(columns);
  out.text(key);
  out.array(code, shape, std::as_bytes(std::span(values)));
}

void text_member(Writer& out, const char* key, std::string_view value) {
  out.text(key);
  out.text(value);
}

void integer_member(Writer& out, const char* key, std::int64_t value) {
  out.text(key);
  out.integer(value);
}

/// A scene as a scenario.
class SceneExport {
 public:
  SceneExport(const ExportedScene& scene, std::map<std::string, std::uint64_t>& lost)
      : scene_(scene), lost_(lost), frames_(scene.records.frames.size()) {
    if (frames_ == 0) fail(Errc::invalid_argument, {"scene ", scene.index, ": empty"});
    const auto& moved = member("moved_by");
    if (moved.is_array() && moved.size() == 2 && moved[0].is_number()) {
      frame_ = {moved[0].get<double>(), moved[1].get<double>(),
                std::to_string(scene.index) + ":"};
    }
    add_ego();
    add_agents();
    for (std::size_t i = 0; i < tracks_.size(); ++i) rows_[tracks_[i].id] = i;
  }

  std::string id() const {
    return text_in(scene_.attributes, "scenario_id",
                   "scene-" + std::to_string(scene_.index));
  }

  void write(Writer& out, const std::string& dataset) {
    out.begin_dict();
    text_member(out, "id", id());
    text_member(out, "version", kExportedVersion);
    integer_member(out, "length", std::ssize(scene_.records.frames));
    out.text("tracks");
    out.begin_dict();
    for (const auto& track : tracks_) write_track(out, track);
    out.end_dict();
    out.text("dynamic_map_states");
    std::optional<ExportedMap> map;
    if (scene_.map != nullptr) map.emplace(*scene_.map, scene_.records, frame_);
    if (map) {
      lights_ = map->write_lights(out);
      const auto rows = map->rows_without_lane();
      if (rows > 0) lost_["face of no lane of the map"] += rows;
    } else {
      if (!scene_.records.faces.empty()) ++lost_["lights of a scene without a map"];
      out.begin_dict();
      out.end_dict();
    }
    out.text("map_features");
    if (map) {
      features_ = map->write_features(out);
    } else {
      out.begin_dict();
      out.end_dict();
    }
    out.text("metadata");
    write_metadata(out, dataset, true);
    out.end_dict();
  }

  /// Writes the metadata: with the times as an array, or for a list as a list.
  void write_metadata(Writer& out, const std::string& dataset, bool has_arrays) const {
    const auto& times = scene_.records.frames;
    std::vector<double> seconds;
    for (const auto& frame : times) {
      seconds.push_back(static_cast<double>(frame.timestamp - times[0].timestamp) /
                        1e9);
    }
    out.begin_dict();
    text_member(out, "id", id());
    text_member(out, "scenario_id", id());
    text_member(out, "dataset", dataset);
    if (!scene_.records.scene.host.empty()) {
      text_member(out, "map", scene_.records.scene.host);
    }
    text_member(out, "coordinate", "right-handed");
    out.text("metadrive_processed");
    out.boolean(false);
    if (has_arrays) {
      write_column(out, "ts", "f8", seconds);
    } else {
      out.text("ts");
      out.begin_list();
      for (const double one : seconds) out.real(one);
      out.end_list();
    }
    integer_member(out, "start_ns", times[0].timestamp);
    integer_member(out, "track_length", std::ssize(times));
    text_member(out, "sdc_id", tracks_[0].id);
    integer_member(out, "sdc_track_index", 0);
    write_predictions(out);
    write_summaries(out);
    out.end_dict();
  }

 private:
  const json& member(const char* key) const {
    static const json none;
    const auto& all = scene_.attributes;
    const auto found = all.is_object() ? all.find(key) : all.end();
    return all.is_object() && found != all.end() ? *found : none;
  }

  /// Returns a track's name in its source, or its number.
  std::string name_of_track(const json& number) const {
    const auto text = number.is_string() ? number.get<std::string>() : number.dump();
    return text_in(member("track_names"), text.c_str(), text);
  }

  void add_ego() {
    ExportedTrack ego(frames_);
    const auto& id = member("ego_track_id");
    ego.id = id.is_null() ? "ego" : name_of_track(id);
    ego.type = "VEHICLE";
    ego.category = "PERCEPTION_LABEL_CAR";
    const auto& extent = member("ego_extent");
    const bool has_extent = extent.is_array() && extent.size() == 3;
    const double otherwise[] = {scene::kEgoLength, scene::kEgoWidth, kEgoHeight};
    std::vector<double>* const sides[] = {&ego.length, &ego.width, &ego.height};
    for (std::size_t k = 0; k < 3; ++k) {
      const double side = has_extent ? extent[k].get<double>() : otherwise[k];
      std::fill(sides[k]->begin(), sides[k]->end(), side);
    }
    const auto& frames = scene_.records.frames;
    for (std::size_t i = 0; i < frames_; ++i) {
      const auto& p = frames[i].ego_translation;
      const auto back = frame_.back({p[0], p[1], p[2]});
      ego.position[3 * i] = back.x;
      ego.position[3 * i + 1] = back.y;
      ego.position[3 * i + 2] = back.z;
      const auto& rotation = frames[i].ego_rotation;
      ego.heading[i] = geom::atan2(rotation[3], rotation[0]);
      ego.valid[i] = 1;
    }
    for (std::size_t i = 0; i < frames_ && frames_ > 1; ++i) {
      const auto to = std::min(i + 1, frames_ - 1), from = to - 1;
      const auto ns = frames[to].timestamp - frames[from].timestamp;
      for (std::size_t k = 0; k < 2 && ns > 0; ++k) {
        const double step = ego.position[3 * to + k] - ego.position[3 * from + k];
        ego.velocity[2 * i + k] = step / (static_cast<double>(ns) / 1e9);
      }
    }
    tracks_.push_back(std::move(ego));
  }

  void add_agents() {
    std::unordered_map<std::uint64_t, std::size_t> rows;
    for (std::size_t step = 0; step < frames_; ++step) {
      const auto& interval = scene_.records.frames[step].agent_index_interval;
      for (auto i = interval.begin; i < interval.end; ++i) {
        const auto& agent = scene_.records.agents[static_cast<std::size_t>(i)];
        const auto [row, is_new] = rows.emplace(agent.track_id, tracks_.size());
        if (is_new) add_track(agent);
        add_state(tracks_[row->second], step, agent);
      }
    }
  }

  void add_track(const scene::Agent& agent) {
    ExportedTrack track(frames_);
    track.id = name_of_track(agent.track_id);
    track.category = scene::kPerceptionLabels[label_of_agent(agent)];
    track.type = type_of_label(track.category);
    tracks_.push_back(std::move(track));
  }

  void add_state(ExportedTrack& to, std::size_t step, const scene::Agent& agent) {
    if (to.valid[step] != 0) {
      ++lost_["second observation of a track in a frame"];
      return;
    }
    if (scene::kPerceptionLabels[label_of_agent(agent)] != to.category) {
      ++lost_["change of a track's label"];
    }
    to.valid[step] = 1;
    to.position[3 * step] = agent.centroid[0] - frame_.dx;
    to.position[3 * step + 1] = agent.centroid[1] - frame_.dy;
    to.position[3 * step + 2] = scene_.records.frames[step].ego_translation[2];
    to.heading[step] = double{agent.yaw};
    to.velocity[2 * step] = double{agent.velocity[0]};
    to.velocity[2 * step + 1] = double{agent.velocity[1]};
    to.length[step] = double{agent.extent[0]};
    to.width[step] = double{agent.extent[1]};
    to.height[step] = double{agent.extent[2]};
  }

  void write_track(Writer& out, const ExportedTrack& track) const {
    out.text(track.id);
    out.begin_dict();
    text_member(out, "type", track.type);
    out.text("state");
    out.begin_dict();
    write_column(out, "position", "f8", track.position, 3);
    write_column(out, "heading", "f8", track.heading);
    write_column(out, "velocity", "f8", track.velocity, 2);
    write_column(out, "valid", "b1", track.valid);
    write_column(out, "length", "f8", track.length);
    write_column(out, "width", "f8", track.width);
    write_column(out, "height", "f8", track.height);
    out.end_dict();
    out.text("metadata");
    out.begin_dict();
    text_member(out, "type", track.category);
    text_member(out, "object_id", track.id);
    integer_member(out, "track_length", static_cast<std::int64_t>(frames_));
    out.end_dict();
    out.end_dict();
  }

  void write_predictions(Writer& out) const {
    const auto& now = member("anchor_frame");
    if (now.is_number_integer()) {
      integer_member(out, "current_time_index", now.get<std::int64_t>());
    }
    out.text("objects_of_interest");
    out.begin_list();
    for (const auto& one : member("objects_of_interest")) out.text(name_of_track(one));
    out.end_list();
    out.text("tracks_to_predict");
    out.begin_dict();
    for (const char* key : {"focal", "scored"}) {
      const auto& all = member(key);
      for (const auto& one : all.is_array() ? all : json::array({all})) {
        const auto row = one.is_null() ? rows_.end() : rows_.find(name_of_track(one));
        if (row == rows_.end()) continue;
        const auto& track = tracks_[row->second];
        const auto& difficulty = member("difficulty");
        const auto text = one.dump();
        out.text(track.id);
        out.begin_dict();
        integer_member(out, "track_index", static_cast<std::int64_t>(row->second));
        text_member(out, "track_id", track.id);
        integer_member(
            out, "difficulty",
            difficulty.is_object() ? difficulty.value(text, std::int64_t{0}) : 0);
        text_member(out, "object_type", track.type);
        out.end_dict();
      }
    }
    out.end_dict();
  }

  /// Writes what MetaDrive selects scenarios by.
  void write_summaries(Writer& out) const {
    std::map<std::string, std::int64_t> all, moving;
    std::int64_t moving_count = 0;
    out.text("object_summary");
    out.begin_dict();
    for (const auto& track : tracks_) {
      double distance = 0;
      std::int64_t valid = 0, first_run = 0;
      std::size_t last = kNoRow;
      for (std::size_t i = 0; i < frames_; ++i) {
        if (track.valid[i] == 0) continue;
        if (last != kNoRow) {
          distance +=
              geom::hypot(track.position[3 * i] - track.position[3 * last],
                          track.position[3 * i + 1] - track.position[3 * last + 1]);
        }
        if (last == kNoRow || (last + 1 == i && first_run == valid)) ++first_run;
        ++valid;
        last = i;
      }
      ++all[track.type];
      moving_count += distance > kMovingM ? 1 : 0;
      moving[track.type] += distance > kMovingM ? 1 : 0;
      out.text(track.id);
      out.begin_dict();
      text_member(out, "type", track.type);
      text_member(out, "object_id", track.id);
      integer_member(out, "track_length", static_cast<std::int64_t>(frames_));
      out.text("moving_distance");
      out.real(distance);
      integer_member(out, "valid_length", valid);
      integer_member(out, "continuous_valid_length", first_run);
      out.end_dict();
    }
    out.end_dict();
    const auto counts = [&](const char* key, const auto& of) {
      out.text(key);
      out.begin_dict();
      for (const auto& [type, count] : of) {
        out.text(type);
        out.integer(count);
      }
      out.end_dict();
    };
    out.text("number_summary");
    out.begin_dict();
    integer_member(out, "num_objects", std::ssize(tracks_));
    counts("num_objects_each_type", all);
    integer_member(out, "num_moving_objects", moving_count);
    counts("num_moving_objects_each_type", moving);
    integer_member(out, "num_traffic_lights", static_cast<std::int64_t>(lights_));
    integer_member(out, "num_map_features", static_cast<std::int64_t>(features_));
    out.end_dict();
  }

  const ExportedScene& scene_;
  std::map<std::string, std::uint64_t>& lost_;
  std::size_t frames_, lights_ = 0, features_ = 0;
  ExportFrame frame_;
  std::vector<ExportedTrack> tracks_;  // the ego vehicle's is the first
  std::unordered_map<std::string, std::size_t> rows_;
};

}  // namespace

struct ScenarionetExporter::Impl {
  std::string dataset;
  Writer summary, mapping;
  std::set<std::string> names;
  std::map<std::string, std::uint64_t> lost;
};

ScenarionetExporter::ScenarionetExporter(std::string dataset)
    : impl_(std::make_unique<Impl>()) {
  impl_->dataset = std::move(dataset);
  impl_->summary.begin_dict();
  impl_->mapping.begin_dict();
}

ScenarionetExporter::~ScenarionetExporter() = default;

ScenarionetExporter::File ScenarionetExporter::add(const ExportedScene& scene) {
  const auto is_virtual = zarr::JsonView(scene.attributes)[scene::VirtualEgos::kName];
  if (is_virtual.boolean().value_or(false)) {
    fail(Errc::unsupported, {"scene ", scene.index,
                             ": no ego vehicle, which ScenarioNet needs (convert the "
                             "scenes with one of their tracks as ego)"});
  }
  SceneExport made(scene, impl_->lost);
  const auto dataset = text_in(scene.attributes, "dataset", impl_->dataset);
  File out;
  Writer pickle;
  made.write(pickle, dataset);
  out.pickle = pickle.finish();
  const auto stem = "sd_" + file_part(dataset) + "_bevscope_" + file_part(made.id());
  out.name = stem + ".pkl";
  if (!impl_->names.insert(out.name).second) {
    out.name = stem + "_" + std::to_string(scene.index) + ".pkl";
    impl_->names.insert(out.name);
  }
  impl_->summary.text(out.name);
  made.write_metadata(impl_->summary, dataset, false);
  impl_->mapping.text(out.name);
  impl_->mapping.text("");
  return out;
}

std::string ScenarionetExporter::summary() {
  impl_->summary.end_dict();
  return impl_->summary.finish();
}

std::string ScenarionetExporter::mapping() {
  impl_->mapping.end_dict();
  return impl_->mapping.finish();
}

const std::map<std::string, std::uint64_t>& ScenarionetExporter::lost() const noexcept {
  return impl_->lost;
}

}  // namespace bev::convert

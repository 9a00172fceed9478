#include "core/futures/recorded_scene.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/json_tree.hpp"
#include "core/futures/interpret_csv.hpp"
#include "core/futures/motion_metrics.hpp"
#include "core/futures/own_form.hpp"
#include "core/geom/trig.hpp"
#include "core/scene/encounter.hpp"
#include "core/scene/labels.hpp"
#include "core/scene/virtual_egos.hpp"

namespace bev::futures {
namespace {

using nlohmann::json;

/// Tracks from here on are numbered in the data set, as those of texts are, and here from
/// kNamedTrack on.
constexpr std::uint64_t kTextTrack = std::uint64_t{1} << 63U;
constexpr std::int64_t kNamedTrack = std::int64_t{1} << 62U;

[[noreturn]] void wrong(const char* name, std::size_t found, std::size_t expected) {
  fail(Errc::invalid_argument, {"scene: ", name, ": wrong length (found ", found,
                                ", expected ", expected, ")"});
}

[[noreturn]] void wrong_attribute(const char* name, const char* expected) {
  fail(Errc::invalid_metadata,
       {"attributes of the scene: ", name, " is not ", expected});
}

/// Returns an id; attributes have ids up to 2^63, with the ones above naming texts.
std::optional<std::int64_t> id_of(const json& value) {
  if (!value.is_number_integer()) return std::nullopt;
  if (value.is_number_unsigned() &&
      value.get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max()) {
    return std::nullopt;
  }
  const auto id = value.get<std::int64_t>();
  return id < 0 ? std::nullopt : std::optional(id);
}

std::uint64_t type_of(scene::LabelProbabilities probabilities) {
  const auto type = [](AgentType one) { return static_cast<std::uint64_t>(one); };
  switch (scene::class_of_label(scene::most_probable(probabilities))) {
    case scene::AgentClass::vehicle: return type(AgentType::vehicle);
    case scene::AgentClass::pedestrian: return type(AgentType::pedestrian);
    case scene::AgentClass::cyclist: return type(AgentType::cyclist);
    case scene::AgentClass::other: break;
  }
  return type(AgentType::other);
}

class SceneReader {
 public:
  SceneReader(const SceneColumns& columns, std::string_view attributes)
      : columns_(columns) {
    bool is_deep = false;
    auto parsed = parse_json_tree(attributes, is_deep);
    if (!parsed || !parsed->is_object()) {
      fail(Errc::invalid_metadata, {"attributes of the scene: not a JSON object"});
    }
    attributes_ = *std::move(parsed);
  }

  RecordedScene read() {
    check_lengths();
    auto& scenario = out_.scenario;
    const auto id = attributes_.find("scenario_id");
    if (id == attributes_.end() || !id->is_string()) {
      wrong_attribute("scenario_id", "a text");
    }
    scenario.id = id->get<std::string>();
    const auto start = columns_.timestamps.front();
    for (const auto time : columns_.timestamps) {
      scenario.times_s.push_back(
          (static_cast<double>(time) - static_cast<double>(start)) / 1e9);
    }
    read_case();
    read_numbers();
    read_samples();
    add_agents();
    add_ego();
    add_predictions();
    check_tracks(scenario);
    return std::move(out_);
  }

 private:
  std::size_t frames() const noexcept { return columns_.timestamps.size(); }

  void check_lengths() const {
    const auto check = [](const char* name, std::size_t found, std::size_t expected) {
      if (found != expected) wrong(name, found, expected);
    };
    if (frames() == 0) fail(Errc::invalid_argument, {"scene: no frames"});
    check("frames", columns_.frames.size(), frames());
    check("ego_translation", columns_.ego_translation.size(), 3 * frames());
    check("ego_rotation", columns_.ego_rotation.size(), 9 * frames());
    const auto agents = columns_.track_ids.size();
    std::int64_t at = columns_.frames.front().begin;
    for (const auto& [begin, end] : columns_.frames) {
      if (begin != at || end < begin) {
        fail(Errc::invalid_argument, {"scene: rows of agents are not consecutive"});
      }
      at = end;
    }
    check("track_ids", agents,
          static_cast<std::size_t>(at - columns_.frames.front().begin));
    check("centroids", columns_.centroids.size(), 2 * agents);
    check("yaws", columns_.yaws.size(), agents);
    check("extents", columns_.extents.size(), 3 * agents);
    check("velocities", columns_.velocities.size(), 2 * agents);
    check("label_probabilities", columns_.label_probabilities.size(),
          scene::kLabelCount * agents);
  }

  /// Reads what a case of INTERACTION has, of which a second is observed.
  void read_case() {
    constexpr std::int64_t kObserved = 10;
    const auto name = attributes_.find("city"), number = attributes_.find("case_id");
    if (name == attributes_.end() || number == attributes_.end()) return;
    if (!name->is_string() || !number->is_string()) return;
    out_.case_id = interpret_id(name->get<std::string>(), number->get<std::string>());
    out_.scenario.current_time_index =
        std::min(kObserved, static_cast<std::int64_t>(frames())) - 1;
  }

  void read_numbers() {
    if (const auto found = attributes_.find("anchor_frame");
        found != attributes_.end()) {
      const auto frame = id_of(*found);
      if (!frame) wrong_attribute("anchor_frame", "a frame");
      out_.scenario.current_time_index = *frame;
    }
    if (const auto found = attributes_.find("moved_by"); found != attributes_.end()) {
      const bool is_valid = found->is_array() && found->size() == 2 &&
                            (*found)[0].is_number() && (*found)[1].is_number();
      if (!is_valid) wrong_attribute("moved_by", "two numbers");
      out_.moved_by = {(*found)[0].get<double>(), (*found)[1].get<double>(), 0};
    }
  }

  /// Reads what nuScenes' scenes have: tokens of samples, and of instances to predict.
  void read_samples() {
    if (const auto found = attributes_.find("track_names");
        found != attributes_.end() && found->is_object()) {
      for (const auto& [key, name] : found->items()) {
        std::uint64_t track = 0;
        const auto* const end = key.data() + key.size();
        const auto [at, error] = std::from_chars(key.data(), end, track);
        if (error != std::errc() || at != end || !name.is_string()) continue;
        if (track >= kTextTrack) texts_.insert(track);
        out_.names.emplace(name.get<std::string>(), id_of_track(track));
      }
    }
    const auto samples = attributes_.find("samples");
    if (samples == attributes_.end()) return;
    const auto is_text = [](const json& one) { return one.is_string(); };
    if (!samples->is_array() || samples->size() != frames() ||
        !std::all_of(samples->begin(), samples->end(), is_text)) {
      wrong_attribute("samples", "a token for each frame");
    }
    out_.samples = samples->get<std::vector<std::string>>();
    const auto predicted = attributes_.find("predicted");
    if (predicted == attributes_.end() || !predicted->is_object()) return;
    for (const auto& [instance, list] : predicted->items()) {
      for (const auto& one : list) {
        const auto frame = id_of(one);
        if (!frame || std::cmp_greater_equal(*frame, frames())) {
          wrong_attribute("predicted", "lists of frames");
        }
        out_.predicted.emplace_back(instance, *frame);
      }
    }
  }

  /// Returns the id of a track; -1 for one that has a text as id, and no name.
  std::int64_t id_of_track(std::uint64_t track) const {
    if (track < kTextTrack) return static_cast<std::int64_t>(track);
    if (!texts_.contains(track) || track - kTextTrack > kMaxSceneStates) return -1;
    return kNamedTrack + static_cast<std::int64_t>(track - kTextTrack);
  }

  convert::waymo::Track& track_of(std::int64_t id) {
    const auto [found, is_new] = rows_.emplace(id, out_.scenario.tracks.size());
    if (!is_new) return out_.scenario.tracks[found->second];
    if ((rows_.size() + 1) * frames() > kMaxSceneStates) {
      fail(Errc::limit_exceeded, {"scene: too many tracks (found more than ",
                                  rows_.size() - 1, " in ", frames(), " frames)"});
    }
    auto& track = out_.scenario.tracks.emplace_back();
    track.id = id;
    track.states.resize(frames());
    return track;
  }

  void add_agents() {
    std::size_t row = 0;
    for (std::size_t frame = 0; frame < frames(); ++frame) {
      const auto [begin, end] = columns_.frames[frame];
      for (auto i = begin; i < end; ++i, ++row) add_agent(row, frame);
    }
  }

  void add_agent(std::size_t row, std::size_t frame) {
    const auto id = id_of_track(columns_.track_ids[row]);
    if (id < 0) return;
    auto& track = track_of(id);
    track.type = type_of(std::span(columns_.label_probabilities)
                             .subspan(row * scene::kLabelCount)
                             .first<scene::kLabelCount>());
    auto& state = track.states[frame];
    state.centre = {columns_.centroids[2 * row], columns_.centroids[2 * row + 1], 0};
    state.length = columns_.extents[3 * row];
    state.width = columns_.extents[3 * row + 1];
    state.height = columns_.extents[3 * row + 2];
    state.heading = columns_.yaws[row];
    state.velocity_x = columns_.velocities[2 * row];
    state.velocity_y = columns_.velocities[2 * row + 1];
    state.is_valid = true;
  }

  void add_ego() {
    const auto found = attributes_.find("ego_track_id");
    const auto is_virtual = attributes_.find(scene::VirtualEgos::kName);
    const bool is_absent = !out_.samples.empty() || !out_.case_id.empty() ||
                           (is_virtual != attributes_.end() && *is_virtual == true);
    if (found == attributes_.end() && is_absent) {
      out_.scenario.ego_index = -1;
      return;
    }
    const auto id = found == attributes_.end() ? std::nullopt : id_of(*found);
    if (!id) wrong_attribute("ego_track_id", "a number");
    std::array<float, 3> size{static_cast<float>(scene::kEgoLength),
                              static_cast<float>(scene::kEgoWidth), 0};
    if (const auto extent = attributes_.find("ego_extent");
        extent != attributes_.end()) {
      if (!extent->is_array() || extent->size() != 3) {
        wrong_attribute("ego_extent", "three numbers");
      }
      for (std::size_t i = 0; i < 3; ++i) {
        if (!(*extent)[i].is_number()) wrong_attribute("ego_extent", "three numbers");
        size[i] = (*extent)[i].get<float>();
      }
    }
    auto& track = track_of(*id);
    out_.scenario.ego_index = static_cast<std::int64_t>(rows_.at(*id));
    track.type = static_cast<std::uint64_t>(AgentType::vehicle);
    for (std::size_t frame = 0; frame < frames(); ++frame) {
      auto& state = track.states[frame];
      const auto* at = &columns_.ego_translation[3 * frame];
      const auto* rotation = &columns_.ego_rotation[9 * frame];
      state.centre = {at[0], at[1], 0};
      state.heading = geom::atan2(rotation[3], rotation[0]);
      state.length = size[0];
      state.width = size[1];
      state.height = size[2];
      state.is_valid = true;
    }
  }

  void add_prediction(std::optional<std::int64_t> id) {
    const auto found = id ? rows_.find(*id) : rows_.end();
    if (found == rows_.end()) return;
    out_.scenario.predictions.push_back({static_cast<std::int64_t>(found->second), 0});
  }

  /// Of `difficulty`, which also has the ego vehicle if it is to be predicted.
  void add_predictions() {
    if (const auto found = attributes_.find("difficulty");
        found != attributes_.end() && found->is_object()) {
      for (const auto& [key, value] : found->items()) {
        const bool is_number = !key.empty() && key.size() < 19 &&
                               key.find_first_not_of("0123456789") == std::string::npos;
        if (is_number) add_prediction(std::stoll(key));
      }
      return;
    }
    const auto scored = attributes_.find("scored");
    if (scored == attributes_.end() || !scored->is_array()) return;
    for (const auto& id : *scored) add_prediction(id_of(id));
  }

  const SceneColumns& columns_;
  json attributes_;
  RecordedScene out_;
  std::unordered_map<std::int64_t, std::size_t> rows_;
  std::unordered_set<std::uint64_t> texts_;  // tracks with names
};

}  // namespace

SceneColumns columns_of(const scene::SceneRecords& records) {
  SceneColumns out;
  const auto append = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  for (const auto& frame : records.frames) {
    out.timestamps.push_back(frame.timestamp);
    out.frames.push_back(frame.agent_index_interval);
    append(out.ego_translation, frame.ego_translation);
    append(out.ego_rotation, frame.ego_rotation);
  }
  for (const auto& agent : records.agents) {
    out.track_ids.push_back(agent.track_id);
    out.yaws.push_back(agent.yaw);
    append(out.centroids, agent.centroid);
    append(out.extents, agent.extent);
    append(out.velocities, agent.velocity);
    append(out.label_probabilities, agent.label_probabilities);
  }
  return out;
}

RecordedScene recorded_scene(const SceneColumns& columns, std::string_view attributes) {
  return SceneReader(columns, attributes).read();
}

}  // namespace bev::futures

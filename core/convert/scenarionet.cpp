#include "core/convert/scenarionet.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>

#include "core/base/error.hpp"
#include "core/convert/pickled_values.hpp"
#include "core/convert/scenarionet_map.hpp"
#include "core/convert/scenarionet_pickle.hpp"
#include "core/convert/waymo_message.hpp"

namespace bev::convert {
namespace {

using pickle::Value;

constexpr std::size_t kMaxNumbers = 50'000'000;  // read, with repetitions
constexpr std::size_t kMaxHost = 16;             // code points

/// Names of light states, by their numbers in Waymo's messages.
struct LightState {
  std::string_view name;
  std::uint64_t number;
};
constexpr std::array kLightStates{LightState{"LANE_STATE_UNKNOWN", 0},
                                  LightState{"LANE_STATE_ARROW_STOP", 1},
                                  LightState{"LANE_STATE_ARROW_CAUTION", 2},
                                  LightState{"LANE_STATE_ARROW_GO", 3},
                                  LightState{"LANE_STATE_STOP", 4},
                                  LightState{"LANE_STATE_CAUTION", 5},
                                  LightState{"LANE_STATE_GO", 6},
                                  LightState{"LANE_STATE_FLASHING_STOP", 7},
                                  LightState{"LANE_STATE_FLASHING_CAUTION", 8},
                                  LightState{"TRAFFIC_LIGHT_UNKNOWN", 0},
                                  LightState{"TRAFFIC_LIGHT_RED", 4},
                                  LightState{"TRAFFIC_LIGHT_YELLOW", 5},
                                  LightState{"TRAFFIC_LIGHT_GREEN", 6}};
constexpr std::uint64_t kUnknownLightState = 9;

std::uint64_t light_number(std::string_view name) {
  const auto found = std::find_if(kLightStates.begin(), kLightStates.end(),
                                  [&](const auto& one) { return one.name == name; });
  return found == kLightStates.end() ? kUnknownLightState : found->number;
}

/// Returns the first code points of a text.
std::string cut(std::string_view text) {
  std::size_t size = 0, points = 0;
  for (; size < text.size(); ++size) {
    const bool is_first = (static_cast<unsigned char>(text[size]) & 0xC0U) != 0x80U;
    if (is_first && ++points > kMaxHost) break;
  }
  return std::string(text.substr(0, size));
}

/// Returns a name as a number; nullopt for names that are not a number's one text.
std::optional<std::int64_t> decimal_of(std::string_view name) {
  std::int64_t value = 0;
  const auto [end, error] =
      std::from_chars(name.data(), name.data() + name.size(), value);
  const bool is_whole = error == std::errc() && end == name.data() + name.size();
  if (!is_whole || value < 0 || std::to_string(value) != name) return std::nullopt;
  return value;
}

/// Reads a scenario to a message.
class Reader {
 public:
  Reader(Value root, const Tables& tables)
      : root_(root),
        metadata_(root.find("metadata")),
        tables_(tables),
        values_(kScenarionetWhere, kMaxNumbers) {}

  waymo::Message run(bool with_map) {
    for (const auto* key : {"metadata", "tracks"}) {
      if (!root_.find(key).is(pickle::Kind::dict)) {
        invalid({"no ", key, " (expected a scenario of ScenarioNet)"});
      }
    }
    const auto version = root_.find("version").text().value_or("");
    if (version != kExportedVersion) out_.dataset = text("dataset");
    is_nuscenes_ = out_.dataset == "nuscenes";
    out_.host = cut(text("map").empty() ? text("dataset") : text("map"));
    const auto id = values_.name(root_.find("id"));
    out_.id = id ? *id : text("scenario_id");
    read_times();
    read_tracks();
    read_predictions();
    read_lights();
    if (with_map && root_.find("map_features")) {
      read_scenarionet_map(root_.find("map_features"), values_, names_, out_);
    }
    nlohmann::json attributes = {{"dataset", text("dataset")}, {"version", version}};
    for (const auto* key : {"map", "date", "scenario_token", "source_file"}) {
      if (!text(key).empty()) attributes[key] = text(key);
    }
    out_.attributes = attributes.dump();
    return std::move(out_);
  }

 private:
  [[noreturn]] static void invalid(Message problem) {
    fail(Errc::invalid_metadata, {"scenario: ", joined(problem)});
  }

  static void take(std::size_t& left, std::size_t count) {
    if (count > left) fail(Errc::limit_exceeded, {"scenario: too many values"});
    left -= count;
  }

  std::string text(const char* key) const {
    return std::string(metadata_.find(key).text().value_or(""));
  }

  std::size_t frames() const { return out_.times_s.size(); }

  void read_times() {
    const auto found = values_.rows(metadata_.find("ts"), 1);
    if (!found || found->rows > limits_.times) {
      invalid({"metadata.ts: not the times of up to ", limits_.times, " steps"});
    }
    out_.times_s = found->values;
    const auto now = values_.integer(metadata_.find("current_time_index"));
    out_.has_current_time = now.has_value();
    out_.current_time_index = now.value_or(0);
    out_.start_ns = values_.integer(metadata_.find("start_ns")).value_or(0);
  }

  template <class Use>
  static void for_each(Value dict, Use use) {
    const auto items = dict.items();
    for (auto item = items.begin(); item != items.end(); ++item) {
      const auto key = *item;
      ++item;
      use(key, *item);
    }
  }

  void read_tracks() {
    const auto ego = values_.name(metadata_.find("sdc_id"));
    if (!ego) invalid({"metadata.sdc_id: no id of the ego vehicle"});
    for_each(root_.find("tracks"), [&](Value key, Value value) {
      const auto name = values_.name(key);
      if (!name) invalid({"tracks: invalid id"});
      track_ = *name;
      if (!rows_.emplace(*name, out_.tracks.size()).second) {
        invalid({"track ", *name, ": id is not unique"});
      }
      if (*name == *ego) out_.ego_index = std::ssize(out_.tracks);
      out_.tracks.push_back(track(value, *name == *ego));
    });
    if (out_.ego_index < 0) invalid({"tracks: no ego vehicle ", *ego});
  }

  waymo::Track track(Value value, bool is_ego) {
    waymo::Track out;
    const auto number = decimal_of(track_);
    out.id = number ? *number : -1 - unnumbered_++;
    if (!number) out.name = track_;
    out.type_name = type_of_track(value, is_ego);
    take(left_states_, frames());
    const auto state = value.find("state");
    const auto valid = column(state, "valid", 1);
    const auto position = column(state, "position", 3);
    const auto heading = column(state, "heading", 1);
    const auto velocity = column(state, "velocity", 2);
    const auto length = column(state, "length", 1);
    const auto width = column(state, "width", 1);
    const auto height = column(state, "height", 1);
    if (position && position->columns() < 2)
      wrong("position", "of fewer than 2 columns");
    const bool has_velocity = velocity && velocity->columns() == 2;
    out.states.resize(frames());
    fill(out.states, valid, 0, [](auto& s, double v) { s.is_valid = v != 0; });
    fill(out.states, position, 0, [](auto& s, double v) { s.centre.x = v; });
    fill(out.states, position, 1, [](auto& s, double v) { s.centre.y = v; });
    if (position->columns() > 2) {
      fill(out.states, position, 2, [](auto& s, double v) { s.centre.z = v; });
    }
    fill(out.states, heading, 0, [](auto& s, double v) { s.heading = v; });
    if (has_velocity) {
      fill(out.states, velocity, 0,
           [](auto& s, double v) { s.velocity_x = static_cast<float>(v); });
      fill(out.states, velocity, 1,
           [](auto& s, double v) { s.velocity_y = static_cast<float>(v); });
    }
    fill(out.states, length, 0,
         [](auto& s, double v) { s.length = static_cast<float>(v); });
    fill(out.states, width, 0,
         [](auto& s, double v) { s.width = static_cast<float>(v); });
    fill(out.states, height, 0,
         [](auto& s, double v) { s.height = static_cast<float>(v); });
    if (is_nuscenes_) is_ego ? exchange_sides(out) : complete_velocities(out);
    return out;
  }

  /// Sets a value of all states from a column, if there is one.
  template <class Set>
  static void fill(std::vector<waymo::State>& states,
                   const std::optional<NumberColumns>& values, std::size_t column,
                   Set set) {
    if (!values) return;
    values->each(column, [&](std::size_t i, double value) { set(states[i], value); });
  }

  [[noreturn]] void wrong(const char* key, const char* problem) const {
    invalid({"track ", track_, ": ", key, ": ", problem});
  }

  /// Returns a state's column, a row per frame; only those of a box, and the velocity,
  /// may be absent.
  std::optional<NumberColumns> column(Value state, const char* key,
                                      std::size_t columns) {
    const std::string_view name(key);
    const bool is_needed = name == "valid" || name == "position" || name == "heading";
    const auto value = state.find(key);
    if (!value && !is_needed) return std::nullopt;
    auto out = values_.columns(value, columns);
    if (!out) wrong(key, "no numbers of a row per step");
    if (out->rows() != frames()) {
      invalid({"track ", track_, ": ", key, ": wrong number of steps (found ",
               out->rows(), ", expected ", frames(), ")"});
    }
    return out;
  }

  std::string type_of_track(Value value, bool is_ego) const {
    const auto type = value.find("type").text();
    const auto category = value.find("metadata").find("type").text();
    for (const auto& one : {category, type}) {
      if (one && tables_.types.contains(*one)) return std::string(*one);
    }
    if (is_ego) return "VEHICLE";
    invalid({"track ", track_, ": unknown type (found \"", type.value_or(""),
             "\"); add it to the tables"});
  }

  /// nuScenes' converter reads the ego vehicle's length and width as width and length.
  void exchange_sides(waymo::Track& ego) {
    bool is_exchanged = false;
    for (auto& state : ego.states) {
      if (!state.is_valid || state.width <= state.length) continue;
      std::swap(state.length, state.width);
      is_exchanged = true;
    }
    if (is_exchanged) ++out_.corrected["exchanged length and width of the ego vehicle"];
  }

  /// nuScenes' velocities are differences to the next state: the last has none, and gets
  /// the one before.
  void complete_velocities(waymo::Track& track) {
    auto& states = track.states;
    for (std::size_t i = 0; i < states.size(); ++i) {
      auto& last = states[i];
      const bool is_last =
          last.is_valid && (i + 1 == states.size() || !states[i + 1].is_valid);
      if (!is_last || last.velocity_x != 0 || last.velocity_y != 0) continue;
      if (i == 0 || !states[i - 1].is_valid) {
        ++out_.lost["velocity of a single state"];
        continue;
      }
      last.velocity_x = states[i - 1].velocity_x;
      last.velocity_y = states[i - 1].velocity_y;
      ++out_.corrected["zero velocity of a last state"];
    }
  }

  void read_predictions() {
    for_each(metadata_.find("tracks_to_predict"), [&](Value key, Value value) {
      take(left_items_, 1);
      const auto name = values_.name(key);
      const auto row = name ? rows_.find(*name) : rows_.end();
      if (row == rows_.end()) {
        invalid({"metadata.tracks_to_predict: no track ", name.value_or("of this id")});
      }
      const auto difficulty = values_.integer(value.find("difficulty")).value_or(0);
      out_.predictions.push_back({static_cast<std::int64_t>(row->second),
                                  static_cast<std::uint64_t>(difficulty)});
    });
    for (const auto one : metadata_.find("objects_of_interest").items()) {
      take(left_items_, 1);
      const auto name = values_.name(one);
      const auto row = name ? rows_.find(*name) : rows_.end();
      if (row == rows_.end()) {
        ++out_.lost["object of interest without a track"];
      } else {
        out_.objects_of_interest.push_back(out_.tracks[row->second].id);
      }
    }
  }

  void read_lights() {
    const auto lights = root_.find("dynamic_map_states");
    if (lights.size() == 0) return;
    out_.lane_states.resize(frames());
    for_each(lights, [&](Value key, Value light) {
      auto lane = values_.name(light.find("lane"));
      if (!lane) lane = values_.name(key);
      if (!lane) invalid({"dynamic_map_states: invalid id"});
      const auto states = light.find("state").find("object_state");
      if (states.size() != frames()) {
        invalid({"light ", *lane, ": wrong number of states (found ", states.size(),
                 ", expected ", frames(), ")"});
      }
      take(left_items_, frames());
      const auto number = names_.number(*lane);
      const auto stop = values_.rows(light.find("stop_point"), 1);
      std::optional<geom::Vec3> position;
      if (stop && stop->rows >= 2) {
        position = {stop->values[0], stop->values[1],
                    stop->rows > 2 ? stop->values[2] : 0};
      }
      std::size_t step = 0;
      for (const auto state : states.items()) {
        auto& all = out_.lane_states[step++];
        if (state.is_none()) continue;
        all.push_back({number, light_number(state.text().value_or("")), position});
      }
    });
  }

  Value root_, metadata_;
  const Tables& tables_;
  PickledValues values_;
  waymo::Message out_;
  FeatureNames names_{out_.feature_names};
  waymo::Limits limits_;
  std::size_t left_states_ = limits_.states, left_items_ = limits_.items * 10;
  bool is_nuscenes_ = false;
  std::int64_t unnumbered_ = 0;
  std::unordered_map<std::string, std::size_t> rows_;
  std::string track_;  // that is being read, for messages
};

}  // namespace

Scenario import_scenarionet(std::span<const std::byte> pickle, const Tables& tables,
                            const ImportOptions& options) {
  const auto read = read_scenarionet_pickle(pickle);
  const auto message = Reader(read.root(), tables).run(options.with_map);
  return import_message(message, tables, options);
}

}  // namespace bev::convert

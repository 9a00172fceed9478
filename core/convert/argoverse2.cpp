#include "core/convert/argoverse2.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "core/base/error.hpp"
#include "core/convert/nearest_steps.hpp"

namespace bev::convert {
namespace {

constexpr std::string_view kRequired[] = {
    "track_id",       "object_type",     "object_category",
    "timestep",       "position_x",      "position_y",
    "heading",        "velocity_x",      "velocity_y",
    "scenario_id",    "start_timestamp", "end_timestamp",
    "num_timestamps", "focal_track_id",  "city"};
constexpr std::string_view kOptional[] = {"map_id", "slice_id"};

constexpr std::string_view kEgo = "AV";
constexpr std::int64_t kMaxDurationNs = 3'600'000'000'000;
constexpr double kFarthestM = 1e7;  // far above any city, below float64's centimetres

[[noreturn]] void invalid(std::string_view column, Message problem) {
  fail(Errc::invalid_metadata, {"column ", column, ": ", joined(problem)});
}

/// Returns text of a file for a message.
std::string printable(std::string_view text) {
  std::string out(text.substr(0, 40));
  for (char& c : out) {
    if (c < ' ' || c > '~') c = '?';
  }
  return out;
}

double finite(std::span<const double> column, std::size_t row, std::string_view name) {
  if (!(std::abs(column[row]) <= kFarthestM)) {
    invalid(name, {"not a finite number below 1e7 in row ", row});
  }
  return column[row];
}

/// The row numbers of a track, by increasing step.
struct TrackRows {
  std::string_view name;
  std::vector<std::size_t> rows;
};

/// Returns the tracks in the order of their first rows.
std::vector<TrackRows> tracks_of(const Table& table) {
  const auto names = table.texts("track_id");
  const auto steps = table.integers("timestep");
  std::vector<TrackRows> tracks;
  std::unordered_map<std::string_view, std::size_t> index;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto name = text_at(names, row);
    const auto [found, is_new] = index.emplace(name, tracks.size());
    if (is_new) tracks.push_back({name, {}});
    tracks[found->second].rows.push_back(row);
  }
  for (auto& track : tracks) {
    std::stable_sort(track.rows.begin(), track.rows.end(),
                     [&](auto a, auto b) { return steps[a] < steps[b]; });
    for (std::size_t i = 1; i < track.rows.size(); ++i) {
      const auto row = track.rows[i];
      if (steps[row] != steps[track.rows[i - 1]]) continue;
      invalid("timestep",
              {"track ", printable(track.name), " has two rows of step ", steps[row],
               " (found rows ", track.rows[i - 1], " and ", row, ")"});
    }
  }
  return tracks;
}

/// Returns a time; the data set stores them as float64, other writers as integers.
std::int64_t stamp(const Table& table, std::string_view name) {
  if (table.has_integers(name)) return only_integer(table, name);
  const auto column = table.numbers(name);
  if (!column.empty() && !(std::abs(column[0]) < 9.2e18)) {  // NaN too
    invalid(name, {"not a time in nanoseconds"});
  }
  const double value = only_number(table, name);
  return static_cast<std::int64_t>(value);
}

/// Sets the times of the frames that have rows.
void set_times(Scenario& scenario, const Table& table) {
  const auto count = only_integer(table, "num_timestamps");
  if (count < 1) invalid("num_timestamps", {"must be positive (found ", count, ")"});
  if (count > kMaxFrames) {
    fail(Errc::limit_exceeded, {"column num_timestamps: too many frames (found ", count,
                                ", expected at most ", kMaxFrames, ")"});
  }
  std::int64_t last = 0;
  const auto steps = table.integers("timestep");
  for (std::size_t row = 0; row < steps.size(); ++row) {
    if (steps[row] < 0 || steps[row] >= count) {
      invalid("timestep", {"outside the scenario in row ", row, " (found ", steps[row],
                           ", expected 0 to ", count - 1, ")"});
    }
    last = std::max(last, steps[row]);
  }
  scenario.start_ns = stamp(table, "start_timestamp");
  scenario.end_ns = stamp(table, "end_timestamp");
  if (scenario.end_ns < scenario.start_ns) {
    invalid("end_timestamp", {"before start_timestamp"});
  }
  if (scenario.end_ns / 2 - scenario.start_ns / 2 > kMaxDurationNs / 2) {
    invalid("end_timestamp", {"more than an hour after start_timestamp"});
  }
  const auto duration = scenario.end_ns - scenario.start_ns;
  for (std::int64_t i = 0; i <= last; ++i) {
    // Rounded to the nearest nanosecond; at most 2 * 3.6e12 * 1e5.
    const auto elapsed =
        count > 1 ? (2 * i * duration + count - 1) / (2 * (count - 1)) : 0;
    scenario.times_ns.push_back(scenario.start_ns + elapsed);
  }
  scenario.absent_frames = static_cast<std::uint64_t>(count - 1 - last);
}

/// Sets the ego poses; frames without one repeat the nearest, the earlier of two.
void set_ego(Scenario& scenario, const Table& table, const TrackRows* ego) {
  if (ego == nullptr) invalid("track_id", {"no track AV, the ego vehicle"});
  const auto steps = table.integers("timestep");
  const auto x = table.numbers("position_x"), y = table.numbers("position_y");
  const auto heading = table.numbers("heading");
  std::vector<std::size_t> known;
  for (const auto row : ego->rows)
    known.push_back(static_cast<std::size_t>(steps[row]));
  const auto nearest = nearest_steps(known, scenario.times_ns.size());
  for (std::size_t frame = 0; frame < scenario.times_ns.size(); ++frame) {
    const auto row = ego->rows[nearest[frame]];
    if (known[nearest[frame]] != frame) ++scenario.repeated_ego_poses;
    scenario.ego.push_back(
        {{finite(x, row, "position_x"), finite(y, row, "position_y"), 0},
         finite(heading, row, "heading")});
  }
}

/// Returns a decimal name as a number; nullopt for names that are not a number's one
/// decimal text.
std::optional<std::uint64_t> decimal(std::string_view name) {
  std::uint64_t value = 0;
  const auto [end, error] =
      std::from_chars(name.data(), name.data() + name.size(), value);
  const bool whole = error == std::errc() && end == name.data() + name.size();
  if (!whole || value >> 63U != 0 || std::to_string(value) != name) return std::nullopt;
  return value;
}

/// Adds tracks with their states.
class TrackImporter {
 public:
  TrackImporter(const Table& table, const Tables& tables, Scenario& out)
      : tables_(tables),
        out_(out),
        types_(table.texts("object_type")),
        categories_(table.integers("object_category")),
        steps_(table.integers("timestep")),
        x_(table.numbers("position_x")),
        y_(table.numbers("position_y")),
        heading_(table.numbers("heading")),
        vx_(table.numbers("velocity_x")),
        vy_(table.numbers("velocity_y")) {}

  void add(const TrackRows& source) {
    const auto first = source.rows.front();
    const auto type = tables_.types.find(text_at(types_, first));
    if (type == tables_.types.end()) {
      invalid("object_type",
              {"unknown type in row ", first, " (found \"",
               printable(text_at(types_, first)), "\"); add it to the tables"});
    }
    Track track;
    track.name = source.name;
    track.object_type = type->first;
    track.label = type->second.label;
    track.role = role(first);
    const auto number = decimal(source.name);
    track.track_id = number ? *number : (std::uint64_t{1} << 63U) + unnumbered_++;
    track.begin = out_.states.size();
    for (const auto row : source.rows) add_state(row, first, type->second);
    track.end = out_.states.size();
    out_.tracks.push_back(std::move(track));
  }

 private:
  Role role(std::size_t row) const {
    const auto category = categories_[row];
    if (category < 0 || category > 3) {
      invalid("object_category", {"unknown category in row ", row, " (found ", category,
                                  ", expected 0 to 3)"});
    }
    return static_cast<Role>(category);
  }

  void add_state(std::size_t row, std::size_t first, const ObjectType& type) {
    if (text_at(types_, row) != text_at(types_, first)) {
      invalid("object_type", {"a track's type changes in row ", row});
    }
    if (categories_[row] != categories_[first]) {
      invalid("object_category", {"a track's category changes in row ", row});
    }
    auto& states = out_.states;
    states.step.push_back(static_cast<std::uint32_t>(steps_[row]));
    states.position.push_back(
        {finite(x_, row, "position_x"), finite(y_, row, "position_y")});
    states.yaw.push_back(static_cast<float>(finite(heading_, row, "heading")));
    states.velocity.push_back({static_cast<float>(finite(vx_, row, "velocity_x")),
                               static_cast<float>(finite(vy_, row, "velocity_y"))});
    states.extent.push_back(type.extent);
  }

  const Tables& tables_;
  Scenario& out_;
  TextColumn types_;
  std::span<const std::int64_t> categories_, steps_;
  std::span<const double> x_, y_, heading_, vx_, vy_;
  std::uint64_t unnumbered_ = 0;
};

/// Returns what the records have no place for. Tracks without an entry are fragments.
std::string attributes_of(const Scenario& scenario, const Table& table) {
  nlohmann::json out = {{"scenario_id", scenario.id}, {"city", scenario.host}};
  out["focal_track_id"] = only_text(table, "focal_track_id");
  if (table.has("map_id")) out["map_id"] = only_integer(table, "map_id");
  if (table.has("slice_id")) out["slice_id"] = only_text(table, "slice_id");
  auto& scored = out["scored"] = nlohmann::json::array();
  auto& unscored = out["unscored"] = nlohmann::json::array();
  for (const auto& track : scenario.tracks) {
    if (track.role == Role::focal) out["focal"] = track.track_id;
    if (track.role == Role::scored) scored.push_back(track.track_id);
    if (track.role == Role::unscored) unscored.push_back(track.track_id);
    if (track.track_id >> 63U != 0) {
      out["track_names"][std::to_string(track.track_id)] = track.name;
    }
  }
  if (std::ssize(scenario.times_ns) > kArgoverse2Anchor) {
    out["anchor_frame"] = kArgoverse2Anchor;
  }
  return out.dump(-1, ' ', true);
}

void check_utf8(std::string_view column, std::string_view text) {
  try {
    static_cast<void>(nlohmann::json(text).dump());
  } catch (const nlohmann::json::exception&) {
    invalid(column, {"not UTF-8"});
  }
}

}  // namespace

std::span<const std::string_view> argoverse2_columns(bool required) noexcept {
  if (required) return kRequired;
  return kOptional;
}

Scenario import_argoverse2(const Table& table, const Tables& tables) {
  table.require(kRequired);
  if (table.rows() == 0) {
    fail(Errc::invalid_metadata, {"scenario: no rows"});
  }
  Scenario out;
  out.id = only_text(table, "scenario_id");
  out.host = only_text(table, "city");
  for (const auto* name : {"scenario_id", "city", "focal_track_id"}) {
    check_utf8(name, only_text(table, name));
  }
  if (table.has("slice_id")) check_utf8("slice_id", only_text(table, "slice_id"));
  set_times(out, table);
  const auto tracks = tracks_of(table);
  const auto ego = std::find_if(tracks.begin(), tracks.end(),
                                [](const auto& track) { return track.name == kEgo; });
  set_ego(out, table, ego == tracks.end() ? nullptr : &*ego);
  TrackImporter importer(table, tables, out);
  for (const auto& track : tracks) {
    check_utf8("track_id", track.name);
    if (track.name != kEgo) importer.add(track);
  }
  out.attributes = attributes_of(out, table);
  return out;
}

}  // namespace bev::convert

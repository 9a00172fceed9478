#include "core/convert/nuscenes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/convert/nearest_steps.hpp"
#include "core/convert/nuscenes_splits.hpp"

namespace bev::convert {
namespace {

constexpr double kMaxGapUs = 1'500'000;  // between two boxes that tell a velocity
constexpr double kPlaceM = 100'000, kPlaceReachM = 45'000;
constexpr double kMaxSpeed = 1e6;
// Reference  py123d, parser/nuscenes/utils/nuscenes_constants.py: a Renault Zoe
constexpr double kZoeExtent[] = {4.084, 1.730, 1.562};
constexpr double kZoeCentreAheadM = 1.385;

/// Returns the first 16 characters, those that are not printable ASCII replaced.
std::string host_of(std::string_view location) {
  std::string out(location.substr(0, 16));
  for (auto& c : out) {
    if (c < ' ' || c > '~') c = '?';
  }
  return out;
}

class NuscenesImporter {
 public:
  NuscenesImporter(const nuscenes::Version& version, std::size_t scene,
                   const Tables& tables, const NuscenesOptions& options)
      : version_(version),
        source_(version.scenes()[scene]),
        log_(version.logs()[source_.log]),
        scene_(scene),
        tables_(tables),
        options_(options) {}

  Scenario run() {
    if (source_.samples.empty()) invalid({"no key frames"});
    if (options_.place) dx_ = kPlaceM * static_cast<double>(*options_.place);
    out_.id = source_.token;
    out_.host = host_of(log_.location);
    for (std::size_t i = 0; i < source_.samples.size(); ++i) {
      steps_[source_.samples[i]] = static_cast<std::uint32_t>(i);
      out_.times_ns.push_back(time_us(source_.samples[i]) * 1000);
    }
    out_.start_ns = out_.times_ns.front();
    out_.end_ns = out_.times_ns.back();
    set_ego();
    add_tracks();
    if (options_.map != nullptr) add_map();
    set_attributes();
    return std::move(out_);
  }

 private:
  [[noreturn]] void invalid(Message problem) const {
    fail(Errc::invalid_metadata, {source_.name, ": ", joined(problem)});
  }

  std::int64_t time_us(std::uint32_t sample) const {
    return version_.samples()[sample].time_us;
  }

  double moved_x(double x, double y) const {
    if (options_.place && std::max(std::abs(x), std::abs(y)) > kPlaceReachM) {
      fail(Errc::limit_exceeded, {source_.name, ": too far from its map's corner"});
    }
    return x + dx_;
  }

  /// Sets the ego poses; key frames without one repeat the nearest, the earlier of two.
  void set_ego() {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < source_.samples.size(); ++i) {
      if (version_.ego(source_.samples[i]).is_found) found.push_back(i);
    }
    if (found.empty()) invalid({"no pose of the ego vehicle"});
    const auto nearest = nearest_steps(found, source_.samples.size());
    for (std::size_t i = 0; i < source_.samples.size(); ++i) {
      const auto from = found[nearest[i]];
      if (from != i) ++out_.repeated_ego_poses;
      const auto& pose = version_.ego(source_.samples[from]);
      const auto [x, y, z] = pose.position;
      out_.ego.push_back({{moved_x(x, y), y, z}, pose.yaw});
    }
  }

  void add_tracks() {
    std::unordered_map<std::uint32_t, std::size_t> rows;
    std::vector<std::vector<const nuscenes::Box*>> tracks;
    for (const auto& box : version_.boxes(scene_)) {
      const auto [found, is_new] = rows.emplace(box.instance, tracks.size());
      if (is_new) tracks.emplace_back();
      tracks[found->second].push_back(&box);
    }
    for (auto& boxes : tracks) {
      std::stable_sort(boxes.begin(), boxes.end(),
                       [this](const nuscenes::Box* a, const nuscenes::Box* b) {
                         return steps_.at(a->sample) < steps_.at(b->sample);
                       });
    }
    // The file has the boxes in any order.
    std::stable_sort(
        tracks.begin(), tracks.end(), [this](const auto& a, const auto& b) {
          return steps_.at(a.front()->sample) < steps_.at(b.front()->sample);
        });
    for (const auto& item : version_.items(scene_)) {
      items_[item.instance].push_back(steps_.at(item.sample));
    }
    for (const auto& boxes : tracks) add_track(boxes);
    if (out_.states.size() > 0) {
      out_.lost["agent height above ground"] = out_.states.size();
    }
  }

  const std::pair<const std::string, ObjectType>& type_of(
      const std::vector<const nuscenes::Box*>& boxes) const {
    const auto& category = version_.category(boxes.front()->instance);
    std::map<std::uint32_t, std::size_t> counts;
    for (const auto* box : boxes) ++counts[box->attribute];
    const auto most = std::max_element(
        counts.begin(), counts.end(),
        [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most->first > 0) {
      const auto& attribute = version_.attributes()[most->first - 1];
      const auto found = tables_.types.find(category + "/" + attribute);
      if (found != tables_.types.end()) return *found;
    }
    const auto found = tables_.types.find(category);
    if (found == tables_.types.end()) {
      invalid({"unknown category (found ", category, "); add it to the tables"});
    }
    return *found;
  }

  void add_track(const std::vector<const nuscenes::Box*>& boxes) {
    const auto instance = boxes.front()->instance;
    const auto& [type, object] = type_of(boxes);
    Track track;
    track.name = version_.instance(instance);
    track.object_type = type;
    track.track_id = 1 + out_.tracks.size();
    track.label = object.label;
    track.begin = out_.states.size();
    const auto items = items_.find(instance);
    const bool is_scored = items != items_.end();
    if (is_scored) track.role = Role::scored;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const auto& box = *boxes[i];
      const auto step = steps_.at(box.sample);
      if (i > 0 && out_.states.step.back() == step) {
        invalid({"instance ", track.name, ": two boxes in key frame ", step});
      }
      auto& states = out_.states;
      states.step.push_back(step);
      states.position.push_back(
          {moved_x(box.position[0], box.position[1]), box.position[1]});
      states.yaw.push_back(box.yaw);
      states.velocity.push_back(velocity(boxes, i));
      const bool has_extent = std::all_of(box.extent.begin(), box.extent.end(),
                                          [](float one) { return one > 0; });
      if (!has_extent) ++out_.lost["state without extent"];
      states.extent.push_back(has_extent ? box.extent : object.extent);
      states.is_item.push_back(is_scored &&
                               std::find(items->second.begin(), items->second.end(),
                                         step) != items->second.end());
    }
    track.end = out_.states.size();
    out_.tracks.push_back(std::move(track));
  }

  std::array<float, 2> velocity(const std::vector<const nuscenes::Box*>& boxes,
                                std::size_t i) {
    const auto& first = *boxes[i > 0 ? i - 1 : i];
    const auto& last = *boxes[i + 1 < boxes.size() ? i + 1 : i];
    const bool is_centred = i > 0 && i + 1 < boxes.size();
    const auto time = static_cast<double>(time_us(last.sample) - time_us(first.sample));
    if (time > 0 && time <= kMaxGapUs * (is_centred ? 2 : 1)) {
      std::array<double, 2> out{};
      for (std::size_t axis = 0; axis < 2; ++axis) {
        out[axis] = (last.position[axis] - first.position[axis]) / (time * 1e-6);
      }
      if (std::max(std::abs(out[0]), std::abs(out[1])) <= kMaxSpeed) {
        return {static_cast<float>(out[0]), static_cast<float>(out[1])};
      }
    }
    ++out_.lost["velocity that is unknown"];
    return {0, 0};
  }

  void add_map() {
    const auto city = tables_.cities.find(log_.location);
    if (city == tables_.cities.end()) {
      fail(Errc::not_found, {"the tables lack city ", log_.location});
    }
    NuscenesMap::Area area = {1e9, -1e9, 1e9, -1e9};
    for (const auto& pose : out_.ego) {
      const double x = pose.position.x - dx_, y = pose.position.y;
      area = {std::min(area[0], x - kNuscenesReachM),
              std::max(area[1], x + kNuscenesReachM),
              std::min(area[2], y - kNuscenesReachM),
              std::max(area[3], y + kNuscenesReachM)};
    }
    out_.map = options_.map->within(area, dx_);
    if (!options_.place) out_.map->frame = city->second;
  }

  void set_attributes() {
    nlohmann::json out = {{"scenario_id", out_.id},
                          {"scene", source_.name},
                          {"city", log_.location},
                          {"vehicle", log_.vehicle},
                          {"date", log_.date},
                          {"ego_extent", kZoeExtent},
                          {"ego_centre_ahead_m", kZoeCentreAheadM}};
    if (options_.place) out["moved_by"] = {dx_, 0};
    const auto [split, prediction, mini] = nuscenes_splits(source_.name);
    if (!split.empty()) out["split"] = std::string(split);
    if (!prediction.empty()) out["prediction_split"] = std::string(prediction);
    if (!mini.empty()) out["mini_split"] = std::string(mini);
    out["samples"] = nlohmann::json::array();
    for (const auto sample : source_.samples) {
      out["samples"].push_back(version_.samples()[sample].token);
    }
    for (const auto& tag : nuscenes_tags(source_.name)) {
      out["tags"][tag] = nlohmann::json::array();  // of the whole scene
    }
    out["track_names"] = nlohmann::json::object();
    out["scored"] = nlohmann::json::array();
    for (const auto& track : out_.tracks) {
      out["track_names"][std::to_string(track.track_id)] = track.name;
      if (track.role == Role::scored) out["scored"].push_back(track.track_id);
    }
    // Of scored tracks, the frames in which predictions begin.
    for (const auto& [instance, steps] : items_) {
      out["predicted"][version_.instance(instance)] = steps;
    }
    out_.attributes = out.dump(-1, ' ', true);
  }

  const nuscenes::Version& version_;
  const nuscenes::Scene& source_;
  const nuscenes::Log& log_;
  std::size_t scene_;
  const Tables& tables_;
  const NuscenesOptions& options_;
  double dx_ = 0;
  std::unordered_map<std::uint32_t, std::uint32_t> steps_;     // by sample
  std::map<std::uint32_t, std::vector<std::uint32_t>> items_;  // steps by instance
  Scenario out_;
};

}  // namespace

Scenario import_nuscenes(const nuscenes::Version& version, std::size_t scene,
                         const Tables& tables, const NuscenesOptions& options) {
  if (!version.is_complete()) {
    fail(Errc::invalid_argument, {"nuScenes: not all tables were read"});
  }
  if (scene >= version.scenes().size()) {
    fail_index({"scene "}, scene, version.scenes().size());
  }
  return NuscenesImporter(version, scene, tables, options).run();
}

}  // namespace bev::convert

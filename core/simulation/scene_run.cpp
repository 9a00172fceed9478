#include "core/simulation/scene_run.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/json_tree.hpp"

namespace bev::simulation {
namespace {

constexpr std::int64_t kNsPerUs = 1000;
/// Times that are as far apart are equal.
constexpr std::int64_t kSameTimeUs = 1000;
constexpr std::int64_t kMaxRunTimeUs = 9'000'000'000'000'000;  // year 2255
constexpr double kFullTurn = 6.283185307179586;

/// What a scene's attributes tell.
struct SceneFacts {
  std::string log, scenario;
  double dx = 0, dy = 0;
};

SceneFacts scene_facts_of(std::string_view attributes) {
  bool is_deep = false;
  const auto tree = parse_json_tree(attributes, is_deep);
  if (!tree || !tree->is_object()) {
    fail(Errc::invalid_metadata, {"scene: its attributes are not a JSON object"});
  }
  const auto text = [&](const char* key) {
    const auto found = tree->find(key);
    return found != tree->end() && found->is_string() ? found->get<std::string>()
                                                      : std::string();
  };
  const auto moved = tree->find("moved_by");
  const bool is_moved = moved != tree->end() && moved->is_array() &&
                        moved->size() == 2 && (*moved)[0].is_number() &&
                        (*moved)[1].is_number();
  if (!is_moved || tree->find("log") == tree->end()) {
    fail(Errc::not_found, {"the scene is not of nuPlan (its attributes have no log and "
                           "moved_by)"});
  }
  return {text("log"), text("scenario_id"), (*moved)[0].get<double>(),
          (*moved)[1].get<double>()};
}

std::string simulation_name(const Simulation& from) {
  return joined({"simulation of scenario ",
                 from.scenario.empty() ? std::string("(unnamed)") : from.scenario});
}

void check_same_log(const Simulation& from, const SceneFacts& scene) {
  if (!from.log.empty() && !scene.log.empty()) {
    if (from.log == scene.log) return;
    fail(Errc::not_found, {simulation_name(from), " is of log ", from.log,
                           ", the scene of log ", scene.log});
  }
  if (!from.scenario.empty() && from.scenario == scene.scenario) return;
  fail(Errc::not_found, {simulation_name(from),
                         from.log.empty() ? " names no log" : " is of another scenario",
                         " (the scene is ", scene.scenario, " of log ", scene.log,
                         "); open scenes with their folders PLANNER/TYPE/LOG/NAME"});
}

/// Collects the frames.
class Running {
 public:
  Running(const Simulation& from, const SceneFacts& scene)
      : from_(from), scene_(scene) {
    const auto& vehicle = from.vehicle;
    out_.rollout.ego_box = {vehicle.length, vehicle.width, vehicle.centre_ahead};
  }

  SceneRun run(std::span<const std::int64_t> times_ns) {
    const auto first = from_.frames.front().time_us, last = from_.frames.back().time_us;
    for (std::size_t k = 0; k < times_ns.size(); ++k) {
      const auto time_us = times_ns[k] / kNsPerUs;
      if (time_us < first - kSameTimeUs || time_us > last + kSameTimeUs) continue;
      if (out_.frames.empty()) out_.rollout.first_frame = static_cast<std::uint32_t>(k);
      add(time_us);
      out_.rollout.timestamps.push_back(times_ns[k]);
    }
    if (out_.frames.empty()) {
      fail(Errc::not_found,
           {simulation_name(from_), " is from ", first, " to ", last,
            " us, at which the scene has no frame (found ",
            times_ns.empty() ? 0 : times_ns.front() / kNsPerUs, " to ",
            times_ns.empty() ? 0 : times_ns.back() / kNsPerUs, " us)"});
    }
    for (const auto& pose : from_.expert) add_position(pose, out_.expert);
    return std::move(out_);
  }

 private:
  void add(std::int64_t time_us) {
    const auto& frames = from_.frames;
    const auto next = std::lower_bound(
        frames.begin(), frames.end(), time_us - kSameTimeUs,
        [](const Frame& frame, std::int64_t time) { return frame.time_us < time; });
    const auto at = static_cast<std::size_t>(next - frames.begin());
    if (std::abs(next->time_us - time_us) <= kSameTimeUs) {
      add_frame(at, *next, *next, 0);
      return;
    }
    const auto& before = *(next - 1);  // whose time is not before the first
    const auto gap = next->time_us - before.time_us;
    if (gap > kMaxGapUs) {
      fail(Errc::not_found,
           {simulation_name(from_), " has no frames from ", before.time_us, " to ",
            next->time_us, " us (expected at most ", kMaxGapUs, " us apart)"});
    }
    const double share =
        static_cast<double>(time_us - before.time_us) / static_cast<double>(gap);
    ++out_.interpolated;
    add_frame(share < 0.5 ? at - 1 : at, before, *next, share);
  }

  /// Adds a frame between two, of which `nearest` is one.
  void add_frame(std::size_t nearest, const Frame& a, const Frame& b, double share) {
    auto& out = out_.rollout;
    const auto& near = from_.frames[nearest];
    const auto ego = moved(rear_axle(between(a.ego, b.ego, share), from_.vehicle));
    out.ego_x.push_back(ego.x);
    out.ego_y.push_back(ego.y);
    out.ego_yaw.push_back(ego.yaw);
    const auto& other = &near == &a ? b : a;
    others_.clear();
    if (share > 0) {
      for (const auto& box : other.boxes) others_.try_emplace(box.track, &box);
    }
    std::uint32_t count = 0;
    for (const auto& box : near.boxes) {
      const auto found = others_.find(box.track);
      const auto& from = &near == &a || found == others_.end() ? box : *found->second;
      const auto& to = &near == &a && found != others_.end() ? *found->second : box;
      add_box(box, moved(between(from.pose, to.pose, share)));
      ++count;
    }
    out.counts.push_back(count);
    for (const auto& state : near.plan) add_position(state.pose, out_.plan);
    out_.plan_first.push_back(static_cast<std::uint32_t>(out_.plan.size() / 2));
    out_.frames.push_back(static_cast<std::uint32_t>(nearest));
  }

  void add_box(const Box& box, const Pose& pose) {
    auto& out = out_.rollout;
    out.track_id.push_back(track_id(from_.tracks[box.track], box.track));
    out.x.push_back(pose.x);
    out.y.push_back(pose.y);
    out.yaw.push_back(pose.yaw);
    out.length.push_back(box.length);
    out.width.push_back(box.width);
  }

  void add_position(const Pose& centre, std::vector<double>& to) const {
    const auto at = moved(rear_axle(centre, from_.vehicle));
    to.push_back(at.x);
    to.push_back(at.y);
  }

  Pose moved(const Pose& pose) const {
    return {pose.x + scene_.dx, pose.y + scene_.dy, pose.yaw};
  }

  static Pose between(const Pose& a, const Pose& b, double share) {
    const double turn =
        b.yaw - a.yaw - kFullTurn * std::nearbyint((b.yaw - a.yaw) / kFullTurn);
    return {a.x + share * (b.x - a.x), a.y + share * (b.y - a.y), a.yaw + share * turn};
  }

  const Simulation& from_;
  const SceneFacts& scene_;
  SceneRun out_;
  std::unordered_map<std::uint32_t, const Box*> others_;  // by track
};

}  // namespace

SceneRun scene_run(const Simulation& from, std::span<const std::int64_t> times_ns,
                   std::string_view attributes) {
  if (from.frames.empty()) fail(Errc::invalid_metadata, {"simulation: no frames"});
  for (const auto& frame : from.frames) {
    if (frame.time_us >= 0 && frame.time_us <= kMaxRunTimeUs) continue;
    fail(Errc::invalid_metadata,
         {"simulation: invalid time (found ", frame.time_us, " us)"});
  }
  const auto scene = scene_facts_of(attributes);
  check_same_log(from, scene);
  return Running(from, scene).run(times_ns);
}

std::vector<std::uint32_t> scenes_of(const Simulation& from,
                                     std::span<const std::int64_t> spans_ns,
                                     std::span<const std::string> logs) {
  if (spans_ns.size() != 2 * logs.size()) {
    fail(Errc::invalid_argument,
         {"scenes: wrong length of their times (found ", spans_ns.size(), ", expected ",
          2 * logs.size(), ")"});
  }
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < logs.size() && !from.frames.empty(); ++i) {
    const bool may_be = logs[i].empty() || from.log.empty() || logs[i] == from.log;
    const bool is_before = spans_ns[2 * i + 1] / kNsPerUs < from.frames.front().time_us;
    const bool is_after = spans_ns[2 * i] / kNsPerUs > from.frames.back().time_us;
    if (may_be && !is_before && !is_after) out.push_back(static_cast<std::uint32_t>(i));
  }
  return out;
}

void name_by_folder(Simulation& out, std::string_view folder) {
  std::array<std::string_view, 4> parts;  // from the last one on
  std::size_t count = 0;
  while (!folder.empty() && count < parts.size()) {
    const auto end = folder.find_last_of('/');
    const auto part = folder.substr(end == std::string_view::npos ? 0 : end + 1);
    folder = end == std::string_view::npos ? std::string_view() : folder.substr(0, end);
    if (!part.empty()) parts[count++] = part;
  }
  const auto set = [](std::string& name, std::string_view found) {
    if (name.empty()) name = std::string(found);
  };
  set(out.scenario, parts[0]);
  set(out.log, parts[1]);
  set(out.type, parts[2]);
  set(out.planner, parts[3]);
}

}  // namespace bev::simulation

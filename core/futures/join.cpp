#include "core/futures/join.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/base/error.hpp"
#include "core/futures/own_form.hpp"
#include "core/futures/submission.hpp"

namespace bev::futures {
namespace {

constexpr std::size_t kMaxModes = 6;

/// Joins the futures of a scenario.
class AgentJoin {
 public:
  AgentJoin(const RecordedScenario& recorded, const JoinRules& rules,
            JoinReport& report)
      : recorded_(recorded), rules_(rules), report_(report) {
    for (std::size_t i = 0; i < recorded.tracks.size(); ++i) {
      rows_.emplace(static_cast<std::uint64_t>(recorded.tracks[i].id), i);
      is_expected_.push_back(rules.is_challenge && rules.is_simulation &&
                             is_valid_now(i));
    }
    if (rules.is_challenge && rules.is_simulation) return;
    for (const auto& one : recorded.predictions) {
      is_expected_[static_cast<std::size_t>(one.track_index)] = true;
    }
  }

  TrackRows rows_of(const Futures& futures) {
    check_shape(futures);
    TrackRows out;
    for (const auto id : futures.ids) out.push_back(row_of(id));
    return out;
  }

  void report_missing() {
    for (std::size_t i = 0; i < is_expected_.size(); ++i) {
      const auto id = static_cast<std::uint64_t>(recorded_.tracks[i].id);
      if (is_expected_[i] && !seen_.contains(id)) add(Mismatch::agent_missing, id);
    }
  }

 private:
  bool is_valid_now(std::size_t track) const {
    const auto now = static_cast<std::size_t>(recorded_.current_time_index);
    return recorded_.tracks[track].states[now].is_valid;
  }

  void add(Mismatch mismatch, std::uint64_t id) {
    report_.add(mismatch, joined({recorded_.id, "/", id}));
  }

  void add_counts(Mismatch mismatch, std::int64_t found, std::int64_t expected) {
    report_.add(mismatch,
                joined({recorded_.id, ": found ", found, ", expected ", expected}));
  }

  void check_frames(const Futures& futures) {
    const auto last = static_cast<std::int64_t>(recorded_.times_s.size()) - 1;
    if (futures.first_step < 0) {
      add_counts(Mismatch::wrong_frames, futures.first_step, 0);
    } else if (futures.frame(futures.steps - 1) > last) {
      add_counts(Mismatch::wrong_frames, futures.frame(futures.steps - 1), last);
    }
  }

  void check_shape(const Futures& futures) {
    if (!rules_.is_challenge) return check_frames(futures);
    const auto compare = [&](Mismatch mismatch, std::size_t found, std::size_t low,
                             std::size_t high) {
      if (found >= low && found <= high) return;
      add_counts(mismatch, static_cast<std::int64_t>(found),
                 static_cast<std::int64_t>(found < low ? low : high));
    };
    compare(Mismatch::wrong_steps, futures.steps, rules_.steps, rules_.steps);
    compare(Mismatch::wrong_rollouts, futures.rollouts, rules_.min_rollouts,
            rules_.max_rollouts);
    if (rules_.joint_agents != 0) {
      compare(Mismatch::wrong_agents, futures.agents(), rules_.joint_agents,
              rules_.joint_agents);
    }
    if (futures.first_step != rules_.first_step) {
      add_counts(Mismatch::wrong_frames, futures.first_step, rules_.first_step);
    } else if (futures.step_stride != rules_.step_stride) {
      add_counts(Mismatch::wrong_frames, futures.step_stride, rules_.step_stride);
    }
  }

  bool is_allowed(std::size_t track) const {
    return rules_.is_challenge ? is_expected_[track] : is_valid_now(track);
  }

  std::optional<std::size_t> row_of(std::uint64_t id) {
    id = recorded_id(id, recorded_);
    const auto found = rows_.find(id);
    if (found == rows_.end()) {
      add(Mismatch::agent_unknown, id);
      return std::nullopt;
    }
    if (!seen_.insert(id).second) {
      add(Mismatch::agent_repeated, id);
      return std::nullopt;
    }
    if (!is_allowed(found->second)) add(Mismatch::agent_not_allowed, id);
    return found->second;
  }

  const RecordedScenario& recorded_;
  const JoinRules& rules_;
  JoinReport& report_;
  std::unordered_map<std::uint64_t, std::size_t> rows_;
  std::unordered_set<std::uint64_t> seen_;
  std::vector<bool> is_expected_;
};

}  // namespace

std::string_view to_string(Mismatch mismatch) noexcept {
  switch (mismatch) {
    case Mismatch::scenario_missing: return "scenarios missing";
    case Mismatch::scenario_unknown: return "unknown scenarios";
    case Mismatch::scenario_repeated: return "scenarios more than once";
    case Mismatch::agent_missing: return "agents missing";
    case Mismatch::agent_unknown: return "unknown agents";
    case Mismatch::agent_not_allowed:
      return "agents that may not be simulated or predicted";
    case Mismatch::agent_repeated: return "agents more than once";
    case Mismatch::wrong_steps: return "wrong number of steps";
    case Mismatch::wrong_frames: return "wrong first step or stride";
    case Mismatch::wrong_rollouts: return "wrong number of rollouts or modes";
    case Mismatch::wrong_agents: return "wrong number of agents";
  }
  return "";
}

void JoinReport::add(Mismatch mismatch, std::string name) {
  auto& list = lists_[static_cast<std::size_t>(mismatch)];
  ++list.count;
  if (list.names.size() < kMaxNames) list.names.push_back(std::move(name));
}

void JoinReport::add(const JoinReport& other) {
  for (std::size_t i = 0; i < kMismatches; ++i) {
    auto& list = lists_[i];
    const auto& more = other.lists_[i];
    list.count += more.count;
    const auto free = std::min(kMaxNames - list.names.size(), more.names.size());
    list.names.insert(list.names.end(), more.names.begin(),
                      more.names.begin() + static_cast<std::ptrdiff_t>(free));
  }
}

std::uint64_t JoinReport::count() const noexcept {
  std::uint64_t out = 0;
  for (const auto& list : lists_) out += list.count;
  return out;
}

std::string JoinReport::text(std::size_t names) const {
  std::string out;
  for (std::size_t i = 0; i < kMismatches; ++i) {
    const auto& list = lists_[i];
    if (list.count == 0) continue;
    out += joined({to_string(static_cast<Mismatch>(i)), ": ", list.count, " ("});
    const auto shown = std::min(names, list.names.size());
    for (std::size_t k = 0; k < shown; ++k) out += (k == 0 ? "" : ", ") + list.names[k];
    if (list.count > shown) out += shown == 0 ? "..." : ", ...";
    out += ")\n";
  }
  return out;
}

JoinRules sim_agents_rules() noexcept {
  return {};
}

JoinRules scenario_generation_rules() noexcept {
  JoinRules out;
  out.steps = kAllSteps;
  out.first_step = 0;
  return out;
}

JoinRules motion_rules() noexcept {
  JoinRules out;
  out.is_simulation = false;
  out.steps = kMotionSteps;
  out.first_step = kCurrentStep + kMotionStride;
  out.step_stride = kMotionStride;
  out.min_rollouts = 1;
  out.max_rollouts = kMaxModes;
  out.joint_agents = 1;
  return out;
}

JoinRules interaction_rules() noexcept {
  auto out = motion_rules();
  out.joint_agents = 2;
  return out;
}

JoinRules nuscenes_rules(std::int64_t first_step) noexcept {
  constexpr std::size_t kSteps = 12, kModes = 25;
  JoinRules out;
  out.is_simulation = false;
  out.steps = kSteps;
  out.first_step = first_step;
  out.min_rollouts = 1;
  out.max_rollouts = kModes;
  out.joint_agents = 1;
  return out;
}

JoinRules own_rules(bool is_joint) noexcept {
  JoinRules out;
  out.is_simulation = is_joint;
  out.is_challenge = false;
  return out;
}

std::uint64_t recorded_id(std::uint64_t id, const RecordedScenario& recorded) noexcept {
  const auto ego = static_cast<std::uint64_t>(recorded.ego_index);
  if (id != kEgoId || ego >= recorded.tracks.size()) return id;
  return static_cast<std::uint64_t>(recorded.tracks[static_cast<std::size_t>(ego)].id);
}

std::vector<std::optional<std::size_t>> joined_scenarios(
    std::span<const std::string_view> submitted,
    std::span<const std::string_view> recorded, JoinReport& report) {
  std::unordered_map<std::string_view, std::size_t> rows;
  for (std::size_t i = 0; i < recorded.size(); ++i) rows.emplace(recorded[i], i);
  std::vector<std::optional<std::size_t>> out;
  std::vector<bool> is_found(recorded.size());
  for (const auto id : submitted) {
    const auto found = rows.find(id);
    out.push_back(std::nullopt);
    if (found == rows.end()) {
      report.add(Mismatch::scenario_unknown, std::string(id));
    } else if (is_found[found->second]) {
      report.add(Mismatch::scenario_repeated, std::string(id));
    } else {
      is_found[found->second] = true;
      out.back() = found->second;
    }
  }
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    if (is_found[i] || rows.at(recorded[i]) != i) continue;
    report.add(Mismatch::scenario_missing, std::string(recorded[i]));
  }
  return out;
}

std::vector<TrackRows> joined_agents(std::span<const Futures> futures,
                                     const RecordedScenario& recorded,
                                     const JoinRules& rules, JoinReport& report) {
  check_tracks(recorded);
  AgentJoin join(recorded, rules, report);
  std::vector<TrackRows> out;
  for (const auto& one : futures) out.push_back(join.rows_of(one));
  join.report_missing();
  return out;
}

void check_tracks(const RecordedScenario& recorded) {
  const auto invalid_tracks = [&](Message problem) {
    fail(Errc::invalid_metadata, {"scenario ", recorded.id, ": ", joined(problem)});
  };
  const auto times = recorded.times_s.size();
  const auto inside = [&](std::int64_t index, std::size_t count, const char* name) {
    if (index >= 0 && static_cast<std::uint64_t>(index) < count) return;
    invalid_tracks({name, " is outside (found ", index, ", count ", count, ")"});
  };
  inside(recorded.current_time_index, times, "current_time_index");
  for (const auto& one : recorded.predictions) {
    inside(one.track_index, recorded.tracks.size(), "track_index");
  }
  std::unordered_set<std::int64_t> ids;
  for (const auto& track : recorded.tracks) {
    if (track.id < 0 || !ids.insert(track.id).second) {
      invalid_tracks({"track id is negative or not unique (found ", track.id, ")"});
    }
    if (track.states.size() == times) continue;
    invalid_tracks({"track ", track.id, ": wrong number of states (found ",
                    track.states.size(), ", expected ", times, ")"});
  }
}

}  // namespace bev::futures

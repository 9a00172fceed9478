#include "core/futures/submission.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "core/base/error.hpp"
#include "core/futures/trajectory_message.hpp"
#include "core/map/wire.hpp"

namespace bev::futures {
namespace {

using map::bytes_field;
using map::fixed32_field;
using map::varint_field;
using map::Wire;

[[noreturn]] void invalid(Message problem) {
  fail(Errc::invalid_metadata, problem);
}

void limit(const char* what, std::size_t found, std::size_t most) {
  if (found <= most) return;
  fail(Errc::limit_exceeded,
       {"too many ", what, " (found ", found, ", expected at most ", most, ")"});
}

std::uint64_t checked_id(std::uint64_t value) {
  const auto id = static_cast<std::int64_t>(value);
  if (id < 0) invalid({"object_id is negative (found ", id, ")"});
  return value;
}

/// Calls `take` with each message in field `number`; skips all other fields.
template <class Take>
void each_message(std::string_view bytes, std::uint32_t number, Take take) {
  Wire wire(bytes);
  while (wire.next()) {
    wire.tag() == bytes_field(number) ? take(wire.bytes()) : wire.skip();
  }
}

/// The trajectory of an agent.
struct AgentPath {
  std::uint64_t id = 0;
  std::string_view message;
  TrajectoryCounts counts;
};

/// A joint scene, or a mode.
struct Scene {
  std::vector<AgentPath> agents;
  float score = 0;
};

/// The names of what a submission's rollouts are.
struct Kind {
  const char* rollout;
  TrajectoryFields fields;
};

class ScenarioReader {
 public:
  ScenarioReader(const ScenarioRange& scenario, const Limits& limits)
      : scenario_(scenario), limits_(limits) {}

  std::vector<FuturesData> read(std::string_view bytes, SubmissionKind kind) {
    const auto found = contents_of(bytes, kind);
    if (kind == SubmissionKind::sim_agents) return {rollouts_of(found)};
    if (kind == SubmissionKind::interaction) return {joint_modes_of(found)};
    return predictions_of(found);
  }

  /// Returns what is being read, for messages: "scene 3, agent 1580: ".
  const std::string& place() const { return place_; }

 private:
  /// Returns the contents of a scenario, which may be in several parts.
  std::vector<std::string_view> contents_of(std::string_view bytes,
                                            SubmissionKind kind) const {
    std::vector<std::string_view> out;
    std::string_view id;
    const std::uint32_t own = kind == SubmissionKind::interaction ? 3 : 2;
    Wire wire(bytes);
    while (wire.next()) {
      const auto tag = wire.tag();
      if (tag == bytes_field(1)) {
        id = map::checked_utf8(wire.bytes(), "scenario_id");
      } else if (tag == bytes_field(own)) {
        limit("joint scenes", out.size() + 1, limits_.rollouts);
        out.push_back(wire.bytes());
      } else if (tag == bytes_field(5 - own) && kind != SubmissionKind::sim_agents) {
        invalid({own == 3 ? "single" : "joint", " predictions in a submission of kind ",
                 to_string(kind)});
      } else {
        wire.skip();
      }
    }
    if (id != scenario_.id) invalid({"another scenario_id than in the index: ", id});
    return out;
  }

  void add_agent(Scene& scene, std::string_view message,
                 std::optional<std::uint64_t> id,
                 const TrajectoryFields& fields) const {
    limit("agents", scene.agents.size() + 1, limits_.agents);
    auto& agent = scene.agents.emplace_back();
    agent.message = message;
    agent.counts = counts_of(message, fields, limits_.steps);
    if (!id && !agent.counts.has_id) {
      invalid({"agent ", scene.agents.size() - 1, ": no object_id"});
    }
    agent.id = checked_id(id ? *id : agent.counts.id);
  }

  FuturesData rollouts_of(const std::vector<std::string_view>& messages) {
    std::vector<Scene> scenes;
    for (const auto message : messages) {
      place_ = joined({"scene ", scenes.size(), ": "});
      auto& scene = scenes.emplace_back();
      each_message(message, 1, [&](std::string_view agent) {
        add_agent(scene, agent, std::nullopt, simulated_fields());
      });
    }
    auto out = assembled(scenes, {"scene", simulated_fields()});
    out.first_step = out.steps == kAllSteps ? 0 : kCurrentStep + 1;
    return out;
  }

  void read_joint_mode(std::string_view message, Scene& out) const {
    Wire wire(message);
    while (wire.next()) {
      if (wire.tag() == fixed32_field(3)) {
        out.score = wire.real32();
      } else if (wire.tag() == bytes_field(2)) {
        std::optional<std::uint64_t> id;
        std::string_view path;
        Wire agent(wire.bytes());
        while (agent.next()) {
          switch (agent.tag()) {
            case varint_field(1): id = agent.varint(); break;
            case bytes_field(2): path = agent.bytes(); break;
            default: agent.skip();
          }
        }
        add_agent(out, path, id, predicted_fields());
      } else {
        wire.skip();
      }
    }
  }

  FuturesData joint_modes_of(const std::vector<std::string_view>& messages) {
    std::vector<Scene> modes;
    for (const auto message : messages) {
      each_message(message, 1, [&](std::string_view mode) {
        place_ = joined({"mode ", modes.size(), ": "});
        limit("modes", modes.size() + 1, limits_.rollouts);
        read_joint_mode(mode, modes.emplace_back());
      });
    }
    return with_scores(assembled(modes, {"mode", predicted_fields()}), modes);
  }

  FuturesData prediction_of(std::string_view message) {
    std::optional<std::uint64_t> id;
    std::vector<Scene> modes;
    Wire wire(message);
    while (wire.next()) {
      if (wire.tag() == varint_field(1)) {
        id = checked_id(wire.varint());
      } else if (wire.tag() == bytes_field(2)) {
        limit("modes", modes.size() + 1, limits_.rollouts);
        auto& mode = modes.emplace_back();
        std::string_view path;
        Wire inner(wire.bytes());
        while (inner.next()) {
          switch (inner.tag()) {
            case bytes_field(1): path = inner.bytes(); break;
            case fixed32_field(2): mode.score = inner.real32(); break;
            default: inner.skip();
          }
        }
        add_agent(mode, path, 0, predicted_fields());
      } else {
        wire.skip();
      }
    }
    if (!id) invalid({"no object_id"});
    for (auto& mode : modes) mode.agents[0].id = *id;
    auto out = with_scores(assembled(modes, {"mode", predicted_fields()}), modes);
    out.is_joint = false;
    return out;
  }

  std::vector<FuturesData> predictions_of(
      const std::vector<std::string_view>& messages) {
    std::vector<FuturesData> out;
    std::vector<std::uint64_t> ids;
    for (const auto message : messages) {
      each_message(message, 1, [&](std::string_view prediction) {
        place_ = joined({"prediction ", out.size(), ": "});
        limit("agents", out.size() + 1, limits_.agents);
        out.push_back(prediction_of(prediction));
        ids.push_back(out.back().ids[0]);
      });
    }
    place_.clear();
    std::sort(ids.begin(), ids.end());
    const auto twice = std::adjacent_find(ids.begin(), ids.end());
    if (twice != ids.end()) invalid({"agent ", *twice, " is predicted twice"});
    return out;
  }

  FuturesData with_scores(FuturesData out, const std::vector<Scene>& modes) {
    out.first_step = kCurrentStep + kMotionStride;
    out.step_stride = kMotionStride;
    for (const auto& mode : modes) {
      if (!std::isfinite(mode.score)) {
        place_ = joined({"mode ", out.scores.size(), ": "});
        invalid({"confidence is not a finite number"});
      }
      out.scores.push_back(mode.score);
    }
    return out;
  }

  /// Checks that all scenes have the same agents, each once.
  void check_agents(const std::vector<Scene>& scenes, const char* rollout) {
    const auto sorted_ids = [](const Scene& scene) {
      std::vector<std::uint64_t> out;
      for (const auto& agent : scene.agents) out.push_back(agent.id);
      std::sort(out.begin(), out.end());
      return out;
    };
    const auto expected = sorted_ids(scenes.front());
    for (std::size_t r = 0; r < scenes.size(); ++r) {
      place_ = joined({rollout, " ", r, ": "});
      const auto found = sorted_ids(scenes[r]);
      const auto twice = std::adjacent_find(found.begin(), found.end());
      if (twice != found.end()) invalid({"agent ", *twice, " occurs twice"});
      const auto [e, f] =
          std::mismatch(expected.begin(), expected.end(), found.begin(), found.end());
      if (e == expected.end() && f == found.end()) continue;
      if (f == found.end() || (e != expected.end() && *e < *f)) {
        invalid({"agent ", *e, " is missing, which ", rollout, " 0 has"});
      }
      invalid({"agent ", *f, " is not in ", rollout, " 0"});
    }
  }

  /// Checks that all trajectories have the same steps, and sizes or none.
  void check_counts(const std::vector<Scene>& scenes, const char* rollout) {
    const auto& expected = scenes.front().agents.front().counts;
    for (std::size_t r = 0; r < scenes.size(); ++r) {
      for (const auto& agent : scenes[r].agents) {
        const auto& found = agent.counts;
        if (found.steps == expected.steps && found.has_sizes == expected.has_sizes) {
          continue;
        }
        place_ = joined({rollout, " ", r, ", agent ", agent.id, ": "});
        if (found.has_sizes != expected.has_sizes) {
          invalid(
              {found.has_sizes ? "has" : "lacks", " sizes, unlike the first agent"});
        }
        invalid({"another number of steps than the first agent (found ", found.steps,
                 ", expected ", expected.steps, ")"});
      }
    }
  }

  /// Returns the futures' arrays, which are about as large as the message.
  FuturesData allocated(const std::vector<Scene>& scenes,
                        const TrajectoryFields& fields) const {
    const auto& first = scenes.front().agents;
    FuturesData out;
    out.scenario_id = scenario_.id;
    out.rollouts = scenes.size();
    out.steps = first.front().counts.steps;
    out.pose_values = fields.poses.size();
    for (const auto& agent : first) out.ids.push_back(agent.id);
    const std::uint64_t poses =
        std::uint64_t{out.rollouts} * out.ids.size() * out.steps;
    if (poses * out.pose_values > limits_.values) {
      fail(Errc::limit_exceeded, {"too many values (found ", poses * out.pose_values,
                                  ", expected at most ", limits_.values, ")"});
    }
    const auto count = static_cast<std::size_t>(poses);
    out.poses.resize(count * out.pose_values);
    if (first.front().counts.has_sizes) out.sizes.resize(count * out.size_values);
    const bool has_valid =
        std::any_of(scenes.begin(), scenes.end(), [](const Scene& scene) {
          return std::any_of(scene.agents.begin(), scene.agents.end(),
                             [](const auto& agent) { return agent.counts.has_valid; });
        });
    if (has_valid) out.valid.resize(count);
    return out;
  }

  FuturesData assembled(const std::vector<Scene>& scenes, const Kind& kind) {
    if (scenes.empty()) invalid({"no ", kind.rollout, "s"});
    if (scenes.front().agents.empty()) invalid({"no agents"});
    check_agents(scenes, kind.rollout);
    check_counts(scenes, kind.rollout);
    auto out = allocated(scenes, kind.fields);
    std::unordered_map<std::uint64_t, std::size_t> rows;
    for (std::size_t i = 0; i < out.ids.size(); ++i) rows.emplace(out.ids[i], i);
    for (std::size_t r = 0; r < scenes.size(); ++r) {
      for (const auto& agent : scenes[r].agents) {
        place_ = joined({kind.rollout, " ", r, ", agent ", agent.id, ": "});
        const auto row = r * out.ids.size() + rows.at(agent.id);
        const auto part = [&](auto& array, std::size_t values) {
          return array.empty() ? std::span(array)
                               : std::span(array).subspan(row * values * out.steps,
                                                          values * out.steps);
        };
        copy_values(agent.message, kind.fields,
                    {part(out.poses, out.pose_values), part(out.sizes, out.size_values),
                     part(out.valid, 1), out.steps});
      }
    }
    return out;
  }

  const ScenarioRange& scenario_;
  const Limits& limits_;
  std::string place_;
};

}  // namespace

std::vector<FuturesData> read_scenario(std::string_view bytes,
                                       const ScenarioRange& scenario,
                                       SubmissionKind kind, std::string_view where,
                                       const Limits& limits) {
  if (kind == SubmissionKind::unknown) return {};
  ScenarioReader reader(scenario, limits);
  try {
    return reader.read(bytes, kind);
  } catch (const Error& error) {
    fail_at(error.code(), where,
            {"scenario ", scenario.id, ": ", reader.place(), error.what()});
  }
}

}  // namespace bev::futures

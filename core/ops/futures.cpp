#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/futures/measures.hpp"
#include "core/futures/recorded_scene.hpp"
#include "core/futures/scene_futures.hpp"
#include "core/futures/scores.hpp"
#include "core/futures/shard.hpp"
#include "core/futures/submission.hpp"
#include "core/futures/submitted_parts.hpp"
#include "core/ops/operation.hpp"
#include "core/ops/recorded_columns.hpp"
#include "core/ops/tables.hpp"
#include "core/rollout/report.hpp"

// Joint futures: submissions to challenges, and their scenarios beside recorded scenes.

namespace bev::ops {
namespace {

/// A submission whose files are being indexed, or that is complete.
struct OpenSubmission {
  std::vector<futures::SubmissionShard> shards{};
  std::optional<futures::ShardIndexer> indexer{};
  futures::Submission all{};
};

/// The futures of a scenario, and their measures beside its recording.
struct OpenFutures {
  std::vector<futures::FuturesData> read;  // empty once they are joined
  futures::SubmissionKind kind;
  futures::RecordedScenario recorded{};
  futures::JoinedFutures joined{};
  rollout::Roads roads{};  // empty without a map
  std::optional<futures::LaneDepartures> departures{};
};

}  // namespace

template <>
inline constexpr const char* kObjectName<OpenSubmission> = "Submission";
template <>
inline constexpr const char* kObjectName<OpenFutures> = "Futures";

template <>
struct Members<futures::SceneColumns> {
  static void visit(const auto& visitor, auto& rows) {
    Members<scene::RecordedColumns>::visit(visitor, rows);
    visitor("yaws", rows.yaws);
    visitor("extents", rows.extents);
    visitor("velocities", rows.velocities);
    visitor("label_probabilities", rows.label_probabilities);
  }
};

namespace {

using Numbers = std::vector<double>;
using LaneOffsets = std::optional<std::vector<std::uint32_t>>;

std::unique_ptr<OpenSubmission> new_submission() {
  return std::make_unique<OpenSubmission>();
}

void finish_shard(OpenSubmission& submission) {
  if (!submission.indexer || submission.indexer->missing()) return;
  submission.shards.push_back(submission.indexer->take());
  submission.indexer.reset();
}

void index_shard(OpenSubmission& submission, const std::string& name, Index size,
                 std::optional<std::string> side_file, std::optional<bool> is_older) {
  if (submission.indexer) {
    fail(Errc::invalid_argument, {name, ": the shard before is not indexed yet"});
  }
  submission.indexer.emplace(
      name, size,
      futures::SideFile{std::move(side_file).value_or(""), is_older.value_or(false)});
  finish_shard(submission);
}

Numbers missing_of_shard(OpenSubmission& submission) {
  if (!submission.indexer) return {};
  const auto range = submission.indexer->missing().value();
  return {static_cast<double>(range.begin), static_cast<double>(range.end)};
}

void supply_shard(OpenSubmission& submission, const RawBytes& bytes) {
  if (!submission.indexer) {
    fail(Errc::invalid_argument, {"submission: no shard is being indexed"});
  }
  submission.indexer->supply(bytes);
  finish_shard(submission);
}

/// Joins the shards. Returns kind, method, affiliation, link, parameters, and notices.
std::vector<std::string> open_submission(OpenSubmission& submission) {
  if (submission.indexer) {
    fail(Errc::invalid_argument, {"submission: a shard is not indexed yet"});
  }
  submission.all = futures::joined_shards(std::move(submission.shards));
  const auto& card = submission.all.card;
  std::vector<std::string> out{std::string(futures::to_string(submission.all.kind)),
                               card.method, card.affiliation, card.link,
                               card.parameters};
  for (auto& one : submission.all.notices()) out.push_back(std::move(one));
  return out;
}

std::vector<std::string> submitted_scenarios(OpenSubmission& submission) {
  std::vector<std::string> out;
  for (const auto& shard : submission.all.shards) {
    for (const auto& scenario : shard.scenarios) out.push_back(scenario.id);
  }
  return out;
}

/// Returns shard, begin and end of a scenario's bytes; nothing if it is absent.
Numbers find_submitted(OpenSubmission& submission, const std::string& scenario) {
  const auto place = submission.all.find(scenario);
  if (!place) return {};
  const auto& bytes = submission.all.at(*place).bytes;
  return {static_cast<double>(place->shard), static_cast<double>(bytes.begin),
          static_cast<double>(bytes.end)};
}

/// Returns frame and id of each.
std::vector<std::string> scene_parts(OpenSubmission& submission,
                                     const futures::SceneColumns& columns,
                                     const std::string& attributes) {
  const auto scene = futures::recorded_scene(columns, attributes);
  futures::JoinReport ignored;
  std::vector<std::string> out;
  for (const auto& part : futures::submitted_parts(submission.all, scene, ignored)) {
    out.push_back(
        joined({part.instance.empty() ? scene.scenario.current_time_index : part.frame,
                " ", submission.all.at(part.place).id}));
  }
  return out;
}

std::vector<futures::FuturesData> read_part(OpenSubmission& submission,
                                            const std::string& scenario,
                                            const RawBytes& bytes) {
  const auto place = submission.all.find(scenario);
  if (!place) fail(Errc::not_found, {"submission: no scenario ", scenario});
  const auto& shard = submission.all.shards[place->shard];
  auto read =
      futures::read_shard({reinterpret_cast<const char*>(bytes.data()), bytes.size()},
                          shard, submission.all.at(*place));
  if (read.empty()) {
    fail(Errc::invalid_metadata,
         {shard.name, ": scenario ", scenario, ": no joint scenes or predictions"});
  }
  return read;
}

std::unique_ptr<OpenFutures> read_futures(OpenSubmission& submission,
                                          const std::string& scenario,
                                          const RawBytes& bytes) {
  return std::make_unique<OpenFutures>(
      OpenFutures{read_part(submission, scenario, bytes), submission.all.kind});
}

void read_more_futures(OpenFutures& futures, OpenSubmission& submission,
                       const std::string& scenario, const RawBytes& bytes) {
  if (futures.read.empty()) fail(Errc::invalid_argument, {"futures: joined before"});
  for (auto& one : read_part(submission, scenario, bytes)) {
    futures.read.push_back(std::move(one));
  }
}

/// Returns the mismatches, a line each.
std::string join_scene(OpenFutures& futures, const futures::SceneColumns& columns,
                       const std::string& attributes,
                       std::optional<std::vector<double>> left,
                       LaneOffsets left_offsets,
                       std::optional<std::vector<double>> right,
                       LaneOffsets right_offsets) {
  if (futures.read.empty()) fail(Errc::invalid_argument, {"futures: joined before"});
  auto scene = futures::recorded_scene(columns, attributes);
  futures::begin_parts(futures.kind, scene, futures.read);
  futures.joined = futures::join_unmeasured(std::move(futures.read), futures.kind,
                                            scene.scenario, scene.moved_by);
  futures.read.clear();
  if (left && left_offsets && right && right_offsets) {
    futures.roads = {{*std::move(left), *std::move(left_offsets)},
                     {*std::move(right), *std::move(right_offsets)}};
  }
  futures.recorded = std::move(scene.scenario);
  return futures.joined.report.text();
}

const futures::FuturesData& data_of(const OpenFutures& futures) {
  if (!futures.read.empty()) {
    fail(Errc::invalid_argument, {"futures: not joined with a scene yet"});
  }
  return futures.joined.futures;
}

/// Of a single prediction also before it is joined.
Outcome futures_arrays(OpenFutures& futures) {
  const auto& data = futures.read.size() == 1 ? futures.read.front() : data_of(futures);
  const auto agents = data.ids.size();
  std::vector<ResultArray> arrays;
  const auto add = [&](const char* name, const auto& values,
                       std::vector<std::size_t> shape) {
    using T = typename std::remove_cvref_t<decltype(values)>::value_type;
    arrays.push_back(
        {name, kDtype<T>, std::move(shape), std::as_bytes(std::span(values))});
  };
  const bool is_per_agent = data.sizes.size() == agents * data.size_values;
  add("ids", data.ids, {agents});
  add("poses", data.poses, {data.rollouts, agents, data.pose_values, data.steps});
  if (is_per_agent) {
    add("sizes", data.sizes, {agents, data.size_values});
  } else if (!data.sizes.empty()) {
    add("sizes", data.sizes, {data.rollouts, agents, data.size_values, data.steps});
  }
  if (!data.valid.empty())
    add("valid", data.valid, {data.rollouts, agents, data.steps});
  if (data.scores.size() == data.rollouts) {
    add("scores", data.scores, {data.rollouts});
  } else if (!data.scores.empty()) {
    add("scores", data.scores, {data.rollouts, agents});
  }
  return Outcome(arrays);
}

/// Returns first step, stride, the origin of positions, whether they are joint, the number
/// of rollouts, and the seconds ahead.
Numbers futures_frame(OpenFutures& futures) {
  const auto& data = data_of(futures);
  return {static_cast<double>(data.first_step),
          static_cast<double>(data.step_stride),
          data.origin.x,
          data.origin.y,
          data.is_joint ? 1.0 : 0.0,
          static_cast<double>(data.rollouts),
          futures::seconds_ahead(futures.joined, futures.recorded)};
}

template <class From>
Numbers as_numbers(const std::vector<From>& values) {
  return {values.begin(), values.end()};
}

/// Measures so many seconds after the current step. Returns departures from the lanes,
/// found on first use; null without a map.
const futures::LaneDepartures* measured(OpenFutures& futures,
                                        std::optional<double> seconds) {
  data_of(futures);
  if (seconds && !(*seconds > 0)) {
    fail(Errc::invalid_argument, {"futures: seconds must be above 0"});
  }
  futures::measure_until(futures.joined, futures.recorded, seconds);
  futures::find_collisions(futures.joined);
  if (futures.roads.empty()) return nullptr;
  if (!futures.departures) {
    futures.departures = futures::lane_departures(
        futures.joined.futures.view(), futures.joined.rows, futures.recorded,
        [&](geom::Vec2 at) { return futures.roads.contains(at); });
  }
  return &*futures.departures;
}

/// Returns the columns of a scenario's score, as the table says.
Numbers futures_score(OpenFutures& futures, std::optional<double> seconds) {
  const auto* departures = measured(futures, seconds);
  const auto one = futures::score_of(futures.joined, departures);
  const auto number = [](const auto& value) {
    return value ? static_cast<double>(*value)
                 : std::numeric_limits<double>::quiet_NaN();
  };
  return {static_cast<double>(one.agents),
          static_cast<double>(one.evaluated),
          static_cast<double>(one.rollouts),
          static_cast<double>(one.mismatches),
          number(one.ade),
          number(one.min_ade),
          number(one.fde),
          number(one.min_fde),
          number(one.collision_rate),
          number(one.off_lane_rate),
          number(one.best_rollout)};
}

Numbers evaluated_futures(OpenFutures& futures) {
  data_of(futures);
  return as_numbers(futures.joined.evaluated);
}

Outcome futures_curves(OpenFutures& futures) {
  data_of(futures);
  auto curves = futures::displacement_curves(futures.joined, futures.recorded);
  return Outcome()
      .add("mean", std::move(curves.mean))
      .add("least", std::move(curves.least));
}

Outcome futures_measures(OpenFutures& futures, std::optional<double> seconds) {
  const auto* departures = measured(futures, seconds);
  const auto& joined = futures.joined;
  const bool is_measured = joined.has_measures();
  Numbers ade, fde, colliding, leaving;
  for (const auto& one : futures::summaries(joined, departures)) {
    const double none = std::numeric_limits<double>::quiet_NaN();
    ade.push_back(one.ade.value_or(none));
    fde.push_back(one.fde.value_or(none));
    colliding.push_back(is_measured && joined.collisions ? one.colliding : none);
    leaving.push_back(is_measured && departures ? one.leaving_lanes : none);
  }
  Numbers collision, with;
  if (joined.collisions) {
    collision = as_numbers(joined.collisions->step);
    with = as_numbers(joined.collisions->with);
  }
  Outcome out;
  out.add("evaluated", as_numbers(joined.evaluated))
      .add("agent_ade", joined.displacements.ade)
      .add("agent_fde", joined.displacements.fde)
      .add("collision_step", std::move(collision))
      .add("collision_with", std::move(with))
      .add("off_lane_step",
           departures != nullptr ? as_numbers(departures->step) : Numbers())
      .add("ade", std::move(ade))
      .add("fde", std::move(fde))
      .add("colliding", std::move(colliding))
      .add("leaving", std::move(leaving));
  return out;
}

Outcome futures_motion(OpenFutures& futures, double seconds) {
  const auto data = data_of(futures).view();
  auto motion = futures::motion_of(data, seconds);
  auto spread = futures::diversity(data);
  return Outcome()
      .add("speed", std::move(motion.speed))
      .add("acceleration", std::move(motion.acceleration))
      .add("spread", std::move(spread.mean_distance))
      .add("final_spread", std::move(spread.final_distance));
}

constexpr std::array kFuturesOperations{
    operation<&new_submission>("submission", "",
                               "a submission to a challenge, without files at first"),
    operation<&index_shard, "submission", "name", "size", "side_file", "is_older">(
        "index_shard", "",
        "begins with a file of so many bytes, and its side file NAME.index.json, which "
        "may be older"),
    operation<&missing_of_shard, "submission">(
        "missing_of_shard", "",
        "begin and end of the file's bytes to supply next; none: it is indexed"),
    operation<&supply_shard, "submission", "bytes">("supply_shard", "",
                                                    "supplies these bytes"),
    operation<&open_submission, "submission">(
        "open_submission", "",
        "joins the files; returns kind, method, affiliation, https link, parameters, "
        "and "
        "why side files are ignored"),
    operation<&submitted_scenarios, "submission">("submitted_scenarios", "",
                                                  "ids of its scenarios"),
    operation<&find_submitted, "submission", "scenario">(
        "find_submitted", "",
        "file, begin and end of a scenario's bytes; none: it is absent"),
    operation<&read_futures, "submission", "scenario", "bytes">(
        "read_futures", "", "the futures of a scenario from these bytes"),
    operation<&read_more_futures, "futures", "submission", "scenario", "bytes">(
        "read_more_futures", "", "adds those of another prediction of the same sample"),
    operation<&scene_parts, "submission", "attributes">(
        "scene_parts", "",
        "what it has of a scene: frame and id of each, \"9 DR_A/1\"; of nuScenes many"),
    operation<&join_scene, "futures", "attributes", "left", "left_offsets", "right",
              "right_offsets">(
        "join_scene", "",
        "joins futures with their scene by ids; returns what does not match, a line "
        "per kind"),
    operation<&futures_frame, "futures">(
        "futures_frame", "",
        "first step, stride, x and y of the origin, 1 if rollouts are joint, their "
        "number, and seconds from the current step to the last recorded one"),
    operation<&evaluated_futures, "futures">(
        "evaluated_futures", "", "rows of the agents that the challenge evaluates"),
    operation<&futures_arrays, "futures">(
        "futures_arrays", "*",
        "ids <u8 (a); poses <f4 (r, a, 4 or 2, t) m, rad; sizes <f4 (a, 3) or per "
        "step; "
        "valid |u1 (r, a, t); scores <f4 (r) or (r, a)"),
    operation<&futures_score, "futures", "seconds">(
        "futures_score", "",
        "agents, evaluated, rollouts, mismatches, ade, min_ade, fde, min_fde, "
        "collision_rate, off_lane_rate and best_rollout, as `bevscope score` writes "
        "them, of so many seconds after the current step, of all without; NaN: not "
        "known"),
    operation<&futures_curves, "futures">(
        "futures_curves", "mean <f8 (r, t) m; least <f8 (t) m",
        "distances of the evaluated agents from the recording by step; the least of "
        "joint rollouts, else the mean of the agents' own"),
    operation<&futures_measures, "futures", "seconds">(
        "futures_measures",
        "evaluated <f8 (e); agent_ade <f8 (r, a) m; agent_fde <f8 (r, a) m; "
        "collision_step <f8 (r, a); collision_with <f8 (r, a); off_lane_step <f8 (r, "
        "a); ade <f8 (r) m; fde <f8 (r) m; colliding <f8 (r); leaving <f8 (r)",
        "measures of so many seconds after the current step, of all without; NaN if "
        "the futures end before: docs/results.md"),
    operation<&futures_motion, "futures", "seconds">(
        "futures_motion",
        "speed <f4 (r, a, t) m/s; acceleration <f4 (r, a, t) m/s^2; spread <f8 (a) m; "
        "final_spread <f8 (a) m",
        "speeds, and how far apart rollouts are; seconds per frame"),
};

}  // namespace

std::span<const Operation> futures_operations() {
  return kFuturesOperations;
}

}  // namespace bev::ops

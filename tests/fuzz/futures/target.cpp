#include "tests/fuzz/futures/target.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <unordered_set>
#include <utility>

#include "core/base/error.hpp"
#include "core/futures/measures.hpp"
#include "core/futures/motion_metrics.hpp"
#include "core/futures/scene_futures.hpp"
#include "core/futures/score_tables.hpp"
#include "core/futures/submission.hpp"
#include "core/pickle/write.hpp"
#include "tests/support/own_futures.hpp"
#include "tests/support/parquet_by_hand.hpp"
#include "tests/support/submissions.hpp"

namespace bev::test {
namespace {

using namespace bev::futures;

void require(bool property, const char* what) {
  if (!property) throw std::logic_error(what);
}

bool is_refusal(const Error& error) {
  return error.code() == Errc::corrupt_chunk ||
         error.code() == Errc::invalid_metadata ||
         error.code() == Errc::limit_exceeded || error.code() == Errc::unsupported;
}

/// Tracks 1 to 9, valid in 91 steps.
RecordedScenario nine_tracks() {
  RecordedScenario out;
  out.id = "a";
  out.times_s.resize(kAllSteps);
  out.current_time_index = kCurrentStep;
  for (int id = 1; id < 10; ++id) {
    auto& track = out.tracks.emplace_back();
    track.id = id;
    track.type = 1;
    track.states.resize(kAllSteps);
    for (auto& state : track.states) {
      state.is_valid = true;
      state.length = 4;
      state.width = 2;
    }
  }
  out.predictions = {{0, 1}, {1, 1}};
  return out;
}

MadeTrajectory made_of(const Futures& futures, std::size_t rollout, std::size_t agent) {
  MadeTrajectory out;
  out.id = static_cast<std::int32_t>(futures.ids[agent]);
  std::vector<float>* const fields[] = {&out.x, &out.y, &out.z, &out.yaw};
  std::vector<float>* const sizes[] = {&out.length, &out.width, &out.height};
  for (std::size_t t = 0; t < futures.steps; ++t) {
    for (std::size_t v = 0; v < futures.pose_values; ++v) {
      fields[v]->push_back(futures.poses.at(rollout, agent, t, v));
    }
    for (std::size_t v = 0; v < 3 && !futures.sizes.empty(); ++v) {
      sizes[v]->push_back(futures.sizes.at(rollout, agent, t, v));
    }
  }
  return out;
}

/// Encodes futures, backwards and unpacked, and reads them again.
void check_round_trip(const std::vector<FuturesData>& list, const std::string& id,
                      SubmissionKind kind) {
  constexpr Encoding kBackwards{true, false};
  std::vector<std::vector<MadeMode>> groups;
  for (const auto& data : list) {
    for (const auto agent : data.ids) {
      if (agent > 0x7fff'ffffU) return;  // the encoder writes int32
    }
    const auto view = data.view();
    auto& modes = groups.emplace_back();
    for (std::size_t r = 0; r < view.rollouts; ++r) {
      auto& mode = modes.emplace_back();
      if (!view.scores.empty()) mode.confidence = view.scores.at(r, 0);
      for (std::size_t a = 0; a < view.agents(); ++a) {
        mode.agents.push_back(made_of(view, r, a));
      }
    }
  }
  std::string bytes;
  if (kind == SubmissionKind::motion) {
    bytes = motion_message(id, groups, kBackwards);
  } else if (kind == SubmissionKind::interaction) {
    bytes = interaction_message(id, groups.at(0), kBackwards);
  } else {
    std::vector<MadeScene> scenes;
    for (const auto& mode : groups.at(0)) scenes.push_back(mode.agents);
    bytes = rollouts_message(id, scenes, kBackwards);
  }
  const auto again = read_scenario(bytes, {id, {0, bytes.size()}}, kind, "again");
  require(again.size() == list.size(), "futures after encoding");
  for (std::size_t i = 0; i < list.size(); ++i) {
    require(again[i].ids == list[i].ids, "ids after encoding");
    require(again[i].poses == list[i].poses, "poses after encoding");
    require(again[i].sizes == list[i].sizes, "sizes after encoding");
    require(again[i].scores == list[i].scores, "scores after encoding");
  }
}

void check_measures(const std::vector<FuturesData>& list, SubmissionKind kind) {
  static const auto recorded = nine_tracks();
  std::vector<Futures> views;
  for (const auto& one : list) views.push_back(one.view());
  const bool is_simulated = kind == SubmissionKind::sim_agents;
  const auto rules = is_simulated                     ? sim_agents_rules()
                     : kind == SubmissionKind::motion ? motion_rules()
                                                      : interaction_rules();
  JoinReport report;
  const auto rows = joined_agents(views, recorded, rules, report);
  for (std::size_t i = 0; i < views.size(); ++i) {
    displacements(views[i], rows[i], recorded);
    if (is_simulated && !views[i].sizes.empty()) collisions(views[i]);
    motion_of(views[i]);
    diversity(views[i]);
    try {
      if (!is_simulated) score_motion(views[i], rows[i], recorded);
    } catch (const Error& error) {
      require(error.code() == Errc::invalid_argument, "a prediction is not measured");
    }
  }
}

void check_scenario(std::string_view bytes, const ScenarioRange& scenario) {
  for (const auto kind : {SubmissionKind::sim_agents, SubmissionKind::motion,
                          SubmissionKind::interaction}) {
    std::vector<FuturesData> list;
    try {
      list = read_scenario(bytes, scenario, kind, "fuzz");
    } catch (const Error& error) {
      require(is_refusal(error), "a scenario is refused for what it is not");
      continue;
    }
    std::size_t values = 0;
    for (const auto& one : list) {
      check(one.view(), "fuzz");
      require(one.scenario_id == scenario.id, "id of futures");
      require(
          std::unordered_set<std::uint64_t>(one.ids.begin(), one.ids.end()).size() ==
              one.ids.size(),
          "an agent twice");
      values += one.poses.size() + one.sizes.size();
    }
    require(values * sizeof(float) <= bytes.size(), "more values than bytes");
    if (list.empty()) continue;
    check_round_trip(list, scenario.id, kind);
    check_measures(list, kind);
  }
}

/// Reads the scenarios of a file of our own form.
void check_own(std::string_view file, const SubmissionShard& shard) {
  static const auto recorded = nine_tracks();
  for (const auto& scenario : shard.scenarios) {
    try {
      auto list = read_shard(message_of(file, scenario), shard, scenario);
      check(list.at(0).view(), "fuzz");
      join_futures(std::move(list), shard.kind, recorded);
    } catch (const Error& error) {
      require(is_refusal(error), "a scenario of our own is refused for what it is not");
    }
  }
}

std::span<const std::byte> bytes_in(std::string_view file, ByteRange range) {
  return std::as_bytes(std::span<const char>(file))
      .subspan(static_cast<std::size_t>(range.begin),
               static_cast<std::size_t>(range.size()));
}

/// Opens a file again by its side file.
void check_side_file(std::string_view file, const SubmissionShard& shard) {
  SideFile side;
  try {
    side.text =
        side_file_text(shard, file.size(), bytes_in(file, hashed_head(file.size())),
                       bytes_in(file, hashed_tail(file.size())));
  } catch (const Error& error) {
    require(error.code() == Errc::unsupported, "no side file for another reason");
    return;
  }
  ShardIndexer indexer("fuzz", file.size(), side);
  while (const auto range = indexer.missing()) indexer.supply(bytes_in(file, *range));
  const auto found = indexer.take();
  require(found.notice.empty(), "a side file is ignored");
  require(found.scenarios == shard.scenarios && found.kind == shard.kind,
          "another index in a side file");
}

/// Reads a file of scores.
void check_scores(std::span<const std::byte> input) {
  ScoreReader reader;
  try {
    reader.add(input, "fuzz");
  } catch (const Error& error) {
    require(is_refusal(error), "scores are refused for what they are not");
    return;
  }
  for (const auto& table : reader.finish()) {
    const auto scenarios = table.scenarios.size();
    require(table.first_row.size() == scenarios + 1, "rows of each scenario");
    require(std::is_sorted(table.first_row.begin(), table.first_row.end()),
            "rows are ascending");
    require(table.values.size() == table.first_row.back() * table.columns.size(),
            "a value for each row and column");
    require(
        std::unordered_set<std::string>(table.scenarios.begin(), table.scenarios.end())
                .size() == scenarios,
        "a scenario twice");
  }
}

}  // namespace

void submission_target(std::span<const std::byte> input) {
  check_scores(input);
  const std::string_view file(reinterpret_cast<const char*>(input.data()),
                              input.size());
  SubmissionShard shard;
  try {
    shard = indexed("fuzz", file);
  } catch (const Error& error) {
    require(is_refusal(error), "a submission is refused for what it is not");
    return;
  }
  require(!shard.scenarios.empty(), "no scenarios");
  check_side_file(file, shard);
  if (shard.own) return check_own(file, shard);
  require(shard.card.link.empty() || shard.card.link.starts_with("https://"), "a link");
  std::uint64_t end = 0;
  for (const auto& scenario : shard.scenarios) {
    require(!scenario.id.empty(), "no id");
    require(scenario.bytes.begin >= end && scenario.bytes.end >= scenario.bytes.begin &&
                scenario.bytes.end <= file.size(),
            "ranges of scenarios");
    end = scenario.bytes.end;
    check_scenario(message_of(file, scenario), scenario);
  }
  const auto all = joined_shards({shard});
  for (std::size_t i = 0; i < shard.scenarios.size(); ++i) {
    const auto found = all.find(shard.scenarios[i].id);
    require(found && found->scenario == i, "a scenario is not found");
  }
}

namespace {

std::string pickle_seed(bool is_joint) {
  pickle::Writer out;
  const auto put = [&](const char* name, const char* code,
                       const std::vector<std::size_t>& shape, const auto& values) {
    out.text(name);
    out.array(code, shape, std::as_bytes(std::span(values)));
  };
  if (!is_joint) out.begin_list();
  out.begin_dict();
  if (is_joint) {
    for (const char* const name : {"x", "y", "heading"}) {
      put(name, "f4", {2, 1, 3}, std::vector<float>{1, 2, 3, 4, 5, 6});
    }
    put("id", "i4", {2, 1, 1}, std::vector<std::int32_t>{1, 2});
    put("scenario_id", "i4", {2}, std::vector<std::int32_t>{5, 6});
  } else {
    out.text("scenario_id");
    out.text("a");
    put("pred_trajs", "f4", {2, 3, 2}, std::vector<float>(12, 1));
    put("pred_scores", "f8", {2}, std::vector<double>{0.5, 0.25});
    out.text("object_id");
    out.integer(7);
  }
  out.end_dict();
  if (!is_joint) out.end_list();
  return out.finish();
}

std::string zipped_seed(const char* name, const std::string& content,
                        bool is_deflated) {
  HandArchive archive;
  for (const auto& [file, text] :
       {std::pair<std::string, std::string>{"more.txt", "ignored"}, {name, content}}) {
    auto& member = archive.members.emplace_back();
    member.name = file;
    member.content = text;
    member.deflate = is_deflated;
  }
  const auto bytes = zip_by_hand(archive);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Tables of nuPlan's metric and aggregator.
std::string metrics_seed(bool is_aggregator) {
  const auto texts = [](const char* name, const std::vector<std::string>& values) {
    return HandColumn{name, 6, data_page(plain_texts(values), 2)};
  };
  const HandColumn values{is_aggregator ? "score" : "metric_score", 5,
                          data_page(plain_numbers<double>({1, 0.5}), 2)};
  return parquet_by_hand(
      {{2,
        {texts(is_aggregator ? "scenario" : "scenario_name", {"a", "b"}),
         texts("scenario_type", {"t", "t"}), texts("log_name", {"l", "l"}),
         texts("planner_name", {"idm", "net"}),
         texts(is_aggregator ? "aggregator_type" : "metric_statistics_name",
               {"w", "w"}),
         values}}});
}

/// Returns files of other forms than messages.
std::vector<SubmissionSeed> other_seeds() {
  return {
      {"csv_joint",
       "# name: m\nscenario_id,track_id,step,mode,x,y,z,yaw,length,width,height,"
       "probability\na,7,11,0,1,2,3,4,5,6,7,0.5\na,AV,13,1,1,2,3,4,5,6,7,.25\n"
       "b,1,0,0,0,0,0,0,1,1,1,1\n"},
      {"csv_single",
       "# joint: false\r\ntrack_id,scenario_id,step,x,y,\"no,te\"\r\n1,a,15,0,0,\r\n"},
      {"npz_whole", npz_file(npz_arrays())},
      {"npz_deflated",
       npz_file(npz_with("probability", npy_file("<f4", "(2, 2)", std::string(16, 1))),
                false)},
      {"nuscenes_two",
       R"([{"instance":"i0","sample":"s1","prediction":[[[1,2],[3,4]],[[5,6],[7.5,-8e0]]],)"
       R"("probabilities":[0.25,1.5]}, {"n":{"a":[true,null]},"probabilities":[0],)"
       R"("sample":"s0","prediction":[[[0,0]]],"instance":"i1"}])"},
      {"interpret_joint",
       "case_id,track_id,frame_id,timestamp_ms,interesting_agent,x1,y1,psi_rad1,x2,y2,"
       "psi_rad2\n1.0,3,11,1100,1,1,2,.5,3,4,0\n1.0,P4,12,1200,0,5,6,0,7,8,0\n"
       "2,7.0,11,1100,1,0,0,0,0,0,0\n"},
      {"interpret_single",
       "x1,y1,case_id,track_id,frame_id,track_to_predict\n1,2,1,5,11,1\n3,4,1,5,12,"
       "0\n"},
      {"parquet_two", futures_parquet(R"({"name": "m", "joint": false})")},
      {"parquet_dictionary",
       parquet_by_hand(
           {{2,
             {{"scenario_id", 6,
               dictionary_page(plain_texts({"a"}), 1) +
                   data_page(std::string("\x01\x04\x00", 3), 2, 8)},
              {"track_id", 6, data_page(plain_texts({"AV", "7"}), 2)},
              {"step", 2, data_page(plain_numbers<std::int64_t>({1, 1}), 2)},
              {"x", 5,
               data_page(
                   std::string("\x02\0\0\0\x03\x03", 6) + plain_numbers<double>({1, 2}),
                   2),
               true},
              {"y", 4, data_page(plain_numbers<float>({1, 2}), 2)}}}})},
      {"pickle_joint", pickle_seed(true)},
      {"pickle_modes", pickle_seed(false)},
      {"zip_interpret",
       zipped_seed("DR_sub.csv", "case_id,track_id,frame_id,x1,y1\n1,7,11,1,2\n",
                   true)},
      {"zip_nuscenes",
       zipped_seed("a.json",
                   R"([{"instance":"i","sample":"s","prediction":[[[1,2]]],)"
                   R"("probabilities":[1]}])",
                   false)}};
}

}  // namespace

std::vector<SubmissionSeed> score_seeds() {
  return {{"scores_scenarios", "scenario_id,agents,ade,min_ade\na,2,2,1\nb,3,,nan\n"},
          {"scores_futures", "scenario_id,rollout,ade\n\"a,b\",0,2\n\"a,b\",1,-3e9\n"},
          {"scores_planners", "planner_name,scenario_id,score\nidm,s,1\nnet,s,.5\n"},
          {"scores_metric", metrics_seed(false)},
          {"scores_aggregator", metrics_seed(true)}};
}

std::vector<SubmissionSeed> submission_seeds() {
  constexpr Encoding kBackwards{true, false};
  auto generated = trajectory_along(4, 1, 2, 2);
  generated.length = generated.width = generated.height = {4, 2};
  const auto a = trajectory_along(1, 1, 2, 2), b = trajectory_along(2, 3, 4, 2);
  const auto path = trajectory_along(1, 0, 0, 16),
             other = trajectory_along(2, 0, 9, 16);
  const std::vector<MadeMode> single = {{0.5F, {path}}, {0.25F, {path}}};
  const std::vector<MadeMode> joint = {{0.5F, {path, other}}, {-1, {other, path}}};
  const auto sim = rollouts_message("a", {{a, b}, {b, a}});
  std::vector<SubmissionSeed> out = {
      {"sim_agents", submission_file({sim, rollouts_message("b", {{a}})})},
      {"sim_agents_backwards",
       submission_file({rollouts_message("a", {{a, b}, {b, a}}, kBackwards)}, "made",
                       kBackwards)},
      {"generation", submission_file({rollouts_message("a", {{generated}})})},
      {"motion", submission_file({motion_message("a", {single, {{1, {other}}}})})},
      {"motion_backwards", submission_file({motion_message("a", {single}, kBackwards)},
                                           "made", kBackwards)},
      {"interaction", submission_file({interaction_message("a", joint)})},
      {"interaction_backwards",
       submission_file({interaction_message("a", joint, kBackwards)}, "made",
                       kBackwards)}};
  for (auto& seed : other_seeds()) out.push_back(std::move(seed));
  return out;
}

}  // namespace bev::test

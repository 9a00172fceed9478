#include <doctest/doctest.h>

#include <algorithm>
#include <functional>

#include "core/futures/scene_futures.hpp"
#include "core/futures/submitted_parts.hpp"
#include "core/pickle/write.hpp"
#include "tests/support/own_futures.hpp"
#include "tests/support/parquet_by_hand.hpp"

// Every way in which ids, steps and numbers do not match, through each reader: what is
// reported, or refused, names it. nuScenes' are in submitted_parts_test.cpp.

namespace mismatches_test {
namespace {

using namespace bev::test;
using namespace bev::futures;
using bev::convert::waymo::Message;
using Names = std::vector<std::string>;

struct MadeScenario {
  std::string id;
  std::vector<std::int64_t> agents;
};

/// What a file is to have.
struct MadeFile {
  std::vector<MadeScenario> scenarios;
  std::size_t steps = 0, modes = 0;  // 0: as many as the form expects
  std::int64_t first_step = 11;
};

/// Calls with id, agent, frame and position of each pose, in the order of files.
template <class Take>
void each_pose(const MadeFile& made, std::size_t steps, Take take) {
  for (const auto& [id, agents] : made.scenarios) {
    for (const auto agent : agents) {
      for (std::size_t t = 0; t < steps; ++t) {
        take(id, agent, made.first_step + static_cast<std::int64_t>(t));
      }
    }
  }
}

std::vector<MadeScene> scenes_of(const MadeScenario& from, std::size_t steps,
                                 std::size_t rollouts) {
  MadeScene scene;
  for (const auto agent : from.agents) {
    scene.push_back(trajectory_along(static_cast<std::int32_t>(agent), 0, 0, steps));
  }
  return std::vector<MadeScene>(rollouts, scene);
}

std::string sim_agents_file(const MadeFile& made) {
  Names messages;
  for (const auto& one : made.scenarios) {
    messages.push_back(
        rollouts_message(one.id, scenes_of(one, made.steps == 0 ? 80 : made.steps,
                                           made.modes == 0 ? 32 : made.modes)));
  }
  return submission_file(messages);
}

std::vector<MadeMode> modes_of(const MadeScenario& from, const MadeFile& made) {
  std::vector<MadeMode> out;
  for (auto& scene : scenes_of(from, made.steps == 0 ? 16 : made.steps,
                               made.modes == 0 ? 6 : made.modes)) {
    out.push_back({0.1F, std::move(scene)});
  }
  return out;
}

std::string motion_file(const MadeFile& made) {
  Names messages;
  for (const auto& one : made.scenarios) {
    std::vector<std::vector<MadeMode>> agents;
    for (const auto agent : one.agents) {
      agents.push_back(modes_of({one.id, {agent}}, made));
    }
    messages.push_back(motion_message(one.id, agents));
  }
  return submission_file(messages);
}

std::string interaction_file(const MadeFile& made) {
  Names messages;
  for (const auto& one : made.scenarios) {
    messages.push_back(interaction_message(one.id, modes_of(one, made)));
  }
  return submission_file(messages);
}

std::size_t own_steps(const MadeFile& made) {
  return made.steps == 0 ? 3 : made.steps;
}

std::string csv_file(const MadeFile& made) {
  std::string out = "scenario_id,track_id,step,x,y\n";
  each_pose(made, own_steps(made), [&](const auto& id, auto agent, auto step) {
    out += id + "," + std::to_string(agent) + "," + std::to_string(step) + ",1,2\n";
  });
  return out;
}

std::string npz_file_of(const MadeFile& made) {
  std::size_t agents = 0;
  std::string ids;
  for (const auto& one : made.scenarios) {
    agents = std::max(agents, one.agents.size());
    ids += ucs4(one.id, 4);
  }
  std::vector<std::int64_t> tracks;
  for (const auto& one : made.scenarios) {
    tracks.insert(tracks.end(), one.agents.begin(), one.agents.end());
    tracks.resize(tracks.size() + agents - one.agents.size(), -1);
  }
  const auto count = std::to_string(made.scenarios.size());
  const auto width = std::to_string(agents), steps = std::to_string(own_steps(made));
  const std::vector<float> poses(tracks.size() * own_steps(made) * 2);
  return npz_file(
      {{"futures",
        npy_file("<f4", "(" + count + ", 1, " + width + ", " + steps + ", 2)",
                 npy_bytes(poses))},
       {"scenario_id", npy_file("<U4", "(" + count + ",)", ids)},
       {"track_id",
        npy_file("<i8", "(" + count + ", " + width + ")", npy_bytes(tracks))},
       {"first_step",
        npy_file("<i8", "()", npy_bytes<std::int64_t>({made.first_step}))}});
}

std::string parquet_file(const MadeFile& made) {
  Names ids;
  std::vector<std::int64_t> tracks, steps;
  each_pose(made, own_steps(made), [&](const auto& id, auto agent, auto step) {
    ids.push_back(id);
    tracks.push_back(agent);
    steps.push_back(step);
  });
  const auto rows = static_cast<std::int64_t>(ids.size());
  const std::vector<double> places(ids.size(), 2);
  return parquet_by_hand({{rows,
                           {{"scenario_id", 6, data_page(plain_texts(ids), rows)},
                            {"track_id", 2, data_page(plain_numbers(tracks), rows)},
                            {"step", 2, data_page(plain_numbers(steps), rows)},
                            {"x", 5, data_page(plain_numbers(places), rows)},
                            {"y", 5, data_page(plain_numbers(places), rows)}}}});
}

std::string interpret_file(const MadeFile& made) {
  std::string out = "case_id,track_id,frame_id,x1,y1\n";
  each_pose(made, own_steps(made), [&](const auto& id, auto agent, auto step) {
    out +=
        id + ".0," + std::to_string(agent) + "," + std::to_string(step + 1) + ",1,2\n";
  });
  return out;
}

template <class T>
void put(bev::pickle::Writer& out, const char* name, const char* code,
         const std::vector<std::size_t>& shape, const std::vector<T>& values) {
  out.text(name);
  out.array(code, shape, std::as_bytes(std::span(values)));
}

/// Of PufferDrive, whose steps end in frame 90.
std::string joint_pickle_file(const MadeFile& made) {
  std::vector<std::int32_t> ids, scenarios;
  for (const auto& one : made.scenarios) {
    for (const auto agent : one.agents) {
      ids.push_back(static_cast<std::int32_t>(agent));
      scenarios.push_back(std::stoi(one.id));
    }
  }
  const auto steps = made.steps == 0 ? 80 : made.steps;
  const std::vector<float> values(ids.size() * steps);
  bev::pickle::Writer out;
  out.begin_dict();
  for (const char* const name : {"x", "y", "heading"}) {
    put(out, name, "f4", {ids.size(), 1, steps}, values);
  }
  put(out, "id", "i4", {ids.size(), 1, 1}, ids);
  put(out, "scenario_id", "i4", {ids.size()}, scenarios);
  out.end_dict();
  return out.finish();
}

/// Of MTR, likewise.
std::string modes_pickle_file(const MadeFile& made) {
  const auto steps = made.steps == 0 ? 80 : made.steps;
  bev::pickle::Writer out;
  out.begin_list();
  for (const auto& [id, agents] : made.scenarios) {
    for (const auto agent : agents) {
      out.begin_dict();
      out.text("scenario_id");
      out.text(id);
      put(out, "pred_trajs", "f4", {1, steps, 2}, std::vector<float>(steps * 2));
      put(out, "pred_scores", "f4", {1}, std::vector<float>(1));
      out.text("object_id");
      out.integer(agent);
      out.end_dict();
    }
  }
  out.end_list();
  return out.finish();
}

struct Form {
  const char* name;
  std::string (*file)(const MadeFile&);
  /// The agents that are expected, and whether others that are valid are allowed.
  std::vector<std::int64_t> agents;
  bool allows_valid = true;
  bool is_challenge = false;
};

const std::vector<Form> kForms = {
    {"sim agents", sim_agents_file, {3, 5, 9}, true, true},
    {"motion", motion_file, {3, 9}, false, true},
    {"interaction", interaction_file, {3, 9}, false, true},
    {"csv", csv_file, {3, 9}},
    {"npz", npz_file_of, {3, 9}},
    {"parquet", parquet_file, {3, 9}},
    {"interpret", interpret_file, {3, 9}},
    {"PufferDrive", joint_pickle_file, {3, 9}},
    {"MTR", modes_pickle_file, {3, 9}},
};

/// Tracks 3 and 5, valid at the current step, 7, which is not, and 9, to be predicted
/// with 3.
RecordedScene scene_five() {
  RecordedScene out;
  auto& scenario = out.scenario;
  scenario.id = "5";
  out.case_id = "made/5";
  scenario.times_s.resize(91);
  scenario.current_time_index = 10;
  for (const int id : {3, 5, 7, 9}) {
    auto& track = scenario.tracks.emplace_back();
    track.id = id;
    track.type = 1;
    track.states.resize(91);
    for (auto& state : track.states) state.is_valid = id != 7;
  }
  scenario.predictions = {{0, 1}, {3, 1}};
  return out;
}

/// Returns the lines of the report, or what is refused.
std::string found_in(const Form& form, const MadeFile& made) {
  try {
    const auto file = form.file(made);
    const auto all = joined_shards({indexed("made", file)});
    auto scene = scene_five();
    JoinReport report;
    for (const auto& part : submitted_parts(all, scene, report)) {
      const auto& range = all.at(part.place);
      auto futures = read_shard(message_of(file, range), all.shards[0], range);
      begin_part(part, scene, futures);
      report.add(
          join_unmeasured(std::move(futures), all.kind, scene.scenario, {}).report);
    }
    return report.text();
  } catch (const bev::Error& error) {
    return error.what();
  }
}

MadeFile file_with(std::vector<std::int64_t> agents) {
  return {{{"5", std::move(agents)}}};
}

std::vector<std::int64_t> with(std::vector<std::int64_t> agents, std::int64_t more) {
  agents.push_back(more);
  return agents;
}

}  // namespace

TEST_SUITE("futures/mismatches") {
  TEST_CASE("files of each form match") {
    for (const auto& form : kForms) {
      CAPTURE(form.name);
      CHECK(found_in(form, file_with(form.agents)) == "");
    }
  }

  TEST_CASE("1 and 2: scenarios that are missing or unknown") {
    for (const auto& form : kForms) {
      CAPTURE(form.name);
      const MadeFile made{{{"6", form.agents}}};
      CHECK(found_in(form, made) == "scenarios missing: 1 (5)\n");
      const auto all = joined_shards({indexed("made", form.file(made))});
      const auto& id = all.shards[0].scenarios.at(0).id;
      const std::string_view submitted[] = {id}, recorded[] = {"5"};
      JoinReport report;
      joined_scenarios(submitted, recorded, report);
      CHECK(report.of(Mismatch::scenario_unknown).names == Names{id});
      CHECK(id.ends_with("6"));
    }
  }

  TEST_CASE("3: a scenario twice") {
    for (const auto& form : kForms) {
      CAPTURE(form.name);
      const auto found = found_in(
          form, {{{"5", form.agents}, {"6", form.agents}, {"5", form.agents}}});
      INFO(found);
      CHECK(found.find("5") != std::string::npos);
      const bool is_named = found.find("more than once") != std::string::npos ||
                            found.find("twice") != std::string::npos ||
                            found.find("follow") != std::string::npos;
      CHECK(is_named);
    }
  }

  TEST_CASE("4: an agent that is missing") {
    for (const auto& form : kForms) {
      CAPTURE(form.name);
      auto agents = form.agents;
      agents.pop_back();
      const auto found = found_in(form, file_with(agents));
      CHECK(found.find("agents missing: 1 (5/9)\n") != std::string::npos);
    }
  }

  TEST_CASE("5: an agent that is no track") {
    for (const auto& form : kForms) {
      CAPTURE(form.name);
      const auto found = found_in(form, file_with(with(form.agents, 4)));
      CHECK(found.find("unknown agents: 1 (5/4)\n") != std::string::npos);
    }
  }

  TEST_CASE("6: an agent that may not be simulated or is not to be predicted") {
    for (const auto& form : kForms) {
      CAPTURE(form.name);
      const auto found = found_in(form, file_with(with(form.agents, 7)));
      CHECK(found.find("agents that may not be simulated or predicted: 1 (5/7)\n") !=
            std::string::npos);
      if (form.allows_valid) continue;
      const auto other = found_in(form, file_with(with(form.agents, 5)));
      CHECK(other.find("agents that may not be simulated or predicted: 1 (5/5)\n") !=
            std::string::npos);
    }
  }

  TEST_CASE("7: an agent twice") {
    for (const auto& form : kForms) {
      CAPTURE(form.name);
      const auto found = found_in(form, file_with(with(form.agents, 3)));
      INFO(found);
      const bool is_reported =
          found.find("agents more than once: 1 (5/3)\n") != std::string::npos;
      const bool is_refused = found.starts_with("made: ") &&
                              found.find("3") != std::string::npos &&
                              found.find("twice") != std::string::npos;
      CHECK((is_reported || is_refused));
    }
  }

  TEST_CASE("8 and 9: other steps or frames than are recorded or expected") {
    for (const auto& form : kForms) {
      CAPTURE(form.name);
      auto made = file_with(form.agents);
      if (form.is_challenge) {
        made.steps = 15;
        const auto found = found_in(form, made);
        CHECK(found.find("wrong number of steps: ") != std::string::npos);
        CHECK(found.find("5: found 15, expected ") != std::string::npos);
        continue;
      }
      made.steps = 92;
      made.first_step = 0;
      const auto found = found_in(form, made);
      INFO(found);
      const bool is_frame = found.find(
                                "wrong first step or stride: 1 (5: found 91, "
                                "expected 90)") != std::string::npos;
      const bool is_refused = found.starts_with("made: ") &&
                              found.find("too many steps") != std::string::npos;
      CHECK((is_frame || is_refused));
    }
  }

  TEST_CASE("10 and 11: other rollouts or modes, or joint agents") {
    auto made = file_with({3, 5, 9});
    made.modes = 31;
    CHECK(found_in(kForms[0], made) ==
          "wrong number of rollouts or modes: 1 (5: found 31, expected 32)\n");
    made = file_with({3, 9});
    made.modes = 7;
    CHECK(found_in(kForms[1], made) ==
          "wrong number of rollouts or modes: 2 (5: found 7, expected 6, 5: found 7, "
          "expected 6)\n");
    CHECK(found_in(kForms[2], made) ==
          "wrong number of rollouts or modes: 1 (5: found 7, expected 6)\n");
    made = file_with({3});
    CHECK(found_in(kForms[2], made)
              .find("wrong number of agents: 1 (5: found 1, expected 2)") !=
          std::string::npos);
  }
}

}  // namespace mismatches_test

#pragma once

#include <string>
#include <vector>

#include "core/convert/tfrecord.hpp"
#include "core/futures/join.hpp"
#include "core/futures/submission.hpp"
#include "tests/support/files.hpp"
#include "tests/support/submissions.hpp"
#include "tests/support/waymo_files.hpp"

namespace bev::test {

/// Returns the scenario of Waymo's repository.
inline futures::RecordedScenario real_scenario() {
  const auto record =
      read_file(waymo_files() + "/testdata/motion_data_one_scenario.tfrecord");
  const auto content = convert::record_content(record, 0);
  return convert::waymo::parse_message(
      {reinterpret_cast<const char*>(content.data()), content.size()});
}

inline std::string real_submission() {
  return read_text(waymo_files() + "/sim_agents/testdata/test_submission.binproto");
}

/// Returns the futures of the only scenario of a shard.
inline std::vector<futures::FuturesData> futures_of(const std::string& file) {
  const auto shard = indexed("made", file);
  const auto& scenario = shard.scenarios.at(0);
  return read_shard(message_of(file, scenario), shard, scenario);
}

/// Returns the mode of some agents that a rollout is, at two steps per second.
inline MadeMode mode_of(const futures::Futures& futures, std::size_t rollout,
                        const std::vector<std::uint64_t>& ids, float confidence) {
  MadeMode out{confidence, {}};
  for (const auto id : ids) {
    auto& path = out.agents.emplace_back();
    path.id = static_cast<std::int32_t>(id);
    for (std::size_t t = 4; t < futures.steps; t += 5) {
      const auto row = futures.row_of(id).value();
      path.x.push_back(futures.poses.at(rollout, row, t, futures::kX));
      path.y.push_back(futures.poses.at(rollout, row, t, futures::kY));
    }
  }
  return out;
}

}  // namespace bev::test

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/convert/waymo_message.hpp"
#include "core/futures/futures.hpp"

namespace bev::futures {

/// A recorded scenario, as the data set stores it.
using RecordedScenario = convert::waymo::Message;

/// How futures do not match the recorded scenarios. Scenarios and agents are joined by
/// their ids, never by position.
enum class Mismatch : std::uint8_t {
  scenario_missing,   ///< recorded, but not in the submission
  scenario_unknown,   ///< in the submission, but not recorded
  scenario_repeated,  ///< more than once in the submission
  agent_missing,      ///< to be simulated or predicted, but not in the submission
  agent_unknown,      ///< no track of the scenario
  agent_not_allowed,  ///< a track that may not be simulated or is not to be predicted
  agent_repeated,     ///< more than once in the scenario
  wrong_steps,        ///< another number of steps
  wrong_frames,       ///< another first step or stride
  wrong_rollouts,     ///< another number of rollouts, or too many modes
  wrong_agents,       ///< another number of agents in a joint prediction
};

inline constexpr std::size_t kMismatches = 11;

/// Returns what is reported: "agents that may not be simulated".
std::string_view to_string(Mismatch mismatch) noexcept;

/// All mismatches of a kind: their number, and the names of the first.
struct MismatchList {
  std::uint64_t count = 0;
  std::vector<std::string> names;  ///< "637f20cafde22ff8/1580"; at most kMaxNames
};

/// Maximum names that a report keeps of each kind, so that it stays small.
inline constexpr std::size_t kMaxNames = 100;

/// What did not match, for all scenarios of a submission.
class JoinReport {
 public:
  void add(Mismatch mismatch, std::string name);

  /// Adds the mismatches of other scenarios.
  void add(const JoinReport& other);

  const MismatchList& of(Mismatch mismatch) const noexcept {
    return lists_[static_cast<std::size_t>(mismatch)];
  }

  /// Returns the number of all mismatches.
  std::uint64_t count() const noexcept;

  /// Returns a line per kind that occurs, with at most `names` names: "agents missing: 3
  /// (a/7, a/9, ...)".
  std::string text(std::size_t names = 3) const;

 private:
  std::array<MismatchList, kMismatches> lists_;
};

/// What a challenge requires of each scenario.
struct JoinRules {
  /// Agents are exactly the tracks that are valid in the current step; otherwise those
  /// that are to be predicted.
  bool is_simulation = true;
  /// Otherwise any agents that are valid in the current step may be there, with any number
  /// of rollouts and any steps that are recorded; those to predict should be.
  bool is_challenge = true;
  std::size_t steps = 80;
  std::int64_t first_step = 11;
  std::uint32_t step_stride = 1;
  std::size_t min_rollouts = 32, max_rollouts = 32;
  std::size_t joint_agents = 0;  ///< of one prediction; 0: any
};

/// The rules of the Waymo Open Dataset Challenges.
JoinRules sim_agents_rules() noexcept;
JoinRules scenario_generation_rules() noexcept;
JoinRules motion_rules() noexcept;
JoinRules interaction_rules() noexcept;

/// The rules of the nuScenes prediction challenge, whose predictions begin after any frame.
JoinRules nuscenes_rules(std::int64_t first_step) noexcept;

/// The rules of our own form.
JoinRules own_rules(bool is_joint) noexcept;

/// Returns the recorded scenario of each submitted one; nullopt if it is unknown or a
/// repetition. Reports the names of all that do not match.
std::vector<std::optional<std::size_t>> joined_scenarios(
    std::span<const std::string_view> submitted,
    std::span<const std::string_view> recorded, JoinReport& report);

/// Returns the id of the ego vehicle's track for kEgoId, any other id as it is.
std::uint64_t recorded_id(std::uint64_t id, const RecordedScenario& recorded) noexcept;

/// The tracks of futures: for each agent its row in the recorded tracks; nullopt if it is
/// unknown or a repetition.
using TrackRows = std::vector<std::optional<std::size_t>>;

/// Joins all futures of one scenario, which motion predictions have several of.
///
/// Throws  invalid_metadata as check_tracks
std::vector<TrackRows> joined_agents(std::span<const Futures> futures,
                                     const RecordedScenario& recorded,
                                     const JoinRules& rules, JoinReport& report);

/// Throws invalid_metadata, naming scenario and track, unless all tracks have a state per
/// time, ids are unique and not negative, and indices are inside.
void check_tracks(const RecordedScenario& recorded);

}  // namespace bev::futures

#pragma once

#include <string_view>
#include <vector>

#include "core/futures/futures.hpp"
#include "core/futures/submission_index.hpp"

namespace bev::futures {

/// Steps of the Waymo Open Motion data set, ten per second.
inline constexpr std::int64_t kCurrentStep = 10;
inline constexpr std::size_t kAllSteps = 91, kFutureSteps = 80;
/// Steps of motion predictions, two per second: 15, 20, ... 90.
inline constexpr std::size_t kMotionSteps = 16;
inline constexpr std::uint32_t kMotionStride = 5;

/// Reads the message of a scenario of a submission.
///
/// Sim agents: one, with a rollout per joint scene and the agents of the first scene in
/// its order; the first step is 11, or 0 if there are 91 (scenario generation), and sizes,
/// if given, are per step. Motion: one for each agent, with a rollout per mode in the
/// file's order, x and y in steps 15, 20, ..., and confidences as they are. Interaction:
/// one, whose modes are joint. Packed and unpacked floats, and fields in any order, are
/// the same.
///
/// @param bytes   of ScenarioRange::bytes
/// @param where   begin of messages: the shard's name
/// @throws Error  corrupt_chunk for truncated bytes, invalid lengths and an id that is
///                not UTF-8; invalid_metadata, naming scenario, scene or mode, agent and
///                field, for another id or kind than given, arrays of unequal lengths, an
///                agent twice or not in all scenes, single beside joint predictions,
///                negative ids, and values that are not finite or above kMaxValue;
///                limit_exceeded above `limits`, before memory is allocated.
std::vector<FuturesData> read_scenario(std::string_view bytes,
                                       const ScenarioRange& scenario,
                                       SubmissionKind kind, std::string_view where,
                                       const Limits& limits = {});

}  // namespace bev::futures

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/futures/join.hpp"
#include "core/futures/recorded_scene.hpp"
#include "core/futures/submission_index.hpp"

namespace bev::futures {

/// A scenario of a submission that is of a recorded scene.
struct SubmittedPart {
  Submission::Place place;
  std::string instance{};  ///< of nuScenes: the agent, and the frame of the sample
  std::int64_t frame = 0;
};

/// Finds what a submission has of a recorded scene: the scenario of its id or, of nuScenes,
/// the predictions of its samples, in their order. Reports what is missing.
///
/// Throws  invalid_metadata for predictions of nuScenes and a scene without its tokens
std::vector<SubmittedPart> submitted_parts(const Submission& submission,
                                           const RecordedScene& scene,
                                           JoinReport& report);

/// Prepares a scene and the futures of a part to be joined: of nuScenes, the sample is the
/// current frame, and its instance to be predicted. Agents with names get the ids of their
/// tracks.
void begin_part(const SubmittedPart& part, RecordedScene& scene,
                std::vector<FuturesData>& futures);

}  // namespace bev::futures

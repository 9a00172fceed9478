#pragma once

#include <cstdint>
#include <optional>
#include <span>
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

/// Finds what a submission has of a recorded scene: the scenario of its id, or the case of
/// INTERACTION, or, of nuScenes, the predictions of its samples, in their order. Reports
/// what is missing.
///
/// Throws  invalid_metadata for predictions of nuScenes and a scene without its tokens
std::vector<SubmittedPart> submitted_parts(const Submission& submission,
                                           const RecordedScene& scene,
                                           JoinReport& report);

/// Prepares a scene and the futures of a part to be joined: of nuScenes, the sample is the
/// current frame, and its instance to be predicted. Agents with names get the ids of their
/// tracks; a name that is a number, and no track's, is the id.
void begin_part(const SubmittedPart& part, RecordedScene& scene,
                std::vector<FuturesData>& futures);

/// The same for the predictions of one sample: all that the challenge asks for are to be
/// predicted.
///
/// Throws  invalid_argument, naming both scenarios, for futures that are not of the scene,
///         or of another sample than the first
void begin_parts(SubmissionKind kind, RecordedScene& scene,
                 std::vector<FuturesData>& futures);

}  // namespace bev::futures

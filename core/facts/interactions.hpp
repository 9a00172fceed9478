#pragma once

#include <cstddef>
#include <cstdint>

#include "core/facts/turns.hpp"

namespace bev::facts {

/// Limits of a cut-in: of a track that was beside the ego vehicle's lane and is then in
/// front of it.
struct CutIn {
  static constexpr double kMaxDistanceAheadM = 40;
  static constexpr double kMaxOffsetAfterM = 1.2;   ///< lateral, once it is in front
  static constexpr double kMinOffsetBeforeM = 2.2;  ///< lateral, while it is beside
  static constexpr double kMaxTimeBetweenS = 3;
  static constexpr std::size_t kMaxStepsBetween = 100;
  static constexpr double kMaxYawDifferenceRad = scene::kMaxYawStep;
  /// Of the ego vehicle between the two: 10 degrees.
  static constexpr double kMaxEgoTurnRad = 0.17453292519943295;
  static constexpr double kMinEgoSpeedMps = 2;
  static constexpr double kMinSpeedMps = 1;
};

/// Returns the frame in which a track first is in front of the ego vehicle after it was
/// beside its lane; kNoFrame if it never is. docs/scenarios.md has the definition.
std::int32_t cut_in_frame(const Path& ego, const Path& track);

/// Limits of an oncoming track.
struct Oncoming {
  static constexpr double kMaxTimeBeforeTurnS = 3;
  static constexpr double kMaxDistanceAheadM = 60;
  static constexpr double kMaxOffsetM = 15;
  static constexpr double kMinSpeedMps = 2;
  static constexpr double kMinYawDifferenceRad = 2.6179938779914944;  ///< 150 degrees
};

/// Returns whether a track comes towards the ego vehicle's position at the begin of a
/// turn, shortly before or during the turn.
bool is_oncoming(const Path& ego, const SharpestTurn& turn, const Path& track);

}  // namespace bev::facts

#pragma once

#include <cstddef>
#include <cstdint>

#include "core/facts/turns.hpp"

namespace bev::facts {

/// Limits of a cut-in, in metres, seconds, radians and metres per second.
struct CutIn {
  static constexpr double kAhead = 40;        ///< maximum distance ahead
  static constexpr double kInside = 1.2;      ///< maximum lateral offset afterwards
  static constexpr double kOutside = 2.2;     ///< minimum lateral offset before
  static constexpr double kTime = 3;          ///< maximum time between the two
  static constexpr std::size_t kSteps = 100;  ///< maximum steps between the two
  static constexpr double kSameWay =
      scene::kMaxYawStep;  ///< maximum difference of headings
  /// Maximum turn of the ego vehicle between the two: 10 degrees.
  static constexpr double kEgoTurn = 0.17453292519943295;
  static constexpr double kEgoSpeed = 2;
  static constexpr double kSpeed = 1;
};

/// Returns the frame in which a track first is in front of the ego vehicle after it was
/// beside its lane; kNoFrame if it never is. docs/scenarios.md has the definition.
std::int32_t cut_in_frame(const Path& ego, const Path& track);

/// Limits of an oncoming track, in metres, seconds, radians and metres per second.
struct Oncoming {
  static constexpr double kBefore = 3;  ///< time before the turn in which it counts
  static constexpr double kAhead = 60;
  static constexpr double kAside = 15;
  static constexpr double kSpeed = 2;
  static constexpr double kAgainst = 2.6179938779914944;  ///< 150 degrees
};

/// Returns whether a track comes towards the ego vehicle's position at the begin of a
/// turn, shortly before or during the turn.
bool is_oncoming(const Path& ego, const SharpestTurn& turn, const Path& track);

}  // namespace bev::facts

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/scene/path.hpp"

namespace bev::facts {

using scene::Path;
using scene::Step;

inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
inline constexpr std::int32_t kNoFrame = -1;

/// What a road user did at its sharpest turn. The numbers are part of the interface.
enum class Turn : std::uint8_t {
  unknown = 0,  ///< no speed is known
  straight = 1,
  left = 2,
  right = 3,
  u_turn = 4,
};

/// Change of heading from which a path turns: 45 degrees; from which it is a U-turn: 150
/// degrees; and the time in which it must happen.
inline constexpr double kTurnRad = 0.7853981633974483;
inline constexpr double kUTurnRad = 2.6179938779914944;
inline constexpr double kTurnTimeS = 12;

/// The sharpest turn of a path: the greatest change of heading between two steps of a
/// run that are at most kTurnTimeS apart.
struct SharpestTurn {
  Turn kind = Turn::unknown;
  double change = 0;      ///< radians, positive to the left
  std::size_t begin = 0;  ///< the steps; unused unless it turns
  std::size_t end = 0;
};

/// Returns the sharpest turn. Of equal turns, to the left before to the right, then the
/// one that ends first, then the one that begins last.
SharpestTurn sharpest_turn(const Path& path);

/// What a path says of a road user.
struct MotionFacts {
  double duration = kUnknown;
  double distance = 0;
  double mean_speed = kUnknown;
  double max_speed = kUnknown;
  double hardest_brake = kUnknown;
  std::int32_t hardest_brake_frame = kNoFrame;
  double strongest_acceleration = kUnknown;
  std::int32_t strongest_acceleration_frame = kNoFrame;
  double heading_change = 0;
  Turn turn = Turn::unknown;
  std::int32_t turn_frame = kNoFrame;
  double stationary = kUnknown;
};

/// Returns the facts of a path; docs/scenarios.md defines them.
MotionFacts motion_facts(const Path& path, const SharpestTurn& turn);

}  // namespace bev::facts

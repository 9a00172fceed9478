#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/scene/labels.hpp"

namespace bev::patch {

/// Maximum length of a patch's text.
inline constexpr std::size_t kMaxBytes = std::size_t{1} << 20;
inline constexpr std::size_t kMaxEdits = 4096;

/// Moves poses by `by` and turns them about the first edited one, so that the path turns
/// with its headings.
struct Move {
  std::array<double, 2> by{};  ///< metres
  double turn = 0;             ///< radians, counter-clockwise
  bool in_track = false;   ///< `by` is along and across the first edited pose's heading
  std::uint32_t ease = 0;  ///< frames before the first in which the move grows
  bool operator==(const Move&) const = default;
};

/// Brakes on the recorded path, from the speed of the first edited frame.
struct Stop {
  double deceleration = 3;  ///< metres per second squared
  bool operator==(const Stop&) const = default;
};

/// Drives the recorded path in another time.
struct Retime {
  double factor = 1;  ///< above 1: faster
  bool operator==(const Retime&) const = default;
};

struct Remove {
  bool operator==(const Remove&) const = default;
};

/// Adds a track along a path, whose poses are interpolated in time; before the first and
/// after the last it stands.
struct Add {
  struct Key {
    std::uint64_t frame = 0;
    double x = 0, y = 0, yaw = 0;
    bool operator==(const Key&) const = default;
  };
  std::size_t label = 0;           ///< by position in kLabelNames
  std::array<double, 3> extent{};  ///< length, width, height in metres
  std::vector<Key> path;           ///< frames ascend; at least one
  bool operator==(const Add&) const = default;
};

/// Sets the state of a traffic light face.
struct Light {
  std::string face;
  scene::FaceState state = scene::FaceState::unknown;
  bool operator==(const Light&) const = default;
};

/// A change of one scene in frames [from, to).
struct Edit {
  std::uint64_t scene = 0;
  std::optional<std::uint64_t> track = std::nullopt;  ///< none: the ego vehicle
  std::uint64_t from = 0;
  std::optional<std::uint64_t> to = std::nullopt;  ///< none: the end of the scene
  std::variant<Move, Stop, Retime, Remove, Add, Light> change;
  bool operator==(const Edit&) const = default;
};

/// Number of rows of a data set, by which a patch names it. What is absent is not
/// compared.
struct Rows {
  std::optional<std::uint64_t> scenes, frames, agents;
  bool operator==(const Rows&) const = default;
};

/// Edits of a data set, in the order in which they are applied.
///
/// Units      World: metres, radians counter-clockwise from +x. Frames count in a scene.
/// Reference  docs/patches.md
struct Patch {
  std::string name;
  Rows data;
  std::vector<Edit> edits;
  bool operator==(const Patch&) const = default;
};

/// Parses a patch.
///
/// @param where   its name in messages: "patch.json"
/// @throws Error  limit_exceeded for a text above kMaxBytes or more than kMaxEdits edits;
///                unsupported for another version; invalid_argument for all other
///                problems: unknown keys, missing ones, values of another type or range
Patch read_patch(std::string_view json, std::string_view where = "patch");

/// Returns the patch as JSON without blanks: keys in a fixed order, without optional ones
/// that are 0 or absent. Equal patches have equal texts.
std::string to_json(const Patch& patch);

/// Returns the numbers of the edited scenes, ascending.
std::vector<std::uint64_t> scenes_of(const Patch& patch);

/// Throws out_of_range if an edited scene is not in the data set, invalid_argument if the
/// patch names another one.
void check_data(const Patch& patch, const Rows& found);

}  // namespace bev::patch

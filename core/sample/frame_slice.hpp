#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace bev::sample {

/// A Python slice with its bounds resolved for indices that are never negative: `stop`
/// is absent where the slice runs to the end of what it is applied to (in reverse: down
/// to and with index 0).
struct FrameSlice {
  std::int64_t start = 0;
  std::optional<std::int64_t> stop;
  std::int64_t step = 1;
  bool operator==(const FrameSlice&) const = default;
};

/// The frames up to `state`, newest first.
///
/// @param state          index of the current frame in its scene
/// @param num_frames     how many frames before it
/// @param step           distance between them
/// @param with_current   whether the first of them is the current frame itself
/// @throws Error         out_of_range for a step of 0, invalid_argument for a negative
///                       state
///
/// Example  state 2 with 5 frames is [2, 1, 0]: what lies before the scene is left out.
/// Source   L5Kit, sampling/slicing.py, get_history_slice; also where its slice leaves
///          out frame 0 because the stride does not land on it.
FrameSlice history_slice(std::int64_t state, std::uint32_t num_frames,
                         std::uint32_t step, bool with_current);

/// The frames after `state`, oldest first. The same errors.
FrameSlice future_slice(std::int64_t state, std::uint32_t num_frames,
                        std::uint32_t step);

/// The indices that a slice picks out of `count` frames.
std::vector<std::int64_t> indices(const FrameSlice& slice, std::int64_t count);

}  // namespace bev::sample

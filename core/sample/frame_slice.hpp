#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace bev::sample {

/// A Python slice with bounds resolved to non-negative indices. Without `stop` the
/// slice extends to the end of the sequence (in reverse: to index 0 inclusive).
struct FrameSlice {
  std::int64_t start = 0;
  std::optional<std::int64_t> stop;
  std::int64_t step = 1;
  bool operator==(const FrameSlice&) const = default;
};

/// Returns the frames up to `state`, newest first.
///
/// @param state         index of the current frame in its scene
/// @param num_frames    number of frames before it
/// @param step          distance between frames
/// @param with_current  whether the slice begins with the current frame
/// @throws Error        out_of_range for a step of 0, invalid_argument for a negative
///                      state
/// Example    state 2 with 5 frames is [2, 1, 0]: frames before the scene are omitted.
/// Reference  L5Kit, sampling/slicing.py, get_history_slice; like L5Kit, omits frame 0
///            if the stride skips it.
FrameSlice history_slice(std::int64_t state, std::uint32_t num_frames,
                         std::uint32_t step, bool with_current);

/// Returns the frames after `state`, oldest first. Throws the same errors.
FrameSlice future_slice(std::int64_t state, std::uint32_t num_frames,
                        std::uint32_t step);

/// Returns the indices that a slice selects of `count` frames.
std::vector<std::int64_t> indices(const FrameSlice& slice, std::int64_t count);

}  // namespace bev::sample

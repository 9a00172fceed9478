#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/sample/params.hpp"
#include "core/sample/reference_order.hpp"
#include "core/sample/relative_poses.hpp"
#include "core/sample/window.hpp"

namespace bev::sample {

/// Poses of several tracks over several frames.
///
/// Shapes  n tracks, k frames; unavailable values are 0.
/// Units   Metres and radians in the reference frame.
struct VectorTracks {
  std::size_t frames = 0;               // k
  std::vector<float> positions;         // (n, k, 2)
  std::vector<float> yaws;              // (n, k, 1)
  std::vector<float> extents;           // (n, k, 2)
  std::vector<std::uint8_t> available;  // (n, k): 1 or 0

  /// Resizes all arrays and sets them to 0.
  void resize(std::size_t tracks, std::size_t frames_per_track);
};

/// The agents around a subject, as a model's input.
///
/// Shapes     M = other_agents_num, in the iteration order of a Python set of their
///            ids; T = history_num_frames_max() + 1 frames from now back in time, where
///            frames before history_num_frames_agents are 0; F frames of the future.
/// Reference  L5Kit, vectorization/vectorizer.py.
struct VectorAgents {
  VectorTracks history, future;
  std::vector<std::int64_t> types;      // (M): the most probable label
  std::vector<std::int64_t> track_ids;  // (M)
};

/// Hash table from track id to row, with linear probing; a lookup takes a step or two.
class TrackRows {
 public:
  /// Removes all entries and reserves space for `count`.
  void clear(std::size_t count);
  void add(std::uint64_t track_id, std::size_t row);  ///< each id once
  std::optional<std::size_t> find(std::uint64_t track_id) const noexcept;

 private:
  struct Slot {
    std::uint64_t track_id = 0;
    std::size_t row_after = 0;  ///< row + 1; 0 if the slot is free
  };

  std::size_t place(std::uint64_t track_id) const noexcept {
    return static_cast<std::size_t>(track_id * 0x9E3779B97F4A7C15U >> shift_);
  }

  std::vector<Slot> slots_ = std::vector<Slot>(2);  // a power of two, half of them free
  unsigned shift_ = 63;
};

/// Frames of a window, clipped to the scene.
struct VectorFrames {
  FrameRun history;  ///< now, then back in time
  FrameRun future;
};

/// Selects agents around a subject and follows them, one sample at a time.
///
/// Candidates are within max_agents_distance of `centroid` in any frame of the history
/// and above L5Kit's threshold of 0.5, whatever the config's. Agents in the current
/// frame come first, by distance, then the others by their least distance.
///
/// Thread safety  One object belongs to one thread.
class VectorAgentsBuilder {
 public:
  explicit VectorAgentsBuilder(const VectorParams& params) : params_(params) {}

  /// @param reference  the subject, which is not among the others
  /// @param lead      number of leading rows, of M, that stay 0 for the caller
  void build(const Window& window, const VectorFrames& frames,
             const ReferenceFrame& reference, geom::Vec2 centroid, std::size_t lead,
             VectorAgents& out);

 private:
  /// An observation of an agent in the history.
  struct Observation {
    std::uint64_t track_id;
    const Labels* labels;  ///< views the window
  };

  std::size_t find_observations(const Window& window, const FrameRun& history,
                                geom::Vec2 centroid);
  void choose(std::size_t now, const ReferenceFrame& reference, std::size_t most);
  void take(const std::vector<std::uint32_t>& order, const ReferenceFrame& reference,
            std::size_t most);
  void put_types(std::size_t lead, VectorAgents& out) const;
  void follow(const Window& window, const FrameRun& run,
              const ReferenceFrame& reference, VectorTracks& out) const;

  VectorParams params_;
  std::vector<Observation> observations_;
  std::vector<double> distances_;  // of the observations
  std::vector<std::uint32_t> now_order_, order_;
  PythonSet chosen_;
  std::vector<std::uint64_t> ids_;
  TrackRows taken_;
};

}  // namespace bev::sample

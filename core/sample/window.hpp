#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/scene/columns.hpp"

namespace bev::sample {

using Labels = std::array<float, scene::kLabelCount>;

/// Columns of a run of agents, one element a row.
///
/// Lifetime  Views: what they view outlives them.
struct AgentRows {
  std::span<const std::array<double, 2>> centroid;
  std::span<const std::array<float, 3>> extent;
  std::span<const float> yaw;
  std::span<const std::uint64_t> track_id;
  std::span<const Labels> label_probabilities;  ///< empty where nobody asks for them

  AgentRows() = default;
  explicit AgentRows(const scene::PoseColumns& columns);

  std::size_t size() const noexcept { return track_id.size(); }

  /// Rows [begin, end) of these.
  AgentRows rows(std::size_t begin, std::size_t end) const;

  /// The first row of a track, or nothing.
  std::optional<std::size_t> find(std::uint64_t wanted_track_id) const noexcept;

  /// The first row of a track that scene::keeps keeps. Takes label_probabilities.
  std::optional<std::size_t> find_kept(std::uint64_t wanted_track_id,
                                       float threshold) const noexcept;
};

/// A run of frames of one scene with agents that they hold.
///
/// Shapes    `agents` holds those of some frames in a row, one frame after the other;
///           `labels` the label_probabilities of some of these. Both are empty where
///           only the ego vehicle is looked at.
/// Lifetime  A view, as AgentRows.
/// Errors    None: who makes a window has checked the intervals.
struct Window {
  const scene::FrameColumns& frames;  ///< oldest first
  std::span<const double> ego_yaw;    ///< of each frame that is looked at, in world
  std::size_t current;                ///< which of them is now
  AgentRows agents;
  std::int64_t first_agent = 0;  ///< the row in its array of row 0 of `agents`
  std::span<const Labels> labels = {};
  std::int64_t first_labelled = 0;  ///< likewise of `labels`

  /// The agents of a frame, with label_probabilities where there are those of them all;
  /// none where `agents` lacks the frame.
  AgentRows agents_of(std::size_t frame) const;
};

}  // namespace bev::sample

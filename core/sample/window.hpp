#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/geom/affine.hpp"
#include "core/sample/params.hpp"
#include "core/scene/columns.hpp"

namespace bev::sample {

using Labels = std::array<float, scene::kLabelCount>;

/// Columns of consecutive agents, one element per row.
///
/// Lifetime  Views: the viewed columns outlive them.
struct AgentRows {
  std::span<const std::array<double, 2>> centroid;
  std::span<const std::array<float, 3>> extent;
  std::span<const float> yaw;
  std::span<const std::uint64_t> track_id;
  std::span<const Labels> label_probabilities;  ///< empty if not requested

  AgentRows() = default;
  explicit AgentRows(const scene::PoseColumns& columns);

  std::size_t size() const noexcept { return track_id.size(); }

  /// Returns rows [begin, end).
  AgentRows rows(std::size_t begin, std::size_t end) const;

  /// Returns the first row of a track, or nullopt.
  std::optional<std::size_t> find(std::uint64_t wanted_track_id) const noexcept;

  /// Returns the first row of a track that scene::keeps keeps. Requires
  /// label_probabilities.
  std::optional<std::size_t> find_kept(std::uint64_t wanted_track_id,
                                       float threshold) const noexcept;
};

/// Consecutive frames of one scene and their agents.
///
/// Shapes    `agents` holds the agents of some consecutive frames, concatenated;
///           `labels` the label_probabilities of some of these. Both are empty if only
///           the ego vehicle is needed.
/// Lifetime  A view, as AgentRows.
/// Throws    Nothing: the creator of a window has checked the intervals.
struct Window {
  const scene::FrameColumns& frames;  ///< oldest first
  std::span<const double> ego_yaw;    ///< in world; set for each frame that is used
  std::size_t current;                ///< index of the current frame
  AgentRows agents;
  std::int64_t first_agent = 0;  ///< row in the array of row 0 of `agents`
  std::span<const Labels> labels = {};
  std::int64_t first_labelled = 0;  ///< likewise of `labels`

  /// Returns the agents of a frame; none if `agents` lacks the frame.
  /// label_probabilities are set only if `labels` covers all of them.
  AgentRows agents_of(std::size_t frame) const;
};

/// The ego vehicle or agent of a sample, in the current frame.
struct Subject {
  std::optional<std::uint64_t> track_id;  ///< absent for the ego vehicle
  geom::Vec2 centroid;                    ///< in world
  double yaw_rad = 0;                     ///< an agent's is a float32, widened
  std::array<double, 3> extent{};         ///< likewise
};

/// Finds the ego vehicle, or an agent in the window's current frame.
///
/// Throws  params.absent_track for a track that is not in the frame or not above the
///         threshold; corrupt_chunk for a position or heading that is not finite.
Subject find_subject(const Window& window, std::optional<std::uint64_t> track_id,
                     const SampleParams& params);

/// Returns world_from_subject.
geom::Affine2 world_from(const Subject& subject) noexcept;

}  // namespace bev::sample

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/geom/affine.hpp"
#include "core/scene/labels.hpp"

namespace bev::sample {

/// Returns the rows of agents that scene::keeps keeps.
///
/// Reference  L5Kit, filter_agents_by_labels.
std::vector<std::uint32_t> rows_above_threshold(
    std::span<const std::array<float, scene::kLabelCount>> probabilities,
    float threshold);

/// Returns the rows of agents nearer than `max_distance` metres, nearest first; equal
/// distances in NumPy's order.
///
/// Reference  L5Kit, filter_agents_by_distance.
std::vector<std::uint32_t> rows_within(std::span<const std::array<double, 2>> centroids,
                                       geom::Vec2 centre, double max_distance);

/// Returns the rows of a track.
///
/// Reference  L5Kit, filter_agents_by_track_id.
std::vector<std::uint32_t> rows_of_track(std::span<const std::uint64_t> track_ids,
                                         std::uint64_t wanted_track_id);

/// Returns the rows of faces whose value for that state is above zero.
///
/// Reference  L5Kit, filter_tl_faces_by_status.
std::vector<std::uint32_t> rows_with_state(
    std::span<const std::array<float, 3>> statuses, scene::FaceState state);

/// Returns at most `most` tracks other than the selected one: those of `priority`
/// first, then of `all`, in the iteration order of a Python set.
///
/// Reference  L5Kit, get_other_agents_ids.
std::vector<std::uint64_t> other_track_ids(std::span<const std::uint64_t> all,
                                           std::span<const std::uint64_t> priority,
                                           std::optional<std::uint64_t> selected,
                                           std::size_t most);

}  // namespace bev::sample

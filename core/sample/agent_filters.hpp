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

/// Rows of agents that are something to reckon with: see scene::keeps.
///
/// Source  L5Kit, filter_agents_by_labels.
std::vector<std::uint32_t> rows_kept(
    std::span<const std::array<float, scene::kLabelCount>> probabilities,
    float threshold);

/// Rows of agents that are nearer than `max_distance` metres, nearest first; equal
/// distances in NumPy's order.
///
/// Source  L5Kit, filter_agents_by_distance.
std::vector<std::uint32_t> rows_within(std::span<const std::array<double, 2>> centroids,
                                       geom::Vec2 centre, double max_distance);

/// Rows of a track. Source: L5Kit, filter_agents_by_track_id.
std::vector<std::uint32_t> rows_of_track(std::span<const std::uint64_t> track_ids,
                                         std::uint64_t wanted_track_id);

/// Rows of faces that have something of that state.
///
/// Source  L5Kit, filter_tl_faces_by_status.
std::vector<std::uint32_t> rows_with_state(
    std::span<const std::array<float, 3>> statuses, scene::FaceState state);

/// The tracks around a selected one: those of `priority` first, then of `all`, until
/// there are `most`; in the order in which Python lists a set of them.
///
/// Source  L5Kit, get_other_agents_ids.
std::vector<std::uint64_t> other_track_ids(std::span<const std::uint64_t> all,
                                           std::span<const std::uint64_t> priority,
                                           std::optional<std::uint64_t> selected,
                                           std::size_t most);

}  // namespace bev::sample

#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/convert/columns.hpp"
#include "core/convert/object_types.hpp"
#include "core/convert/scenario.hpp"

namespace bev::convert {

/// Maximum frames of a scenario; Argoverse 2's have 50 or 110.
inline constexpr std::int64_t kMaxFrames = 100'000;

/// Frame in which Argoverse 2's predictions begin: the last observed one.
inline constexpr std::int64_t kArgoverse2Anchor = 49;

/// Returns the names of the columns that import_argoverse2() reads.
///
/// @param required  whether of those that every scenario has, or of the others
std::span<const std::string_view> argoverse2_columns(bool required) noexcept;

/// Converts the rows of an Argoverse 2 motion forecasting scenario. World is the city's
/// frame, so that no coordinate changes.
///
/// Tracks keep the order of their first rows. The track AV is the ego vehicle, at height
/// 0; in a frame without its row the pose of the nearest frame is repeated and counted.
/// Frames announced at the end without any row (test split) are omitted and counted.
///
/// Throws     not_found, naming them, for absent columns; invalid_metadata, naming
///            column and row, for wrong types, positions or stamps that are not finite,
///            steps outside the scenario, a track's second row of one step or change of
///            type or category, unknown types and categories, and a scenario without
///            ego vehicle; limit_exceeded above kMaxFrames.
/// Reference  av2, datasets/motion_forecasting/scenario_serialization.py.
Scenario import_argoverse2(const Table& table, const Tables& tables);

/// Parses the map of a scenario (log_map_archive_ID.json) in the frame of `city`.
///
/// Lanes keep their boundaries, divider types, neighbours and successors; the turn type
/// of a lane in an intersection follows from the change of heading. Drivable areas are
/// counted as lost.
///
/// Throws     invalid_metadata, naming lane or crossing, for invalid JSON or another
///            schema; not_found for a city that `tables` lacks; limit_exceeded for a
///            text above 16 MiB.
SourceMap parse_argoverse2_map(std::string_view json, std::string_view city,
                               const Tables& tables);

}  // namespace bev::convert

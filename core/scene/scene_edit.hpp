#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/scene/columns.hpp"
#include "core/scene/records.hpp"

// Changes of a scene in memory, whose intervals cover its rows in order (Overlay::put).

namespace bev::scene {

/// Returns the row of a track in a frame, the first of several; nullopt if it is absent.
std::optional<std::size_t> find_agent(const SceneArrays& scene, std::size_t frame,
                                      std::uint64_t track_id);

/// Returns a row of `agents`.
Agent agent_at(const AgentColumns& agents, std::size_t row);

/// Replaces rows of a frame by those of the same tracks. Appends new tracks behind the
/// frame's agents, in the order of `agents`; later rows move.
///
/// @throws Error  out_of_range for a frame that does not exist; invalid_argument if the
///                frame, or `agents`, has a track twice. The scene is then unchanged.
/// Reference  L5Kit, insert_agent.
void put_agents(SceneArrays& scene, std::size_t frame, std::span<const Agent> agents);

/// Hides the agents of all tracks but those of `kept`: centroid, yaw and extent become
/// 0, label probabilities -1. Rows and velocities stay.
///
/// Reference  L5Kit, disable_agents.
void hide_agents(SceneArrays& scene, std::span<const std::uint64_t> kept);

/// Returns frames [begin, end) and their rows. The scene's times become those of the
/// first and the last frame.
///
/// @throws Error  out_of_range unless 0 <= begin < end <= number of frames
/// Reference  L5Kit, get_frames_subset.
SceneArrays frames_subset(const SceneArrays& scene, Interval frames);

}  // namespace bev::scene

#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "core/engine/engine.hpp"
#include "core/engine/query.hpp"

namespace bev {

/// Factories, one per kind of query; see the functions of Engine.
using StateRef = std::shared_ptr<EngineState>;

/// A frame selected by scene and position, or by global index.
struct FrameChoice {
  bool by_index = false;
  std::uint64_t scene = 0;
  std::uint64_t frame = 0;  ///< position in the scene, or global index
};

std::unique_ptr<Query> make_open_query(StateRef state);
std::unique_ptr<Query> make_rows_query(StateRef state, Rows rows);
std::unique_ptr<Query> make_frame_query(StateRef state, FrameChoice choice,
                                        const scene::FrameOptions& options);
std::unique_ptr<Query> make_scene_query(StateRef state, std::uint64_t scene);
std::unique_ptr<Query> make_timeline_query(StateRef state, std::uint64_t scene,
                                           std::optional<std::uint64_t> track_id);
std::unique_ptr<Query> make_summary_query(StateRef state);
std::unique_ptr<Query> make_ego_items_query(StateRef state, scene::AgentScope scope);
std::unique_ptr<Query> make_agent_items_query(
    StateRef state, std::shared_ptr<const scene::AgentIndex> index,
    scene::AgentScope scope);

/// See Engine::describe.
std::string describe(store::Catalogue& catalogue);

}  // namespace bev

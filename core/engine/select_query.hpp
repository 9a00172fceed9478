#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "core/engine/scenes_query.hpp"
#include "core/scene/select_agents.hpp"

namespace bev {

/// L5Kit's agent selection, scene by scene; report() covers the scenes read so far.
///
/// build() returns "mask", <u4 (n, 2): for each agent of the scene, the numbers of
/// frames before and after it in which its track is visible; and "first", <i8 (): the
/// first agent's row in `agents`.
class SelectQuery final : public ScenesQuery {
 public:
  /// @param first  the scene to start at
  SelectQuery(std::shared_ptr<EngineState> state, const scene::SelectionRules& rules,
              std::uint64_t first = 0);

  /// The results of build(), for C++ callers.
  std::span<const std::uint32_t> mask() const noexcept { return selector_.mask(); }
  std::uint64_t first_agent() const noexcept {
    return static_cast<std::uint64_t>(first_);
  }

  const scene::SelectionRules& rules() const noexcept { return selector_.rules(); }
  const scene::SelectionReport& report() const noexcept { return selector_.report(); }

 private:
  bool read_scene(store::Reader& reader, const scene::ChunkedDataset& dataset,
                  std::uint64_t scene) override;
  void derive(ResultSet& results) override;

  scene::AgentSelector selector_;
  scene::SceneSelection selection_;
  std::int64_t first_ = 0;
};

}  // namespace bev

#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "core/engine/query.hpp"
#include "core/scene/scene_selection.hpp"
#include "core/scene/select_agents.hpp"

namespace bev {

/// L5Kit's agent selection, scene by scene:
///
///   while (query.next()) { run the host's loop; query.build(); }
///   query.report();
///
/// build() gives "mask", <u4 (n, 2): for every agent of the scene the frames before and
/// after it in which its track is to be seen; and "first", <i8 (): the row of `agents`
/// of the first of them.
///
/// Errors  Besides those of Query: next() throws invalid_argument while the scene it
///         would leave has not been read.
class SelectQuery final : public Query {
 public:
  SelectQuery(std::shared_ptr<EngineState> state, const scene::SelectionRules& rules);

  /// Goes to the first scene, then to one after the other; false after the last, where
  /// it stays. A data set without scenes has one turn, with an empty mask.
  bool next();

  std::uint64_t scene() const noexcept { return scene_; }

  /// Scenes of the data set; 0 while its metadata is wanted.
  std::uint64_t scene_count() const noexcept { return scene_count_; }

  /// Agents of the data set; likewise.
  std::uint64_t agent_count() const noexcept { return agent_count_; }

  /// What build() gives, for C++.
  std::span<const std::uint32_t> mask() const noexcept { return selector_.mask(); }
  std::uint64_t first_agent() const noexcept {
    return static_cast<std::uint64_t>(first_);
  }

  const scene::SelectionRules& rules() const noexcept { return selector_.rules(); }

  /// Of the scenes read so far.
  const scene::SelectionReport& report() const noexcept { return selector_.report(); }

 private:
  bool gather(store::Reader& reader) override;
  void derive(ResultSet& results) override;

  scene::AgentSelector selector_;
  scene::SceneSelection selection_;
  std::uint64_t scene_ = 0;
  std::uint64_t scene_count_ = 0;
  std::uint64_t agent_count_ = 0;
  bool begun_ = false;
  bool read_ = false;  ///< scene_ is in the selector
  std::int64_t first_ = 0;
};

}  // namespace bev

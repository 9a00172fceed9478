#include "core/engine/select_query.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "core/engine/state.hpp"

namespace bev {

SelectQuery::SelectQuery(std::shared_ptr<EngineState> state,
                         const scene::SelectionRules& rules)
    : Query(std::move(state), "selection of agents"), selector_(rules) {}

bool SelectQuery::next() {
  if (!std::exchange(begun_, true)) return true;
  if (!read_) {
    throw Error(Errc::invalid_argument, "selection of agents: scene " +
                                            std::to_string(scene_) +
                                            " has not been read, expected its turn "
                                            "to be over before the next");
  }
  if (scene_ + 1 >= scene_count_) return false;
  ++scene_;
  read_ = false;
  ask_again();
  return true;
}

bool SelectQuery::gather(store::Reader& reader) {
  begun_ = true;
  const auto* dataset = state().dataset(reader);
  if (dataset == nullptr) return false;
  scene_count_ = dataset->scene_count();
  agent_count_ = dataset->agent_count();
  if (scene_count_ > 0) {
    if (!selection_.read(reader, *dataset, scene_)) return false;
    selection_.select(selector_);
    first_ = selection_.agent_rows().begin;
  }
  read_ = true;
  return true;
}

void SelectQuery::derive(ResultSet& results) {
  const auto mask = selector_.mask();
  const std::array<std::size_t, 2> shape{mask.size() / 2, 2};
  results.add("mask", "<u4", shape, std::as_bytes(mask));
  results.add("first", "<i8", {}, std::as_bytes(std::span(&first_, 1)));
}

}  // namespace bev

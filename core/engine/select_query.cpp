#include "core/engine/select_query.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <utility>

#include "core/engine/state.hpp"

namespace bev {

SelectQuery::SelectQuery(std::shared_ptr<EngineState> state,
                         const scene::SelectionRules& rules, std::uint64_t first)
    : ScenesQuery(std::move(state), "selection of agents", first), selector_(rules) {}

bool SelectQuery::read_scene(store::Reader& reader,
                             const scene::ChunkedDataset& dataset,
                             std::uint64_t scene) {
  if (!selection_.read(reader, dataset, scene)) return false;
  selection_.select(selector_);
  first_ = selection_.agent_rows().begin;
  return true;
}

void SelectQuery::derive(ResultSet& results) {
  const auto mask = selector_.mask();
  const std::array<std::size_t, 2> shape{mask.size() / 2, 2};
  results.add("mask", "<u4", shape, std::as_bytes(mask));
  results.add("first", "<i8", {}, std::as_bytes(std::span(&first_, 1)));
}

}  // namespace bev

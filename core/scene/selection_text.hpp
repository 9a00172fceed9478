#pragma once

#include <string>

#include "core/scene/select_agents.hpp"

namespace bev::scene {

/// Returns a human-readable report of a selection: the rules, the number of agents that
/// failed each, and the past/future table. Lines end in line feeds.
///
/// Reference  L5Kit, the names that select_agents prints.
std::string selection_text(const SelectionRules& rules, const SelectionReport& report,
                           const PastFutureTable& table);

}  // namespace bev::scene

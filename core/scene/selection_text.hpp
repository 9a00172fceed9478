#pragma once

#include <string>

#include "core/scene/select_agents.hpp"

namespace bev::scene {

/// What a selection came to, for a person to read: the rules, how many agents failed
/// which of them, and how many are to be seen for how long. Lines end in line feeds.
///
/// Source  The names are those that L5Kit's select_agents prints.
std::string selection_text(const SelectionRules& rules, const SelectionReport& report,
                           const PastFutureTable& table);

}  // namespace bev::scene

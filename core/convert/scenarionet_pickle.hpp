#pragma once

#include <cstddef>
#include <span>

#include "core/pickle/value.hpp"

namespace bev::convert {

/// The prefix of messages.
inline constexpr const char* kScenarionetWhere = "pickle";

/// Reads a file of ScenarioNet. It may name what NumPy's arrays, defaultdict(int) and sets
/// are pickled with.
///
/// Throws  as pickle::read().
pickle::Pickle read_scenarionet_pickle(std::span<const std::byte> bytes);

}  // namespace bev::convert

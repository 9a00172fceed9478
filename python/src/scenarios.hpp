#pragma once

#include <nanobind/nanobind.h>

#include <bevscope/native.hpp>
#include <memory>
#include <string>
#include <vector>

namespace bev::python {

/// Returns options under which signal handlers run while scenarios are indexed: the first
/// opening takes long.
ScenarioOptions scenario_options(bool with_map);

/// Returns scenarios that Python reads as a source.
///
/// @param state  (index) -> str
/// @param read   (index, with_map) -> Scenario
std::shared_ptr<Source> own_scenarios(std::string format,
                                      std::vector<std::string> names,
                                      const nanobind::callable& state,
                                      const nanobind::callable& read, bool with_map);

}  // namespace bev::python

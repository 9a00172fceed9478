#include <bevscope/convert.hpp>

#include "core/base/error.hpp"
#include "native/convert/scenario_conversion.hpp"

namespace bev {

std::vector<std::string> find_scenarios(std::string_view format,
                                        const std::vector<std::string>& paths) {
  using native::ScenarioFormat;
  for (const auto one : {ScenarioFormat::nuplan, ScenarioFormat::nuscenes,
                         ScenarioFormat::scenarionet, ScenarioFormat::waymo}) {
    if (format == native::name_of(one)) return native::find_scenarios(one, paths);
  }
  fail(Errc::invalid_argument,
       {"unknown format (found \"", format,
        "\", expected nuplan, nuscenes, scenarionet or waymo)"});
}

}  // namespace bev

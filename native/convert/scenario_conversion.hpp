#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/sink.hpp"
#include "core/convert/object_types.hpp"
#include "core/convert/scenario_records.hpp"
#include "native/convert/scenario_files.hpp"

namespace bev::native {

struct ScenarioConversion {
  ScenarioFormat format = ScenarioFormat::waymo;
  std::vector<std::string> files;
  bool with_map = false;
  std::optional<convert::MaskRule> mask = convert::MaskRule{};
  convert::Tables tables = convert::waymo_tables();
  std::string tables_json;  ///< as given, which identifies an interrupted conversion
  NuplanSettings nuplan{};
  std::size_t jobs = 1;            ///< scenarios that are converted at the same time
  std::uint64_t checkpoint = 200;  ///< scenarios between two checkpoints
  std::optional<std::size_t> first = {};  ///< converts only so many
};

/// Returns the number of scenarios in the files.
///
/// Throws  as convert_scenarios()
std::uint64_t count_scenarios(const ScenarioConversion& conversion);

/// Called with the number of scenarios written, and of all.
using ConvertProgress = std::function<void(std::uint64_t, std::uint64_t)>;

/// Writes all scenarios of the files as one data set, a scene each, and returns the
/// report as JSON. With maps, several scenarios get a place each; see ImportOptions.
///
/// Memory  `jobs` scenarios, one chunk per array, and the encoded map.
/// Throws  not_found without scenarios; the importer's errors, with file and record as
///         prefix; io if a file cannot be read; errors of the sink.
std::string convert_scenarios(const ScenarioConversion& conversion, Sink& sink,
                              const ConvertProgress& progress);

/// The same to a folder, which appears when it is complete; see ConversionFolder. An
/// interrupted conversion continues after its last checkpoint. The map is not kept in
/// memory.
std::string convert_scenarios(const ScenarioConversion& conversion,
                              const std::string& folder,
                              const ConvertProgress& progress);

}  // namespace bev::native

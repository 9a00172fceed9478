#include "native/convert/scenario_conversion.hpp"

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.hpp"
#include "core/convert/scenario_writer.hpp"
#include "native/convert/conversion_folder.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kMapPath = "semantic_map/semantic_map.pb";

/// The files of a conversion, and their scenarios in order.
struct Items {
  std::unique_ptr<ScenarioFiles> files;
  std::vector<ScenarioItem> all;
};

Items open_items(const ScenarioConversion& conversion) {
  Items out;
  out.files = local_scenarios(conversion.format, conversion.files, conversion.tables,
                              conversion.nuplan);
  out.all = out.files->find();
  if (out.all.empty()) fail(Errc::not_found, {"no scenarios found"});
  if (conversion.first && *conversion.first < out.all.size()) {
    out.all.resize(*conversion.first);
  }
  return out;
}

convert::ScenarioWriterOptions layout_of_scenario_conversion(
    const ScenarioConversion& conversion) {
  convert::ScenarioWriterOptions out;
  out.source = name_of(conversion.format);
  out.mask = conversion.mask;
  return out;
}

void read_all(const ScenarioConversion& conversion, const Items& items,
              std::size_t begin, const TakeScenario& take) {
  read_scenarios(*items.files, items.all,
                 {begin, conversion.with_map, conversion.jobs, conversion.nuplan.ego},
                 take);
}

const char* mask_name(const std::optional<convert::MaskRule>& mask) {
  using convert::Role;
  if (!mask) return "none";
  if (mask->least == Role::focal) return "focal";
  return mask->least == Role::scored ? "scored" : "all";
}

/// Returns settings and sources as python/bevscope/convert.py has them.
json identity_of(const ScenarioConversion& conversion, const Items& items) {
  std::vector<std::size_t> counts(items.files->names().size());
  for (const auto& item : items.all) ++counts[item.file];
  json sources = json::array();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto path = fs::absolute(items.files->names()[i]).lexically_normal().string();
    sources.push_back({path, counts[i]});
  }
  json settings = {{"mask", mask_name(conversion.mask)},
                   {"map", conversion.with_map},
                   {"tables", conversion.tables_json}};
  if (conversion.format == ScenarioFormat::nuscenes) {
    settings["maps"] = conversion.nuplan.maps;
  } else if (conversion.format == ScenarioFormat::interaction) {
    settings["maps"] = conversion.nuplan.maps;
    settings["ego"] = conversion.nuplan.ego;
  } else if (conversion.format == ScenarioFormat::nuplan) {
    settings["maps"] = conversion.nuplan.maps;
    settings["all_sweeps"] = conversion.nuplan.all_sweeps;
  } else if (conversion.format == ScenarioFormat::commonroad) {
    settings["ego"] = conversion.nuplan.ego;
  }
  return {{"settings", std::move(settings)}, {"sources", std::move(sources)}};
}

}  // namespace

std::uint64_t count_scenarios(const ScenarioConversion& conversion) {
  return open_items(conversion).all.size();
}

std::string convert_scenarios(const ScenarioConversion& conversion, Sink& sink,
                              const ConvertProgress& progress) {
  const auto items = open_items(conversion);
  convert::ScenarioWriter writer(sink, layout_of_scenario_conversion(conversion));
  read_all(conversion, items, 0, [&](std::size_t index, const auto& scenario) {
    writer.add(scenario);
    if (progress) progress(index + 1, items.all.size());
  });
  return writer.close();
}

std::string convert_scenarios(const ScenarioConversion& conversion,
                              const std::string& folder,
                              const ConvertProgress& progress) {
  const auto items = open_items(conversion);
  ConversionFolder target(folder, identity_of(conversion, items));
  if (target.report().empty()) {
    auto layout = layout_of_scenario_conversion(conversion);
    layout.append_map = [&](auto bytes) { target.append(kMapPath, bytes); };
    convert::ScenarioWriter writer(target, layout);
    if (target.done() > 0) writer.restore(target.state());
    if (conversion.with_map) target.put(kMapPath, {});
    const auto begin = static_cast<std::size_t>(target.done());
    // Maps are not part of a checkpoint.
    read_all(conversion, items, conversion.with_map ? 0 : begin,
             [&](std::size_t index, const auto& scenario) {
               if (index < begin) return writer.add_map(scenario);
               writer.add(scenario);
               if (progress) progress(index + 1, items.all.size());
               if ((index + 1) % conversion.checkpoint == 0) {
                 target.save(index + 1, writer.state());
               }
             });
    target.save_report(items.all.size(), writer.close());
  }
  const std::string report = target.report();
  target.commit();
  return report;
}

}  // namespace bev::native

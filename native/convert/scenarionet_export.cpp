#include "native/convert/scenarionet_export.hpp"

#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/json_tree.hpp"
#include "core/convert/scenarionet.hpp"
#include "core/convert/scenarionet_export.hpp"
#include "core/engine/engine.hpp"
#include "core/engine/host_loop.hpp"
#include "core/engine/records_query.hpp"
#include "core/map/meta.hpp"
#include "native/facts/facts.hpp"
#include "native/files/new_folder.hpp"
#include "native/files/write_file.hpp"
#include "native/source/source.hpp"

namespace bev::native {
namespace {

using nlohmann::json;

std::optional<std::string> text_at(Source& source, const std::string& key) {
  const auto bytes = source.read(key, std::nullopt);
  if (!bytes) return std::nullopt;
  return std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size());
}

/// Returns what a conversion has kept of the scenes; null without.
json kept_attributes(Source& source) {
  bool too_deep = false;
  const auto text = text_at(source, ".zattrs");
  const auto root = text ? parse_json_tree(*text, too_deep) : std::nullopt;
  if (!root || !root->is_object() || !root->contains("bevscope")) return {};
  return (*root)["bevscope"];
}

/// Returns the map around a scene; null without.
std::shared_ptr<const map::SemanticMap> map_of_exported(
    const map::MapSource& maps, const scene::SceneRecords& records) {
  if (records.frames.empty()) return maps.whole();
  const auto& at = records.frames.front().ego_translation;
  return maps.at({at[0], at[1]});
}

}  // namespace

std::string export_scenarionet(const std::string& dataset, const std::string& folder,
                               const std::optional<std::string>& semantic_map,
                               const ConvertProgress& progress) {
  const auto source = open_source(dataset);
  const auto kept = kept_attributes(*source);
  const auto map = semantic_map ? read_semantic_map(*semantic_map)
                                : read_converted_map(*source, kept);
  const auto& scenes = kept.is_object() ? kept.find("scenes") : kept.end();
  const json none;
  NewFolder out(folder);
  const auto write = [&](const std::string& name, const std::string& bytes) {
    write_file(out.path() / name, std::as_bytes(std::span(bytes)), name);
  };
  convert::ScenarionetExporter exporter("bevscope");
  Engine engine;
  const auto query = engine.scene_records();
  std::uint64_t count = 0;
  while (query->next()) {
    run(engine, *query, *source);
    if (query->scene_count() == 0) continue;
    const auto index = query->scene();
    const bool is_kept = kept.is_object() && scenes != kept.end() &&
                         scenes->is_array() && index < scenes->size();
    const auto& records = query->records();
    const auto lanes = map_of_exported(map, records);
    const auto file =
        exporter.add({records, index, is_kept ? (*scenes)[index] : none, lanes.get()});
    write(file.name, file.pickle);
    ++count;
    if (progress) progress(count, query->scene_count());
  }
  source->check_unchanged();
  write(convert::kScenarionetSummary, exporter.summary());
  write(convert::kScenarionetMapping, exporter.mapping());
  out.commit();
  return json{{"path", folder}, {"scenes", count}, {"lost", exporter.lost()}}.dump();
}

}  // namespace bev::native

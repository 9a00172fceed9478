#include "core/convert/scenario_writer.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/json_tree.hpp"
#include "core/convert/map_output.hpp"
#include "core/scene/mask_writer.hpp"
#include "core/scene/pending_rows.hpp"

namespace bev::convert {
namespace {

using nlohmann::json;

constexpr const char* kMaskPath = "agents_mask/0.5";
constexpr const char* kMapPath = "semantic_map/semantic_map.pb";
constexpr std::array kRoles = {"fragment", "unscored", "scored", "focal"};
constexpr std::array kMasks = {"all", "unscored", "scored", "focal"};  // by least role

zarr::Compressor mask_compressor(const scene::WriterOptions& layout) {
  return layout.codec == "none" ? zarr::Compressor{}
                                : scene::MaskWriter::usual_compressor();
}

/// Parses attributes of scenarios, separated by commas; null if they are not JSON.
json list_of(const std::string& attributes) {
  bool too_deep = false;
  return parse_json_tree("[" + attributes + "]", too_deep).value_or(json());
}

void write_text(Sink& sink, std::string_view key, const std::string& text) {
  sink.put(key, std::as_bytes(std::span(text)));
}

json report_of(const CityMap::Counts& counts) {
  return {{"lanes", counts.lanes},
          {"crosswalks", counts.crosswalks},
          {"lights", counts.lights},
          {"junctions", counts.junctions},
          {"duplicates", counts.duplicates},
          {"renamed", counts.renamed},
          {"max_rounding_m", counts.max_rounding_m}};
}

void increase(json& counts, const std::string& name, std::uint64_t by) {
  counts[name] = counts.value(name, std::uint64_t{0}) + by;
}

}  // namespace

class ScenarioWriter::Impl {
 public:
  Impl(Sink& out, ScenarioWriterOptions given)
      : sink(out),
        options(std::move(given)),
        records(out, options.layout),
        map(options.append_map) {
    if (options.mask) mask.emplace(out, kMaskPath, mask_compressor(options.layout));
  }

  void add_map(const Scenario& scenario) {
    if (has_maps && *has_maps != scenario.map.has_value()) {
      fail(Errc::invalid_argument,
           {"scenario ", scenario.id, ": all or no scenarios must have a map"});
    }
    if (scenario.map) {
      map.add(*scenario.map, scenario.id);
      ++map_count;
      for (const auto& [what, count] : scenario.map->lost) {
        increase(map_lost, what, count);
      }
    }
    has_maps = scenario.map.has_value();
  }

  void count(const Scenario& scenario, const scene::SceneRecords& scene) {
    increase(counts, "frames", scene.frames.size());
    increase(counts, "agents", scene.agents.size());
    increase(counts, "faces", scene.faces.size());
    for (const auto& track : scenario.tracks) {
      increase(types, track.object_type, 1);
      increase(roles, kRoles[static_cast<std::size_t>(track.role)], 1);
    }
    if (scenario.repeated_ego_poses > 0) {
      increase(lost, "repeated ego poses", scenario.repeated_ego_poses);
    }
    for (const auto& [what, count] : scenario.lost) increase(lost, what, count);
    for (const auto& [what, count] : scenario.corrected) {
      increase(corrected, what, count);
    }
    if (scenario.absent_frames > 0) {
      increase(lost, "frames without rows", scenario.absent_frames);
    }
  }

  json options_json() const {
    return {
        {"source", options.source},
        {"mask",
         options.mask ? kMasks[static_cast<std::size_t>(options.mask->least)] : "none"},
        {"codec", options.layout.codec}};
  }

  json report() const {
    json all = lost;
    all.update(map_lost);
    json out = {{"scenes", records.scene_count()},
                {"counts", counts},
                {"tracks", types},
                {"roles", roles},
                {"lost", all}};
    if (!corrected.empty()) out["corrected"] = corrected;
    if (has_maps.value_or(false)) out["map"] = report_of(map.counts());
    return out;
  }

  /// Returns the group's attribute as JSON: the tree is several times as large.
  std::string attribute(const json& all_lost) const {
    json out = options_json();
    out["lost"] = all_lost;
    if (!corrected.empty()) out["corrected"] = corrected;
    out["scenes"] = scenario_list();
    if (has_maps.value_or(false)) out["map"] = kMapPath;
    return out.dump(-1, ' ', true, json::error_handler_t::replace);
  }

  /// Returns the attributes of all scenarios as an array.
  json scenario_list() const {
    json list = list_of(scenarios);
    if (!list.is_array() || std::ssize(list) != records.scene_count()) {
      fail(Errc::corrupt_chunk,
           {"state: not the attributes of ", records.scene_count(), " scenarios"});
    }
    return list;
  }

  Sink& sink;
  ScenarioWriterOptions options;
  scene::Writer records;
  std::optional<scene::MaskWriter> mask;
  MapOutput map;
  std::uint64_t map_count = 0;
  std::optional<bool> has_maps;
  // Attributes of all scenarios as JSON, separated by commas: as text, since trees of
  // many scenarios would take several times the memory and fragment it.
  std::string scenarios;
  json counts = json::object(), types = json::object(), roles = json::object();
  json lost = json::object(), map_lost = json::object(), corrected = json::object();
};

ScenarioWriter::ScenarioWriter(Sink& sink, ScenarioWriterOptions options)
    : impl_(std::make_unique<Impl>(sink, std::move(options))) {}

ScenarioWriter::~ScenarioWriter() = default;

void ScenarioWriter::add(const Scenario& scenario) {
  // Everything that can fail comes first, so that an error adds nothing.
  const auto scene = convert::records_of(scenario);
  const auto list = list_of(scenario.attributes);
  if (list.size() != 1 || !list[0].is_object()) {
    fail(Errc::invalid_argument,
         {"scenario ", scenario.id, ": attributes are not a JSON object"});
  }
  auto attributes = list[0];
  if (!scenario.file.empty()) attributes["file"] = scenario.file;
  if (scenario.record) attributes["record"] = *scenario.record;
  if (!scenario.sha256.empty()) attributes["sha256"] = scenario.sha256;
  std::vector<std::uint32_t> mask;
  if (impl_->mask) mask = mask_of(scenario, scene, *impl_->options.mask);
  impl_->add_map(scenario);
  scene::append_scene(impl_->records, scene);
  if (impl_->mask) impl_->mask->append(mask);
  if (!impl_->scenarios.empty()) impl_->scenarios += ',';
  impl_->scenarios += attributes.dump(-1, ' ', true, json::error_handler_t::replace);
  impl_->count(scenario, scene);
}

void ScenarioWriter::add_map(const Scenario& scenario) {
  impl_->add_map(scenario);
}

std::string ScenarioWriter::state() const {
  json out = {{"options", impl_->options_json()},
              {"records", impl_->records.state()},
              {"scenarios", impl_->scenarios},
              {"counts", impl_->counts},
              {"types", impl_->types},
              {"roles", impl_->roles},
              {"lost", impl_->lost},
              {"corrected", impl_->corrected}};
  if (impl_->has_maps) out["has_maps"] = *impl_->has_maps;
  if (impl_->mask) out["mask"] = impl_->mask->state();
  const auto bytes = json::to_cbor(out);
  return {bytes.begin(), bytes.end()};
}

void ScenarioWriter::restore(std::string_view bytes) {
  json state = json::from_cbor(bytes.begin(), bytes.end(), true, false);
  if (scene::state_member(state, "options") != impl_->options_json()) {
    fail(Errc::corrupt_chunk, {"state: written with other options"});
  }
  for (auto [name, part] :
       {std::pair("counts", &impl_->counts), std::pair("types", &impl_->types),
        std::pair("roles", &impl_->roles), std::pair("lost", &impl_->lost),
        std::pair("corrected", &impl_->corrected)}) {
    const json& found = scene::state_member(state, name);
    if (!found.is_object()) fail(Errc::corrupt_chunk, {"state: ", name, " not found"});
    *part = found;
  }
  const json& scenarios = scene::state_member(state, "scenarios");
  if (!scenarios.is_string()) fail(Errc::corrupt_chunk, {"state: scenarios not found"});
  impl_->scenarios = scenarios.get<std::string>();
  if (state.contains("has_maps")) impl_->has_maps = state["has_maps"] == true;
  if (impl_->mask) impl_->mask->restore(scene::state_member(state, "mask"));
  impl_->records.restore(scene::state_member(state, "records"));
  static_cast<void>(impl_->scenario_list());
}

std::uint64_t ScenarioWriter::scene_count() const noexcept {
  return static_cast<std::uint64_t>(impl_->records.scene_count());
}

std::string ScenarioWriter::close() {
  if (impl_->has_maps.value_or(false)) {
    if (impl_->map_count != scene_count()) {
      fail(Errc::invalid_argument, {"map: maps are absent (found ", impl_->map_count,
                                    ", expected ", scene_count(), ")"});
    }
    const std::string map = impl_->map.finish();
    if (!impl_->options.append_map) write_text(impl_->sink, kMapPath, map);
    write_text(impl_->sink, "meta.json", impl_->map.meta_json());
  }
  const json report = impl_->report();
  impl_->records.set_attribute("bevscope", impl_->attribute(report["lost"]));
  if (impl_->mask) impl_->mask->close();
  impl_->records.close();
  return report.dump();
}

}  // namespace bev::convert

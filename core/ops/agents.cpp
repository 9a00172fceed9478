#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/agent_index_query.hpp"
#include "core/engine/select_query.hpp"
#include "core/ops/objects_of_engine.hpp"
#include "core/ops/operation.hpp"
#include "core/ops/tables.hpp"
#include "core/sample/config.hpp"

// The items of agent data sets, and L5Kit's agent selection.

namespace bev::ops {

template <>
inline constexpr const char* kObjectName<SelectQuery> = "Selection";
template <>
inline constexpr const char* kObjectName<AgentIndexQuery> = "AgentIndex";

template <>
struct Members<scene::SelectionRules> {
  static void visit(const auto& visitor, auto& rules) {
    visitor("label_threshold", rules.label_threshold);
    visitor("max_yaw_step_deg", rules.max_yaw_step_deg);
    visitor("max_extent_ratio", rules.max_extent_ratio);
    visitor("max_distance_to_ego", rules.max_distance_to_ego);
  }
};

template <>
struct Members<scene::MaskMinima> {
  static void visit(const auto& visitor, auto& minima) {
    visitor("min_frame_history", minima.history);
    visitor("min_frame_future", minima.future);
  }
};

namespace {

/// Appends a member of a flat JSON object of numbers.
void append(std::string& json, std::string_view name, std::uint64_t value) {
  json += json.empty() ? "{" : ",";
  json.append("\"").append(name).append("\":").append(std::to_string(value));
}

void append_report(std::string& json, const scene::SelectionReport& report) {
  append(json, "agent_filter_probability_threshold",
         report.agent_filter_probability_threshold);
  append(json, "av_distance", report.av_distance);
  append(json, "hole", report.hole);
  append(json, "yaw", report.yaw);
  append(json, "extent", report.extent);
  append(json, "total_reject", report.total_reject);
  append(json, "total_agent_frames", report.total_agent_frames);
}

std::unique_ptr<SelectQuery> selection(Engine& engine,
                                       const scene::SelectionRules& rules,
                                       std::optional<std::uint32_t> first_scene) {
  return engine.select(rules, first_scene.value_or(0));
}

bool next_selected(SelectQuery& query) {
  return query.next();
}

std::string selection_info(SelectQuery& query) {
  std::string json, report;
  append_report(report, query.report());
  append(json, "scene", query.scene());
  append(json, "scenes", query.scene_count());
  append(json, "agents", query.agent_count());
  return json + ",\"report\":" + report + "}}";
}

std::unique_ptr<AgentIndexQuery> agent_index(Engine& engine, const std::string& config,
                                             const scene::SelectionRules& rules,
                                             scene::MaskMinima minima,
                                             std::optional<bool> use_stored) {
  AgentIndexOptions options{rules, minima, use_stored.value_or(true)};
  options.rules.label_threshold =
      sample::Config::parse(config).number("raster_params.filter_agents_threshold");
  return engine.agent_index(options);
}

std::vector<double> agent_index_progress(AgentIndexQuery& query) {
  return {static_cast<double>(query.agents_done()),
          static_cast<double>(query.agent_count())};
}

/// Returns the rejected agents by reason as JSON; "" for a mask of the store.
std::string agent_index_report(AgentIndexQuery& query) {
  std::string json;
  if (query.from_store()) return json;
  append_report(json, query.report());
  return json + "}";
}

std::unique_ptr<AgentItems> agent_items(AgentIndexQuery& query) {
  return std::make_unique<AgentItems>(AgentItems{query.index()});
}

std::unique_ptr<AgentItems> items_of(std::shared_ptr<scene::AgentIndex> index) {
  return std::make_unique<AgentItems>(AgentItems{std::move(index)});
}

std::unique_ptr<AgentItems> items_of_mask(const std::vector<std::uint8_t>& mask) {
  auto index = std::make_shared<scene::AgentIndex>();
  index->append_mask(mask);
  return items_of(std::move(index));
}

std::unique_ptr<AgentItems> items_of_counts(const std::vector<std::uint32_t>& counts,
                                            const scene::MaskMinima& minima) {
  auto index = std::make_shared<scene::AgentIndex>();
  index->append_counts(counts, minima);
  return items_of(std::move(index));
}

Outcome item_rows(AgentItems& items) {
  const auto rows = std::as_bytes(items.index->rows());
  const ResultArray array{"agents_indices", "<i8", {items.index->size()}, rows};
  return Outcome(std::span(&array, 1));
}

std::unique_ptr<Query> items_of_scene(Engine& engine, AgentItems& items, Index scene) {
  return engine.agent_items(items.index, {scene::AgentScope::Kind::scene, scene});
}

std::unique_ptr<Query> items_of_frame(Engine& engine, AgentItems& items, Index frame) {
  return engine.agent_items(items.index, {scene::AgentScope::Kind::frame, frame});
}

constexpr std::array kAgentOperations{
    operation<&selection, "engine", "first_scene">(
        "selection", "", "L5Kit's agent selection, scene by scene"),
    operation<&next_selected, "selection">("next_selected", "",
                                           "goes to the next scene; false at the end"),
    operation<&selection_info, "selection">(
        "selection_info", "", "JSON: scene, scenes, agents and the report so far"),
    operation<&agent_index, "engine", "config", "use_stored">(
        "agent_index", "",
        "the items of an agent data set; the config has the label threshold"),
    operation<&agent_index_progress, "index">("agent_index_progress", "",
                                              "agents examined, and of how many"),
    operation<&agent_index_report, "index">(
        "agent_index_report", "", "JSON: rejected agents by reason; or empty"),
    operation<&agent_items, "index">("agent_items", "", "the items of a whole index"),
    operation<&items_of_mask, "mask">("items_of_mask", "", "items of a mask of agents"),
    operation<&items_of_counts, "counts">(
        "items_of_counts", "", "items of the numbers of past and future frames"),
    operation<&item_rows, "items">("item_rows", "agents_indices <i8 (n)",
                                   "rows of the items in `agents`"),
    operation<&items_of_scene, "engine", "items", "index">("items_of_scene", "",
                                                           "the items in a scene"),
    operation<&items_of_frame, "engine", "items", "index">("items_of_frame", "",
                                                           "the items in a frame"),
};

}  // namespace

std::span<const Operation> agent_operations() {
  return kAgentOperations;
}

}  // namespace bev::ops

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <memory>
#include <string>

#include "core/engine/agent_index_query.hpp"
#include "core/engine/engine.hpp"
#include "core/engine/select_query.hpp"
#include "core/sample/config.hpp"
#include "wasm/guard.hpp"
#include "wasm/handles.hpp"
#include "wasm/options.hpp"
#include "wasm/values.hpp"

// Only names, type conversions and error translation, as in bindings.cpp.

namespace bev::wasm {
namespace {

using emscripten::val;

scene::SelectionRules rules_from(const val& rules) {
  scene::SelectionRules out;
  out.label_threshold = option(rules, "label_threshold", out.label_threshold);
  out.max_yaw_step_deg = option(rules, "max_yaw_step_deg", out.max_yaw_step_deg);
  out.max_extent_ratio = option(rules, "max_extent_ratio", out.max_extent_ratio);
  out.max_distance_to_ego =
      option(rules, "max_distance_to_ego", out.max_distance_to_ego);
  return out;
}

scene::MaskMinima minima_from(const val& options) {
  scene::MaskMinima out;
  out.history =
      option(options, "min_frame_history", out.history, as_count("min_frame_history"));
  out.future =
      option(options, "min_frame_future", out.future, as_count("min_frame_future"));
  return out;
}

SelectQuery* select(Engine& engine, val rules) {
  const std::uint32_t first = 0;
  return engine
      .select(rules_from(rules),
              option(rules, "first_scene", first, as_count("first_scene")))
      .release();
}

bool next(SelectQuery& query) {
  return query.next();
}

val report_of(const scene::SelectionReport& report) {
  val out = val::object();
  const auto set = [&out](const char* name, std::uint64_t count) {
    out.set(name, static_cast<double>(count));
  };
  set("agent_filter_probability_threshold", report.agent_filter_probability_threshold);
  set("av_distance", report.av_distance);
  set("hole", report.hole);
  set("yaw", report.yaw);
  set("extent", report.extent);
  set("total_reject", report.total_reject);
  set("total_agent_frames", report.total_agent_frames);
  return out;
}

val report(SelectQuery& query) {
  return report_of(query.report());
}

val selection_progress(SelectQuery& query) {
  val out = val::object();
  out.set("scene", static_cast<double>(query.scene()));
  out.set("scenes", static_cast<double>(query.scene_count()));
  out.set("agents", static_cast<double>(query.agent_count()));
  return out;
}

AgentIndexQuery* agent_index(Engine& engine, std::string config, val options) {
  AgentIndexOptions out;
  out.rules = rules_from(options);
  out.rules.label_threshold =
      sample::Config::parse(config).number("raster_params.filter_agents_threshold");
  out.minima = minima_from(options);
  out.use_stored = option(options, "use_stored", out.use_stored);
  return engine.agent_index(out).release();
}

val progress(AgentIndexQuery& query) {
  val out = val::object();
  out.set("done", static_cast<double>(query.agents_done()));
  out.set("of", static_cast<double>(query.agent_count()));
  out.set("from_store", query.from_store());
  return out;
}

val index_report(AgentIndexQuery& query) {
  return report_of(query.report());
}

AgentItems* items(AgentIndexQuery& query) {
  return new AgentItems{query.index()};
}

AgentItems* items_of_mask(val mask) {
  auto index = std::make_shared<scene::AgentIndex>();
  const auto bytes = bytes_from(mask);
  index->append_mask(
      {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  return new AgentItems{std::move(index)};
}

AgentItems* items_of_counts(val counts, val minima) {
  auto index = std::make_shared<scene::AgentIndex>();
  index->append_counts(counts_from(counts), minima_from(minima));
  return new AgentItems{std::move(index)};
}

val rows(AgentItems& items) {
  const auto rows = std::as_bytes(items.index->rows());
  const ResultArray array{"agents_indices", "<i8", {items.index->size()}, rows};
  return to_js({&array, 1});
}

Query* items_of_scene(Engine& engine, AgentItems& items, double scene) {
  using Kind = scene::AgentScope::Kind;
  return engine.agent_items(items.index, {Kind::scene, index_from(scene, "scene")})
      .release();
}

Query* items_of_frame(Engine& engine, AgentItems& items, double frame) {
  using Kind = scene::AgentScope::Kind;
  return engine.agent_items(items.index, {Kind::frame, index_from(frame, "frame")})
      .release();
}

}  // namespace

EMSCRIPTEN_BINDINGS(bev_index) {
  using emscripten::allow_raw_pointers;
  emscripten::class_<SelectQuery, emscripten::base<Query>>("Select")
      .function("next", &Guarded<&next>::call)
      .function("report", &Guarded<&report>::call)
      .function("progress", &Guarded<&selection_progress>::call);
  emscripten::class_<AgentIndexQuery, emscripten::base<Query>>("AgentIndex")
      .function("progress", &Guarded<&progress>::call)
      .function("report", &Guarded<&index_report>::call)
      .function("items", &Guarded<&items>::call, allow_raw_pointers());
  emscripten::class_<AgentItems>("AgentItems").function("rows", &Guarded<&rows>::call);
  emscripten::function("select", &Guarded<&select>::call, allow_raw_pointers());
  emscripten::function("agentIndex", &Guarded<&agent_index>::call,
                       allow_raw_pointers());
  emscripten::function("itemsOfMask", &Guarded<&items_of_mask>::call,
                       allow_raw_pointers());
  emscripten::function("itemsOfCounts", &Guarded<&items_of_counts>::call,
                       allow_raw_pointers());
  emscripten::function("itemsOfScene", &Guarded<&items_of_scene>::call,
                       allow_raw_pointers());
  emscripten::function("itemsOfFrame", &Guarded<&items_of_frame>::call,
                       allow_raw_pointers());
}

}  // namespace bev::wasm

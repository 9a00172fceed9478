#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/engine/engine.hpp"
#include "core/engine/fact_choice.hpp"
#include "core/engine/facts_query.hpp"
#include "core/engine/map_query.hpp"
#include "core/engine/numbers.hpp"
#include "core/facts/columns.hpp"
#include "core/facts/light_at_entry.hpp"
#include "wasm/guard.hpp"
#include "wasm/values.hpp"

// Only names, type conversions and error translation, as in bindings.cpp. Facts of
// scenes and tracks.

namespace bev::wasm {
namespace {

using emscripten::val;

/// @param map  may be null
FactsQuery* make_facts(Engine& engine, MapQuery* map) {
  const auto lights =
      map == nullptr ? nullptr : std::make_shared<facts::LightsOfMap>(map->shared());
  return engine.facts(lights).release();
}

void seek(FactsQuery& query, double scene) {
  query.seek(index_from(scene, "scene"));
}

void add(FactsQuery& query, double scene) {
  query.add(index_from(scene, "scene"));
}

void leave_out(FactsQuery& query) {
  query.leave_out();
}

val chunks(FactsQuery& query) {
  val out = val::array();
  for (const auto& key : query.chunks()) out.call<void>("push", key);
  return out;
}

FactChoice* make_choice(std::string table, std::string where) {
  return std::make_unique<FactChoice>(table, where).release();
}

/// @param columns  an array of Uint8Array
val select(FactChoice& choice, val columns) {
  const auto count = count_from(columns["length"].as<double>(), "columns");
  std::vector<RawBytes> bytes;
  for (std::uint32_t i = 0; i < count; ++i) bytes.push_back(bytes_from(columns[i]));
  const std::vector<std::span<const std::byte>> views(bytes.begin(), bytes.end());
  return to_js(choice.select(views));
}

std::string describe_facts() {
  return facts::describe();
}

}  // namespace

EMSCRIPTEN_BINDINGS(bev_facts) {
  using emscripten::allow_raw_pointers;
  emscripten::class_<FactsQuery, emscripten::base<Query>>("Facts")
      .function("seek", &Guarded<&seek>::call)
      .function("add", &Guarded<&add>::call)
      .function("leaveOut", &Guarded<&leave_out>::call)
      .function("chunks", &Guarded<&chunks>::call);
  emscripten::class_<FactChoice>("FactChoice")
      .function("select", &Guarded<&select>::call);
  emscripten::function("facts", &Guarded<&make_facts>::call, allow_raw_pointers());
  emscripten::function("factChoice", &Guarded<&make_choice>::call,
                       allow_raw_pointers());
  emscripten::function("describeFacts", &Guarded<&describe_facts>::call);
}

}  // namespace bev::wasm

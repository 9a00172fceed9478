#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "core/engine/engine.hpp"
#include "core/engine/numbers.hpp"
#include "wasm/guard.hpp"
#include "wasm/options.hpp"
#include "wasm/values.hpp"

// Only names, type conversions and error translation. Loops over data and domain logic
// belong in core/, with tests.

namespace bev::wasm {
namespace {

using emscripten::val;

float as_float(double number, const char* /*name*/) {
  return static_cast<float>(number);
}

bool as_flag(double number, const char* /*name*/) {
  return number != 0;
}

Engine::FrameOptions frame_options(const val& options) {
  static constexpr std::array kNames{"past",       "future", "threshold",
                                     "sequential", "agents", "lights"};
  const Given given(options, kNames);
  Engine::FrameOptions out;
  out.past = given.number(0, out.past, count_from);
  out.future = given.number(1, out.future, count_from);
  out.threshold = given.number(2, out.threshold, as_float);
  out.sequential = given.number(3, out.sequential, as_flag);
  out.parts.agents = given.number(4, out.parts.agents, as_flag);
  out.parts.lights = given.number(5, out.parts.lights, as_flag);
  return out;
}

std::optional<std::vector<std::int64_t>> indices_from(const val& value) {
  return integers_from(numbers_from(value), "indices");
}

std::optional<std::vector<std::uint8_t>> mask_from(const val& value) {
  return emscripten::convertJSArrayToNumberVector<std::uint8_t>(value);
}

Rows::Layout layout_from(const val& value) {
  return value.as<std::string>() == "records" ? Rows::Layout::records
                                              : Rows::Layout::columns;
}

std::optional<store::Missing> missing_from(const std::string& name) {
  if (name.empty()) return std::nullopt;
  return store::missing_from(name);
}

Engine* make_engine(double byte_budget, std::string missing) {
  return new Engine(count_from(byte_budget, "byteBudget"), missing_from(missing));
}

Query* open(Engine& engine) {
  return engine.open().release();
}

Query* rows(Engine& engine, val options) {
  static constexpr std::array kNames{"begin", "end",    "step",   "indices",
                                     "mask",  "fields", "layout", "axes"};
  const Given given(options, kNames);
  Rows out;
  const auto array = texts_from(options["array"]);
  if (!array.empty()) out.array = array.front();
  out.begin = given.number(0, out.begin, integer_from);
  out.end = given.number(1, out.end, integer_from);
  out.step = given.number(2, out.step, integer_from);
  if (given.has(3)) out.indices = indices_from(options["indices"]);
  if (given.has(4)) out.mask = mask_from(options["mask"]);
  if (given.has(5)) out.fields = texts_from(options["fields"]);
  if (given.has(6)) out.layout = layout_from(options["layout"]);
  if (given.has(7)) out.axes = axes_from(numbers_from(options["axes"]));
  return engine.rows(std::move(out)).release();
}

Query* frame(Engine& engine, double scene, double frame, val options) {
  return engine
      .frame(index_from(scene, "scene"), index_from(frame, "frame"),
             frame_options(options))
      .release();
}

Query* frame_at(Engine& engine, double index, val options) {
  return engine.frame_at(index_from(index, "index"), frame_options(options)).release();
}

Query* scene(Engine& engine, double scene) {
  return engine.scene(index_from(scene, "scene")).release();
}

/// @param options  the track, if any, and of a frame's options the parts to read
Query* timeline(Engine& engine, double scene, val options) {
  const val track = options["track"];
  const auto id =
      track.isUndefined() ? std::nullopt : std::optional(track.as<std::uint64_t>());
  const auto parts = frame_options(options).parts;
  return engine.timeline(index_from(scene, "scene"), id, parts).release();
}

Query* summary(Engine& engine) {
  return engine.summary().release();
}

void supply(Engine& engine, std::string key, double begin, double end, val bytes) {
  store::Request request{std::move(key)};
  if (begin >= 0) request.range = {index_from(begin, "begin"), index_from(end, "end")};
  engine.supply(request, bytes_from(bytes));
}

void supply_absent(Engine& engine, std::string key) {
  engine.supply_absent(key);
}

val forget_failures(Engine& engine, std::string key) {
  return val::array(engine.forget_failures(key));
}

std::string describe(Engine& engine) {
  return engine.describe();
}

val cache(Engine& engine) {
  static constexpr std::array kNames{"bytesHeld", "byteBudget", "hits", "misses",
                                     "evictions"};
  const auto stats = engine.cache();
  const std::array numbers{
      static_cast<double>(stats.bytes_held), static_cast<double>(stats.byte_budget),
      static_cast<double>(stats.hits), static_cast<double>(stats.misses),
      static_cast<double>(stats.evictions)};
  return numbers_to_js(kNames, numbers);
}

double absent_count(Engine& engine) {
  return static_cast<double>(engine.absent_count());
}

val absent_chunks(Engine& engine) {
  return val::array(engine.absent_chunks());
}

val missing(Query& query) {
  return to_js(query.missing());
}

val ahead(Query& query) {
  return to_js(query.ahead());
}

val build(Query& query) {
  return to_js(query.build());
}

std::string version() {
  return BEV_VERSION;
}

}  // namespace

EMSCRIPTEN_BINDINGS(bev) {
  using emscripten::allow_raw_pointers;
  emscripten::class_<Query>("Query")
      .function("missing", &Guarded<&missing>::call)
      .function("ahead", &Guarded<&ahead>::call)
      .function("build", &Guarded<&build>::call);
  emscripten::class_<Engine>("Engine")
      .constructor(&Guarded<&make_engine>::call, allow_raw_pointers())
      .function("open", &Guarded<&open>::call, allow_raw_pointers())
      .function("rows", &Guarded<&rows>::call, allow_raw_pointers())
      .function("frame", &Guarded<&frame>::call, allow_raw_pointers())
      .function("frameAt", &Guarded<&frame_at>::call, allow_raw_pointers())
      .function("scene", &Guarded<&scene>::call, allow_raw_pointers())
      .function("timeline", &Guarded<&timeline>::call, allow_raw_pointers())
      .function("summary", &Guarded<&summary>::call, allow_raw_pointers())
      .function("supply", &Guarded<&supply>::call)
      .function("supplyAbsent", &Guarded<&supply_absent>::call)
      .function("forgetFailures", &Guarded<&forget_failures>::call)
      .function("describe", &Guarded<&describe>::call)
      .function("cache", &Guarded<&cache>::call)
      .function("absentCount", &Guarded<&absent_count>::call)
      .function("absentChunks", &Guarded<&absent_chunks>::call);
  emscripten::function("version", &Guarded<&version>::call);
}

}  // namespace bev::wasm

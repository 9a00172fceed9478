// The smallest module that reads arrays: its size minus an empty module's is the cost
// of the reading layer. Never run.
#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <string>
#include <utility>

#include "core/engine/engine.hpp"
#include "wasm/guard.hpp"
#include "wasm/values.hpp"

namespace bev::wasm {
namespace {

using emscripten::val;

Engine* make_engine(std::uint32_t byte_budget) {
  return new Engine(byte_budget);
}

Query* rows(Engine& engine, std::string array, double begin, double end, val fields) {
  Rows out{std::move(array)};
  out.begin = static_cast<std::int64_t>(begin);
  out.end = static_cast<std::int64_t>(end);
  out.fields = emscripten::vecFromJSArray<std::string>(fields);
  return engine.rows(std::move(out)).release();
}

void supply(Engine& engine, std::string key, double begin, double end, val bytes) {
  store::Request request{std::move(key)};
  if (begin >= 0) {
    request.range = {static_cast<std::uint64_t>(begin),
                     static_cast<std::uint64_t>(end)};
  }
  engine.supply(request, bytes_from(bytes));
}

void supply_absent(Engine& engine, std::string key) {
  engine.supply_absent(key);
}

val missing(Query& query) {
  return to_js(query.missing());
}

val build(Query& query) {
  return to_js(query.build());
}

}  // namespace

EMSCRIPTEN_BINDINGS(reading) {
  using emscripten::allow_raw_pointers;
  emscripten::class_<Query>("Query")
      .function("missing", &Guarded<&missing>::call)
      .function("build", &Guarded<&build>::call);
  emscripten::class_<Engine>("Engine")
      .constructor(&Guarded<&make_engine>::call, allow_raw_pointers())
      .function("rows", &Guarded<&rows>::call, allow_raw_pointers())
      .function("supply", &Guarded<&supply>::call)
      .function("supplyAbsent", &Guarded<&supply_absent>::call);
}

}  // namespace bev::wasm

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <string>
#include <vector>

#include "core/engine/map_query.hpp"
#include "core/engine/numbers.hpp"
#include "wasm/guard.hpp"
#include "wasm/values.hpp"

// Only names, type conversions and error translation, as in bindings.cpp.

namespace bev::wasm {
namespace {

using emscripten::val;

/// Copies the values to a new typed array.
template <class T>
val copied(const std::vector<T>& values) {
  return val{emscripten::typed_memory_view(values.size(), values.data())}.call<val>(
      "slice");
}

MapQuery* parse_map(val fragment, val meta_json) {
  return new MapQuery(bytes_from(fragment), bytes_from(meta_json));
}

val build(MapQuery& map) {
  return to_js(map.build());
}

val near(MapQuery& map, double x, double y, double radius) {
  return copied(map.near(x, y, radius));
}

val crosswalks_near(MapQuery& map, double x, double y, double radius) {
  return copied(map.crosswalks_near(x, y, radius));
}

val lane_by_count(MapQuery& map, double lane, double count) {
  return to_js(map.lane_by_count(count_from(lane, "lane"), count_from(count, "count")));
}

val lane_by_metres(MapQuery& map, double lane, double step_m) {
  return to_js(map.lane_by_metres(count_from(lane, "lane"), step_m));
}

int light_feature(MapQuery& map, double lane, val active) {
  return map.light_feature(count_from(lane, "lane"), texts_from(active));
}

val geodetic(MapQuery& map, double x, double y, double z) {
  const auto place = map.geodetic(x, y, z);
  return copied(std::vector<double>(place.begin(), place.end()));
}

val lane_colours(MapQuery& map, val active) {
  return copied(map.lane_colours(texts_from(active)));
}

}  // namespace

EMSCRIPTEN_BINDINGS(bev_map) {
  emscripten::class_<MapQuery>("Map")
      .function("build", &Guarded<&build>::call)
      .function("near", &Guarded<&near>::call)
      .function("crosswalksNear", &Guarded<&crosswalks_near>::call)
      .function("laneByCount", &Guarded<&lane_by_count>::call)
      .function("laneByMetres", &Guarded<&lane_by_metres>::call)
      .function("lightFeature", &Guarded<&light_feature>::call)
      .function("geodetic", &Guarded<&geodetic>::call)
      .function("laneColours", &Guarded<&lane_colours>::call);
  emscripten::function("parseMap", &Guarded<&parse_map>::call,
                       emscripten::allow_raw_pointers());
}

}  // namespace bev::wasm

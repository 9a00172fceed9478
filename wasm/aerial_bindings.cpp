#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <memory>
#include <string_view>

#include "core/engine/numbers.hpp"
#include "core/map/meta.hpp"
#include "wasm/guard.hpp"
#include "wasm/handles.hpp"
#include "wasm/values.hpp"

// Only names, type conversions and error translation, as in bindings.cpp.

namespace bev::wasm {
namespace {

using emscripten::val;

Aerial* make_aerial(double width, double height, val meta_json) {
  const auto json = bytes_from(meta_json);
  const auto meta = map::parse_meta(
      std::string_view(reinterpret_cast<const char*>(json.data()), json.size()));
  return new Aerial{std::make_shared<map::AerialImage>(count_from(width, "width"),
                                                       count_from(height, "height"),
                                                       map::aerial_from_world(meta))};
}

void put_rows(Aerial& aerial, double first, val rgba) {
  const auto bytes = bytes_from(rgba);
  aerial.image->put_rgba_rows(
      count_from(first, "first"),
      {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

}  // namespace

EMSCRIPTEN_BINDINGS(bev_aerial) {
  emscripten::class_<Aerial>("Aerial").function("putRows", &Guarded<&put_rows>::call);
  emscripten::function("makeAerial", &Guarded<&make_aerial>::call,
                       emscripten::allow_raw_pointers());
}

}  // namespace bev::wasm

// The module that reading_bindings.cpp is compared with: Embind without bindings.
#include <emscripten/bind.h>
#include <emscripten/val.h>

namespace {

emscripten::val same(emscripten::val given) {
  return given;
}

}  // namespace

EMSCRIPTEN_BINDINGS(empty) {
  emscripten::function("same", &same);
}

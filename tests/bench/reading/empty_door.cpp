// The module that the one of door.cpp is measured against: Embind, and nothing to bind.
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

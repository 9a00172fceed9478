#include "core/ops/dispatcher.hpp"

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "wasm/groups.hpp"
#include "wasm/guard.hpp"
#include "wasm/values.hpp"
#include "wasm/views.hpp"

// Binds the dispatcher: the only functions of a module. The functions of dispatcher.js
// read arguments from the module's property `call`, and write the outcome there.

namespace bev::wasm {

// Defined in dispatcher.js. A size is -1 if the value is not given, -2 if it is of another
// kind.
extern "C" {
int bev_argument_number(const char* name, double* out);
int bev_argument_bits(const char* name, std::uint64_t* out);
int bev_argument_text(const char* name);
int bev_argument_texts(const char* name);
int bev_argument_array(const char* name, const char* view);
void bev_argument_copy(void* to);
void bev_result_number(double number);
void bev_result_array(const char* view, const std::byte* data, std::size_t length);
void bev_result(emscripten::EM_VAL result);
}

namespace {

using emscripten::val;

/// Arguments in an object of JavaScript: the module's property `call`.
class ObjectArguments : public ops::Arguments {
 public:
  std::optional<double> number(const char* name) override {
    double out = 0;
    if (!is_given(bev_argument_number(name, &out), name, "a number")) return {};
    return out;
  }

  std::optional<std::uint64_t> bits(const char* name) override {
    std::uint64_t out = 0;
    if (!is_given(bev_argument_bits(name, &out), name, "a bigint")) return {};
    return out;
  }

  std::optional<std::string> text(const char* name) override {
    const int size = bev_argument_text(name);
    if (!is_given(size, name, "a string")) return {};
    return copied_text(size);
  }

  std::optional<std::vector<std::string>> texts(const char* name) override {
    const int count = bev_argument_texts(name);
    if (!is_given(count, name, "strings")) return {};
    std::vector<std::string> out;
    for (int i = 0; i < count; ++i) {
      const int size = bev_argument_text(nullptr);  // the next one
      is_given(size, name, "strings");
      out.push_back(copied_text(size));
    }
    return out;
  }

  std::optional<std::size_t> array_size(const char* name, const char* dtype) override {
    const char* const view = view_of(dtype);
    const int size = bev_argument_array(name, view);
    if (!is_given(size, name, view)) return {};
    return static_cast<std::size_t>(size);
  }

  void copy_array(void* to) override { bev_argument_copy(to); }

 private:
  static std::string copied_text(int size) {
    std::string out(static_cast<std::size_t>(size), '\0');
    bev_argument_copy(out.data());
    return out;
  }

  static bool is_given(int size, const char* name, const char* expected) {
    if (size == -2) {
      fail(Errc::invalid_argument, {name, ": wrong kind (expected ", expected, ")"});
    }
    return size >= 0;
  }
};

ops::Dispatcher& dispatcher() {
  static ops::Dispatcher one(groups());
  return one;
}

/// The operations that find() returned, by number.
std::vector<const ops::Operation*>& found() {
  static std::vector<const ops::Operation*> operations;
  return operations;
}

val to_val(const ops::Outcome& outcome) {
  using Kind = ops::Outcome::Kind;
  switch (outcome.kind()) {
    case Kind::nothing:
    case Kind::number:
    case Kind::object:
    case Kind::array: break;
    case Kind::flag: return val(outcome.number() != 0);
    case Kind::text: return val(outcome.text());
    case Kind::texts: return val::array(outcome.texts());
    case Kind::arrays: return to_js(outcome.arrays());
    case Kind::requests: return to_js(outcome.requests());
  }
  return val::undefined();
}

void set_result(const ops::Outcome& outcome) {
  using Kind = ops::Outcome::Kind;
  if (outcome.kind() == Kind::number || outcome.kind() == Kind::object) {
    bev_result_number(outcome.number());
  } else if (outcome.kind() == Kind::array) {
    const auto& array = outcome.arrays()[0];
    bev_result_array(view_of(array.dtype.c_str()), array.bytes.data(), array.shape[0]);
  } else if (outcome.kind() != Kind::nothing) {
    bev_result(to_val(outcome).as_handle());
  }
}

/// Returns the number of an operation, for run(); -1 if this module does not have it.
int find(std::string name) {
  const auto* const operation = dispatcher().find(name);
  if (operation == nullptr) return -1;
  found().push_back(operation);
  return static_cast<int>(found().size()) - 1;
}

void run(int operation) {
  ObjectArguments arguments;
  set_result(
      dispatcher().run(*found()[static_cast<std::size_t>(operation)], arguments));
}

val missing(int query) {
  return to_js(dispatcher().missing(query));
}

val ahead(int query) {
  return to_js(dispatcher().ahead(query));
}

val build(int query) {
  return to_js(dispatcher().build(query));
}

/// The views of queries that are built again and again.
std::map<int, Views>& views() {
  static std::map<int, Views> of_queries;
  return of_queries;
}

/// As build(), with the same views if only the values have changed.
val rebuild(int query) {
  const auto arrays = dispatcher().build(query);
  return views()[query].of(arrays);
}

double next_part(int query) {
  return dispatcher().next_part(query);
}

void release(int id) {
  views().erase(id);
  dispatcher().release(id);
}

std::string version() {
  return BEV_VERSION;
}

}  // namespace

EMSCRIPTEN_BINDINGS(bev_dispatcher) {
  emscripten::function("find", &Guarded<&find>::call);
  emscripten::function("run", &Guarded<&run>::call);
  emscripten::function("missing", &Guarded<&missing>::call);
  emscripten::function("ahead", &Guarded<&ahead>::call);
  emscripten::function("build", &Guarded<&build>::call);
  emscripten::function("rebuild", &Guarded<&rebuild>::call);
  emscripten::function("nextPart", &Guarded<&next_part>::call);
  emscripten::function("release", &Guarded<&release>::call);
  emscripten::function("version", &Guarded<&version>::call);
}

}  // namespace bev::wasm

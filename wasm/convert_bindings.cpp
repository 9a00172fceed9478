#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/sink.hpp"
#include "core/convert/scenario_writer.hpp"
#include "core/convert/tfrecord.hpp"
#include "core/convert/waymo.hpp"
#include "core/engine/numbers.hpp"
#include "wasm/guard.hpp"
#include "wasm/values.hpp"

// Only names, type conversions and error translation, as in bindings.cpp. Scenarios of
// other data sets, written as a data set in memory.

namespace bev::wasm {
namespace {

using emscripten::val;

/// Collects the objects of a data set.
class MemorySink : public Sink {
 public:
  void put(std::string_view key, std::span<const std::byte> bytes) override {
    objects_[std::string(key)].assign(bytes.begin(), bytes.end());
  }

  const auto& objects() const noexcept { return objects_; }

 private:
  std::map<std::string, std::vector<std::byte>> objects_;
};

convert::ScenarioWriterOptions options_for(const char* source) {
  convert::ScenarioWriterOptions out;
  out.source = source;
  out.layout.codec = "none";  // the only one in wasm
  return out;
}

/// Converts Waymo's records to a data set.
class WaymoConverter {
 public:
  /// @param several  whether the scenarios get a place each
  WaymoConverter(std::string file, bool several)
      : file_(std::move(file)),
        several_(several),
        writer_(sink_, options_for("waymo")) {}

  void add(const val& record, std::uint64_t offset) {
    const auto bytes = bytes_from(record);
    const auto content = convert::record_content(bytes, offset);
    convert::WaymoOptions options;
    if (several_) options.place = writer_.scene_count();
    auto scenario = convert::import_waymo(
        {reinterpret_cast<const char*>(content.data()), content.size()}, tables_,
        options);
    scenario.file = file_;
    scenario.record = writer_.scene_count();
    writer_.add(scenario);
  }

  std::string finish() { return writer_.close(); }

  const MemorySink& sink() const noexcept { return sink_; }

 private:
  std::string file_;
  bool several_;
  convert::Tables tables_ = convert::waymo_tables();
  MemorySink sink_;
  convert::ScenarioWriter writer_;
};

WaymoConverter* make_waymo(std::string file, bool several) {
  return new WaymoConverter(std::move(file), several);
}

void add_record(WaymoConverter& converter, val record, double offset) {
  converter.add(record, count_from(offset, "offset"));
}

std::string finish(WaymoConverter& converter) {
  return converter.finish();
}

/// Returns the data set's keys.
val keys(const WaymoConverter& converter) {
  val out = val::array();
  for (const auto& [key, bytes] : converter.sink().objects()) {
    out.call<void>("push", key);
  }
  return out;
}

/// Returns a copy of an object's bytes.
val object(const WaymoConverter& converter, std::string key) {
  const auto& objects = converter.sink().objects();
  const auto found = objects.find(key);
  if (found == objects.end()) fail(Errc::not_found, {key, ": not found"});
  const auto& bytes = found->second;
  const val view(emscripten::typed_memory_view(
      bytes.size(), reinterpret_cast<const unsigned char*>(bytes.data())));
  return val::global("Uint8Array").new_(view);
}

double record_size(val head, double offset) {
  const auto bytes = bytes_from(head);
  return static_cast<double>(convert::record_size(bytes, count_from(offset, "offset")));
}

}  // namespace

EMSCRIPTEN_BINDINGS(bev_convert) {
  using emscripten::allow_raw_pointers;
  emscripten::class_<WaymoConverter>("WaymoConverter")
      .function("add", &Guarded<&add_record>::call)
      .function("finish", &Guarded<&finish>::call)
      .function("keys", &Guarded<&keys>::call)
      .function("object", &Guarded<&object>::call);
  emscripten::function("makeWaymoConverter", &Guarded<&make_waymo>::call,
                       allow_raw_pointers());
  emscripten::function("recordSize", &Guarded<&record_size>::call);
}

}  // namespace bev::wasm

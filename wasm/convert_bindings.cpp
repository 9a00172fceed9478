#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <cstring>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/sink.hpp"
#include "core/convert/argoverse2.hpp"
#include "core/convert/columns.hpp"
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

/// Returns the elements of a typed array, given as its bytes.
template <class T>
std::vector<T> elements_of(const val& bytes) {
  const auto raw = bytes_from(bytes);
  std::vector<T> out(raw.size() / sizeof(T));
  if (!out.empty()) std::memcpy(out.data(), raw.data(), out.size() * sizeof(T));
  return out;
}

/// The memory of a table's columns.
struct Columns {
  std::deque<std::vector<double>> numbers;
  std::deque<std::vector<std::int64_t>> integers;
  std::deque<std::vector<char>> texts;
  std::vector<convert::Column> list;

  /// Adds a column {name, kind, values, text}.
  void add(const val& column) {
    auto name = column["name"].as<std::string>();
    const auto kind = column["kind"].as<std::string>();
    const val values = column["values"];
    if (kind == "number") {
      numbers.push_back(elements_of<double>(values));
      list.push_back({std::move(name), std::span<const double>(numbers.back())});
      return;
    }
    integers.push_back(elements_of<std::int64_t>(values));
    const std::span<const std::int64_t> ints(integers.back());
    if (kind == "integer") {
      list.push_back({std::move(name), ints});
      return;
    }
    texts.push_back(elements_of<char>(column["text"]));
    list.push_back({std::move(name), convert::TextColumn{ints, texts.back()}});
  }
};

/// Converts a scenario to a data set in memory.
class Converter {
 public:
  explicit Converter(std::string file) : file_(std::move(file)) {}

  void read_waymo(const val& record, std::uint64_t offset, std::uint64_t index) {
    const auto bytes = bytes_from(record);
    const auto content = convert::record_content(bytes, offset);
    scenario_ = convert::import_waymo(
        {reinterpret_cast<const char*>(content.data()), content.size()},
        convert::waymo_tables(), {});
    scenario_.record = index;
    source_ = "waymo";
  }

  void read_argoverse2(const val& columns) {
    Columns memory;
    const auto count = columns["length"].as<unsigned>();
    for (unsigned i = 0; i < count; ++i) memory.add(columns[i]);
    scenario_ =
        convert::import_argoverse2(convert::Table(std::move(memory.list)), tables_);
    source_ = "argoverse2";
  }

  void read_argoverse2_map(std::string_view json) {
    scenario_.map = convert::parse_argoverse2_map(json, scenario_.host, tables_);
  }

  std::string finish() {
    scenario_.file = file_;
    convert::ScenarioWriterOptions options;
    options.source = source_;
    options.layout.codec = "none";  // the only one in wasm
    convert::ScenarioWriter writer(sink_, options);
    writer.add(scenario_);
    return writer.close();
  }

  const MemorySink& sink() const noexcept { return sink_; }

 private:
  std::string file_, source_;
  convert::Tables tables_ = convert::argoverse2_tables();
  convert::Scenario scenario_;
  MemorySink sink_;
};

Converter* make_converter(std::string file) {
  return new Converter(std::move(file));
}

void read_waymo(Converter& converter, val record, double offset, double index) {
  converter.read_waymo(record, count_from(offset, "offset"),
                       count_from(index, "index"));
}

void read_argoverse2(Converter& converter, val columns) {
  converter.read_argoverse2(columns);
}

void read_argoverse2_map(Converter& converter, val json) {
  const auto bytes = bytes_from(json);
  converter.read_argoverse2_map(
      {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::string finish(Converter& converter) {
  return converter.finish();
}

/// Returns the data set's keys.
val keys(const Converter& converter) {
  val out = val::array();
  for (const auto& [key, bytes] : converter.sink().objects()) {
    out.call<void>("push", key);
  }
  return out;
}

/// Returns a copy of an object's bytes.
val object(const Converter& converter, std::string key) {
  const auto& objects = converter.sink().objects();
  const auto found = objects.find(key);
  if (found == objects.end()) fail(Errc::not_found, {key, ": not found"});
  const auto& bytes = found->second;
  const val view(emscripten::typed_memory_view(
      bytes.size(), reinterpret_cast<const unsigned char*>(bytes.data())));
  return val::global("Uint8Array").new_(view);
}

/// Returns the names of the columns of an Argoverse 2 scenario.
val argoverse2_columns(bool required) {
  val out = val::array();
  for (const auto name : convert::argoverse2_columns(required)) {
    out.call<void>("push", std::string(name));
  }
  return out;
}

double record_size(val head, double offset) {
  const auto bytes = bytes_from(head);
  return static_cast<double>(convert::record_size(bytes, count_from(offset, "offset")));
}

}  // namespace

EMSCRIPTEN_BINDINGS(bev_convert) {
  using emscripten::allow_raw_pointers;
  emscripten::class_<Converter>("Converter")
      .function("readWaymo", &Guarded<&read_waymo>::call)
      .function("readArgoverse2", &Guarded<&read_argoverse2>::call)
      .function("readArgoverse2Map", &Guarded<&read_argoverse2_map>::call)
      .function("finish", &Guarded<&finish>::call)
      .function("keys", &Guarded<&keys>::call)
      .function("object", &Guarded<&object>::call);
  emscripten::function("makeConverter", &Guarded<&make_converter>::call,
                       allow_raw_pointers());
  emscripten::function("argoverse2Columns", &Guarded<&argoverse2_columns>::call);
  emscripten::function("recordSize", &Guarded<&record_size>::call);
}

}  // namespace bev::wasm

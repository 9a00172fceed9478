#include "convert.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <bevscope/convert.hpp>
#include <bevscope/parquet.hpp>
#include <cstdint>
#include <cstring>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"

namespace bev::python {
namespace {

namespace nb = nanobind;

template <class T>
using InputValues =
    nb::ndarray<const T, nb::shape<-1>, nb::c_contig, nb::device::cpu, nb::ro>;

/// (name, float64 or int64 values), or (name, offsets, bytes) for text.
using Columns = nb::typed<nb::list, nb::typed<nb::tuple, nb::any, nb::ellipsis>>;
using ReadAt = nb::typed<nb::callable, nb::bytes(std::uint64_t, std::uint64_t)>;
using AppendBytes = nb::typed<nb::callable, nb::object(nb::bytes)>;

template <class T>
std::span<const T> span_of(const InputValues<T>& values) {
  return {values.data(), values.size()};
}

/// Columns that share memory with NumPy arrays, which the caller keeps.
std::vector<TableColumn> columns_of(const Columns& columns) {
  std::vector<TableColumn> out;
  for (const auto item : columns) {
    const auto column = nb::cast<nb::tuple>(item);
    auto name = nb::cast<std::string>(column[0]);
    InputValues<double> numbers;
    if (column.size() == 3) {
      const auto offsets = nb::cast<InputValues<std::int64_t>>(column[1]);
      const auto bytes = nb::cast<nb::bytes>(column[2]);
      out.push_back({std::move(name),
                     TextValues{span_of(offsets), {bytes.c_str(), bytes.size()}}});
    } else if (nb::try_cast(column[1], numbers, false)) {
      out.push_back({std::move(name), span_of(numbers)});
    } else {
      const auto integers = nb::cast<InputValues<std::int64_t>>(column[1], false);
      out.push_back({std::move(name), span_of(integers)});
    }
  }
  return out;
}

Scenario read(const Argoverse2Importer& self, const Columns& columns,
              const nb::bytes& map_json, std::string file, std::string sha256) {
  Argoverse2Files files;
  files.columns = columns_of(columns);
  files.map_json = {map_json.c_str(), map_json.size()};
  files.file = std::move(file);
  files.sha256 = std::move(sha256);
  const nb::gil_scoped_release release;
  return self.read(files);
}

Scenario read_record(const WaymoImporter& self, const nb::bytes& bytes,
                     std::uint64_t offset, bool with_map,
                     std::optional<std::uint64_t> place, std::string file,
                     std::uint64_t index) {
  WaymoRecord record;
  record.bytes = std::as_bytes(std::span(bytes.c_str(), bytes.size()));
  record.range = {offset, bytes.size()};
  record.with_map = with_map;
  record.place = place;
  record.file = std::move(file);
  record.index = index;
  const nb::gil_scoped_release release;
  return self.read(record);
}

Scenario read_pickle(const ScenarionetImporter& self, const nb::bytes& bytes,
                     bool with_map, std::optional<std::uint64_t> place,
                     std::string file) {
  ScenarionetPickle pickle;
  pickle.bytes = std::as_bytes(std::span(bytes.c_str(), bytes.size()));
  pickle.with_map = with_map;
  pickle.place = place;
  pickle.file = std::move(file);
  const nb::gil_scoped_release release;
  return self.read(pickle);
}

Scenario read_xml(const CommonroadImporter& self, const nb::bytes& bytes, bool with_map,
                  std::optional<std::uint64_t> place, std::string file,
                  std::string ego) {
  CommonroadFile source;
  source.xml = {bytes.c_str(), bytes.size()};
  source.with_map = with_map;
  source.place = place;
  source.file = std::move(file);
  source.ego = std::move(ego);
  const nb::gil_scoped_release release;
  return self.read(source);
}

/// Returns offsets and sizes.
///
/// @param read_at  a Python function (offset, size)
auto record_ranges(std::uint64_t size, const ReadAt& read_at) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> out;
  const auto ranges =
      find_records(size, [&](std::uint64_t offset, std::span<std::byte> buffer) {
        const auto bytes = nb::cast<nb::bytes>(read_at(offset, buffer.size()));
        const auto count = std::min(bytes.size(), buffer.size());
        std::memcpy(buffer.data(), bytes.c_str(), count);
        return count;
      });
  for (const auto& range : ranges) out.emplace_back(range.offset, range.size);
  return out;
}

/// Released under the GIL, wherever the writer ends.
std::shared_ptr<nb::callable> shared(const nb::callable& function) {
  return {new nb::callable(function), [](auto* pointer) {
            const nb::gil_scoped_acquire acquire;
            delete pointer;
          }};
}

/// Returns a file that a Python function (offset, size) reads.
RangedFile ranged(std::uint64_t size, const ReadAt& read_at) {
  const std::shared_ptr<nb::callable> held = shared(read_at);
  return {size, [held](std::uint64_t offset, std::span<std::byte> buffer) {
            const nb::gil_scoped_acquire acquire;
            const auto bytes = nb::cast<nb::bytes>((*held)(offset, buffer.size()));
            const auto count = std::min(bytes.size(), buffer.size());
            std::memcpy(buffer.data(), bytes.c_str(), count);
            return count;
          }};
}

/// Returns a function that passes objects to a Python function (key, bytes).
ScenarioWriter::Write object_writer(const nb::callable& write) {
  const std::shared_ptr<nb::callable> held = shared(write);
  return [held](std::string_view key, std::span<const std::byte> bytes) {
    const nb::gil_scoped_acquire acquire;
    (*held)(key, nb::bytes(bytes.data(), bytes.size()));
  };
}

/// Returns a function that passes pieces of the map to a Python function (bytes).
ScenarioWriter::AppendMap append_by(const nb::callable& append) {
  const std::shared_ptr<nb::callable> held = shared(append);
  return [held](std::span<const std::byte> bytes) {
    const nb::gil_scoped_acquire acquire;
    (*held)(nb::bytes(bytes.data(), bytes.size()));
  };
}

std::string fields_of(const nb::bytes& pickled) {
  return unischema_fields({pickled.c_str(), pickled.size()});
}

nb::bytes state(const ScenarioWriter& self) {
  const auto bytes = self.state();
  return nb::bytes(bytes.data(), bytes.size());
}

void restore(ScenarioWriter& self, const nb::bytes& state) {
  self.restore({state.c_str(), state.size()});
}

}  // namespace

void bind_convert(nb::module_& module) {
  using Release = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<Scenario>(module, "Scenario")
      .def_prop_ro("id", &Scenario::id)
      .def_prop_ro("city", &Scenario::city)
      .def_prop_ro("frame_count", &Scenario::frame_count)
      .def_prop_ro("agent_count", &Scenario::agent_count);
  module.def("argoverse2_columns", &argoverse2_columns, nb::arg("required"));
  nb::class_<Argoverse2Importer>(module, "Argoverse2Importer")
      .def(nb::init<std::string_view>(), nb::arg("tables_json"))
      .def("read", &read, nb::arg("columns"), nb::arg("map_json"), nb::arg("file"),
           nb::arg("sha256"));
  nb::class_<WaymoImporter>(module, "WaymoImporter")
      .def(nb::init<std::string_view>(), nb::arg("tables_json"))
      .def("read", &read_record, nb::arg("record"), nb::arg("offset"),
           nb::arg("with_map"), nb::arg("place").none(), nb::arg("file"),
           nb::arg("index"));
  nb::class_<ScenarionetImporter>(module, "ScenarionetImporter")
      .def(nb::init<std::string_view>(), nb::arg("tables_json"))
      .def("read", &read_pickle, nb::arg("pickle"), nb::arg("with_map"),
           nb::arg("place").none(), nb::arg("file"));
  nb::class_<CommonroadImporter>(module, "CommonroadImporter")
      .def(nb::init<std::string_view>(), nb::arg("tables_json"))
      .def("read", &read_xml, nb::arg("xml"), nb::arg("with_map"),
           nb::arg("place").none(), nb::arg("file"), nb::arg("ego"));
  module.def("find_scenarios", &find_scenarios, nb::arg("format"), nb::arg("paths"),
             Release());
  nb::class_<NuplanMap>(module, "NuplanMap")
      .def(
          "__init__",
          [](NuplanMap* self, std::uint64_t size, const ReadAt& read_at,
             std::int64_t epsg, std::string_view tables_json) {
            new (self) NuplanMap(ranged(size, read_at), epsg, tables_json);
          },
          nb::arg("size"), nb::arg("read_at"), nb::arg("epsg"), nb::arg("tables_json"));
  nb::class_<NuplanLog>(module, "NuplanLog")
      .def(
          "__init__",
          [](NuplanLog* self, std::uint64_t size, const ReadAt& read_at,
             std::string_view tables_json, bool all_sweeps) {
            new (self) NuplanLog(ranged(size, read_at), tables_json, all_sweeps);
          },
          nb::arg("size"), nb::arg("read_at"), nb::arg("tables_json"),
          nb::arg("all_sweeps"))
      .def_prop_ro("city", &NuplanLog::city)
      .def_prop_ro("epsg", &NuplanLog::epsg)
      .def("scenes", &NuplanLog::scenes)
      .def("read", &NuplanLog::read, nb::arg("scene"), nb::arg("map").none(),
           nb::arg("file"), Release());
  nb::class_<NuscenesVersions>(module, "NuscenesVersions")
      .def(nb::init<std::vector<std::string>, std::string, std::string_view>(),
           nb::arg("folders"), nb::arg("maps"), nb::arg("tables_json"))
      .def("scene_count", &NuscenesVersions::scene_count, nb::arg("folder"), Release())
      .def("read", &NuscenesVersions::read, nb::arg("folder"), nb::arg("scene"),
           nb::arg("with_map"), Release());
  nb::class_<InteractionFiles>(module, "InteractionFiles")
      .def(nb::init<std::vector<std::string>, std::string, std::string,
                    std::string_view>(),
           nb::arg("files"), nb::arg("maps"), nb::arg("ego"), nb::arg("tables_json"))
      .def("scene_count", &InteractionFiles::scene_count, nb::arg("file"))
      .def("read", &InteractionFiles::read, nb::arg("file"), nb::arg("scene"),
           nb::arg("with_map"), Release());
  module.def("find_records", &record_ranges, nb::arg("size"), nb::arg("read_at"));
  module.def("unischema_fields", &fields_of, nb::arg("pickled"));
  nb::class_<ScenarioWriter>(module, "ScenarioWriter")
      .def(
          "__init__",
          [](ScenarioWriter* self, const PutObject& write, std::string_view mask,
             std::string_view source, const AppendBytes& append_map) {
            new (self) ScenarioWriter(object_writer(write), mask, source,
                                      append_by(append_map));
          },
          nb::arg("write"), nb::arg("mask"), nb::arg("source"), nb::arg("append_map"))
      .def("add", &ScenarioWriter::add, Release())
      .def("add_map", &ScenarioWriter::add_map, Release())
      .def("state", &state)
      .def("restore", &restore)
      .def_prop_ro("scene_count", &ScenarioWriter::scene_count)
      .def("close", &ScenarioWriter::close, Release());
}

}  // namespace bev::python

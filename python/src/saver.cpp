#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <bevscope/error.hpp>
#include <bevscope/saver.hpp>
#include <cstdint>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "dataset.hpp"

namespace bev::python {
namespace {

namespace nb = nanobind;

using RowBytes = nb::ndarray<const std::uint8_t, nb::shape<-1>, nb::c_contig,
                             nb::device::cpu, nb::ro>;

/// Name, dtype, shape, bytes.
using Attribute =
    std::tuple<std::string, std::string, std::vector<std::uint64_t>, RowBytes>;

SaveMode mode_of(const std::string& name) {
  if (name == "create") return SaveMode::create;
  if (name == "append") return SaveMode::append;
  if (name == "replace") return SaveMode::replace;
  throw Error(Errc::invalid_argument, "mode: unknown value (found " + name +
                                          ", expected create, append or replace)");
}

/// Saves arrays, which share memory with those of NumPy.
void save(DataSaver& self, const std::vector<Attribute>& arrays) {
  std::vector<SavedArray> batch;
  for (const auto& [name, dtype, shape, rows] : arrays) {
    batch.push_back(
        {name, dtype, shape, std::as_bytes(std::span(rows.data(), rows.size()))});
  }
  const nb::gil_scoped_release release;
  self.save(batch);
}

auto list(const std::string& path) {
  const auto read = [&] {
    const nb::gil_scoped_release release;
    return list_datasets(path);
  };
  std::vector<std::tuple<std::string, std::string, std::uint64_t, std::uint64_t,
                         std::uint64_t, bool>>
      out;
  for (const auto& found : read()) {
    out.emplace_back(found.path, found.config_json, found.rows, found.objects,
                     found.bytes, found.has_parts);
  }
  return out;
}

}  // namespace

void bind_saver(nb::module_& module) {
  using Release = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<DataSaver>(module, "DataSaver")
      .def(
          "__init__",
          [](DataSaver* self, const std::string& store, const std::string& config_json,
             std::uint64_t saver, const std::string& mode, std::size_t threads,
             std::size_t queue_bytes, bool upload) {
            new (self) DataSaver(store, config_json,
                                 {.saver = saver,
                                  .mode = mode_of(mode),
                                  .threads = threads,
                                  .queue_bytes = queue_bytes,
                                  .upload = upload});
          },
          nb::arg("store"), nb::arg("config_json"), nb::arg("saver"), nb::arg("mode"),
          nb::arg("threads"), nb::arg("queue_bytes"), nb::arg("upload"), Release())
      .def("save", &save, nb::arg("arrays"))
      .def("attach_file", &DataSaver::attach_file, nb::arg("name"), nb::arg("path"),
           Release())
      .def(
          "attach",
          [](DataSaver& self, const std::string& name, const nb::bytes& bytes) {
            self.attach(name, std::as_bytes(std::span(bytes.c_str(), bytes.size())));
          },
          nb::arg("name"), nb::arg("data"))
      .def("flush", &DataSaver::flush, Release())
      .def("finish", &DataSaver::finish, Release())
      .def("commit", &DataSaver::commit, Release())
      .def("abort", &DataSaver::abort, Release())
      .def_prop_ro("rows", &DataSaver::rows)
      .def_prop_ro("batches", &DataSaver::batches);
  module.def(
      "commit_parts",
      [](const std::string& store, std::optional<std::uint64_t> savers) {
        return savers ? commit_parts(store, *savers) : commit_parts(store);
      },
      nb::arg("store"), nb::arg("savers").none(), Release());
  module.def("discard_parts", &discard_parts, nb::arg("store"), Release());
  module.def("list_datasets", &list, nb::arg("path"));
  module.def("complete_config", &complete_config, nb::arg("config_json"));
  module.def("config_fingerprint", &config_fingerprint, nb::arg("config_json"));
}

}  // namespace bev::python

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <bevscope/loader.hpp>
#include <bevscope/native.hpp>
#include <cstdint>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "dataset.hpp"
#include "source.hpp"

namespace bev::python {
namespace {

namespace nb = nanobind;

using Indices =
    nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// Calls a function without the GIL and returns its arrays as a dict of bytes.
template <class Read>
NamedArrays answered_loader(const Read& read) {
  const auto call = [&] {
    const nb::gil_scoped_release release;
    return read();
  };
  return raw_dict_of(call());
}

NamedCounts counters(const DataLoader& self) {
  const auto found = self.counters();
  NamedCounts all;
  all["chunks"] = found.chunks;
  all["held_bytes"] = found.held_bytes;
  return all;
}

using Downloading = nb::typed<nb::callable, void(std::uint64_t, std::uint64_t)>;

std::vector<std::string> download_to(const nb::object& address,
                                     const std::string& folder,
                                     const std::string& commit,
                                     const std::optional<Downloading>& progress) {
  const auto source = source_of(address, {});
  DownloadOptions options{commit, {}};
  if (progress) {
    options.progress = [&progress](std::uint64_t done, std::uint64_t objects) {
      const nb::gil_scoped_acquire gil;
      (*progress)(done, objects);
    };
  }
  const nb::gil_scoped_release release;
  return download(*source, folder, options);
}

std::uint64_t upload_to(const std::string& folder, const std::string& address,
                        bool replace, const std::optional<Downloading>& progress) {
  UploadOptions options{replace, {}};
  options.progress = [&progress](std::uint64_t done, std::uint64_t objects) {
    const nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (progress) (*progress)(done, objects);
  };
  const nb::gil_scoped_release release;
  return upload(folder, address, options);
}

}  // namespace

void bind_loader(nb::module_& module) {
  using Release = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<DataLoader>(module, "DataLoader")
      .def(
          "__init__",
          [](DataLoader* self, const nb::object& address, std::size_t byte_budget,
             const std::string& cache, std::uint64_t cache_limit,
             std::optional<std::vector<std::string>> attributes) {
            auto source = source_of(address, {{cache, cache_limit}});
            const nb::gil_scoped_release release;
            new (self)
                DataLoader(std::move(source), {byte_budget, std::move(attributes)});
          },
          nb::arg("address"), nb::arg("byte_budget"), nb::arg("cache"),
          nb::arg("cache_limit"), nb::arg("attributes").none())
      .def("__len__", &DataLoader::size)
      .def("commit", &DataLoader::commit)
      .def("config_json", &DataLoader::config_json)
      .def("attachments",
           [](const DataLoader& self) {
             std::vector<std::tuple<std::string, std::uint64_t, std::string>> out;
             for (const auto& each : self.attachments()) {
               out.emplace_back(each.name, each.bytes, each.sha256);
             }
             return out;
           })
      .def("attachment",
           [](DataLoader& self, const std::string& name) {
             const auto read = [&] {
               const nb::gil_scoped_release release;
               return self.attachment(name);
             };
             const auto bytes = read();
             return nb::bytes(reinterpret_cast<const char*>(bytes.data()),
                              bytes.size());
           })
      .def("item",
           [](DataLoader& self, std::int64_t index) {
             return answered_loader([&] { return self.item(index); });
           })
      .def("items",
           [](DataLoader& self, const Indices& indices) {
             return answered_loader(
                 [&] { return self.items(std::span(indices.data(), indices.size())); });
           })
      .def(
          "rows",
          [](DataLoader& self, std::uint64_t begin, std::uint64_t end) {
            return answered_loader([&] { return self.rows(begin, end); });
          },
          nb::arg("begin"), nb::arg("end"))
      .def("clear", &DataLoader::clear, Release())
      .def("counters", &counters);
  module.def("download", &download_to, nb::arg("address"), nb::arg("folder"),
             nb::arg("commit"), nb::arg("progress").none());
  module.def("upload", &upload_to, nb::arg("folder"), nb::arg("address"),
             nb::arg("replace"), nb::arg("progress").none());
  module.def("remove_download", &remove_download, nb::arg("folder"), Release());
}

}  // namespace bev::python

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <bevscope/reader.hpp>
#include <bevscope/reader_concat.hpp>
#include <bevscope/reader_mix.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "arrays.hpp"
#include "dataset.hpp"

namespace bev::python {
namespace {

namespace nb = nanobind;

/// Returns the next batch as a dict; None at the end of the epoch.
std::optional<NamedArrays> next(Reader& self) {
  const auto read = [&] {
    const nb::gil_scoped_release release;
    return self.next();
  };
  const auto batch = read();
  if (!batch) return std::nullopt;
  return dict_of(*batch);
}

std::pair<std::uint64_t, std::uint64_t> position(const Reader& self) {
  const auto found = self.position();
  return {found.epoch, found.items};
}

void seek(Reader& self, std::uint64_t epoch, std::uint64_t items) {
  self.seek({epoch, items});
}

}  // namespace

void bind_reader(nb::module_& module) {
  using Release = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<Reader>(module, "Reader")
      .def("next", &next)
      .def("batch_size", &Reader::batch_size)
      .def("position", &position)
      .def("seek", &seek, nb::arg("epoch"), nb::arg("items"))
      .def("state", &Reader::state, Release())
      .def("restore", &Reader::restore, nb::arg("state"), Release())
      .def("length", &Reader::length, Release())
      .def("describe", &Reader::describe, nb::arg("by"), Release())
      .def("explain", &Reader::explain, Release());
  nb::class_<ConcatOrder>(module, "ConcatOrder")
      .def(nb::init<std::size_t>(), nb::arg("readers"))
      .def("choice", &ConcatOrder::choice)
      .def("exhausted", &ConcatOrder::exhausted)
      .def("reset", &ConcatOrder::reset)
      .def("state", &ConcatOrder::state, nb::arg("readers"))
      .def("reader_states", &ConcatOrder::reader_states, nb::arg("state"))
      .def("restore", &ConcatOrder::restore, nb::arg("state"));
  nb::class_<MixOrder>(module, "MixOrder")
      .def(nb::init<std::string_view>(), nb::arg("options"))
      .def("choice", &MixOrder::choice)
      .def("took", &MixOrder::took)
      .def("exhausted", &MixOrder::exhausted)
      .def("reset", &MixOrder::reset)
      .def("state", &MixOrder::state, nb::arg("readers"))
      .def("reader_states", &MixOrder::reader_states, nb::arg("state"))
      .def("restore", &MixOrder::restore, nb::arg("state"));
}

}  // namespace bev::python

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <bevscope/array.hpp>
#include <bevscope/error.hpp>
#include <cstdint>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "arrays.hpp"
#include "dataset.hpp"

namespace bev::python {
namespace {

namespace nb = nanobind;

using Bytes = nb::ndarray<const std::uint8_t, nb::shape<-1>, nb::c_contig,
                          nb::device::cpu, nb::ro>;
using RowIndices = nb::ndarray<const std::int64_t, nb::shape<-1>, nb::c_contig,
                               nb::device::cpu, nb::ro>;
using AxisRange =
    std::tuple<std::optional<std::int64_t>, std::optional<std::int64_t>, std::int64_t>;
/// An index, or (begin, end, step).
using AxisKey = std::variant<std::int64_t, AxisRange>;
/// Axes, or rows.
using Key = std::variant<RowIndices, std::vector<AxisKey>>;

Selection selection_of(const Key& key) {
  if (const auto* rows = std::get_if<RowIndices>(&key)) {
    return RowList{{rows->data(), rows->data() + rows->size()}};
  }
  Box box;
  for (const auto& axis : std::get<std::vector<AxisKey>>(key)) {
    if (const auto* index = std::get_if<std::int64_t>(&axis)) {
      box.axes.emplace_back(Index{*index});
    } else {
      const auto& [begin, end, step] = std::get<AxisRange>(axis);
      box.axes.emplace_back(Slice{begin, end, step});
    }
  }
  return box;
}

std::span<const std::byte> element_bytes(const Bytes& bytes) {
  return std::as_bytes(std::span(bytes.data(), bytes.size()));
}

/// Returns the elements' bytes as an array named "", and their shape.
auto read_array(const Array& self, const Key& key) {
  const auto selection = selection_of(key);
  const auto found = [&] {
    const nb::gil_scoped_release release;
    return self.read(selection);
  }();
  const auto shape = found[""].shape();
  return std::tuple(raw_dict_of(found),
                    std::vector<std::size_t>(shape.begin(), shape.end()));
}

void assign_array(Array& self, const Key& key,
                  const std::vector<std::tuple<std::string, Bytes>>& fields,
                  const std::optional<Bytes>& where) {
  const auto selection = selection_of(key);
  std::vector<AssignedField> values;
  for (const auto& [name, bytes] : fields)
    values.push_back({name, element_bytes(bytes)});
  const auto kept =
      where ? std::span(where->data(), where->size()) : std::span<const std::uint8_t>();
  const nb::gil_scoped_release release;
  self.assign(selection, values, kept);
}

ExistingArray existing_of(const std::string& name) {
  if (name == "refuse") return ExistingArray::refuse;
  if (name == "keep") return ExistingArray::keep;
  if (name == "replace") return ExistingArray::replace;
  throw Error(Errc::invalid_argument, "existing: unknown value (found " + name +
                                          ", expected refuse, keep or replace)");
}

}  // namespace

void bind_writable(nb::module_& module) {
  using Release = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<Array>(module, "WritableArray")
      .def(nb::init<const std::string&, const std::string&>(), nb::arg("path"),
           nb::arg("array"), Release())
      .def_prop_ro("path", [](const Array& self) { return self.info().path; })
      .def("metadata", &Array::metadata)
      .def(
          "refresh", [](Array& self) { self.refresh(); }, Release())
      .def("read", &read_array, nb::arg("key"))
      .def("assign", &assign_array, nb::arg("key"), nb::arg("fields"),
           nb::arg("where") = nb::none())
      .def(
          "append",
          [](Array& self, const Bytes& rows) {
            const nb::gil_scoped_release release;
            self.append(element_bytes(rows));
          },
          nb::arg("rows"))
      .def("resize", &Array::resize, nb::arg("shape"), Release())
      .def("use", [](const Array& self) {
        const auto use = [&] {
          const nb::gil_scoped_release release;
          return self.use();
        }();
        return std::tuple(use.chunks, use.stored_chunks, use.stored_bytes);
      });
  module.def(
      "create_array",
      [](const std::string& path, const std::string& array,
         std::vector<std::uint64_t> shape, const std::string& dtype,
         std::vector<std::uint64_t> chunks, const std::string& codec,
         std::optional<int> level, const std::string& fill_value, char order,
         int zarr_format, const std::string& existing) {
        create_array(path,
                     {.shape = std::move(shape),
                      .dtype = dtype,
                      .chunks = std::move(chunks),
                      .codec = codec,
                      .level = level,
                      .fill_value = fill_value,
                      .order = order,
                      .zarr_format = zarr_format},
                     existing_of(existing), array);
      },
      nb::arg("path"), nb::arg("array"), nb::arg("shape"), nb::arg("dtype"),
      nb::arg("chunks"), nb::arg("codec"), nb::arg("level").none(),
      nb::arg("fill_value"), nb::arg("order"), nb::arg("zarr_format"),
      nb::arg("existing"), Release());
}

}  // namespace bev::python

#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <bevscope/map.hpp>
#include <bevscope/native.hpp>
#include <bevscope/raster.hpp>
#include <new>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "dataset.hpp"
#include "numpy.hpp"

namespace bev::python {
namespace {

namespace nb = nanobind;

using Pixels = nb::ndarray<const std::uint8_t, nb::shape<-1, -1, 3>, nb::c_contig,
                           nb::device::cpu>;

void copy_image(AerialImage* self, const Pixels& pixels, const std::string& meta) {
  const auto height = static_cast<std::uint32_t>(pixels.shape(0));
  const auto width = static_cast<std::uint32_t>(pixels.shape(1));
  const nb::gil_scoped_release release;
  std::vector<std::uint8_t> copy(pixels.data(), pixels.data() + pixels.size());
  new (self) AerialImage(width, height, std::move(copy), meta);
}

std::shared_ptr<const SemanticMap> read_map_of(const std::string& path,
                                               const std::string& meta) {
  const nb::gil_scoped_release release;
  return read_map_with(path, meta);
}

nb::object line_of(std::span<const std::array<double, 3>> line,
                   const std::shared_ptr<const void>& owner) {
  const std::array<std::size_t, 2> shape{line.size(), 3};
  return numpy_array("<f8", shape, std::as_bytes(line), capsule_of(owner));
}

NamedArrays lines_of(const LaneLines& lines) {
  NamedArrays all;
  all["left"] = line_of(lines.left, lines.owner);
  all["right"] = line_of(lines.right, lines.owner);
  all["mid"] = line_of(lines.mid, lines.owner);
  return all;
}

}  // namespace

void bind_maps(nb::module_& module) {
  nb::class_<SemanticMap>(module, "SemanticMap")
      .def_static("read", &read_map_of, nb::arg("path"), nb::arg("meta_json"))
      .def("part_count", &SemanticMap::part_count)
      .def("find_part", &SemanticMap::find_part, nb::arg("x"), nb::arg("y"))
      .def("part", &SemanticMap::part, nb::arg("index"),
           nb::call_guard<nb::gil_scoped_release>())
      .def("arrays",
           [](const SemanticMap& self) { return dict_of(self.arrays().copy()); })
      .def("lanes_near", &SemanticMap::lanes_near, nb::arg("x"), nb::arg("y"),
           nb::arg("radius"))
      .def("crosswalks_near", &SemanticMap::crosswalks_near, nb::arg("x"), nb::arg("y"),
           nb::arg("radius"))
      .def(
          "lane_by_count",
          [](const SemanticMap& self, std::size_t row, std::uint32_t count) {
            return lines_of(self.lane_by_count(row, count));
          },
          nb::arg("row"), nb::arg("count"))
      .def(
          "lane_by_metres",
          [](const SemanticMap& self, std::size_t row, double step) {
            return lines_of(self.lane_by_metres(row, step));
          },
          nb::arg("row"), nb::arg("step"))
      .def("geodetic", &SemanticMap::geodetic, nb::arg("x"), nb::arg("y"),
           nb::arg("z"));
  nb::class_<AerialImage>(module, "AerialImage")
      .def("__init__", &copy_image, nb::arg("pixels"), nb::arg("meta_json"))
      .def_prop_ro("width", &AerialImage::width)
      .def_prop_ro("height", &AerialImage::height)
      .def_prop_ro("metres_per_pixel", &AerialImage::metres_per_pixel);
}

}  // namespace bev::python

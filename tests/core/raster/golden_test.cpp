#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/raster/aerial_layer.hpp"
#include "core/raster/fill_polygons.hpp"
#include "core/raster/line_aa.hpp"
#include "tests/support/files.hpp"
#include "tests/support/goldens.hpp"
#include "tests/support/npz.hpp"
#include "tests/support/png.hpp"
#include "tests/support/shapes.hpp"

namespace golden_test {

// OpenCV's pixels, call by call.

using bev::raster::Canvas;
using bev::raster::Gray;
using bev::raster::PointQ9;
using bev::raster::rgb;
using bev::raster::Rgba;
using bev::test::goldens;
using bev::test::NpyArray;
using Arrays = std::map<std::string, NpyArray>;
using Bytes = std::vector<std::uint8_t>;

namespace {

constexpr Rgba kWhite = rgb(255, 255, 255);

Arrays arrays_of(const std::string& file) {
  return bev::test::read_npz(goldens() + "/outputs/cv2/" + file);
}

std::vector<PointQ9> points_of(const NpyArray& array) {
  const auto numbers = array.as<std::int64_t>();
  std::vector<PointQ9> points;
  for (std::size_t i = 0; i < numbers.size(); i += 2) {
    points.push_back({static_cast<std::int32_t>(numbers[i]),
                      static_cast<std::int32_t>(numbers[i + 1])});
  }
  return points;
}

Bytes without_alpha(const std::vector<Rgba>& pixels) {
  Bytes out;
  for (const Rgba pixel : pixels) {
    for (const unsigned shift : {0U, 8U, 16U}) {
      out.push_back(static_cast<std::uint8_t>(pixel >> shift));
    }
  }
  return out;
}

/// Returns an image after `draw`, as (64, 64, 3).
template <class Draw>
Bytes drawn(int side, Rgba background, Draw&& draw) {
  std::vector<Rgba> pixels(static_cast<std::size_t>(side * side), background);
  draw(Canvas<Rgba>{pixels.data(), side, side});
  return without_alpha(pixels);
}

std::string number(std::size_t i, std::size_t digits) {
  const auto text = std::to_string(i);
  return std::string(digits - text.size(), '0') + text;
}

std::string label(const char* what, std::size_t i, std::size_t digits) {
  return number(i, digits) + "." + what;
}

/// Returns the same pixels as (height, width, 3).
Bytes interleaved(const Bytes& planes) {
  const std::size_t size = planes.size() / 3;
  Bytes out(planes.size());
  for (std::size_t i = 0; i < planes.size(); ++i) {
    out[i % size * 3 + i / size] = planes[i];
  }
  return out;
}

bev::raster::RgbPlanes planes_of(Bytes& bytes) {
  const std::size_t size = bytes.size() / 3;
  return {bytes.data(), bytes.data() + size, bytes.data() + 2 * size};
}

}  // namespace

TEST_SUITE("raster/golden") {
  TEST_CASE("filled polygons have OpenCV's pixels") {
    BEV_REQUIRE_GOLDENS();
    const Arrays arrays = arrays_of("polygons.npz");
    bev::raster::PolygonFiller filler;
    std::size_t i = 0;
    for (; arrays.count(label("fill", i, 3)) != 0; ++i) {
      CAPTURE(i);
      const NpyArray& corners = arrays.at(label("pts", i, 3));
      const auto points = points_of(corners);
      const std::size_t each =
          corners.shape.size() == 3 ? corners.shape[1] : points.size();
      Bytes gray(64 * 64);
      filler.fill<Gray>({gray.data(), 64, 64}, points, each, 255);
      CHECK(gray == arrays.at(label("fill", i, 3)).as<std::uint8_t>());
      if (arrays.count(label("fillrgb", i, 3)) == 0) continue;
      const auto coloured = drawn(64, kWhite, [&](Canvas<Rgba> canvas) {
        filler.fill(canvas, points, each, rgb(17, 17, 31));
      });
      CHECK(coloured == arrays.at(label("fillrgb", i, 3)).as<std::uint8_t>());
    }
    CHECK(i == 62);
  }

  TEST_CASE("open and closed lines have OpenCV's pixels") {
    BEV_REQUIRE_GOLDENS();
    const Arrays arrays = arrays_of("polygons.npz");
    std::size_t i = 0;
    for (; arrays.count(label("open", i, 3)) != 0; ++i) {
      CAPTURE(i);
      const auto points = points_of(arrays.at(label("pts", i, 3)));
      const auto line = [&](bool closed, Rgba colour) {
        return drawn(64, kWhite, [&](Canvas<Rgba> canvas) {
          bev::raster::draw_polyline_aa<Rgba>(canvas, points, closed, colour);
        });
      };
      CHECK(line(false, rgb(255, 217, 82)) ==
            arrays.at(label("open", i, 3)).as<std::uint8_t>());
      CHECK(line(true, rgb(255, 117, 69)) ==
            arrays.at(label("closed", i, 3)).as<std::uint8_t>());
    }
    CHECK(i == 54);
  }

  TEST_CASE("turned pictures have OpenCV's pixels") {
    BEV_REQUIRE_GOLDENS();
    const Arrays arrays = arrays_of("warp_resize.npz");
    const Bytes image = arrays.at("image").as<std::uint8_t>();  // 90 x 70
    bev::raster::WarpedRows rows;
    for (std::size_t i = 0; i < 8; ++i) {
      CAPTURE(i);
      // Sixty other columns: pixels around a window are black, not the image's.
      Bytes square;
      for (std::size_t y = i; y < i + 60; ++y) {
        const auto from = image.begin() + static_cast<std::ptrdiff_t>((y * 70 + 3) * 3);
        square.insert(square.end(), from, from + 180);
      }
      const double degrees = arrays.at(label("angle", i, 2)).as<double>()[0];
      rows.set({square, 60, 60, 0, 0, 60, 60},
               bev::raster::rotation_about({30, 30}, degrees), {}, {0, 0, 60});
      Bytes out;
      std::vector<bev::raster::Lanes> row(60);
      for (std::int32_t y = 0; y < 60; ++y) {
        rows.read(y, row);
        for (const bev::raster::Lanes pixel : row) {
          for (unsigned c = 0; c < 3; ++c) {
            out.push_back(static_cast<std::uint8_t>(pixel >> 16 * c));
          }
        }
      }
      CHECK(out == arrays.at(label("warp", i, 2)).as<std::uint8_t>());
    }
  }

  TEST_CASE("resized pictures have OpenCV's pixels") {
    BEV_REQUIRE_GOLDENS();
    const Arrays arrays = arrays_of("warp_resize.npz");
    const Bytes image = arrays.at("image").as<std::uint8_t>();
    const bev::raster::WindowRows rows({image, 70, 90, 0, 0, 60, 60});
    bev::raster::Resizer resizer;
    for (std::size_t i = 0; i < 6; ++i) {
      CAPTURE(i);
      const auto sides = arrays.at(label("size", i, 2)).as<std::int64_t>();
      const bev::raster::Size size{static_cast<std::int32_t>(sides[0]),
                                   static_cast<std::int32_t>(sides[1])};
      Bytes out(static_cast<std::size_t>(sides[0] * sides[1] * 3));
      resizer.resize(rows, {60, 60}, size, {0, 0, size}, planes_of(out));
      CHECK(interleaved(out) == arrays.at(label("resize", i, 2)).as<std::uint8_t>());
    }
  }

  TEST_CASE("crops of an aerial image have L5Kit's pixels") {
    BEV_REQUIRE_GOLDENS();
    const auto aerial = bev::test::parse_png(
        bev::test::read_file(goldens() + "/inputs/aerial_town.png"));
    const bev::raster::RgbImage image{aerial.rgb, aerial.width, aerial.height};
    const Arrays arrays = arrays_of("sat_crops.npz");
    bev::raster::AerialCropper cropper;
    for (std::size_t i = 0; i < 32; ++i) {
      CAPTURE(i);
      const auto sides = arrays.at(label("crop", i, 2)).as<std::int64_t>();
      const auto params = arrays.at(label("params", i, 2)).as<double>();
      bev::raster::CropRequest request{.size = {static_cast<std::int32_t>(sides[0]),
                                                static_cast<std::int32_t>(sides[1])},
                                       .centre = {params[0], params[1]},
                                       .rotation_deg = {},
                                       .pixel_size = params[3],
                                       .image_pixel_size = 0.47379};
      if (!std::isnan(params[2])) request.rotation_deg = params[2] * (180 / M_PI);
      Bytes out(static_cast<std::size_t>(sides[0] * sides[1] * 3));
      cropper.crop(image, request, planes_of(out));
      CHECK(interleaved(out) == arrays.at(label("out", i, 2)).as<std::uint8_t>());
    }
  }

  TEST_CASE("trajectories have L5Kit's pixels") {
    BEV_REQUIRE_GOLDENS();
    const Arrays arrays = arrays_of("draw_trajectory.npz");
    const auto numbers = arrays.at("positions").as<double>();
    const auto yaws = arrays.at("yaws").as<double>();
    std::vector<bev::geom::Vec2> positions;
    for (std::size_t i = 0; i < numbers.size(); i += 2) {
      positions.push_back({numbers[i], numbers[i + 1]});
    }
    const auto trajectory = [&](std::span<const double> with, std::int32_t radius) {
      return drawn(96, 0, [&](Canvas<Rgba> canvas) {
        bev::test::draw_trajectory(canvas, positions, with, bev::test::kTargetColour,
                                   radius);
      });
    };
    CHECK(trajectory({}, 1) == arrays.at("points").as<std::uint8_t>());
    CHECK(trajectory({}, 3) == arrays.at("radius3").as<std::uint8_t>());
    CHECK(trajectory(yaws, 1) == arrays.at("arrows").as<std::uint8_t>());
  }
}

}  // namespace golden_test

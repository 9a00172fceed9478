// Runs single drawing calls, for a benchmark that alternates with another library:
//
//   draw_bench CALL SIDE IN OUT
//
// CALL is boxes, lanes, lines, outlines, discs, resize or crop. IN contains points with
// 9 fractional bits, or whole pixels for discs, as pairs of int32; for resize and crop
// a square image, three bytes per pixel. OUT receives the image of SIDE pixels, as
// bytes. Each number N on standard input draws N times; the reply is a line with the
// processor time in seconds.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "core/raster/aerial_layer.hpp"
#include "core/raster/fill_polygons.hpp"
#include "core/raster/line_aa.hpp"
#include "core/raster/resize.hpp"
#include "tests/support/files.hpp"
#include "tests/support/shapes.hpp"

namespace {

using namespace bev::raster;
using bev::test::fill_circle;
using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t kOfBox = 4, kOfLane = 40, kOfLine = 20;
constexpr Rgba kColour = rgb(17, 117, 231);

/// Input and output of a drawing call.
struct Work {
  std::vector<PointQ9> points;
  Bytes picture;
  std::int32_t side;
  std::vector<Rgba> pixels;
  Bytes planes;
  PolygonFiller filler;
  Resizer resizer;
  AerialCropper cropper;

  std::size_t size() const { return planes.size() / 3; }
  Canvas<Rgba> canvas() { return {pixels.data(), side, side}; }
  RgbPlanes rgb_planes() {
    return {planes.data(), planes.data() + size(), planes.data() + 2 * size()};
  }
  std::int32_t picture_side() const {
    const double pixels_there = static_cast<double>(picture.size()) / 3;
    return static_cast<std::int32_t>(std::lround(std::sqrt(pixels_there)));
  }
};

using Call = std::function<void(Work&)>;

void in_pieces(const Work& work, std::size_t each,
               const std::function<void(std::span<const PointQ9>)>& draw) {
  const std::span<const PointQ9> all(work.points);
  for (std::size_t i = 0; i + each <= all.size(); i += each) {
    draw(all.subspan(i, each));
  }
}

void lines(Work& work, bool closed) {
  in_pieces(work, kOfLine, [&](std::span<const PointQ9> points) {
    draw_polyline_aa(work.canvas(), points, closed, kColour);
  });
}

Call call_of(const std::string& name) {
  if (name == "boxes") {
    return [](Work& work) {
      const Canvas<Gray> canvas{work.planes.data(), work.side, work.side};
      work.filler.fill<Gray>(canvas, work.points, kOfBox, 255);
    };
  }
  if (name == "lanes") {
    return [](Work& work) {
      in_pieces(work, kOfLane, [&](std::span<const PointQ9> points) {
        work.filler.fill(work.canvas(), points, kOfLane, kColour);
      });
    };
  }
  if (name == "lines") return [](Work& work) { lines(work, false); };
  if (name == "outlines") return [](Work& work) { lines(work, true); };
  if (name == "discs") {
    return [](Work& work) {
      for (const PointQ9& at : work.points) {
        fill_circle(work.canvas(), {at.x, at.y}, 3, kColour);
      }
    };
  }
  if (name == "resize") {
    return [](Work& work) {
      const std::int32_t side = work.picture_side();
      const WindowRows rows({work.picture, side, side, 0, 0, side, side});
      const Size size{work.side, work.side};
      work.resizer.resize(rows, {side, side}, size, {0, 0, size}, work.rgb_planes());
    };
  }
  if (name == "crop") {
    return [](Work& work) {
      const std::int32_t side = work.picture_side();
      const CropRequest request{.size = {work.side, work.side},
                                .centre = {side / 2.0, side / 2.0},
                                .rotation_deg = 33.0,
                                .pixel_size = 0.5,
                                .image_pixel_size = 0.47379};
      const auto pixels = static_cast<std::uint32_t>(side);
      work.cropper.crop({work.picture, pixels, pixels}, request, work.rgb_planes());
    };
  }
  throw std::invalid_argument("no call " + name);
}

std::unique_ptr<Work> read_work(const std::string& call, std::int32_t side,
                                const char* path) {
  auto work = std::make_unique<Work>();
  work->side = side;
  const auto pixels = static_cast<std::size_t>(side) * static_cast<std::size_t>(side);
  work->pixels.assign(pixels, rgb(255, 255, 255));
  work->planes.resize(3 * pixels);
  const auto bytes = bev::test::read_file(path);
  if (call == "resize" || call == "crop") {
    work->picture.resize(bytes.size());
    std::memcpy(work->picture.data(), bytes.data(), bytes.size());
  } else {
    work->points.resize(bytes.size() / sizeof(PointQ9));
    std::memcpy(work->points.data(), bytes.data(), bytes.size());
  }
  return work;
}

/// Writes the planes if the call draws into planes, otherwise the 4-byte pixels.
void write_result(const std::string& call, const Work& work, const char* path) {
  const bool planar = call == "boxes" || call == "resize" || call == "crop";
  const void* const data = planar ? static_cast<const void*>(work.planes.data())
                                  : static_cast<const void*>(work.pixels.data());
  const std::size_t size = planar ? work.planes.size() : work.pixels.size() * 4;
  std::FILE* const file = std::fopen(path, "wb");
  if (file == nullptr || std::fwrite(data, 1, size, file) != size) {
    throw std::runtime_error(std::string("cannot write ") + path);
  }
  std::fclose(file);
}

void answer(const Call& call, Work& work) {
  char line[64];
  while (std::fgets(line, sizeof line, stdin) != nullptr) {
    const long times = std::strtol(line, nullptr, 10);
    const auto start = std::clock();
    for (long i = 0; i < times; ++i) {
      call(work);
      bev::bench::keep(work.pixels.data());
    }
    std::printf("%.6f\n", static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    std::fflush(stdout);
  }
}

}  // namespace

int main(int count, char** arguments) {
  const std::vector<std::string> words(arguments + 1, arguments + count);
  try {
    const Call call = call_of(words.at(0));
    const auto side = static_cast<std::int32_t>(std::stol(words.at(1)));
    const auto work = read_work(words.at(0), side, words.at(2).c_str());
    call(*work);
    write_result(words.at(0), *work, words.at(3).c_str());
    answer(call, *work);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "draw_bench: %s\n", error.what());
    return 1;
  }
  return 0;
}

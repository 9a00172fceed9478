#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "core/engine/engine.hpp"
#include "core/engine/sample_query.hpp"
#include "core/raster/aerial_layer.hpp"
#include "core/raster/fill_polygons.hpp"
#include "core/raster/line_aa.hpp"
#include "tests/support/files.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/png.hpp"

// Drawing calls; and, if BEV_GOLDENS names the golden files, samples of their data sets
// (whose images the tests compare) with and without images.

namespace {

using namespace bev;
using raster::Gray;
using raster::PointQ9;
using raster::Rgba;

constexpr std::int32_t kSide = 224;

PointQ9 at(double x, double y) {
  return {raster::to_q9(x), raster::to_q9(y)};
}

/// Forty vehicles spread over the image.
std::vector<PointQ9> boxes() {
  std::vector<PointQ9> points;
  for (int i = 0; i < 40; ++i) {
    const double x = 37.0 * i - 224 * (37 * i / 224), y = 5.5 * i, turn = 0.7 * i;
    const double c = std::cos(turn), s = std::sin(turn);
    for (const auto& corner : {std::array{-4.8, -2.0}, std::array{-4.8, 2.0},
                               std::array{4.8, 2.0}, std::array{4.8, -2.0}}) {
      points.push_back(
          at(x + c * corner[0] - s * corner[1], y + s * corner[0] + c * corner[1]));
    }
  }
  return points;
}

/// Sixty slightly bent lanes of 50 metres with 20 points per side.
std::vector<PointQ9> lanes() {
  std::vector<PointQ9> points;
  for (int i = 0; i < 60; ++i) {
    const double x = 53.0 * i - 300 * (53 * i / 300) - 40, y = 5.0 * i - 40;
    const double turn = 1.1 * i, c = std::cos(turn), s = std::sin(turn);
    for (int k = 0; k < 40; ++k) {
      const double along = (k < 20 ? k : 39 - k) / 19.0;
      const double aside = 8 * std::sin(3 * along) + (k < 20 ? 0 : 7);
      points.push_back(
          at(x + 100 * c * along - s * aside, y + 100 * s * along + c * aside));
    }
  }
  return points;
}

void time_call(const char* name, const std::function<void()>& call) {
  std::printf("%-40s %9.1f us\n", name, bench::median_seconds(call, 101) * 1e6);
}

void time_drawing() {
  std::vector<Gray> plane(kSide * kSide);
  std::vector<Rgba> picture(kSide * kSide);
  const raster::Canvas<Gray> gray{plane.data(), kSide, kSide};
  const raster::Canvas<Rgba> colour{picture.data(), kSide, kSide};
  const auto boxed = boxes(), roads = lanes();
  const std::span<const PointQ9> all(roads);
  raster::PolygonFiller filler;
  time_call("40 boxes in one call", [&] { filler.fill<Gray>(gray, boxed, 4, 255); });
  time_call("60 lanes filled", [&] {
    for (std::size_t i = 0; i < all.size(); i += 40) {
      filler.fill(colour, all.subspan(i, 40), 40, raster::rgb(17, 17, 31));
    }
  });
  time_call("120 boundaries of them", [&] {
    for (std::size_t i = 0; i < all.size(); i += 20) {
      draw_polyline_aa(colour, all.subspan(i, 20), false, raster::rgb(255, 217, 82));
    }
  });
  const std::vector<std::uint8_t> aerial(600 * 600 * 3, 90);
  std::vector<std::uint8_t> out(kSide * kSide * 3);
  const std::size_t size = kSide * kSide;
  raster::AerialCropper cropper;
  const raster::CropRequest request{.size = {kSide, kSide},
                                    .centre = {300, 300},
                                    .rotation_deg = 33.0,
                                    .pixel_size = 0.5,
                                    .image_pixel_size = 0.47379};
  time_call("an aerial image turned and resized", [&] {
    cropper.crop({aerial, 600, 600}, request,
                 {out.data(), out.data() + size, out.data() + 2 * size});
  });
}

struct Maps {
  std::shared_ptr<const map::SemanticMap> semantic;
  std::shared_ptr<const map::AerialImage> aerial;
};

Maps maps_of(const std::string& inputs) {
  const auto meta = map::parse_meta(test::read_text(inputs + "/meta.json"));
  auto png = test::parse_png(test::read_file(inputs + "/aerial_town.png"));
  return {std::make_shared<const map::SemanticMap>(
              map::SemanticMap::parse(test::read_file(inputs + "/town_map.pb"), meta)),
          std::make_shared<const map::AerialImage>(
              png.width, png.height, std::move(png.rgb), map::aerial_from_world(meta))};
}

/// Makes samples for frames 85 to 234 of single_scene; for agents, one agent per frame.
double seconds_a_sample(Engine& engine, const test::FolderStore& store,
                        const SampleOptions& options, const Maps& maps) {
  const auto query = engine.samples(options, maps.semantic, maps.aerial);
  const auto all = [&] {
    for (std::int64_t i = 0; i < 150; ++i) {
      if (options.kind == SampleKind::ego) {
        query->at_frame(85 + i);
      } else {
        query->at_agent(6500 + 13 * i);
      }
      try {
        bench::keep(test::run(engine, *query, store).arrays.data());
      } catch (const Error& error) {
        if (error.code() != Errc::out_of_range) throw;  // below the threshold
      }
    }
  };
  return bench::median_seconds(all, 9) / 150;
}

void time_samples(const std::string& goldens) {
  const auto manifest =
      nlohmann::json::parse(test::read_text(goldens + "/manifest.json"));
  const Maps maps = maps_of(goldens + "/inputs");
  const test::FolderStore store(goldens + "/inputs/single_scene.zarr");
  Engine engine;
  std::printf("%-16s %12s %12s %12s\n", "us a sample", "no image", "bytes", "float32");
  for (const char* config : {"D_sem", "B_box", "A_sat"}) {
    for (const SampleKind kind : {SampleKind::ego, SampleKind::agent}) {
      std::printf("%-8s %-8s", config, kind == SampleKind::ego ? "ego" : "agent");
      for (const ImageForm form : {ImageForm::none, ImageForm::u8, ImageForm::f32}) {
        SampleOptions options;
        options.config = manifest["configs"][config].dump();
        options.kind = kind;
        options.image = form;
        std::printf(" %12.1f", seconds_a_sample(engine, store, options, maps) * 1e6);
      }
      std::printf("\n");
    }
  }
}

}  // namespace

int main() {
  time_drawing();
  const char* const goldens = std::getenv("BEV_GOLDENS");
  if (goldens != nullptr) time_samples(goldens);
  return EXIT_SUCCESS;
}

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/sample/frame_slice.hpp"
#include "core/sample/render_context.hpp"
#include "tests/support/files.hpp"
#include "tests/support/goldens.hpp"
#include "tests/support/npz.hpp"

// Compares with the reference's frame slices and raster transforms.

using bev::sample::FrameSlice;
using bev::test::goldens;
using bev::test::read_npz;
using nlohmann::json;

namespace {

FrameSlice slice_of(const json& entry) {
  const bool history = entry.contains("history");
  const auto& call = history ? entry["history"] : entry["future"];
  const auto state = call[0].get<std::int64_t>();
  const auto frames = call[1].get<std::uint32_t>();
  const auto step = call[2].get<std::uint32_t>();
  return history ? bev::sample::history_slice(state, frames, step, call[3].get<bool>())
                 : bev::sample::future_slice(state, frames, step);
}

double most_off(const bev::geom::Affine2& map, const std::vector<double>& expected) {
  const double got[] = {map.xx, map.xy, map.tx, map.yx, map.yy, map.ty, 0, 0, 1};
  double most = 0;
  for (std::size_t i = 0; i < 9; ++i) {
    const auto off = std::abs(got[i] - expected.at(i));
    most = std::max(most, off / std::max(1.0, std::abs(expected[i])));
  }
  return most;
}

}  // namespace

TEST_SUITE("sample/golden") {
  TEST_CASE("slices of frames are the reference's, and pick the same frames") {
    BEV_REQUIRE_GOLDENS();
    const auto entries =
        json::parse(bev::test::read_text(goldens() + "/outputs/geometry/slices.json"));
    REQUIRE(entries.size() == 225);
    for (const auto& entry : entries) {
      CAPTURE(entry.dump());
      const auto slice = slice_of(entry);
      CHECK(bev::sample::indices(slice, 25) ==
            entry["of25"].get<std::vector<std::int64_t>>());
      CHECK(slice.start == entry["slice"][0].get<std::int64_t>());
      CHECK(slice.step == entry["slice"][2].get<std::int64_t>());
      const auto& stop = entry["slice"][1];
      CHECK(slice.stop.has_value() == !stop.is_null());
      if (slice.stop) CHECK(*slice.stop == stop.get<std::int64_t>());
    }
  }

  TEST_CASE("rasters lie where the reference's do") {
    BEV_REQUIRE_GOLDENS();
    const auto arrays = read_npz(goldens() + "/outputs/geometry/render_context.npz");
    REQUIRE(arrays.size() == 24 * 4);
    for (int k = 0; k < 24; ++k) {
      const auto prefix = (k < 10 ? "0" : "") + std::to_string(k) + ".";
      CAPTURE(prefix);
      const auto params = arrays.at(prefix + "params").as<double>();
      const bev::sample::RasterFrame frame{{static_cast<std::uint32_t>(params[0]),
                                            static_cast<std::uint32_t>(params[1])},
                                           {params[2], params[2]},
                                           {params[3], params[4]},
                                           params[5] != 0};
      const auto from_local = bev::sample::raster_from_local(frame);
      const auto pose = arrays.at(prefix + "pose").as<double>();
      const auto from_world =
          bev::sample::raster_from_world(from_local, {pose[0], pose[1]}, pose[2]);
      CHECK(most_off(from_local,
                     arrays.at(prefix + "raster_from_local").as<double>()) <= 1e-12);
      CHECK(most_off(from_world,
                     arrays.at(prefix + "raster_from_world").as<double>()) <= 1e-9);
    }
  }
}

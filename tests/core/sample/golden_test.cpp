#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/sample/render_context.hpp"
#include "tests/support/goldens.hpp"
#include "tests/support/npz.hpp"

// Compares with the reference's raster transforms.

using bev::test::goldens;
using bev::test::read_npz;

namespace {

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

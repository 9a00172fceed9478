#include "core/geom/arrays.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "tests/support/goldens.hpp"
#include "tests/support/npz.hpp"

using bev::Errc;
using bev::Error;
using namespace bev::geom;
using Arrays = std::map<std::string, bev::test::NpyArray>;

namespace {

Arrays arrays_of(const std::string& file) {
  return bev::test::read_npz(bev::test::goldens() + "/outputs/geometry/" + file);
}

void check_equal(const Numbers& got, const Arrays& arrays, const std::string& name) {
  CAPTURE(name);
  const auto expected = arrays.at(name).as<double>();
  REQUIRE(got.size() == expected.size());
  REQUIRE_FALSE(got.empty());
  double most = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double off = std::abs(got[i] - expected[i]);
    most = std::max(most, off / std::max(1.0, std::abs(expected[i])));
  }
  CHECK(most <= 1e-9);
}

template <class Call>
std::string refusal(Call&& call, Errc code = Errc::invalid_argument) {
  try {
    call();
  } catch (const Error& error) {
    CHECK(error.code() == code);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_SUITE("geom/arrays") {
  TEST_CASE("transforms are the reference's, of one matrix and of a batch") {
    BEV_REQUIRE_GOLDENS();
    const auto all = arrays_of("geometry.npz");
    const auto of = [&](const char* name) { return all.at(name).as<double>(); };
    check_equal(transform_points(of("points2"), of("matrix2"), 2), all,
                "transform_points2");
    check_equal(transform_points(of("points3"), of("matrix3"), 3), all,
                "transform_points3");
    check_equal(transform_points(of("points_b"), of("matrix_b"), 2), all,
                "transform_points_bb");
    check_equal(transform_points(of("points_b"), of("matrix2"), 2), all,
                "transform_points_b1");
    check_equal(vertical_flips(of("matrix2"), 224), all, "vertical_flip");
    const auto p2 = of("points2"), a = of("angle_a");
    check_equal(agent_poses(NumberSpan(p2).first(40), NumberSpan(a).first(20)), all,
                "compute_agent_pose");
  }

  TEST_CASE("angles and places are the reference's") {
    BEV_REQUIRE_GOLDENS();
    const auto all = arrays_of("geometry.npz");
    const auto of = [&](const char* name) { return all.at(name).as<double>(); };
    const auto a = of("angle_a"), v1 = of("v1");
    check_equal(angular_distances(a, of("angle_b")), all, "angular_distance");
    check_equal(yaws_of_rotations(of("rotations")), all, "rotation33_as_yaw");
    check_equal(rotations_of_yaws(NumberSpan(a).first(20)), all, "yaw_as_rotation33");
    check_equal(angles_between(v1, of("v2"), 3), all, "angle_between_vectors");
    Numbers flat;
    for (const auto& row : rows_of<3>(v1, "v1")) {
      flat.insert(flat.end(), row.begin(), row.begin() + 2);
    }
    check_equal(yaws_around_north(flat), all, "yaw_around_north");
    check_equal(ecef_of_geodetic(of("lla")), all, "geodetic_to_ecef");
    check_equal(geodetic_of_ecef(of("geodetic_to_ecef")), all, "ecef_to_geodetic");
  }

  TEST_CASE("grids are the reference's") {
    BEV_REQUIRE_GOLDENS();
    const auto voxel = arrays_of("voxel.npz");
    const auto integers = voxel.at("coords").as<std::int64_t>();
    const Numbers cells(integers.begin(), integers.end());
    const Numbers shape{6, 5, 4};
    const auto counts = voxel.at("grid").as<float>();
    CHECK(intensity_grid(cells, shape) == Numbers(counts.begin(), counts.end()));
    const auto within = voxel.at("within").as<std::uint8_t>();
    CHECK(points_within_bounds(cells, shape) == Numbers(within.begin(), within.end()));
    const auto all = arrays_of("geometry.npz");
    check_equal(normalized_intensity(all.at("points2").as<double>(), 100), all,
                "normalize_intensity");
  }

  TEST_CASE("a plane's vectors are as those of space") {
    CHECK(angles_between(Numbers{1, 0, 1, 0}, Numbers{0, 2, -1, 0}, 2) ==
          Numbers{std::acos(0.0), std::acos(-1.0)});
  }

  TEST_CASE("arrays that do not fit each other are refused") {
    const Numbers three(3), four(4), nine(9);
    CHECK(refusal([&] { angular_distances(three, four); }) ==
          "angles: lengths differ (found 3 and 4)");
    CHECK(refusal([&] { yaws_of_rotations(four); }) ==
          "rotations: wrong length (found 4, expected a multiple of 9)");
    CHECK(refusal([&] { transform_points(four, nine, 4); }) ==
          "points: invalid dimensions (found 4.000000, expected 2 or 3)");
    for (const auto& matrices : {Numbers(), Numbers(8), Numbers(27)}) {
      CHECK_FALSE(refusal([&] { transform_points(four, matrices, 2); }).empty());
    }
    CHECK_FALSE(refusal([&] { agent_poses(four, three); }).empty());
  }

  TEST_CASE("grids that cannot be are refused before anything is allocated") {
    constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
    const Numbers cells{0, 0, 0};
    CHECK(refusal(
              [&] {
                intensity_grid(cells, Numbers{1e9, 1e9, 1e9});
              },
              Errc::limit_exceeded)
              .starts_with("grid: too many cells (found "));
    for (const auto& shape :
         {Numbers{0, 1, 1}, Numbers{1.5, 1, 1}, Numbers{kNaN, 1, 1}, Numbers{1, 1}}) {
      CHECK_FALSE(refusal([&] { intensity_grid(cells, shape); }).empty());
    }
    CHECK_FALSE(refusal([&] {
                  intensity_grid(Numbers{0.5, 0, 0}, Numbers{2, 2, 2});
                }).empty());
    CHECK(intensity_grid(Numbers{kNaN, 0, 0}, Numbers{1, 1, 1}) == Numbers{0});
  }
}

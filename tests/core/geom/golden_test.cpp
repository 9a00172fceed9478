#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "core/geom/affine.hpp"
#include "core/geom/angle.hpp"
#include "core/geom/geodesy.hpp"
#include "core/geom/trig_f32.hpp"
#include "tests/support/goldens.hpp"
#include "tests/support/npz.hpp"

namespace golden_test {

// Compares with the reference's geometry on random input.

using namespace bev::geom;
using bev::test::goldens;
using bev::test::NpyArray;
using bev::test::read_npz;
using Arrays = std::map<std::string, NpyArray>;

namespace {

Arrays arrays_of(const std::string& file) {
  return read_npz(goldens() + "/outputs/geometry/" + file);
}

std::vector<double> numbers(const Arrays& arrays, const std::string& name) {
  return arrays.at(name).as<double>();
}

/// Returns the largest difference, relative if the expected number is large.
template <class A, class B>
double difference(const std::vector<A>& got, const std::vector<B>& expected) {
  if (got.size() != expected.size()) return INFINITY;
  double most = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const auto off = std::abs(static_cast<double>(got[i]) - expected[i]);
    most = std::max(most, off / std::max(1.0, std::abs(double{expected[i]})));
  }
  return most;
}

Affine2 affine2(const double* m) {
  return {.xx = m[0], .xy = m[1], .tx = m[2], .yx = m[3], .yy = m[4], .ty = m[5]};
}

Affine3 affine3(const double* m) {
  Affine3 map;
  for (std::size_t i = 0; i < 3; ++i) std::copy_n(m + 4 * i, 4, map.rows[i].begin());
  return map;
}

std::vector<double> transformed2(const double* points, std::size_t count,
                                 const Affine2& map) {
  std::vector<double> out;
  for (std::size_t i = 0; i < count; ++i) {
    const auto p = map * Vec2{points[2 * i], points[2 * i + 1]};
    out.insert(out.end(), {p.x, p.y});
  }
  return out;
}

void append(std::vector<double>& out, const Affine2& m) {
  out.insert(out.end(), {m.xx, m.xy, m.tx, m.yx, m.yy, m.ty, 0, 0, 1});
}

}  // namespace

TEST_SUITE("geom/golden") {
  TEST_CASE("angles are the reference's") {
    BEV_REQUIRE_GOLDENS();
    const auto arrays = arrays_of("geometry.npz");
    const auto a = numbers(arrays, "angle_a"), b = numbers(arrays, "angle_b");
    std::vector<double> got;
    std::vector<float> got_f32;
    for (std::size_t i = 0; i < a.size(); ++i) {
      got.push_back(angular_distance(a[i], b[i]));
      got_f32.push_back(
          angular_distance_f32(static_cast<float>(a[i]), static_cast<float>(b[i])));
    }
    REQUIRE(got.size() == 200);
    CHECK(difference(got, numbers(arrays, "angular_distance")) <= 1e-15);
    CHECK(got_f32 == arrays.at("angular_distance_f32").as<float>());

    const auto rotations = numbers(arrays, "rotations");
    std::vector<double> yaws;
    for (std::size_t i = 0; i < rotations.size(); i += 9) {
      const double* const r = &rotations[i];
      yaws.push_back(rotation33_as_yaw(
          {{{r[0], r[1], r[2]}, {r[3], r[4], r[5]}, {r[6], r[7], r[8]}}}));
    }
    REQUIRE(yaws.size() == 40);
    CHECK(difference(yaws, numbers(arrays, "rotation33_as_yaw")) <= 1e-9);

    std::vector<double> matrices;
    for (std::size_t i = 0; i < 20; ++i) {
      for (const auto& row : yaw_as_rotation33(a[i])) {
        matrices.insert(matrices.end(), row.begin(), row.end());
      }
    }
    CHECK(difference(matrices, numbers(arrays, "yaw_as_rotation33")) <= 1e-12);
  }

  TEST_CASE("poses and transformed points are the reference's") {
    BEV_REQUIRE_GOLDENS();
    const auto arrays = arrays_of("geometry.npz");
    const auto p2 = numbers(arrays, "points2"), p3 = numbers(arrays, "points3");
    const auto a = numbers(arrays, "angle_a");
    const auto map2 = affine2(numbers(arrays, "matrix2").data());
    const auto map3 = affine3(numbers(arrays, "matrix3").data());
    CHECK(difference(transformed2(p2.data(), 50, map2),
                     numbers(arrays, "transform_points2")) <= 1e-9);
    std::vector<double> in_space;
    for (std::size_t i = 0; i < 50; ++i) {
      const auto p = map3 * Vec3{p3[3 * i], p3[3 * i + 1], p3[3 * i + 2]};
      in_space.insert(in_space.end(), {p.x, p.y, p.z});
    }
    CHECK(difference(in_space, numbers(arrays, "transform_points3")) <= 1e-9);

    const auto batch = numbers(arrays, "points_b"), maps = numbers(arrays, "matrix_b");
    std::vector<double> by_its_own, by_one;
    for (std::size_t i = 0; i < 4; ++i) {
      const auto own = transformed2(&batch[14 * i], 7, affine2(&maps[9 * i]));
      const auto one = transformed2(&batch[14 * i], 7, map2);
      by_its_own.insert(by_its_own.end(), own.begin(), own.end());
      by_one.insert(by_one.end(), one.begin(), one.end());
    }
    CHECK(difference(by_its_own, numbers(arrays, "transform_points_bb")) <= 1e-9);
    CHECK(difference(by_one, numbers(arrays, "transform_points_b1")) <= 1e-9);

    std::vector<double> poses;
    for (std::size_t i = 0; i < 20; ++i) {
      append(poses, pose({p2[2 * i], p2[2 * i + 1]}, a[i]));
    }
    CHECK(difference(poses, numbers(arrays, "compute_agent_pose")) <= 1e-12);
  }

  TEST_CASE("places on the earth are the reference's") {
    BEV_REQUIRE_GOLDENS();
    const auto arrays = arrays_of("geometry.npz");
    const auto lla = numbers(arrays, "lla");
    std::vector<double> ecef, back;
    for (std::size_t i = 0; i < lla.size(); i += 3) {
      const auto in_ecef = geodetic_to_ecef({lla[i], lla[i + 1], lla[i + 2]});
      const auto place = ecef_to_geodetic(in_ecef);
      ecef.insert(ecef.end(), {in_ecef.x, in_ecef.y, in_ecef.z});
      back.insert(back.end(),
                  {place.latitude_deg, place.longitude_deg, place.altitude_m});
    }
    REQUIRE(ecef.size() == 60);
    CHECK(difference(ecef, numbers(arrays, "geodetic_to_ecef")) <= 1e-9);
    CHECK(difference(back, numbers(arrays, "ecef_to_geodetic")) <= 1e-9);
  }

  TEST_CASE("float32 sines and corners of boxes are the reference's bits") {
    BEV_REQUIRE_GOLDENS();
    const auto sines = arrays_of("sincos_f32.npz");
    std::vector<float> sin, cos;
    for (const auto x : sines.at("x").as<float>()) {
      sin.push_back(sincos_f32(x).sin);
      cos.push_back(sincos_f32(x).cos);
    }
    REQUIRE(sin.size() == 4009);
    CHECK(sin == sines.at("sin").as<float>());
    CHECK(cos == sines.at("cos").as<float>());

    const auto boxes = arrays_of("boxes.npz");
    const auto centroid = numbers(boxes, "centroid");
    const auto extent = boxes.at("extent").as<float>();
    const auto yaw = boxes.at("yaw").as<float>();
    std::vector<double> corners;
    constexpr std::array<std::size_t, 4> kReferenceOrder{2, 1, 0, 3};
    for (std::size_t i = 0; i < yaw.size(); ++i) {
      const auto ours = agent_corners({centroid[2 * i], centroid[2 * i + 1]}, yaw[i],
                                      extent[3 * i], extent[3 * i + 1]);
      for (const auto k : kReferenceOrder) {
        corners.insert(corners.end(), {ours[k].x, ours[k].y});
      }
    }
    REQUIRE(corners.size() == 320);
    CHECK(difference(corners, numbers(boxes, "box_world_coords")) <= 1e-13);
  }
}

}  // namespace golden_test

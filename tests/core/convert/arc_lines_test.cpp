#include "core/convert/arc_lines.hpp"

#include <doctest/doctest.h>

#include "tests/support/error_code.hpp"

using namespace bev;
using convert::ArcLine;
using convert::points_of;

namespace arc_lines_test {

namespace {

// Paths of Singapore, and their points.
// Reference  nuscenes-devkit, map_expansion/tests/test_arcline_path_utils.py
const ArcLine kStraight{{421.2419602954602, 1087.9127960414617, 2.739593514975998},
                        {0.23651121617864976, 28.593481378991886, 3.254561444252876},
                        "LSR",
                        999.999};
const ArcLine kLeft{{391.7142849867393, 1100.464077182952, 2.7365754617298705},
                    {22.380622583127813, 0.18854612175175053, 0.0010839266609007578},
                    "LSL",
                    14.473414516079979};

void check_equal(const std::vector<geom::Vec3>& found,
                 const std::vector<std::array<double, 2>>& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CAPTURE(i);
    CHECK(std::abs(found[i].x - expected[i][0]) < 1e-6);
    CHECK(std::abs(found[i].y - expected[i][1]) < 1e-6);
  }
}

}  // namespace

TEST_SUITE("convert/arc_lines") {
  TEST_CASE("points are those of nuscenes-devkit") {
    check_equal(points_of(kStraight, 10), {{421.2419602954602, 1087.9127960414617},
                                           {413.85953060356087, 1091.049417600379},
                                           {406.4770899726762, 1094.1860134184205},
                                           {399.0946493417915, 1097.322609236462},
                                           {391.71428498673856, 1100.4640771829522}});
    CHECK(points_of(kStraight, 1).size() == 34);
    check_equal(points_of(kLeft, 2), {{391.7142849867393, 1100.464077182952},
                                      {389.94237388555354, 1101.0909492468568},
                                      {388.10416900705434, 1101.4829190922167},
                                      {386.23066958739906, 1101.633376593063},
                                      {384.3534700650694, 1101.539784454639},
                                      {382.50422727657343, 1101.2037210019917},
                                      {380.714126599876, 1100.630853563314},
                                      {379.01335604844144, 1099.830842896896},
                                      {377.4305971846951, 1098.8171802734153},
                                      {375.99254143806974, 1097.6069599609898},
                                      {374.7234399843828, 1096.220590949774},
                                      {373.64469477731785, 1094.6814527775348},
                                      {372.7733659833847, 1093.0160135871613}});
  }

  TEST_CASE("paths that are none are refused") {
    const auto refusal = [](auto change) {
      auto path = kLeft;
      change(path);
      return test::error_code([&] { points_of(path, 1); });
    };
    CHECK(refusal([](auto& one) { one.shape = "SSS"; }) == Errc::invalid_metadata);
    CHECK(refusal([](auto& one) { one.shape = "L"; }) == Errc::invalid_metadata);
    CHECK(refusal([](auto& one) { one.radius = 0; }) == Errc::invalid_metadata);
    CHECK(refusal([](auto& one) { one.lengths[1] = -1; }) == Errc::invalid_metadata);
    CHECK(refusal([](auto& one) { one.lengths[1] = 1e5; }) == Errc::invalid_metadata);
    CHECK(refusal([](auto&) {}) == std::nullopt);
  }
}

}  // namespace arc_lines_test

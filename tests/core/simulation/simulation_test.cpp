#include "core/simulation/simulation.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace simulation_test {

using namespace bev::simulation;

constexpr Vehicle kVehicle{5, 2, 1.5};

TEST_SUITE("simulation/simulation") {
  TEST_CASE("types have nuPlan's names") {
    CHECK(to_string(ObjectType::czone_sign) == "czone_sign");
    CHECK(object_type("bicycle") == ObjectType::bicycle);
    CHECK_FALSE(object_type("ego"));
  }

  TEST_CASE("the rear axle is behind the centre along the heading") {
    const auto rear = rear_axle({10, 20, std::acos(-1.0) / 2}, kVehicle);
    CHECK(rear.x == doctest::Approx(10));
    CHECK(rear.y == doctest::Approx(18.5));
    const auto centre = centre_of(rear, kVehicle);
    CHECK(centre.y == doctest::Approx(20));
  }

  TEST_CASE("headings are unwrapped by whole turns") {
    const double turn = 2 * std::acos(-1.0);
    const auto found = unwrapped(std::vector<double>{3.1, -3.1, -3.0, 3.1});
    CHECK(found[1] == doctest::Approx(-3.1 + turn));
    CHECK(found[2] == doctest::Approx(-3.0 + turn));
    CHECK(found[3] == doctest::Approx(3.1));
  }

  TEST_CASE("plans are interpolated at the rear axle, headings the shorter way") {
    const std::vector<PlanState> plan{{1'000'000, centre_of({0, 0, 3.1}, kVehicle)},
                                      {1'500'000, centre_of({-2, 1, -3.1}, kVehicle)},
                                      {2'000'000, centre_of({-4, 1, -3.1}, kVehicle)}};
    const auto found = planned_at(plan, kVehicle, 1'250'000);
    REQUIRE(found);
    const auto rear = rear_axle(*found, kVehicle);
    CHECK(rear.x == doctest::Approx(-1));
    CHECK(rear.y == doctest::Approx(0.5));
    CHECK(std::fabs(rear.yaw) == doctest::Approx(std::acos(-1.0)));
    CHECK(planned_at(plan, kVehicle, 2'000'000)->yaw == doctest::Approx(-3.1));
    CHECK_FALSE(planned_at(plan, kVehicle, 999'999));
    CHECK_FALSE(planned_at(plan, kVehicle, 2'000'001));
    const std::vector<PlanState> timeless{{std::nullopt, {}}, {std::nullopt, {}}};
    CHECK_FALSE(planned_at(timeless, kVehicle, 0));
  }

  TEST_CASE("tokens are ids of tracks, as in converted logs") {
    CHECK(track_id("00ff", 3) == 255);
    CHECK(track_id("ffffffffffffffff", 3) == 0xffff'ffff'ffff'ffffU);
    CHECK(track_id("0ffffffffffffffff", 3) == (std::uint64_t{1} << 63U) + 3);
    CHECK(track_id("", 4) == (std::uint64_t{1} << 63U) + 4);
    CHECK(track_id("x", 5) == (std::uint64_t{1} << 63U) + 5);
  }
}

}  // namespace simulation_test

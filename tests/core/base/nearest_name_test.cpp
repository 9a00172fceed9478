#include "core/base/nearest_name.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>

using bev::nearest_name;

TEST_SUITE("base/nearest_name") {
  TEST_CASE("the name with the fewest edits is named, if it is like the other") {
    constexpr std::array<std::string_view, 4> names{"frames_per_step", "yaw", "seed",
                                                    "seen"};
    CHECK(nearest_name("frame_per_step", names) == "frames_per_step");
    CHECK(nearest_name("framesPerStep", names) == "frames_per_step");
    CHECK(nearest_name("ywa", names).empty());  // two of three bytes
    CHECK(nearest_name("jaw", names) == "yaw");
    CHECK(nearest_name("see", names) == "seed");  // the first of two
    CHECK(nearest_name("sen", names) == "seen");
    CHECK(nearest_name("yaw", names) == "yaw");
    CHECK(nearest_name("", names).empty());
    CHECK(nearest_name("velocity", names).empty());
    CHECK(nearest_name("x", {}).empty());
  }

  TEST_CASE("a name of any length is compared in bounded time") {
    constexpr std::array<std::string_view, 1> names{"yaw"};
    CHECK(nearest_name(std::string(1'000'000, 'y'), names).empty());
  }
}

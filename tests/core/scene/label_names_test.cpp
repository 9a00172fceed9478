#include "core/scene/label_names.hpp"

#include <doctest/doctest.h>

#include <cstddef>

using namespace bev::scene;

TEST_SUITE("scene/label_names") {
  TEST_CASE("names of labels lack the prefix that most have") {
    CHECK(kLabelNames[0] == "NOT_SET");
    CHECK(kLabelNames[3] == "CAR");
    CHECK(kLabelNames[16] == "AVRESEARCH_LABEL_DONTCARE");
  }

  TEST_CASE("names of classes are those of the labels' classes") {
    const auto name_of = [](std::size_t label) {
      return kClassNames[static_cast<std::size_t>(class_of_label(label))];
    };
    CHECK(name_of(3) == "VEHICLE");
    CHECK(name_of(10) == "CYCLIST");
    CHECK(name_of(14) == "PEDESTRIAN");
    CHECK(name_of(15) == "OTHER");
  }
}

#include "core/scene/labels.hpp"

#include <doctest/doctest.h>

#include <array>
#include <limits>

using namespace bev::scene;

TEST_SUITE("scene/labels") {
  TEST_CASE("the most probable label is the first of equals") {
    std::array<float, kLabelCount> p{};
    CHECK(most_probable(p) == 0);
    p[12] = p[14] = 0.5F;
    CHECK(most_probable(p) == 12);
  }

  TEST_CASE("NaN is never the most probable") {
    std::array<float, kLabelCount> p{};
    p[0] = std::numeric_limits<float>::quiet_NaN();
    p[3] = 0.1F;
    CHECK(most_probable(p) == 3);
  }

  TEST_CASE("labels fall into four classes") {
    CHECK(class_of_label(3) == AgentClass::vehicle);
    CHECK(class_of_label(9) == AgentClass::vehicle);
    CHECK(class_of_label(10) == AgentClass::cyclist);
    CHECK(class_of_label(13) == AgentClass::cyclist);
    CHECK(class_of_label(14) == AgentClass::pedestrian);
    for (const std::size_t other : {0U, 1U, 2U, 15U, 16U}) {
      CHECK(class_of_label(other) == AgentClass::other);
    }
  }

  TEST_CASE("a face without a value above zero is unknown") {
    CHECK(state_of(std::array{1.0F, 0.0F, 0.0F}) == FaceState::active);
    CHECK(state_of(std::array{0.0F, 1.0F, 0.0F}) == FaceState::inactive);
    CHECK(state_of(std::array{0.0F, 0.0F, 0.0F}) == FaceState::unknown);
    CHECK(state_of(std::array{-1.0F, 0.0F, 0.0F}) == FaceState::unknown);
  }
}

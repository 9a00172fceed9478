#include "core/eval/records.hpp"

#include <doctest/doctest.h>

using bev::eval::ground_truth_of;

TEST_SUITE("eval/records") {
  TEST_CASE("targets become offsets along the axes of world") {
    bev::sample::Sample sample;
    sample.timestamp = 5;
    sample.track_id = 7;
    sample.world_from_agent = {0, -1, 10, 1, 0, 20, 0, 0, 1};  // a quarter turn
    sample.centroid = {10, 20};
    sample.target_positions = {1, 0, 2, 0.5F};
    sample.target_availabilities = {1, 0};
    const auto truth = ground_truth_of(sample);
    CHECK(truth.timestamp == 5);
    CHECK(truth.track_id == 7);
    CHECK(truth.coords == std::vector<double>{0, 1, -0.5, 2});
    CHECK(truth.availabilities == std::vector<double>{1, 0});
  }
}

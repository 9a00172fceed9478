#include "core/eval/records.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "core/base/error.hpp"

using bev::Error;
using bev::eval::ground_truth_of;
using namespace bev::eval;
using Numbers = std::vector<double>;

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

  TEST_CASE("records become columns, and columns the same records") {
    const std::vector<GroundTruth> truths{{100, 7, {1, 0}, {1, 2, 3, 4}},
                                          {200, -1, {1, 1}, {5, 6, 7, 8}}};
    const auto columns = columns_of(truths);
    CHECK(columns.timestamps == std::vector<std::int64_t>{100, 200});
    CHECK(columns.track_ids == std::vector<std::int64_t>{7, -1});
    CHECK(columns.weights == Numbers{1, 0, 1, 1});
    CHECK(columns.coords == Numbers{1, 2, 3, 4, 5, 6, 7, 8});
    const auto back = truths_of(columns);
    REQUIRE(back.size() == 2);
    CHECK(back[1].timestamp == 200);
    CHECK(back[1].track_id == -1);
    CHECK(back[0].availabilities == Numbers{1, 0});
    CHECK(back[1].coords == Numbers{5, 6, 7, 8});
    const auto predictions = predictions_of(columns);
    REQUIRE(predictions.size() == 2);
    CHECK(predictions[0].confidences == Numbers{1, 0});
    CHECK(columns_of(predictions).coords == columns.coords);
  }

  TEST_CASE("no records are no columns") {
    CHECK(truths_of({}).empty());
    CHECK(columns_of(std::vector<Prediction>{}).timestamps.empty());
  }

  TEST_CASE("columns that do not fit each other are refused") {
    CHECK_THROWS_AS(truths_of({{1, 2}, {1}, {}, {}}), Error);
    CHECK_THROWS_AS(truths_of({{1, 2}, {1, 2}, {1}, {}}), Error);
    CHECK_THROWS_AS(predictions_of({{1, 2}, {1, 2}, {1, 1}, {1, 2, 3}}), Error);
    const std::vector<GroundTruth> uneven{{1, 1, {1}, {1, 2}}, {1, 2, {1, 1}, {1, 2}}};
    CHECK_THROWS_WITH_AS(columns_of(uneven),
                         "evaluation: track 2: shape differs from the first record's",
                         Error);
  }

  TEST_CASE("columns without records have no values") {
    CHECK_THROWS_WITH_AS(truths_of({{}, {}, {1}, {}}),
                         "evaluation: weights do not divide among records (found 1 for "
                         "0)",
                         Error);
    CHECK_THROWS_WITH_AS(predictions_of({{}, {}, {}, {1, 2}}),
                         "evaluation: coordinates do not divide among records (found 2 "
                         "for 0)",
                         Error);
  }

  TEST_CASE("the columns that do not fit are named with their lengths") {
    CHECK_THROWS_WITH_AS(
        truths_of({{1, 2}, {1}, {}, {}}),
        "evaluation: lengths differ (found 2 timestamps and 1 track ids)", Error);
    CHECK_THROWS_WITH_AS(
        predictions_of({{1, 2}, {1, 2}, {1, 1, 1}, {}}),
        "evaluation: weights do not divide among records (found 3 for 2)", Error);
    CHECK_THROWS_WITH_AS(
        predictions_of({{1, 2}, {1, 2}, {1, 1}, {1}}),
        "evaluation: coordinates do not divide among records (found 1 for 2)", Error);
    const std::vector<Prediction> uneven{{1, 1, {1}, {1, 2}},
                                         {1, 9, {1}, {1, 2, 3, 4}}};
    CHECK_THROWS_WITH_AS(columns_of(uneven),
                         "evaluation: track 9: shape differs from the first record's",
                         Error);
  }

  TEST_CASE("records without weights or coordinates keep their keys") {
    const auto truths = truths_of({{5, 6}, {7, 8}, {}, {}});
    REQUIRE(truths.size() == 2);
    CHECK(truths[1].timestamp == 6);
    CHECK(truths[1].track_id == 8);
    CHECK(truths[1].steps() == 0);
  }

  TEST_CASE("a sample without future has a ground truth without steps") {
    bev::sample::Sample sample;
    sample.timestamp = -3;
    sample.track_id = -1;
    const auto truth = ground_truth_of(sample);
    CHECK(truth.timestamp == -3);
    CHECK(truth.track_id == -1);
    CHECK(truth.steps() == 0);
    CHECK(truth.coords.empty());
  }
}

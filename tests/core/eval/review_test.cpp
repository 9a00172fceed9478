#include "core/eval/review.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.hpp"

namespace review_test {

using bev::Error;
using doctest::Approx;
using namespace bev::eval;
using Values = std::vector<double>;

namespace {

/// Three frames, with rows starting at 10: track 7 moves 1 m per frame and is missing
/// in the last one, track 8 stands at (5, 5); the ego vehicle moves 2 m per frame.
SceneTracks small_scene() {
  return {{100, 200, 300},
          {0, 0, 1, 2, 0, 1, 4, 0, 1},
          {{10, 12}, {12, 14}, {14, 15}},
          {7, 8, 8, 7, 8},
          {0, 1, 5, 5, 5, 5, 1, 1, 5, 5}};
}

/// A prediction with two modes and two steps: the first moves 1 m per step, the second
/// stands still.
Prediction ahead(std::int64_t time, std::int64_t track,
                 Values confidences = {0.5, 0.5}) {
  return {time, track, std::move(confidences), {1, 0, 2, 0, 0, 0, 0, 0}};
}

Review reviewed(std::vector<Prediction> predictions) {
  Review review(std::move(predictions));
  review.set_scene(small_scene());
  return review;
}

std::string header() {
  return "timestamp,track_id,conf_0,conf_1,coord_x00,coord_y00,coord_x10,coord_y10\n";
}

}  // namespace

TEST_SUITE("eval/review") {
  TEST_CASE("a prediction is compared with the recorded part of its track") {
    const auto review = reviewed({ahead(100, 7)});
    REQUIRE(review.rows().size() == 1);
    const auto& row = review.rows()[0];
    CHECK(row.frame == 0);
    CHECK(row.track_id == 7);
    CHECK(row.seen == 1);  // missing in the last frame
    CHECK(row.score.ade == 0);
    CHECK(row.score.fde == 0);
    CHECK(row.score.nll == Approx(-std::log(0.5 + 0.5 * std::exp(-0.5))));
  }

  TEST_CASE("a stationary agent is far from a prediction that drives on") {
    const auto review = reviewed({ahead(100, 8, {1, 0})});
    const auto& score = review.rows()[0].score;
    CHECK(review.rows()[0].seen == 2);
    CHECK(score.ade == 0);  // of the best mode, whatever its confidence
    CHECK(score.nll == Approx(0.5 * (1 + 4)));
  }

  TEST_CASE("the ego is the track of number -1") {
    const auto review = reviewed({ahead(100, kEgoTrack, {1, 0})});
    const auto& row = review.rows()[0];
    CHECK(row.seen == 2);
    CHECK(row.score.ade == Approx(1.5));  // 1 m and 2 m behind
    CHECK(row.score.fde == Approx(2));
    CHECK(row.score.nll == Approx(0.5 * (1 + 4)));
  }

  TEST_CASE("rows are in the order of frames and tracks, whatever the file's") {
    const auto review = reviewed({ahead(200, 8), ahead(100, 8), ahead(200, 7),
                                  ahead(100, 7), ahead(9999, 7), ahead(300, 7)});
    std::string order;
    for (const auto& row : review.rows()) {
      order += std::to_string(row.frame) + ":" + std::to_string(row.track_id) + " ";
    }
    CHECK(order == "0:7 0:8 1:7 1:8 ");
    CHECK(review.unknown() == 1);  // track 7 is missing in the last frame
    CHECK(review.size() == 6);
  }

  TEST_CASE("of several predictions of one agent and time the last counts") {
    auto first = ahead(100, 8, {1, 0});
    first.coords.assign(8, 50);
    const auto review = reviewed({first, ahead(100, 8, {0, 1})});
    REQUIRE(review.rows().size() == 1);
    CHECK(review.rows()[0].score.nll == 0);
  }

  TEST_CASE("means are of what can be compared, by frame and over all") {
    const auto review =
        reviewed({ahead(100, 8, {1, 0}), ahead(100, kEgoTrack, {1, 0}), ahead(200, 7)});
    REQUIRE(review.frames().size() == 2);
    CHECK(review.frames()[0].count == 2);
    CHECK(review.frames()[0].mean.ade == Approx(0.75));
    CHECK(review.frames()[1].frame == 1);
    CHECK(std::isnan(review.frames()[1].mean.nll));
    CHECK(review.rows()[2].seen == 0);
    CHECK(std::isnan(review.rows()[2].score.ade));
    CHECK(review.mean().nll == Approx(2.5));
  }

  TEST_CASE("predictions that end more than two metres away are misses") {
    auto far = ahead(100, 8, {1, 0});
    far.coords = {0, 0, 0, 2.01, 0, 0, 0, 3};
    auto near = far;
    near.track_id = kEgoTrack;
    near.coords = {2, 0, 4, 2, 9, 9, 9, 9};  // exactly two
    auto review = reviewed({far, near, ahead(200, 7)});
    CHECK(review.rows().size() == 3);
    CHECK(review.compared() == 2);  // track 7 is missing in the last frame
    CHECK(review.missed() == 1);
    review.set_scene(SceneTracks{});
    CHECK(review.compared() == 0);
    CHECK(review.missed() == 0);
  }

  TEST_CASE("a mode is a line from the agent on; one without confidence is none") {
    const auto review = reviewed({ahead(100, 7, {0, 1}), ahead(100, 8)});
    const auto lines = review.lines(0);
    CHECK(lines.offsets == std::vector<std::uint32_t>{0, 3, 6, 9});
    CHECK(lines.confidences == Values{1, 0.5, 0.5});
    CHECK(lines.track_ids == std::vector<std::int64_t>{7, 8, 8});
    CHECK(Values(lines.points.begin() + 6, lines.points.begin() + 12) ==
          Values{5, 5, 6, 5, 7, 5});
    CHECK(lines.truth_offsets == std::vector<std::uint32_t>{0, 2, 5});
    CHECK(lines.truth_steps == std::vector<std::uint32_t>{0, 1, 0, 1, 2});
    CHECK(Values(lines.truth.begin(), lines.truth.begin() + 4) == Values{0, 1, 1, 1});
    CHECK(review.lines(1).offsets.size() == 1);
  }

  TEST_CASE("another scene takes the place of the one before") {
    auto review = reviewed({ahead(100, 7)});
    review.set_scene(SceneTracks{});
    CHECK(review.rows().empty());
    CHECK(review.frames().empty());
    CHECK(std::isnan(review.mean().ade));
  }

  TEST_CASE("predictions of different shapes are an error that names the track") {
    auto odd = ahead(1, 4);
    odd.coords.pop_back();
    CHECK_THROWS_WITH_AS(Review({ahead(1, 3), odd}),
                         "prediction of track 4: wrong shape (found 2 modes and 7 "
                         "coordinates, expected 2 and 8)",
                         Error);
    CHECK_THROWS_WITH_AS(
        Review({ahead(1, 3, {0.5, 0.25})}),
        "prediction of track 3: confidences do not sum to 1 (found 0.75)", Error);
    CHECK_THROWS_WITH_AS(Review({ahead(1, 3, {1.5, -0.5})}),
                         "prediction of track 3: negative confidence (found -0.5)",
                         Error);
    auto scene = small_scene();
    scene.centroids.pop_back();
    Review review({ahead(100, 7)});
    CHECK_THROWS_AS(review.set_scene(scene), Error);
    scene = small_scene();
    scene.frames.back().end = 16;
    CHECK_THROWS_AS(review.set_scene(scene), Error);
  }

  TEST_CASE("a file says how many modes it has") {
    auto review = read_review(header() + "100,7,0.25,0.75,1.0,0.0,9.0,9.0\n", "p.csv");
    CHECK(review.modes() == 2);
    CHECK(review.steps() == 1);
    review.set_scene(small_scene());
    CHECK(review.rows()[0].score.nll == Approx(-std::log(0.25)));
  }

  TEST_CASE("the line of a wrong row is named") {
    const auto good = header() + "100,7,0.25,0.75,1.0,0.0,9.0,9.0\n";
    const auto read = [](const std::string& csv) { read_review(csv, "p.csv"); };
    CHECK_THROWS_WITH_AS(read(good + "\n200,7,0.5,0.75,1,0,9,9\n"),
                         "p.csv line 4: confidences do not sum to 1 (found 1.25)",
                         Error);
    CHECK_THROWS_WITH_AS(read(good + "200,7,0.5\n"),
                         "p.csv line 3: wrong number of cells (found 3, expected 8)",
                         Error);
    CHECK_THROWS_WITH_AS(read(good + "200,7,1,0,1,far,9,9\n"),
                         "p.csv line 3: coord_y00 is not a number (found \"far\")",
                         Error);
    CHECK_THROWS_AS(read("timestamp,track_id\n"), Error);
  }

  TEST_CASE("a copy keeps its scene when the original gets another") {
    Review original({ahead(100, 7), ahead(100, 8)});
    original.set_scene(small_scene());
    const Review copy = original;
    auto moved = small_scene();
    for (auto& value : moved.centroids) value += 1000;
    original.set_scene(moved);
    CHECK(copy.lines(0).truth == Values{0, 1, 1, 1, 5, 5, 5, 5, 5, 5});
    CHECK(original.lines(0).truth[0] == 1000);
    CHECK(copy.rows().size() == 2);
  }

  TEST_CASE("a copy outlives its original") {
    std::optional<Review> original(Review({ahead(100, 7)}));
    original->set_scene(small_scene());
    const Review copy = *original;
    original.reset();
    CHECK(copy.lines(0).truth == Values{0, 1, 1, 1});
  }

  TEST_CASE("no predictions have no shape and no rows") {
    const auto review = reviewed({});
    CHECK(review.size() == 0);
    CHECK(review.modes() == 0);
    CHECK(review.steps() == 0);
    CHECK(review.rows().empty());
    CHECK(review.lines(0).offsets == std::vector<std::uint32_t>{0});
    CHECK(review.lines(99).truth.empty());
    CHECK_FALSE(review.predicts(100));
  }

  TEST_CASE("before a scene is set there are no rows") {
    const Review review({ahead(100, 7)});
    CHECK(review.predicts(100));
    CHECK_FALSE(review.predicts(101));
    CHECK(review.rows().empty());
    CHECK(review.lines(0).points.empty());
    CHECK(review.compared() == 0);
  }

  TEST_CASE("times of the largest and smallest numbers are times") {
    constexpr auto kFirst = std::numeric_limits<std::int64_t>::min();
    constexpr auto kLast = std::numeric_limits<std::int64_t>::max();
    Review review({ahead(kLast, 7), ahead(kFirst, 7)});
    auto scene = small_scene();
    scene.timestamps = {kFirst, 0, kLast};
    scene.track_ids[4] = 7;
    review.set_scene(scene);
    REQUIRE(review.rows().size() == 2);
    CHECK(review.rows()[0].seen == 2);
    CHECK(review.rows()[1].frame == 2);
    CHECK(review.rows()[1].seen == 0);
  }

  TEST_CASE("frames at the same time are each compared") {
    Review review({ahead(100, 8, {0, 1})});
    auto scene = small_scene();
    scene.timestamps = {100, 100, 300};
    review.set_scene(scene);
    REQUIRE(review.rows().size() == 2);
    CHECK(review.rows()[0].frame == 0);
    CHECK(review.rows()[1].frame == 1);
    CHECK(review.rows()[1].seen == 1);
  }

  TEST_CASE("a track that leaves and comes back is compared where it is seen") {
    Review review({{100, 7, {1}, {0, 0, 0, 0, 0, 0}}});
    review.set_scene({{100, 200, 300},
                      std::vector<double>(9, 0),
                      {{0, 1}, {1, 1}, {1, 2}},
                      {7, 7},
                      {0, 0, 4, 0}});
    REQUIRE(review.rows().size() == 1);
    CHECK(review.rows()[0].seen == 1);
    CHECK(review.rows()[0].score.fde == 0);  // the scene ends before the third step
    CHECK(review.rows()[0].score.ade == Approx(4.0 / 3));
    CHECK(review.lines(0).truth == Values{0, 0, 4, 0});
  }

  TEST_CASE("a track stored twice in a frame is at its first row") {
    Review review({{100, 7, {1}, {0, 0}}});
    review.set_scene({{100, 200},
                      std::vector<double>(6, 0),
                      {{0, 2}, {2, 4}},
                      {7, 7, 7, 7},
                      {1, 1, 8, 8, 2, 1, 9, 9}});
    CHECK(review.rows().size() == 1);
    CHECK(review.lines(0).truth == Values{1, 1, 2, 1});
  }

  TEST_CASE("a position that is not finite is refused with its track") {
    auto scene = small_scene();
    scene.centroids[6] = std::numeric_limits<double>::quiet_NaN();  // of 7 in frame 1
    Review review({ahead(100, 7)});
    CHECK_THROWS_WITH_AS(review.set_scene(scene),
                         "metrics of track 7: a value is not finite", Error);
    Review other({ahead(100, 8)});
    CHECK_NOTHROW(other.set_scene(scene));
  }

  TEST_CASE("columns of other lengths are refused with all lengths") {
    Review review({ahead(100, 7)});
    auto scene = small_scene();
    scene.ego_translation.pop_back();
    CHECK_THROWS_WITH_AS(review.set_scene(scene),
                         "review: lengths differ (found 3 frames of 5 agents, 3 times, "
                         "8 ego coordinates, 5 ids, 10 coordinates)",
                         Error);
    scene = small_scene();
    scene.track_ids.push_back(9);
    CHECK_THROWS_AS(review.set_scene(scene), Error);
  }

  TEST_CASE("hostile intervals are damage, and the scene before stays") {
    constexpr auto kLast = std::numeric_limits<std::int64_t>::max();
    auto review = reviewed({ahead(100, 7)});
    for (const bev::scene::Interval bad :
         {bev::scene::Interval{-1, 12}, {12, 10}, {kLast - 1, kLast}, {10, kLast}}) {
      auto scene = small_scene();
      scene.frames[0] = bad;
      try {
        review.set_scene(scene);
        FAIL("accepted");
      } catch (const Error& error) {
        CHECK(error.code() == bev::Errc::corrupt_chunk);
      }
      CHECK(review.rows().size() == 1);
      CHECK(review.lines(0).truth_track_ids == std::vector<std::int64_t>{7});
    }
  }

  TEST_CASE("a prediction of the last frame has lines and no score") {
    Review review({{300, 8, {1}, {1, 1}}});
    review.set_scene(small_scene());
    REQUIRE(review.rows().size() == 1);
    CHECK(review.rows()[0].seen == 0);
    const auto lines = review.lines(2);
    CHECK(lines.points == Values{5, 5, 6, 6});
    CHECK(lines.truth == Values{5, 5});
  }
}

}  // namespace review_test

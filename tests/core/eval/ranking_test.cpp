#include "core/eval/ranking.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"

namespace ranking_test {

using doctest::Approx;
using namespace bev::eval;
using Indexes = std::vector<std::uint32_t>;

namespace {

constexpr auto kUnknown = std::numeric_limits<double>::quiet_NaN();

/// Two frames from `start` in which track 7 moves 1 m along x.
SceneTracks scene_from(std::int64_t start) {
  return {
      {start, start + 100}, {0, 0, 0, 1, 0, 0}, {{0, 1}, {1, 2}}, {7, 7}, {0, 0, 1, 0}};
}

/// A prediction for track 7 that is `metres` too far after one step.
Prediction off_by(double metres, std::int64_t time) {
  return {time, 7, {1}, {1 + metres, 0}};
}

/// A ranking of scenes 0, 1 and 2, which begin at 0, 1000 and 2000.
Ranking ranking_of(std::vector<Prediction> predictions, std::size_t most) {
  Ranking ranking(Review(std::move(predictions)), most);
  for (const std::uint32_t scene : {0U, 1U, 2U}) {
    ranking.add(scene, scene_from(1000 * static_cast<std::int64_t>(scene)));
  }
  return ranking;
}

Indexes scenes_of(const std::vector<Ranked>& worst) {
  Indexes out;
  for (const auto& one : worst) out.push_back(one.scene);
  return out;
}

Reviewed row(double ade, double nll) {
  return {0, 1, 0, 1, {ade, 0, nll}};
}

}  // namespace

TEST_SUITE("eval/ranking") {
  TEST_CASE("the greatest comes first, what is not known last, ties in order") {
    const std::vector<Reviewed> rows{row(1, 5), row(kUnknown, kUnknown), row(3, 5),
                                     row(2, 9)};
    CHECK(ranked(rows, Measure::ade) == Indexes{2, 3, 0, 1});
    CHECK(ranked(rows, Measure::nll) == Indexes{3, 0, 2, 1});
    const std::vector<ReviewedFrame> frames{{4, 1, {1, 7, 0}}, {5, 1, {1, 8, 0}}};
    CHECK(ranked(frames, Measure::fde) == Indexes{1, 0});
    CHECK(ranked(std::vector<Reviewed>{}, Measure::ade).empty());
  }

  TEST_CASE("the worst of all scenes are those of each scene, in one order") {
    const auto ranking =
        ranking_of({off_by(1, 0), off_by(3, 1000), off_by(2, 2000)}, 9);
    CHECK(scenes_of(ranking.worst(Measure::ade)) == Indexes{1, 2, 0});
    CHECK(scenes_of(ranking.worst(Measure::nll)) == Indexes{1, 2, 0});
    CHECK(ranking.worst(Measure::fde)[0].row.score.fde == Approx(3));
    CHECK(ranking.found() == 3);
    CHECK(ranking.compared() == 3);
    CHECK(ranking.mean().ade == Approx(2));
  }

  TEST_CASE("each track has one place, that of its worst row") {
    const auto of = [](std::int64_t track, double ade, double nll) {
      auto one = row(ade, nll);
      one.track_id = track;
      return one;
    };
    const std::vector<Reviewed> rows{of(7, 5, 1), of(7, 6, 9), of(8, 4, 2), of(7, 4, 3),
                                     of(9, kUnknown, kUnknown)};
    CHECK(ranked_tracks(rows, Measure::ade) == Indexes{1, 2, 4});
    CHECK(ranked_tracks(rows, Measure::nll) == Indexes{1, 2, 4});
    CHECK(ranked_tracks(std::vector<Reviewed>(), Measure::ade).empty());
  }

  TEST_CASE(
      "the worst of each track: of each scene, because ids are those of a scene") {
    const std::vector<Prediction> all{off_by(1, 0), off_by(2, 100), off_by(3, 1000)};
    const auto ranking = ranking_of(all, 9);
    CHECK(scenes_of(ranking.worst(Measure::ade)).size() == ranking.compared());
    CHECK(scenes_of(ranking.worst_tracks(Measure::ade)) == Indexes{1, 0});
    CHECK(scenes_of(ranking_of(all, 1).worst_tracks(Measure::fde)) == Indexes{1});
  }

  TEST_CASE("no more are kept than asked for, whichever comes first") {
    const auto ranking =
        ranking_of({off_by(1, 0), off_by(3, 1000), off_by(3, 2000)}, 2);
    CHECK(scenes_of(ranking.worst(Measure::ade)) == Indexes{1, 2});
    CHECK(ranking.compared() == 3);
    CHECK(ranking_of({off_by(1, 0)}, 0).worst(Measure::ade).empty());
  }

  TEST_CASE("predictions without a future are found, but not ranked") {
    // There is no future after the last frame of a scene.
    const auto ranking = ranking_of({off_by(1, 100)}, 9);
    CHECK(ranking.found() == 1);
    CHECK(ranking.compared() == 0);
    CHECK(ranking.worst(Measure::nll).empty());
    CHECK(std::isnan(ranking.mean().nll));
  }

  TEST_CASE("scenes of other times are not wanted") {
    const Ranking ranking(Review({off_by(1, 1000)}), 9);
    const std::array<std::int64_t, 2> there{900, 1000};
    const std::array<std::int64_t, 2> elsewhere{999, 1001};
    CHECK(ranking.has_predictions_at(there));
    CHECK_FALSE(ranking.has_predictions_at(elsewhere));
    CHECK_FALSE(Ranking(Review({}), 9).has_predictions_at(there));
  }

  TEST_CASE("a scene whose columns do not fit is refused, and the rest stays") {
    auto ranking = ranking_of({off_by(1, 0)}, 9);
    auto broken = scene_from(0);
    broken.timestamps.pop_back();
    CHECK_THROWS_AS(ranking.add(3, std::move(broken)), bev::Error);
    CHECK(ranking.compared() == 1);
  }

  TEST_CASE("each measure reads its own value") {
    const Score score{1, 2, 3};
    CHECK(value(score, Measure::ade) == 1);
    CHECK(value(score, Measure::fde) == 2);
    CHECK(value(score, Measure::nll) == 3);
  }

  TEST_CASE("infinite values come first, negative ones before unknown ones") {
    constexpr auto kInfinity = std::numeric_limits<double>::infinity();
    const std::vector<Reviewed> rows{row(-1, 0), row(kUnknown, 0), row(kInfinity, 0),
                                     row(0, 0), row(kInfinity, 0)};
    CHECK(ranked(rows, Measure::ade) == Indexes{2, 4, 3, 0, 1});
    const std::vector<Reviewed> none(3, row(kUnknown, kUnknown));
    CHECK(ranked(none, Measure::ade) == Indexes{0, 1, 2});
  }

  TEST_CASE("the order in which scenes are added does not matter") {
    const std::vector<Prediction> predictions{off_by(3, 0), off_by(3, 1000),
                                              off_by(5, 2000)};
    Ranking backwards(Review(predictions), 2);
    for (const std::uint32_t scene : {2U, 1U, 0U}) {
      backwards.add(scene, scene_from(1000 * static_cast<std::int64_t>(scene)));
    }
    CHECK(scenes_of(backwards.worst(Measure::fde)) == Indexes{2, 0});
    CHECK(scenes_of(ranking_of(predictions, 2).worst(Measure::fde)) == Indexes{2, 0});
  }

  TEST_CASE("within a scene ties are in the order of frames and tracks") {
    SceneTracks scene{{0, 100, 200},
                      {0, 0, 0, 0, 0, 0, 0, 0, 0},
                      {{0, 2}, {2, 4}, {4, 6}},
                      {9, 8, 9, 8, 9, 8},
                      std::vector<double>(12, 0)};
    const auto two_off = [](std::int64_t time, std::int64_t track) {
      return Prediction{time, track, {1}, {2, 0}};
    };
    Ranking ranking(Review({two_off(100, 8), two_off(100, kEgoTrack), two_off(0, 9),
                            two_off(0, 8)}),
                    9);
    ranking.add(4, scene);
    std::string order;
    for (const auto& one : ranking.worst(Measure::ade)) {
      order +=
          std::to_string(one.row.frame) + ":" + std::to_string(one.row.track_id) + " ";
    }
    CHECK(order == "0:8 0:9 1:-1 1:8 ");
  }

  TEST_CASE("measures have worst predictions of their own") {
    // Near at first and far at the end, and the reverse.
    const Prediction late{0, 7, {1}, {1, 0, 9, 0}};
    const Prediction early{1000, 7, {1}, {9, 0, 3, 0}};
    Ranking ranking(Review({late, early}), 1);
    for (const std::uint32_t scene : {0U, 1U}) {
      const auto start = 1000 * static_cast<std::int64_t>(scene);
      ranking.add(scene, {{start, start + 100, start + 200},
                          std::vector<double>(9, 0),
                          {{0, 1}, {1, 2}, {2, 3}},
                          {7, 7, 7},
                          {0, 0, 1, 0, 2, 0}});
    }
    CHECK(scenes_of(ranking.worst(Measure::ade)) == Indexes{1});  // 4.5 m, not 3.5 m
    CHECK(scenes_of(ranking.worst(Measure::fde)) == Indexes{0});  // 7 m, not 1 m
  }

  TEST_CASE("scenes without predictions change nothing") {
    auto ranking = ranking_of({off_by(1, 0)}, 9);
    ranking.add(3, SceneTracks{});
    ranking.add(4, scene_from(77));
    CHECK(ranking.found() == 1);
    CHECK(ranking.compared() == 1);
    CHECK(ranking.mean().ade == Approx(1));
  }

  TEST_CASE("a ranking without predictions has no mean and no worst") {
    const auto ranking = ranking_of({}, 9);
    CHECK(ranking.found() == 0);
    CHECK(std::isnan(ranking.mean().ade));
    CHECK(ranking.worst(Measure::ade).empty());
    CHECK(ranking.breakdown().modes().empty());
    CHECK(ranking.breakdown().horizon().empty());
  }

  TEST_CASE("there are no predictions at no time") {
    CHECK_FALSE(Ranking(Review({off_by(1, 0)}), 1).has_predictions_at({}));
  }
}

}  // namespace ranking_test

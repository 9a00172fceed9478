#include "core/eval/ranking.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/base/error.hpp"

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

  TEST_CASE("no more are kept than asked for, whichever comes first") {
    const auto ranking =
        ranking_of({off_by(1, 0), off_by(3, 1000), off_by(3, 2000)}, 2);
    CHECK(scenes_of(ranking.worst(Measure::ade)) == Indexes{1, 2});
    CHECK(ranking.compared() == 3);
    CHECK(ranking_of({off_by(1, 0)}, 0).worst(Measure::ade).empty());
  }

  TEST_CASE("what cannot be compared is found, but not ranked") {
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
}

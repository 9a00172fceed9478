#include "core/eval/breakdown.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/eval/csv.hpp"
#include "core/eval/metrics.hpp"
#include "core/eval/ranking.hpp"
#include "core/eval/review.hpp"
#include "tests/support/files.hpp"
#include "tests/support/goldens.hpp"

using bev::Error;
using doctest::Approx;
using namespace bev::eval;
using Values = std::vector<double>;

namespace {

constexpr std::size_t kLabels = 17;
constexpr std::size_t kCar = 3, kPedestrian = 14;

/// Two frames of a car (7, which moves 1 m) and a pedestrian (8, which stands still).
SceneTracks labelled_scene() {
  SceneTracks out{
      {100, 200},   {0, 0, 1, 2, 0, 1},       {{0, 2}, {2, 4}},
      {7, 8, 7, 8}, {0, 0, 5, 5, 1, 0, 5, 5}, std::vector<float>(4 * kLabels)};
  for (std::size_t row = 0; row < 4; ++row) {
    const auto label = row % 2 == 0 ? kCar : kPedestrian;
    out.label_probabilities[row * kLabels + label] = 0.9F;
  }
  return out;
}

/// Two modes of one step: the first `ahead` metres, the second `away` metres to its
/// side.
Prediction two_modes(std::int64_t track, double ahead, double away,
                     Values confidences) {
  return {100, track, std::move(confidences), {ahead, 0, ahead, away}};
}

Review reviewed(std::vector<Prediction> predictions,
                const SceneTracks& scene = labelled_scene()) {
  Review review(std::move(predictions));
  review.set_scene(scene);
  return review;
}

}  // namespace

TEST_SUITE("eval/breakdown") {
  TEST_CASE("each class has its own count, mean and misses") {
    const auto review =
        reviewed({two_modes(7, 1, 4, {0.5, 0.5}), two_modes(8, 3, 4, {0.5, 0.5}),
                  two_modes(kEgoTrack, 2, 4, {1, 0})});
    const auto subjects = review.breakdown().subjects();
    REQUIRE(subjects.size() == 3);
    CHECK(subjects[0].subject == Subject::vehicle);
    CHECK(subjects[0].count == 1);
    CHECK(subjects[0].missed == 0);
    CHECK(subjects[0].mean.fde == 0);
    CHECK(subjects[1].subject == Subject::pedestrian);
    CHECK(subjects[1].missed == 1);
    CHECK(subjects[1].mean.fde == Approx(3));
    CHECK(subjects[2].subject == Subject::ego);
    CHECK(subjects[2].mean.ade == 0);
    CHECK(review.missed() == 1);
    CHECK(review.compared() == 3);
  }

  TEST_CASE("predictions without a future are counted, but change no mean") {
    auto late = two_modes(7, 9, 9, {0.5, 0.5});
    late.timestamp = 200;  // the last frame has no future
    const auto review = reviewed({two_modes(7, 1, 4, {0.5, 0.5}), late});
    const auto subjects = review.breakdown().subjects();
    REQUIRE(subjects.size() == 1);
    CHECK(subjects[0].count == 2);
    CHECK(subjects[0].compared == 1);
    CHECK(subjects[0].mean.ade == 0);
    CHECK(review.breakdown().compared() == 1);
  }

  TEST_CASE("steps without ground truth have no error, or do not count") {
    const Prediction one{0, 7, {1}, {3, 0, 99, 0, 3, 0, 6, 0}};
    const GroundTruth gap{0, 7, {1, 0, 1, 1}, Values(8)};
    const GroundTruth ended{0, 7, {1, 1, 0, 0}, Values(8)};
    CHECK(score_of(gap, one, Counting::l5kit).ade == 3);
    CHECK(score_of(gap, one, Counting::recorded).ade == 4);
    CHECK(score_of(gap, one, Counting::recorded).fde == 6);
    CHECK(score_of(gap, one, Counting::recorded).nll ==
          score_of(gap, one, Counting::l5kit).nll);
    CHECK(score_of(ended, one, Counting::l5kit).fde == 0);
    CHECK(std::isnan(score_of(ended, one, Counting::recorded).ade));
    CHECK(std::isnan(score_of(ended, one, Counting::recorded).fde));
    CHECK(std::isnan(score_of(ended, one, Counting::recorded).nll));

    for (const auto counting : {Counting::l5kit, Counting::recorded}) {
      const bool is_l5kit = counting == Counting::l5kit;
      CAPTURE(is_l5kit);
      Breakdown breakdown(1, 4, counting);
      for (const auto& truth : {gap, ended}) {
        Breakdown scene(1, 4, counting);
        scene.add(Subject::vehicle, score_of(truth, one, counting), truth, one);
        breakdown.add(scene);
      }
      CHECK(breakdown.begun() == 2);
      CHECK(breakdown.compared() == (is_l5kit ? 2 : 1));
      CHECK(breakdown.missed() == 1);
      CHECK(breakdown.modes()[0].ade == Approx(is_l5kit ? (3 + 25.5) / 2 : 4));
      CHECK(breakdown.modes()[0].fde == Approx(is_l5kit ? 3 : 6));
      CHECK(breakdown.modes()[0].best == (is_l5kit ? 2 : 1));
      CHECK(breakdown.horizon() == Values{3, 99, 3, 6});
    }
  }

  TEST_CASE(
      "a horizon within the ground truth counts, if the prediction ends after it") {
    GroundTruth truth{0, 7, Values(30, 0), Values(60)};
    for (std::size_t i = 0; i < 10; ++i) truth.availabilities[i] = 1;
    const Prediction one{0, 7, {1}, Values(60)};
    Breakdown breakdown(1, 30, Counting::recorded);
    breakdown.add(Subject::ego, score_of(truth, one, Counting::recorded), truth, one);
    REQUIRE(breakdown.horizons().size() == 2);
    CHECK(breakdown.horizons()[0].compared == 1);
    CHECK(breakdown.horizons()[1].compared == 0);
    CHECK(breakdown.compared() == 0);
  }

  TEST_CASE("reviews and rankings count as asked from the next scene on") {
    // The second step is after the scene's end.
    Review review({{100, 7, {1}, {4, 0, 4, 0}}});
    review.set_scene(labelled_scene());
    CHECK(review.compared() == 1);
    CHECK(review.rows()[0].score.fde == 0);
    review.set_counting(Counting::recorded);
    CHECK(review.compared() == 1);
    review.set_scene(labelled_scene());
    CHECK(review.compared() == 0);
    CHECK(review.begun() == 1);
    CHECK(std::isnan(review.rows()[0].score.fde));
    CHECK(review.rows()[0].seen == 1);
    CHECK(std::isnan(review.mean().ade));
    CHECK(std::isnan(review.frames()[0].mean.ade));
    Ranking ranking(review, 5);
    ranking.add(0, labelled_scene());
    CHECK(ranking.found() == 1);
    CHECK(ranking.begun() == 1);
    CHECK(ranking.compared() == 0);
    CHECK(ranking.worst(Measure::fde).empty());
  }

  TEST_CASE("without label probabilities agents are unlabelled, never a class") {
    auto scene = labelled_scene();
    scene.label_probabilities.clear();
    const auto review = reviewed({two_modes(7, 1, 4, {0.5, 0.5})}, scene);
    const auto subjects = review.breakdown().subjects();
    REQUIRE(subjects.size() == 1);
    CHECK(subjects[0].subject == Subject::unlabelled);
  }

  TEST_CASE("each mode has its own displacement, confidence and share of bests") {
    const auto review =
        reviewed({two_modes(7, 1, 4, {0.25, 0.75}), two_modes(8, 0, 2, {0.75, 0.25})});
    const auto modes = review.breakdown().modes();
    REQUIRE(modes.size() == 2);
    CHECK(modes[0].confidence == Approx(0.5));
    CHECK(modes[0].ade == 0);
    CHECK(modes[0].best == 2);
    CHECK(modes[1].confidence == Approx(0.5));
    CHECK(modes[1].ade == Approx(3));
    CHECK(modes[1].fde == Approx(3));
    CHECK(modes[1].best == 0);
  }

  TEST_CASE("the least displacement of the modes is the metric's") {
    const Prediction prediction{1, 2, {0.5, 0.5}, {1, 1, 2, 2, 0, 3, 5, 1}};
    const GroundTruth truth{1, 2, {1, 1}, {1, 0, 2, 0}};
    const auto distances = mode_distances(truth, prediction);
    const double first = (distances[0] + distances[1]) / 2;
    const double second = (distances[2] + distances[3]) / 2;
    CHECK(std::min(first, second) ==
          compute(Metric::average_displacement_error_oracle, truth, prediction)[0]);
  }

  TEST_CASE("the horizon has the best mode's distance at each step that is known") {
    Breakdown breakdown(1, 3);
    const Score score{1, 1, 1};
    breakdown.add(Subject::vehicle, score, {1, 7, {1, 1, 0}, {0, 0, 0, 0, 0, 0}},
                  {1, 7, {1}, {1, 0, 3, 0, 50, 0}});
    breakdown.add(Subject::vehicle, score, {1, 8, {1, 0, 0}, {0, 0, 0, 0, 0, 0}},
                  {1, 8, {1}, {2, 0, 50, 0, 50, 0}});
    const auto horizon = breakdown.horizon();
    REQUIRE(horizon.size() == 3);
    CHECK(horizon[0] == Approx(1.5));
    CHECK(horizon[1] == Approx(3));
    CHECK(std::isnan(horizon[2]));
  }

  TEST_CASE("a scene looked at after another counts alone; a ranking adds them up") {
    Review review({two_modes(7, 1, 4, {0.5, 0.5}), two_modes(8, 3, 4, {0.5, 0.5})});
    review.set_scene(labelled_scene());
    review.set_scene(labelled_scene());
    CHECK(review.breakdown().compared() == 2);
    Ranking ranking(review, 5);
    ranking.add(0, labelled_scene());
    ranking.add(1, labelled_scene());
    const auto& breakdown = ranking.breakdown();
    CHECK(breakdown.compared() == 4);
    CHECK(breakdown.missed() == 2);
    CHECK(breakdown.subjects()[1].mean.fde == Approx(3));
    CHECK(breakdown.modes()[0].best == 4);
    CHECK(breakdown.horizon()[0] == Approx(1.5));
    CHECK(ranking.mean().fde == Approx(1.5));
  }

  TEST_CASE("nothing compared has no means") {
    const Breakdown breakdown(2, 1);
    CHECK(breakdown.subjects().empty());
    CHECK(std::isnan(breakdown.modes()[1].ade));
    CHECK(std::isnan(breakdown.horizon()[0]));
  }

  TEST_CASE("label probabilities of another number of rows are refused") {
    auto scene = labelled_scene();
    scene.label_probabilities.pop_back();
    CHECK_THROWS_WITH_AS(
        reviewed({}, scene),
        "review: label probabilities do not fit (found 67 values, expected 68 or none)",
        Error);
  }

  TEST_CASE("a mean is of known scores, whether added one by one or together") {
    MeanScore first, second;
    constexpr auto kUnknown = std::numeric_limits<double>::quiet_NaN();
    CHECK(std::isnan(first.value().ade));
    first.add(Score{1, 2, 3});
    first.add(Score{kUnknown, kUnknown, kUnknown});
    second.add(Score{3, 4, 5});
    first.add(second);
    first.add(MeanScore{});
    CHECK(first.count() == 2);
    CHECK(first.value().ade == 2);
    CHECK(first.value().fde == 3);
    CHECK(first.value().nll == 4);
  }

  TEST_CASE("a miss ends farther than two metres from the agent, not at two") {
    Breakdown breakdown(1, 1);
    const GroundTruth truth{1, 7, {1}, {0, 0}};
    breakdown.add(Subject::ego, {0, kMissMetres, 0}, truth, {1, 7, {1}, {2, 0}});
    CHECK(breakdown.missed() == 0);
    breakdown.add(Subject::ego, {0, std::nextafter(kMissMetres, 3), 0}, truth,
                  {1, 7, {1}, {2, 0}});
    CHECK(breakdown.missed() == 1);
    CHECK(breakdown.compared() == 2);
  }

  TEST_CASE("of modes that are equally near the first is the best") {
    Breakdown breakdown(3, 1);
    breakdown.add(Subject::vehicle, {1, 1, 1}, {1, 7, {1}, {0, 0}},
                  {1, 7, {0.2, 0.4, 0.4}, {9, 0, 0, 1, 1, 0}});
    const auto modes = breakdown.modes();
    CHECK(modes[0].best == 0);
    CHECK(modes[1].best == 1);
    CHECK(modes[2].best == 0);
    CHECK(breakdown.horizon()[0] == Approx(1));
  }

  TEST_CASE("each of the six subjects has its place") {
    Breakdown breakdown(1, 1);
    const auto add = [&](Subject subject) {
      breakdown.add(subject, {1, 1, 1}, {1, 7, {1}, {0, 0}}, {1, 7, {1}, {1, 0}});
    };
    for (const auto subject :
         {Subject::unlabelled, Subject::ego, Subject::other, Subject::pedestrian,
          Subject::cyclist, Subject::vehicle}) {
      add(subject);
    }
    const auto subjects = breakdown.subjects();
    REQUIRE(subjects.size() == kSubjectCount);
    for (std::size_t i = 0; i < kSubjectCount; ++i) {
      CHECK(subjects[i].subject == static_cast<Subject>(i));
      CHECK(subjects[i].count == 1);
    }
  }

  TEST_CASE("an agent's class is that of its row in the frame of the prediction") {
    auto scene = labelled_scene();
    const auto set = [&](std::size_t row, std::size_t label) {
      std::fill_n(scene.label_probabilities.begin() +
                      static_cast<std::ptrdiff_t>(row * kLabels),
                  kLabels, 0.0F);
      scene.label_probabilities[row * kLabels + label] = 0.9F;
    };
    set(0, 12);  // a cyclist now, a car in the next frame
    set(1, 1);   // of unknown label
    const auto subjects =
        reviewed({two_modes(7, 1, 4, {0.5, 0.5}), two_modes(8, 0, 4, {0.5, 0.5})},
                 scene)
            .breakdown()
            .subjects();
    REQUIRE(subjects.size() == 2);
    CHECK(subjects[0].subject == Subject::cyclist);
    CHECK(subjects[1].subject == Subject::other);
  }

  TEST_CASE("breakdowns of other shapes add what both have") {
    Breakdown small(1, 1), large(2, 2);
    small.add(Subject::ego, {1, 1, 1}, {1, 7, {1}, {0, 0}}, {1, 7, {1}, {1, 0}});
    large.add(Subject::ego, {3, 3, 3}, {1, 7, {1, 1}, {0, 0, 0, 0}},
              {1, 7, {0.5, 0.5}, {3, 0, 3, 0, 5, 0, 5, 0}});
    small.add(large);
    CHECK(small.compared() == 2);
    CHECK(small.modes().size() == 1);
    CHECK(small.horizon()[0] == Approx(2));
    Breakdown none;
    none.add(large);
    CHECK(none.compared() == 1);
    CHECK(none.modes().empty());
  }

  TEST_CASE("a horizon's scores are L5Kit's metrics over the first steps") {
    BEV_REQUIRE_GOLDENS();
    const auto folder = bev::test::goldens() + "/outputs/eval/";
    const auto truths = read_gt_csv(bev::test::read_text(folder + "gt.csv"));
    const auto predictions = read_pred_csv(bev::test::read_text(folder + "pred.csv"));
    const auto steps = truths.front().steps();
    REQUIRE(steps >= 10);
    Breakdown breakdown(predictions.front().modes(), steps);
    const auto find = [&](const Prediction& one) {
      return std::find_if(truths.begin(), truths.end(), [&](const GroundTruth& truth) {
        return truth.timestamp == one.timestamp && truth.track_id == one.track_id;
      });
    };
    for (const auto& one : predictions) {
      const auto truth = find(one);
      REQUIRE(truth != truths.end());
      breakdown.add(Subject::vehicle, score_of(*truth, one), *truth, one);
    }
    const std::vector<Metric> metrics{Metric::average_displacement_error_oracle,
                                      Metric::final_displacement_error_oracle,
                                      Metric::neg_multi_log_likelihood};
    for (const auto& horizon : breakdown.horizons()) {
      CAPTURE(horizon.steps);
      std::vector<GroundTruth> cut;
      std::vector<Prediction> own;
      std::size_t missed = 0;
      for (const auto& one : predictions) {
        auto truth = *find(one);
        truth.availabilities.resize(horizon.steps);
        truth.coords.resize(2 * horizon.steps);
        const auto& known = truth.availabilities;
        if (std::count(known.begin(), known.end(), 1.0) == 0) continue;
        Prediction shorter{one.timestamp, one.track_id, one.confidences, {}};
        for (std::size_t i = 0; i < one.coords.size(); ++i) {
          if (i / 2 % steps < horizon.steps) shorter.coords.push_back(one.coords[i]);
        }
        missed += compute(metrics[1], truth, shorter)[0] > kMissMetres ? 1 : 0;
        cut.push_back(std::move(truth));
        own.push_back(std::move(shorter));
      }
      CHECK(horizon.compared == own.size());
      CHECK(horizon.missed == missed);
      const auto means = compute_means(metrics, cut, own);
      CHECK(horizon.mean.ade == Approx(means[0][0]).epsilon(1e-12));
      CHECK(horizon.mean.fde == Approx(means[1][0]).epsilon(1e-12));
      CHECK(horizon.mean.nll == Approx(means[2][0]).epsilon(1e-12));
    }
    CHECK(breakdown.horizons().size() == (steps >= 50 ? 3 : steps >= 30 ? 2 : 1));
  }

  TEST_CASE("horizons add up over scenes and end at the last step") {
    const auto far = [](std::size_t steps, std::size_t from) {
      GroundTruth truth{0, 7, Values(steps, 1), Values(2 * steps)};
      Prediction one{0, 7, {1}, Values(2 * steps)};
      for (auto i = from; i < steps; ++i) one.coords[2 * i] = 3;
      return std::pair(truth, one);
    };
    Breakdown both(1, 40);
    for (const auto from : {std::size_t{20}, std::size_t{40}}) {
      const auto [truth, one] = far(40, from);
      Breakdown scene(1, 40);
      scene.add(Subject::ego, score_of(truth, one), truth, one);
      both.add(scene);
    }
    const auto horizons = both.horizons();
    REQUIRE(horizons.size() == 2);  // 50 steps are not predicted
    CHECK(horizons[0].steps == 10);
    CHECK(horizons[0].compared == 2);
    CHECK(horizons[0].missed == 0);
    CHECK(horizons[1].steps == 30);
    CHECK(horizons[1].missed == 1);
    CHECK(horizons[1].mean.fde == Approx(1.5));
    CHECK(horizons[1].mean.ade == Approx(0.5));
    CHECK(Breakdown(1, 9).horizons().empty());
  }

  TEST_CASE("a prediction without ground truth in a horizon is not compared there") {
    GroundTruth truth{0, 7, Values(30, 0), Values(60)};
    truth.availabilities[15] = 1;
    const Prediction one{0, 7, {1}, Values(60)};
    Breakdown breakdown(1, 30);
    breakdown.add(Subject::ego, score_of(truth, one), truth, one);
    REQUIRE(breakdown.horizons().size() == 2);
    CHECK(breakdown.horizons()[0].compared == 0);
    CHECK(std::isnan(breakdown.horizons()[0].mean.ade));
    CHECK(breakdown.horizons()[1].compared == 1);
  }

  TEST_CASE("records have no more steps than they have") {
    const auto prediction = two_modes(7, 1, 2, {0.5, 0.5});
    CHECK(first_steps(prediction, 0).coords.empty());
    CHECK_THROWS_WITH_AS(first_steps(prediction, 2),
                         "horizon: too many steps (found 2, expected at most 1)",
                         Error);
    CHECK_THROWS_AS(first_steps(GroundTruth{}, 1), Error);
  }
}

#include "core/eval/comparison.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"

using doctest::Approx;
using namespace bev::eval;
using Indexes = std::vector<std::uint32_t>;

namespace {

/// Three frames from `start` with tracks 7 and 8, which stand still.
SceneTracks scene_from(std::int64_t start) {
  return {{start, start + 100, start + 200},
          {0, 0, 0, 0, 0, 0, 0, 0, 0},
          {{0, 2}, {2, 4}, {4, 6}},
          {7, 8, 7, 8, 7, 8},
          std::vector<double>(12)};
}

/// A prediction that is `metres` away after one step.
Prediction off_by(double metres, std::int64_t time, std::int64_t track = 7) {
  return {time, track, {1}, {metres, 0}};
}

/// Two models and what they say of scenes.
struct Pair {
  Review a, b;
  Comparison comparison{};

  void add(std::uint32_t scene, std::int64_t start) {
    const auto shared = index_scene(scene_from(start));
    a.set_scene(shared);
    b.set_scene(shared);
    comparison.add(scene, a, b);
  }
};

}  // namespace

TEST_SUITE("eval/comparison") {
  TEST_CASE("predictions of the same agent and time are pairs") {
    Pair pair{Review({off_by(1, 0), off_by(2, 0, 8), off_by(4, 100)}),
              Review({off_by(3, 0), off_by(2, 100), off_by(9, 100, 8)})};
    pair.add(5, 0);
    const auto& rows = pair.comparison.rows();
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].scene == 5);
    CHECK(rows[0].frame == 0);
    CHECK(rows[0].track_id == 7);
    CHECK(rows[0].a.ade == Approx(1));
    CHECK(rows[0].b.ade == Approx(3));
    CHECK(rows[1].frame == 1);
    CHECK(pair.comparison.only_a() == 1);  // track 8 in frame 0
    CHECK(pair.comparison.only_b() == 1);  // track 8 in frame 1
    CHECK(pair.comparison.compared() == 2);
    CHECK(pair.comparison.mean_a().ade == Approx(2.5));
    CHECK(pair.comparison.mean_b().ade == Approx(2.5));
    CHECK(ranked_by_difference(rows, Measure::ade, 9) == Indexes{0, 1});
    CHECK(ranked_by_difference(rows, Measure::ade, 1) == Indexes{0});
  }

  TEST_CASE("each track of a scene has one place, that of its largest difference") {
    const auto of = [](std::uint32_t scene, std::int64_t track, double b) {
      Compared one;
      one.scene = scene;
      one.track_id = track;
      one.b.ade = b;
      return one;
    };
    const std::vector<Compared> rows{of(0, 7, 5), of(0, 7, 6), of(1, 7, 4), of(0, 8, 3),
                                     of(1, 7, 9)};
    CHECK(ranked_tracks_by_difference(rows, Measure::ade, 9) == Indexes{4, 1, 3});
    CHECK(ranked_tracks_by_difference(rows, Measure::ade, 2) == Indexes{4, 1});
    CHECK(ranked_tracks_by_difference(rows, Measure::ade, 0).empty());
  }

  TEST_CASE("a pair without ground truth changes neither order nor mean") {
    Pair pair{Review({off_by(1, 0), off_by(1, 200)}),
              Review({off_by(2, 0), off_by(2, 200)})};
    pair.add(0, 0);
    REQUIRE(pair.comparison.rows().size() == 2);
    CHECK(std::isnan(pair.comparison.rows()[1].a.ade));
    CHECK(ranked_by_difference(pair.comparison.rows(), Measure::nll, 9) == Indexes{0});
    CHECK(pair.comparison.compared() == 1);
    const auto& frames = pair.comparison.frames();
    REQUIRE(frames.size() == 2);
    CHECK(frames[1].count == 0);
    CHECK(ranked_by_difference(frames, Measure::nll, 9) == Indexes{0});
  }

  TEST_CASE("models may differ in modes and steps") {
    Pair pair{Review({off_by(1, 0)}),
              Review({{0, 7, {0.5, 0.5}, {3, 0, 3, 0, 5, 0, 5, 0}}})};
    pair.add(0, 0);
    REQUIRE(pair.comparison.rows().size() == 1);
    CHECK(pair.comparison.rows()[0].b.ade == Approx(3));
  }

  TEST_CASE("reviews of different scenes are refused") {
    Review a({off_by(1, 0)}), b({off_by(1, 0)});
    a.set_scene(scene_from(0));
    b.set_scene(scene_from(0));
    Comparison comparison;
    CHECK_THROWS_WITH_AS(comparison.add(0, a, b),
                         "comparison: the reviews have different scenes", bev::Error);
  }

  TEST_CASE("reviews that count differently are refused, as they were scored") {
    Review a({off_by(1, 0)}), b({off_by(1, 0)});
    const auto shared = index_scene(scene_from(0));
    b.set_counting(Counting::recorded);
    a.set_scene(shared);
    b.set_scene(shared);
    b.set_counting(Counting::l5kit);  // of later scenes
    Comparison comparison;
    CHECK_THROWS_WITH_AS(
        comparison.add(0, a, b),
        "comparison: the reviews count steps without ground truth differently",
        bev::Error);
    b.set_scene(shared);
    comparison.add(0, a, b);
    CHECK(comparison.rows().size() == 1);
  }

  TEST_CASE("equal columns as rows") {
    Pair pair{Review({off_by(1, 0), off_by(2, 100)}),
              Review({off_by(3, 0), off_by(5, 100)})};
    pair.add(2, 0);
    const auto rows = columns_of(pair.comparison.rows());
    CHECK(rows.scenes == Indexes{2, 2});
    CHECK(rows.frames == Indexes{0, 1});
    CHECK(rows.seen == Indexes{1, 1});
    CHECK(rows.track_ids == std::vector<std::int64_t>{7, 7});
    REQUIRE(rows.b.size() == 6);
    CHECK(rows.b[0] == Approx(3));
    CHECK(rows.b[5] == Approx(12.5));  // NLL of the second
    CHECK(columns_of(pair.comparison.frames()).counts == Indexes{1, 1});
  }

  TEST_CASE("many scenes are as brute force says") {
    std::mt19937 random(5);
    const auto below = [&](std::uint32_t n) { return static_cast<int>(random() % n); };
    std::map<std::pair<int, int>, double> errors[2];
    std::vector<Prediction> models[2];
    for (int model = 0; model < 2; ++model) {
      for (int i = 0; i < 60; ++i) {
        const auto time = 1000 * below(5) + 100 * below(2);
        const auto track = 7 + below(2);
        const auto metres = below(1000) / 64.0;
        models[model].push_back(off_by(metres, time, track));
        errors[model][{time, track}] = metres;  // the last one counts
      }
    }
    Pair pair{Review(models[0]), Review(models[1])};
    for (std::uint32_t scene = 0; scene < 5; ++scene) pair.add(scene, 1000 * scene);
    std::vector<double> expected;
    std::size_t only_a = 0;
    for (const auto& [key, metres] : errors[0]) {
      const auto other = errors[1].find(key);
      if (other == errors[1].end())
        ++only_a;
      else
        expected.push_back(other->second - metres);
    }
    std::sort(expected.begin(), expected.end(), std::greater<>());
    const auto& rows = pair.comparison.rows();
    std::vector<double> found;
    for (const auto i : ranked_by_difference(rows, Measure::fde, 1000)) {
      found.push_back(rows[i].b.fde - rows[i].a.fde);
    }
    CHECK(found == expected);
    CHECK(pair.comparison.only_a() == only_a);
    CHECK(pair.comparison.only_b() == errors[1].size() - expected.size());
  }
}

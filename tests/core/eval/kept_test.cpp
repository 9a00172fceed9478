#include "core/eval/kept.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <tuple>
#include <vector>

#include "core/base/error.hpp"
#include "core/eval/prediction_rows.hpp"

namespace bev::eval {
namespace kept_test {

using distribution::Table;
using doctest::Approx;
using Indexes = std::vector<std::uint32_t>;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// A prediction of a model; its NLL is its ADE, its FDE twice that.
struct Row {
  std::uint32_t model, scene, frame;
  std::int64_t track;
  double ade;
  double steps = 1;
};

Table table_of(const std::vector<Row>& rows) {
  const auto columns = prediction_columns();
  Table table(columns);
  distribution::RowIds ids;
  std::vector<double> values(columns.size() * rows.size(), kNone);
  const auto set = [&](const char* name, std::size_t row, double value) {
    values[table.find(name) * rows.size() + row] = value;
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ids.scenes.push_back(rows[i].scene);
    ids.frames.push_back(rows[i].frame);
    ids.tracks.push_back(rows[i].track);
    set("model", i, rows[i].model);
    set("ade", i, rows[i].ade);
    set("fde", i, 2 * rows[i].ade);
    set("nll", i, rows[i].ade);
    set("steps", i, rows[i].steps);
  }
  table.append(ids, values);
  return table;
}

void keep(Table& table, const char* column, double low) {
  table.brush(table.find(column), {low});
}

TEST_SUITE("eval/kept") {
  TEST_CASE("scores are of the model's rows that pass, of all scenes or of one") {
    auto table = table_of({{0, 3, 1, 7, 1},
                           {0, 3, 1, 8, 3},
                           {1, 3, 1, 7, 9},
                           {0, 4, 0, 7, 5},
                           {0, 4, 2, 7, kNone, 0}});
    CHECK(kept_scores(table, {0}).rows.size() == 4);
    keep(table, "ade", 2);
    const auto all = kept_scores(table, {0});
    REQUIRE(all.rows.size() == 2);
    CHECK(all.rows[0].scene == 3);
    CHECK(all.rows[0].row.track_id == 8);
    CHECK(all.rows[1].scene == 4);
    CHECK(all.all == 4);
    CHECK(all.begun == 2);
    CHECK(all.missed == 2);
    CHECK(all.mean.count() == 2);
    CHECK(all.mean.value().fde == Approx(8));
    CHECK(kept_scores(table, {0, 4}).all == 2);
    CHECK(kept_scores(table, {0, 4}).rows.size() == 1);
    CHECK(kept_scores(table, {2}).all == 0);
  }

  TEST_CASE("frames have the means of their rows that pass, and none without rows") {
    auto table = table_of(
        {{0, 0, 1, 7, 1}, {0, 0, 1, 8, 3}, {0, 0, 2, 8, 4}, {0, 0, 5, 7, kNone, 0}});
    keep(table, "ade", 2);
    const auto frames = frames_of(kept_scores(table, {0, 0}).rows);
    REQUIRE(frames.size() == 2);
    CHECK(frames[0].frame == 1);
    CHECK(frames[0].count == 1);
    CHECK(frames[0].mean.ade == Approx(3));
    CHECK(frames[1].frame == 2);
    table.clear_brush(table.find("ade"));
    const auto unfiltered = frames_of(kept_scores(table, {0, 0}).rows);
    REQUIRE(unfiltered.size() == 3);
    CHECK(unfiltered[0].mean.ade == Approx(2));
    CHECK(unfiltered[2].count == 1);
    CHECK(std::isnan(unfiltered[2].mean.ade));
  }

  TEST_CASE("a pair is compared if one of its predictions passes") {
    auto table = table_of({{0, 0, 0, 7, 1},
                           {1, 0, 0, 7, 6},
                           {0, 0, 0, 8, 1},
                           {1, 0, 0, 8, 1.5},
                           {0, 0, 1, 7, 5},
                           {1, 0, 1, 7, 1},
                           {0, 0, 2, 7, 1},
                           {1, 1, 0, 7, 4}});
    keep(table, "ade", 2);
    const auto found = kept_pairs(table, {0}, 1);
    REQUIRE(found.rows().size() == 2);
    CHECK(found.rows()[0].a.ade == Approx(1));
    CHECK(found.rows()[0].b.ade == Approx(6));
    CHECK(found.rows()[1].frame == 1);
    CHECK(found.frames().size() == 2);
    CHECK(found.only_a() == 0);
    CHECK(found.only_b() == 1);  // in scene 1
    CHECK(found.mean_b().ade == Approx(3.5));
    CHECK(kept_pairs(table, {0, 1}, 1).rows().empty());
    CHECK(kept_pairs(table, {1}, 0).rows()[0].a.ade == Approx(6));
  }

  TEST_CASE("brushes of models keep the pairs of which the model's prediction passes") {
    auto table = table_of({{0, 0, 0, 7, 1}, {1, 0, 0, 7, 6}, {0, 0, 1, 7, 1}});
    distribution::Brush brush;
    brush.categories = {1};
    table.brush(table.find("model"), brush);
    const auto found = kept_pairs(table, {0}, 1);
    CHECK(found.rows().size() == 1);
    CHECK(found.only_a() == 0);
  }

  TEST_CASE("orders of several scenes have each track of a scene once") {
    const auto table = table_of(
        {{0, 0, 0, 7, 1}, {0, 0, 1, 7, 5}, {0, 1, 0, 7, 3}, {0, 1, 1, 8, kNone, 0}});
    const auto rows = kept_scores(table, {0}).rows;
    CHECK(ranked(rows, Measure::ade) == Indexes{1, 2, 0, 3});
    CHECK(ranked_tracks(rows, Measure::ade) == Indexes{1, 2, 3});
  }

  TEST_CASE("lines are of the predictions of a model, scene and frame that pass") {
    SceneTracks scene;
    scene.timestamps = {0, 100};
    scene.ego_translation = {0, 0, 0, 0, 0, 0};
    scene.frames = {{0, 2}, {2, 4}};
    scene.track_ids = {7, 8, 7, 8};
    scene.centroids = std::vector<double>(8);
    Review review({{0, 7, {1}, {1, 0}}, {0, 8, {1}, {2, 0}}});
    review.set_scene(scene);
    auto table = table_of({{0, 3, 0, 7, 1},
                           {0, 3, 0, 8, 2},
                           {1, 3, 0, 7, 5},
                           {0, 4, 0, 7, 5},
                           {0, 3, 1, 7, 5}});
    CHECK(kept_lines(table, review, 0, {0, 3}).truth_track_ids ==
          std::vector<std::int64_t>{7, 8});
    keep(table, "ade", 2);
    const auto lines = kept_lines(table, review, 0, {0, 3});
    CHECK(lines.track_ids == std::vector<std::int64_t>{8});
    CHECK(lines.points == std::vector<double>{0, 0, 2, 0});
    CHECK(lines.truth_track_ids == std::vector<std::int64_t>{8});
    CHECK(kept_lines(table, review, 0, {1, 3}).track_ids ==
          std::vector<std::int64_t>{7});
    CHECK(kept_lines(table, review, 0, {0, 5}).track_ids.empty());
    CHECK(kept_lines(table, review, 1, {0, 3}).track_ids.empty());
    CHECK_THROWS_AS(kept_lines(table, review, 0, {0}), Error);
  }

  TEST_CASE("unknown models and tables without scores are refused") {
    const auto table = table_of({{0, 0, 0, 7, 1}});
    CHECK_THROWS_WITH_AS(kept_scores(table, {4}),
                         "distribution: model 4: not found (expected 0 to 3)", Error);
    CHECK_THROWS_AS(kept_pairs(table, {0}, 9), Error);
    CHECK_THROWS_WITH_AS(kept_scores(Table({{"x"}}), {0}),
                         "distribution: column model: not found", Error);
  }

  TEST_CASE("rows in any order give what a loop over all gives") {
    std::mt19937 random(7);
    const auto below = [&](std::uint32_t n) {
      return static_cast<std::uint32_t>(random() % n);
    };
    for (int run = 0; run < 20; ++run) {
      std::map<std::tuple<std::uint32_t, std::uint32_t, std::int64_t>,
               std::map<std::uint32_t, double>>
          by_place;
      for (int i = 0; i < 80; ++i) {
        by_place[{below(3), below(5), below(4)}][below(2)] =
            static_cast<double>(below(8));
      }
      std::vector<Row> rows;
      for (const auto& [place, models] : by_place) {
        const auto [scene, frame, track] = place;
        for (const auto& [model, ade] : models)
          rows.push_back({model, scene, frame, track, ade});
      }
      std::shuffle(rows.begin(), rows.end(), random);
      auto table = table_of(rows);
      keep(table, "ade", 4);
      std::size_t pairs = 0, only_a = 0, only_b = 0, kept = 0;
      double sum = 0;
      for (const auto& [place, models] : by_place) {
        const auto passes = [](const auto& one) { return one.second >= 4; };
        if (models.count(0) > 0 && models.at(0) >= 4) ++kept, sum += models.at(0);
        if (std::none_of(models.begin(), models.end(), passes)) continue;
        (models.size() == 2 ? pairs : models.count(0) > 0 ? only_a : only_b) += 1;
      }
      const auto found = kept_pairs(table, {0}, 1);
      CHECK(found.rows().size() == pairs);
      CHECK(found.only_a() == only_a);
      CHECK(found.only_b() == only_b);
      const auto scores = kept_scores(table, {0});
      CHECK(scores.rows.size() == kept);
      if (kept > 0)
        CHECK(scores.mean.value().ade == Approx(sum / static_cast<double>(kept)));
    }
  }
}

}  // namespace kept_test
}  // namespace bev::eval

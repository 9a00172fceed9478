#include "core/eval/prediction_rows.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <utility>
#include <vector>

namespace bev::eval {
namespace prediction_rows_test {

using doctest::Approx;

/// Six frames, 0.1 s apart: track 7 moves 1 m a frame along x, then along y, the ego
/// vehicle stays 3 m below its first position.
SceneTracks turning_scene() {
  SceneTracks out;
  const double path[6][2] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {3, 1}, {3, 2}};
  for (std::int64_t i = 0; i < 6; ++i) {
    out.timestamps.push_back(i * 100000000);
    out.ego_translation.insert(out.ego_translation.end(), {0, -3, 0});
    out.frames.push_back({i, i + 1});
    out.track_ids.push_back(7);
    out.centroids.insert(out.centroids.end(), {path[i][0], path[i][1]});
  }
  return out;
}

Prediction still_at(std::int64_t time, std::size_t steps, std::int64_t track = 7) {
  return {time, track, {1}, std::vector<double>(2 * steps, 0.0)};
}

/// Returns the value of a column in the first row.
double first_of(const distribution::Table& table, const char* column) {
  return table.values(table.find(column)).front();
}

distribution::Table table_for(Prediction prediction, Counting counting) {
  Review review({std::move(prediction)});
  review.set_counting(counting);
  review.set_scene(turning_scene());
  distribution::Table table(prediction_columns());
  append_predictions(table, review, 4, 2);
  return table;
}

TEST_SUITE("eval/prediction_rows") {
  TEST_CASE("a prediction is a row with its scores and how its agent moves") {
    const auto table = table_for(still_at(100000000, 4), Counting::recorded);
    REQUIRE(table.rows() == 1);
    CHECK(table.ids().scenes[0] == 4);
    CHECK(table.ids().frames[0] == 1);
    CHECK(table.ids().tracks[0] == 7);
    CHECK(first_of(table, "model") == 2);
    CHECK(first_of(table, "class") == static_cast<double>(Subject::unlabelled));
    CHECK(first_of(table, "fde") == Approx(std::sqrt(8)));
    CHECK(first_of(table, "miss") == 1);
    CHECK(first_of(table, "steps") == 4);
    CHECK(first_of(table, "speed") == Approx(10));
    CHECK(first_of(table, "distance") == Approx(std::sqrt(10)));
    CHECK(first_of(table, "turn") == Approx(90));
    CHECK(std::isnan(first_of(table, "ade_10")));
  }

  TEST_CASE("a prediction beyond the scene's end is no hit: its scores are missing") {
    const auto table = table_for(still_at(300000000, 4), Counting::recorded);
    for (const char* column : {"ade", "fde", "nll", "miss", "turn"}) {
      CAPTURE(column);
      CHECK(std::isnan(first_of(table, column)));
    }
    CHECK(first_of(table, "steps") == 2);
    CHECK(first_of(table, "speed") == Approx(10));
    CHECK(first_of(table_for(still_at(300000000, 4), Counting::l5kit), "miss") == 0);
  }

  TEST_CASE("horizons are scored as if the prediction ended there") {
    const auto table = table_for(still_at(0, 10), Counting::l5kit);
    CHECK(first_of(table, "fde_10") == first_of(table, "fde"));
    CHECK(first_of(table, "ade_10") == first_of(table, "ade"));
    CHECK(std::isnan(first_of(table, "fde_30")));
  }

  TEST_CASE("an agent that stays does not turn; the ego vehicle has no distance") {
    const auto table = table_for(still_at(0, 2, kEgoTrack), Counting::recorded);
    CHECK(first_of(table, "turn") == 0);
    CHECK(first_of(table, "speed") == 0);  // to the next frame
    CHECK(std::isnan(first_of(table, "distance")));
    CHECK(first_of(table, "class") == static_cast<double>(Subject::ego));
  }
}

}  // namespace prediction_rows_test
}  // namespace bev::eval

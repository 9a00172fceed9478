#include "core/distribution/interval.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "tests/core/distribution/random_table.hpp"

namespace bev::distribution {
namespace interval_test {

using doctest::Approx;

/// Values of rows 0, 1, ... in the given scenes; each row has a track of its own.
MeanInterval mean_in(const std::vector<std::uint32_t>& scenes,
                     const std::vector<double>& values, bool share = false) {
  RowIds ids{scenes, scenes, {}};
  std::vector<std::uint32_t> rows;
  for (std::uint32_t i = 0; i < scenes.size(); ++i) {
    ids.tracks.push_back(i);
    rows.push_back(i);
  }
  return mean_of(ids, rows, values, share);
}

TEST_SUITE("distribution/interval") {
  TEST_CASE("quantiles of Student's distribution are those of tables") {
    CHECK(student_quantile(1) == Approx(12.7062));
    CHECK(student_quantile(4) == Approx(2.7764451052));
    CHECK(student_quantile(9) == Approx(2.2621571628).epsilon(1e-5));
    CHECK(student_quantile(12) == Approx(2.1788128297).epsilon(1e-5));
    CHECK(student_quantile(30) == Approx(2.0422724563).epsilon(1e-6));
    CHECK(student_quantile(1000000) == Approx(1.9599663));
    CHECK(std::isnan(student_quantile(0)));
  }

  TEST_CASE("the interval of one row per scene is that of independent values") {
    // Mean 2.5, standard deviation 1.290994, t(3) = 3.182446.
    const auto found = mean_in({0, 1, 2, 3}, {1, 2, 3, 4});
    CHECK(found.mean == 2.5);
    CHECK(found.low == Approx(2.5 - 3.1824463 * 1.2909944 / 2));
    CHECK(found.high == Approx(2.5 + 3.1824463 * 1.2909944 / 2));
    CHECK(found.clusters == 4);
    CHECK(found.by_scene);
  }

  TEST_CASE("rows of a scene that are alike do not narrow the interval") {
    const auto once = mean_in({0, 1, 2}, {1, 2, 6});
    const auto often =
        mean_in({0, 1, 2, 0, 1, 2, 2, 1, 0}, {1, 2, 6, 1, 2, 6, 6, 2, 1});
    CHECK(often.mean == once.mean);
    CHECK(often.low == Approx(once.low));
    CHECK(often.high == Approx(once.high));
    CHECK(often.count == 9);
  }

  TEST_CASE("in one scene the tracks are the clusters; one cluster has no interval") {
    const auto tracks = mean_in({4, 4, 4}, {1, 2, 3});
    CHECK(tracks.clusters == 3);
    CHECK_FALSE(tracks.by_scene);
    CHECK(tracks.low < 1);
    const auto one = mean_in({4}, {7});
    CHECK(one.mean == 7);
    CHECK(std::isnan(one.low));
    CHECK(std::isnan(mean_in({}, {}).mean));
  }

  TEST_CASE("no misses in few scenes do not prove that there are none") {
    const auto none = mean_in({0, 1, 2, 3}, {0, 0, 0, 0}, true);
    CHECK(none.low == 0);
    CHECK(none.high > 0.5);
    const auto all = mean_in({0, 1, 2, 3}, {1, 1, 1, 1}, true);
    CHECK(all.low < 0.5);
    CHECK(all.high == 1);
    const auto some = mean_in({0, 1, 2, 3, 4, 5}, {0, 1, 0, 0, 1, 0}, true);
    CHECK(some.low > 0);
    CHECK(some.low < 1 / 3.0);
    CHECK(some.high > 1 / 3.0);
    CHECK(some.high < 1);
  }

  TEST_CASE("of 1,000 random samples about 95 % of the intervals contain the mean") {
    test::Random random(5);
    const auto uniform = [&] { return static_cast<double>(random()) / 4294967295.0; };
    int inside = 0;
    for (int round = 0; round < 1000; ++round) {
      std::vector<std::uint32_t> scenes;
      std::vector<double> values;
      for (std::uint32_t scene = 0; scene < 20; ++scene) {
        const double of_scene = uniform();
        const auto rows = 1 + random() % 10;
        for (unsigned i = 0; i < rows; ++i) {
          scenes.push_back(scene);
          values.push_back(of_scene + 0.2 * uniform());
        }
      }
      const auto found = mean_in(scenes, values);
      inside += found.low <= 0.6 && 0.6 <= found.high ? 1 : 0;
    }
    CHECK(inside > 910);
    CHECK(inside < 980);
  }
}

}  // namespace interval_test
}  // namespace bev::distribution

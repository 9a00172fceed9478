#include "core/scene/selection_text.hpp"

#include <doctest/doctest.h>

#include <vector>

TEST_SUITE("scene/selection_text") {
  TEST_CASE("rules, rejects and the table stand one under the other") {
    bev::scene::SelectionReport report;
    report.agent_filter_probability_threshold = 3;
    report.av_distance = 2;
    report.hole = 1;
    report.yaw = 4;
    report.extent = 5;
    report.total_reject = 15;
    report.total_agent_frames = 99;
    bev::scene::PastFutureTable table;
    table.add(std::vector<std::uint32_t>{0, 0, 10, 30});
    CHECK(bev::scene::selection_text({}, report, table) ==
          "th_agent_filter_probability_threshold         0.5\n"
          "th_yaw_degree                                 30.0\n"
          "th_extent_ratio                               1.1\n"
          "th_distance_av                                50.0\n"
          "reject_th_agent_filter_probability_threshold  3\n"
          "reject_th_AV_distance                         2\n"
          "reject_th_hole                                1\n"
          "reject_th_yaw                                 4\n"
          "reject_th_extent                              5\n"
          "total_reject                                  15\n"
          "total_agent_frames                            99\n"
          "+-------------+---+----+----+----+\n"
          "| past/future | 0 | 10 | 30 | 50 |\n"
          "+-------------+---+----+----+----+\n"
          "|      0      | 2 | 1  | 1  | 0  |\n"
          "|      10     | 1 | 1  | 1  | 0  |\n"
          "|      30     | 0 | 0  | 0  | 0  |\n"
          "|      50     | 0 | 0  | 0  | 0  |\n"
          "+-------------+---+----+----+----+\n");
  }
}

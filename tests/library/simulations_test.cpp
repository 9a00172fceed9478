#include <doctest/doctest.h>

#include <bevscope/error.hpp>
#include <bevscope/simulations.hpp>
#include <cmath>
#include <optional>
#include <string>

#include "tests/support/error_code.hpp"
#include "tests/support/pickles.hpp"
#include "tests/support/simulation_logs.hpp"

namespace library_simulations_test {

using bev::test::bytes_of;

bev::SimulationReader reader_of(const std::string& file) {
  bev::SimulationReader out;
  out.begin("f");
  const auto bytes = bytes_of(file);
  out.push(bytes.first(bytes.size() / 2), bytes.size());
  out.push(bytes.subspan(bytes.size() / 2), bytes.size());
  out.end();
  return out;
}

TEST_SUITE("library/simulations") {
  TEST_CASE("a log is columns and measures") {
    auto samples = bev::test::straight_samples(5);
    for (auto& sample : samples) {
      sample.boxes = {{"0a", 0, {40, 1, 0.5}, 2.5}};
      sample.plan = {{sample.time_us, sample.centre}};
    }
    auto reader = reader_of(bev::test::pickled_log(samples));
    const auto found = reader.finish();
    CHECK(found.planner == "idm");
    CHECK(found.scenario == "ab12");
    CHECK(found.length == 5);
    CHECK(found.times_us.back() == 1'400'000);
    CHECK(found.ego[3 * 4] == 4);
    CHECK(found.motion[6 * 4] == 10);
    CHECK(found.tracks == std::vector<std::string>{"0a"});
    CHECK(found.box_counts == std::vector<std::uint32_t>(5, 1));
    CHECK(found.boxes[5] == 2.5);
    CHECK(found.plan.size() == 15);
    CHECK(found.plan_us.size() == 5);
    CHECK(found.expert.empty());
    const auto measures = reader.measures();
    CHECK(measures.no_ego_at_fault_collisions == 1);
    CHECK(measures.ego_is_comfortable == 1);
    CHECK(measures.time_to_collision_ahead.size() == 5);
    CHECK(measures.comfort.size() == 30);
    CHECK(measures.collision_type.empty());
  }

  TEST_CASE("other files and bombs are refused, with the file's name") {
    const auto code = bev::test::error_code([] { reader_of("plain text"); });
    CHECK(code == bev::Errc::unsupported);
    bev::SimulationReader bomb;
    bomb.begin("bomb.xz");
    const std::vector<std::byte> piece(std::size_t{17} << 20U);
    CHECK_THROWS_AS(bomb.push(piece, 100), bev::Error);
    CHECK(std::isnan(bev::SimulationReader().measures().ego_is_comfortable));
  }
}

}  // namespace library_simulations_test

#include <doctest/doctest.h>

#include <bevscope/error.hpp>
#include <bevscope/simulation.hpp>
#include <memory>
#include <vector>

#include "tests/library/memory_source.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/sample_config.hpp"
#include "tests/support/small_scenes.hpp"

namespace simulation_test {

using bev::Dataset;
using bev::Errc;
using bev::Simulation;
using bev::SimulationConfig;
using bev::TrackAt;
using bev::test::error_code;

namespace {

Dataset small_dataset() {
  return Dataset(std::make_shared<bev::test::MemorySource>(bev::test::small_store()));
}

bev::SampleConfig sample_config() {
  bev::SampleConfig config;
  config.json = bev::test::SampleConfig{}.json();
  return config;
}

/// Moves subjects 1 m forward.
void drive(Simulation& simulation, const std::vector<TrackAt>& subjects) {
  std::vector<double> positions;
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    positions.push_back(1);
    positions.push_back(0);
  }
  simulation.take(subjects, positions, std::vector<double>(subjects.size()));
}

}  // namespace

TEST_SUITE("library/simulation") {
  TEST_CASE("models drive scenes; samples, frames and rows follow") {
    auto dataset = small_dataset();
    const std::vector<std::uint64_t> scenes{0, 1};
    Simulation simulation(dataset, scenes);
    CHECK(simulation.size() == 5);
    auto simulated = simulation.simulated();
    auto samples = simulated.ego_samples(sample_config());
    for (std::size_t frame = 0; frame < simulation.size(); ++frame) {
      for (const auto& subjects : {simulation.agents(frame), simulation.ego(frame)}) {
        const auto batch = samples.batch_at(subjects);
        REQUIRE(batch["yaw"].size() == subjects.size());
        for (std::size_t i = 0; i < subjects.size(); ++i) {
          const auto one =
              samples.track(subjects[i].scene, frame, subjects[i].track_id);
          CHECK(batch["centroid"].rows<double, 2>()[i][0] ==
                one.array<double>("centroid")[0]);
        }
        drive(simulation, subjects);
      }
    }
    CHECK(simulated.frame(1, 4).ego.centroid[0] == 1004);  // recorded: 1008
    CHECK(dataset.frame(1, 4).ego.centroid[0] == 1008);
    auto recorded = simulation.recorded();
    CHECK(recorded.frame(1, 4).ego.centroid[0] == 1008);
    CHECK(error_code([&] { simulated.rows("agents"); }) == Errc::invalid_argument);
    const auto rows = dataset.rows("agents");
    CHECK(rows.array<std::uint64_t>("track_id").size() == 30);
  }

  TEST_CASE("only some scenes and frames are simulated, by the config") {
    auto dataset = small_dataset();
    SimulationConfig config;
    config.start_frame_index = 2;
    config.num_simulation_steps = 2;
    config.use_agents_gt = true;
    config.distance_th_close = 5.5;
    const std::vector<std::uint64_t> scenes{1};
    Simulation simulation(dataset, scenes, config);
    CHECK(simulation.size() == 2);
    CHECK(simulation.agents(0).empty());
    CHECK(simulation.agents_of(1, 0).size() == 1);
    CHECK(error_code([&] { simulation.agents_of(0, 0); }) == Errc::out_of_range);
    CHECK(error_code([&] { simulation.ego(2); }) == Errc::out_of_range);
    config.num_simulation_steps = 4;
    CHECK(error_code([&] { Simulation(dataset, scenes, config); }) ==
          Errc::invalid_argument);
    CHECK(error_code([&] { Simulation(dataset, std::vector<std::uint64_t>{2}); }) ==
          Errc::out_of_range);
  }

  TEST_CASE("a simulated scene is a rollout, whole or in part") {
    auto dataset = small_dataset();
    SimulationConfig config;
    config.start_frame_index = 1;
    const std::vector<std::uint64_t> scenes{1};
    Simulation simulation(dataset, scenes, config);
    drive(simulation, simulation.ego(0));
    const auto all = simulation.scene(1);
    CHECK(all.scene == 1);
    CHECK(all.first_frame == 1);
    CHECK(all.ego_x.size() == 4);
    CHECK(all.ego_x[1] == all.ego_x[0] + 1);
    CHECK(all.timestamps.size() == 4);
    CHECK(all.counts.size() == 4);
    CHECK(all.track_id.size() == all.x.size());
    const auto part = simulation.scene(1, 1, 3);
    CHECK(part.first_frame == 2);
    CHECK(part.ego_x == std::vector<double>{all.ego_x[1], all.ego_x[2]});
    CHECK(error_code([&] { simulation.scene(1, 3, 5); }) == Errc::out_of_range);
    CHECK(error_code([&] { simulation.scene(0); }) == Errc::out_of_range);
  }

  TEST_CASE("agents can be held as if they were controlled before") {
    auto dataset = small_dataset();
    SimulationConfig config;
    config.distance_th_close = 0;
    const std::vector<std::uint64_t> scenes{1};
    Simulation simulation(dataset, scenes, config);
    CHECK(simulation.agents_of(1, 0).empty());
    config.distance_th_close = config.distance_th_far;
    Simulation other(dataset, scenes, config);
    std::vector<std::uint64_t> tracks;
    for (const auto& one : other.agents_of(1, 0)) {
      tracks.push_back(one.track_id.value_or(0));
    }
    REQUIRE_FALSE(tracks.empty());
    simulation.hold(1, tracks);
    CHECK(simulation.agents_of(1, 0).size() == tracks.size());
    CHECK(error_code([&] { simulation.hold(0, tracks); }) == Errc::out_of_range);
  }

  TEST_CASE("views outlive the simulation, and other scenes are as stored") {
    auto dataset = small_dataset();
    const std::vector<std::uint64_t> scenes{0};
    auto simulation = std::make_unique<Simulation>(dataset, scenes);
    drive(*simulation, simulation->ego(0));
    auto simulated = simulation->simulated();
    simulation.reset();
    CHECK(simulated.frame(0, 1).ego.centroid[0] == 1);
    CHECK(simulated.frame(1, 1).ego.centroid[0] == 1002);
  }
}

}  // namespace simulation_test

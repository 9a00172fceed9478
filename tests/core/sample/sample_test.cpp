#include "core/sample/sample.hpp"

#include <doctest/doctest.h>

#include <numbers>

#include "core/base/error.hpp"

using bev::sample::AgentRows;
using bev::sample::build_sample;
using bev::sample::Sample;
using bev::sample::SampleParams;
using bev::sample::Window;
using doctest::Approx;
using Floats = std::vector<float>;

namespace {

/// The ego vehicle at x = 0, 2 and 6 m, without agents.
class ThreeFrames {
 public:
  ThreeFrames() {
    frames_.timestamp = {100, 200, 300};
    frames_.ego_translation = {{0, 0, 0}, {2, 0, 0}, {6, 0, 0}};
    frames_.agent_index_interval.assign(3, {0, 0});
  }

  void build(const SampleParams& params, std::size_t current, Sample& out) const {
    const Window window{frames_, yaws_, current, AgentRows(), 0, {}, 0};
    build_sample(window, find_subject(window, std::nullopt, params), params, out);
  }

  Sample sample(const SampleParams& params, std::size_t current = 1) const {
    Sample out;
    build(params, current, out);
    return out;
  }

 private:
  bev::scene::FrameColumns frames_;
  std::vector<double> yaws_{0, 0, 0};
};

SampleParams params(std::uint32_t history = 2, std::uint32_t future = 2) {
  SampleParams out;
  out.history_num_frames = history;
  out.future_num_frames = future;
  out.step_time = 0.5;
  out.raster = {{100, 50}, {0.5, 0.5}, {0.25, 0.5}, true};
  return out;
}

}  // namespace

TEST_SUITE("sample/sample") {
  TEST_CASE("history starts now and goes back, the future starts with the next frame") {
    const auto sample = ThreeFrames().sample(params());
    CHECK(sample.history_positions == Floats{0, 0, -2, 0, 0, 0});
    CHECK(sample.history_availabilities == Floats{1, 1, 0});
    CHECK(sample.target_positions == Floats{4, 0, 0, 0});
    CHECK(sample.target_availabilities == Floats{1, 0});
    CHECK(sample.timestamp == 200);
    CHECK(sample.track_id == -1);
    CHECK(sample.centroid[0] == 2);
  }

  TEST_CASE("velocities are differences, also to and from unavailable zeros") {
    const auto sample = ThreeFrames().sample(params());
    CHECK(sample.history_velocities == Floats{4, 0, -4, 0});
    CHECK(sample.target_velocities == Floats{8, 0, -8, 0});
    CHECK(sample.curr_speed == 4.0F);
  }

  TEST_CASE("velocities at gaps are 0 if the config asks for it") {
    auto how = params();
    how.zero_velocities_at_gaps = true;
    const auto sample = ThreeFrames().sample(how);
    CHECK(sample.history_velocities == Floats{4, 0, 0, 0});
    CHECK(sample.target_velocities == Floats{8, 0, 0, 0});
  }

  TEST_CASE("without history there is no speed, without future no target") {
    const auto sample = ThreeFrames().sample(params(0, 0));
    CHECK(sample.history_positions == Floats{0, 0});
    CHECK(sample.history_velocities.empty());
    CHECK_FALSE(sample.curr_speed.has_value());
    CHECK(sample.target_positions.empty());
    CHECK(sample.target_velocities.empty());
  }

  TEST_CASE("the first frame has no history, the last no future") {
    const auto first = ThreeFrames().sample(params(), 0);
    CHECK(first.history_availabilities == Floats{1, 0, 0});
    CHECK(first.target_availabilities == Floats{1, 1});
    CHECK(first.target_positions == Floats{2, 0, 6, 0});
    const auto last = ThreeFrames().sample(params(), 2);
    CHECK(last.target_availabilities == Floats{0, 0});
    CHECK(last.history_positions == Floats{0, 0, -4, 0, -6, 0});
  }

  TEST_CASE("a stride of frames applies to history and future") {
    auto how = params(1, 1);
    how.frames_per_step = 2;
    const auto first = ThreeFrames().sample(how, 0);
    CHECK(first.target_positions == Floats{6, 0});
    const auto middle = ThreeFrames().sample(how, 1);
    CHECK(middle.target_availabilities == Floats{0});
    CHECK(middle.history_availabilities == Floats{1, 0});
    const auto last = ThreeFrames().sample(how, 2);
    CHECK(last.history_positions == Floats{0, 0, -6, 0});
  }

  TEST_CASE("memory of a longer sample leaves no values behind") {
    const ThreeFrames three;
    auto reused = three.sample(params(2, 2));
    three.build(params(1, 1), 2, reused);
    const auto fresh = three.sample(params(1, 1), 2);
    CHECK(reused.history_positions == fresh.history_positions);
    CHECK(reused.history_velocities == fresh.history_velocities);
    CHECK(reused.target_positions == fresh.target_positions);
    CHECK(reused.target_availabilities == Floats{0});
    three.build(params(0, 0), 2, reused);
    CHECK_FALSE(reused.curr_speed.has_value());
  }

  TEST_CASE("the raster's matrices scale, place and flip") {
    const auto sample = ThreeFrames().sample(params());
    const auto& agent = sample.raster_from_agent;
    CHECK(agent[0] == Approx(2));   // pixels per metre
    CHECK(agent[2] == Approx(25));  // a quarter of 100 pixels
    CHECK(agent[4] == Approx(-2));  // y counts from the bottom
    CHECK(agent[5] == Approx(25));
    const auto& world = sample.raster_from_world;
    CHECK(world[2] == Approx(25 - 2 * 2));  // the ego vehicle is at x = 2
    CHECK(sample.world_from_agent[2] == 2);
    CHECK(sample.agent_from_world[2] == -2);
  }
}

#include "core/sample/vector_agents.hpp"

#include <doctest/doctest.h>

#include "tests/support/observed_scene.hpp"

namespace vector_agents_test {

using bev::geom::Vec2;
using bev::sample::FrameRun;
using bev::sample::ReferenceFrame;
using bev::sample::TrackRows;
using bev::sample::VectorAgents;
using bev::sample::VectorAgentsBuilder;
using bev::sample::VectorFrames;
using bev::sample::VectorParams;
using bev::test::ObservedScene;
using Ids = std::vector<std::int64_t>;
using Flags = std::vector<std::uint8_t>;

namespace {

/// Up to two others within 10 m, one frame of history, one of future.
VectorParams params() {
  VectorParams out;
  out.history_num_frames_ego = 1;
  out.history_num_frames_agents = 1;
  out.future_num_frames = 1;
  out.other_agents_num = 2;
  out.max_agents_distance = 10;
  return out;
}

/// Builds the agents of three frames; the middle one is the current frame.
VectorAgents built(const ObservedScene& scene, const ReferenceFrame& reference = {},
                   const VectorParams& how = params(), std::size_t lead = 0) {
  const VectorFrames frames{{1, 2, FrameRun::Direction::backward, 1},
                            {2, 1, FrameRun::Direction::forward, 1}};
  VectorAgentsBuilder builder(how);
  VectorAgents out;
  builder.build(scene.window(1), frames, reference, {0, 0}, lead, out);
  return out;
}

}  // namespace

TEST_SUITE("sample/vector_agents") {
  TEST_CASE("rows of tracks are found, of others nothing") {
    TrackRows rows;
    CHECK_FALSE(rows.find(0).has_value());
    rows.clear(100);
    for (std::uint32_t id = 0; id < 100; ++id) {
      rows.add(std::uint64_t{id} * 1'000'003, 200 - id);
    }
    for (std::uint64_t id = 0; id < 100; ++id) {
      CHECK(rows.find(id * 1'000'003) == 200 - id);
      CHECK_FALSE(rows.find(id * 1'000'003 + 1).has_value());
    }
    rows.clear(1);
    CHECK_FALSE(rows.find(0).has_value());
  }

  TEST_CASE("poses are now and back in time, and of the future") {
    const auto out = built(ObservedScene(
        {{{7, 1, 3, 1, 0.5F}}, {{7, 3, 3, 1, 0.5F}}, {{7, 6, 3, 1, 0.5F}}}));
    CHECK(out.track_ids == Ids{7, 0});
    CHECK(out.types == Ids{3, 0});
    CHECK(out.history.positions == std::vector<float>{3, 0, 1, 0, 0, 0, 0, 0});
    CHECK(out.history.extents == std::vector<float>{4, 2, 4, 2, 0, 0, 0, 0});
    CHECK(out.history.yaws == std::vector<float>{0.5F, 0.5F, 0, 0});
    CHECK(out.history.available == Flags{1, 1, 0, 0});
    CHECK(out.future.positions == std::vector<float>{6, 0, 0, 0});
    CHECK(out.future.available == Flags{1, 0});
  }

  TEST_CASE("present agents come before past ones that were nearer") {
    const auto out = built(ObservedScene({{{1, 1}, {2, 2}}, {{3, 9}, {2, 8}}, {}}));
    CHECK(out.track_ids == Ids{2, 3});
    CHECK(out.history.available == Flags{1, 1, 1, 0});
  }

  TEST_CASE("past agents fill the remaining slots") {
    const auto out = built(ObservedScene({{{1, 1}, {2, 2}}, {{3, 9}}, {}}));
    CHECK(out.track_ids == Ids{1, 3});
    CHECK(out.history.available == Flags{0, 1, 1, 0});
  }

  TEST_CASE("distant and improbable agents are excluded") {
    const auto out = built(
        ObservedScene({{}, {{1, 10}, {2, 9.9}, {3, 1, 3, 0.5F}, {4, 1, 1, 1}}, {}}));
    CHECK(out.track_ids == Ids{2, 0});
  }

  TEST_CASE("the one who looks is not among the others") {
    ReferenceFrame reference{};
    reference.track_id = 2;
    CHECK(built(ObservedScene({{}, {{1, 1}, {2, 2}}, {}}), reference).track_ids ==
          Ids{1, 0});
  }

  TEST_CASE("the type is that of the nearest observation, not of the latest") {
    const auto out = built(ObservedScene({{{1, 2, 14}}, {{1, 5, 3}}, {}}));
    CHECK(out.types == Ids{14, 0});
  }

  TEST_CASE("frames before those of agents are 0") {
    auto how = params();
    how.history_num_frames_agents = 0;
    const auto out = built(ObservedScene({{{1, 2}}, {{1, 5}}, {}}), {}, how);
    CHECK(out.history.available == Flags{1, 0, 0, 0});
    CHECK(out.history.positions == std::vector<float>{5, 0, 0, 0, 0, 0, 0, 0});
  }

  TEST_CASE("leading rows stay free") {
    const auto out = built(ObservedScene({{}, {{1, 1}, {2, 2}}, {}}), {}, params(), 1);
    CHECK(out.track_ids == Ids{0, 1});
    CHECK(out.history.available == Flags{0, 0, 1, 0});
  }

  TEST_CASE("of a track twice in a frame the first row counts") {
    const auto out = built(ObservedScene({{}, {{1, 4}, {1, 2}}, {}}));
    CHECK(out.history.positions[0] == 4);
  }
}

}  // namespace vector_agents_test

#include "core/sample/vector_sample.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "tests/support/observed_scene.hpp"
#include "tests/support/small_map.hpp"
#include "tests/support/small_render_input.hpp"

namespace vector_sample_test {

using bev::Error;
using bev::map::SemanticMap;
using bev::sample::FaceRows;
using bev::sample::Subject;
using bev::sample::Vectorizer;
using bev::sample::VectorParams;
using bev::sample::VectorSample;
using bev::test::Observation;
using bev::test::ObservedScene;
using bev::test::SmallFaces;
using doctest::Approx;
using Flags = std::vector<std::uint8_t>;
using Floats = std::vector<float>;
using Ids = std::vector<std::int64_t>;

namespace {

constexpr auto kApart = Vectorizer::Subjects::apart;
constexpr auto kAmong = Vectorizer::Subjects::among_agents;

/// Two frames of history and future, two others, one lane and one crosswalk.
VectorParams params() {
  VectorParams out;
  out.history_num_frames_ego = 2;
  out.history_num_frames_agents = 2;
  out.future_num_frames = 2;
  out.step_time = 0.5;
  out.other_agents_num = 2;
  out.max_agents_distance = 50;
  out.max_num_lanes = 1;
  out.max_points_per_lane = 2;
  out.max_num_crosswalks = 1;
  out.max_points_per_crosswalk = 2;
  out.max_retrieval_distance_m = 20;
  return out;
}

std::shared_ptr<const SemanticMap> street() {
  using namespace bev::test;
  return std::make_shared<const SemanticMap>(
      SemanticMap::parse(fragment({lane("L", 0, Message().id(8, "T").id(8, "R")),
                                   control("T", 29), control("R", 11)})
                             .span(),
                         equator_meta()));
}

/// What a sample is built from; the current frame is frame 2.
struct Case {
  ObservedScene scene;
  std::optional<std::uint64_t> track_id = std::nullopt;
  VectorParams how = params();
  Vectorizer::Subjects subjects = kApart;
  std::size_t current = 2;
};

Subject subject_of(const Case& made) {
  bev::sample::SampleParams found = sampler_params(made.how);
  return find_subject(made.scene.window(made.current), made.track_id, found);
}

VectorSample built(const Case& made, const FaceRows& faces = {}) {
  Vectorizer vectorizer(made.how, street(), made.subjects);
  VectorSample out;
  vectorizer.build(made.scene.window(made.current), subject_of(made), faces, out);
  return out;
}

/// Returns five frames in which track 7 moves 2 m per frame and track 8 stands at 20.
ObservedScene two_tracks() {
  std::vector<std::vector<Observation>> frames;
  for (int k = 0; k < 5; ++k) frames.push_back({{7, 2.0 * k, 14}, {8, 20}});
  return ObservedScene(frames);
}

}  // namespace

TEST_SUITE("sample/vector_sample") {
  TEST_CASE("the ego vehicle is a car without a track, followed both ways") {
    const auto out = built({two_tracks()});
    CHECK(out.track_id == -1);
    CHECK(out.type == 3);
    CHECK(out.timestamp == 200);
    CHECK(out.centroid == std::array<double, 2>{2, -3});
    CHECK(out.yaw == 0);
    CHECK(out.history.positions == Floats{0, 0, -1, 0, -2, 0});
    CHECK(out.target.positions == Floats{1, 0, 2, 0});
    CHECK(out.history.available == Flags{1, 1, 1});
    CHECK(out.target.available == Flags{1, 1});
    CHECK(out.speed == 2);  // 1 m in half a second
  }

  TEST_CASE("an agent has its track, its label and its own frame of reference") {
    const auto out = built({two_tracks(), 7});
    CHECK(out.track_id == 7);
    CHECK(out.type == 14);
    CHECK(out.centroid == std::array<double, 2>{4, 0});
    CHECK(out.history.positions == Floats{0, 0, -2, 0, -4, 0});
    CHECK(out.target.positions == Floats{2, 0, 4, 0});
    CHECK(out.history.extents == Floats{4, 2, 4, 2, 4, 2});
    CHECK(out.extent == std::array<double, 3>{4, 2, 1});
    CHECK(out.speed == 4);
  }

  TEST_CASE("matrices map to the subject's frame and back") {
    const auto out = built({two_tracks(), 7});
    CHECK(out.agent_from_world == std::array<double, 9>{1, 0, -4, 0, 1, 0, 0, 0, 1});
    CHECK(out.world_from_agent == std::array<double, 9>{1, 0, 4, 0, 1, 0, 0, 0, 1});
  }

  TEST_CASE("the subject is not among the others, unless it is to be the first") {
    CHECK(built({two_tracks(), 7}).others.track_ids == Ids{8, 0});
    const auto ego = built({two_tracks()}).others.track_ids;
    CHECK(ego.size() == 2);
    CHECK(ego[0] + ego[1] == 15);
    auto one = Case{two_tracks()};
    one.subjects = kAmong;
    const auto among = built(one);
    CHECK(among.others.track_ids == Ids{-1, 7});  // 7 is nearer than 8
    CHECK(among.others.types == Ids{3, 14});
    CHECK(Floats(among.others.history.positions.begin(),
                 among.others.history.positions.begin() + 6) ==
          among.history.positions);
  }

  TEST_CASE("polylines repeat the histories with yaws") {
    const auto out = built({two_tracks(), 7});
    CHECK(out.agent_trajectory_polyline == Floats{0, 0, 0, -2, 0, 0, -4, 0, 0});
    REQUIRE(out.other_agents_polyline.size() == 2 * 3 * 3);
    CHECK(out.other_agents_polyline[0] == 16);  // track 8, 16 m ahead
    CHECK(out.other_agents_polyline[9] == 0);   // no second agent
  }

  TEST_CASE("at a scene's first frame there is no history, at its last no future") {
    auto first = Case{two_tracks(), 7};
    first.current = 0;
    CHECK(built(first).history.available == Flags{1, 0, 0});
    CHECK(built(first).history.positions == Floats(6, 0));
    auto last = Case{two_tracks(), 7};
    last.current = 4;
    const auto out = built(last);
    CHECK(out.target.available == Flags{0, 0});
    CHECK(out.speed == 0);  // as L5Kit: from here to an unavailable (0, 0)
    CHECK(out.history.available == Flags{1, 1, 1});
  }

  TEST_CASE("frames without the subject are unavailable, those beyond them are not") {
    const auto out = built({ObservedScene({{{7, 0}}, {}, {{7, 4}}, {}, {{7, 8}}}), 7});
    CHECK(out.history.available == Flags{1, 0, 1});
    CHECK(out.history.positions == Floats{0, 0, 0, 0, -4, 0});
    CHECK(out.target.available == Flags{0, 1});
    CHECK(out.target.positions == Floats{0, 0, 4, 0});
    CHECK(out.speed == 0);
  }

  TEST_CASE(
      "histories of ego and agents are as long as the longer, 0 beyond their own") {
    auto made = Case{two_tracks(), 7};
    made.how.history_num_frames_ego = 1;
    auto out = built(made);
    CHECK(out.history.available == Flags{1, 1, 0});
    CHECK(Flags(out.others.history.available.begin(),
                out.others.history.available.begin() + 3) == Flags{1, 1, 1});
    made.how.history_num_frames_ego = 2;
    made.how.history_num_frames_agents = 0;
    out = built(made);
    CHECK(out.history.available == Flags{1, 1, 1});
    CHECK(Flags(out.others.history.available.begin(),
                out.others.history.available.begin() + 3) == Flags{1, 0, 0});
  }

  TEST_CASE("a step of several frames skips those between") {
    auto made = Case{two_tracks(), 7};
    made.how.frames_per_step = 2;
    const auto out = built(made);
    CHECK(out.history.positions == Floats{0, 0, -4, 0, 0, 0});
    CHECK(out.history.available == Flags{1, 1, 0});
    CHECK(out.target.positions == Floats{4, 0, 0, 0});
    CHECK(out.target.available == Flags{1, 0});
  }

  TEST_CASE(
      "among agents, a future needs more than 10 frames of history and 1 of future") {
    std::vector<std::vector<Observation>> frames;
    for (int k = 0; k < 16; ++k) {
      frames.push_back({{7, 1}});
      if (k > 2) frames.back().push_back({8, 2});  // 10 frames before and at frame 12
    }
    auto made = Case{ObservedScene(frames)};
    made.subjects = kAmong;
    made.current = 12;
    made.how.other_agents_num = 3;
    made.how.history_num_frames_ego = made.how.history_num_frames_agents = 12;
    auto out = built(made);
    REQUIRE(out.others.track_ids[0] == -1);
    const auto futures = [&] { return out.others.future.available; };
    const std::size_t at7 = out.others.track_ids[1] == 7 ? 1 : 2;
    const std::size_t at8 = 3 - at7;
    CHECK(futures()[0] == 1);
    CHECK(futures()[2 * at7] == 1);
    CHECK(futures()[2 * at8] == 0);
    made.current = 14;  // one frame of future is left
    out = built(made);
    CHECK(futures() == Flags(6, 0));
    made.subjects = kApart;  // the rule is that of the other data set
    out = built(made);
    CHECK(futures()[0] == 1);
  }

  TEST_CASE("lanes are lit by the faces that are active now") {
    const SmallFaces red({"R", "nowhere"});
    const SmallFaces dark({"R"}, false);
    CHECK(built({two_tracks()}, red.rows()).map.lanes_mid[2] == 3);
    CHECK(built({two_tracks()}, dark.rows()).map.lanes_mid[2] == 0);
    CHECK(built({two_tracks()}).map.lanes_mid[2] == 0);
  }

  TEST_CASE("a sample leaves nothing behind in the next one") {
    const auto made = Case{two_tracks(), 7};
    const auto alone = Case{ObservedScene({{}, {}, {{9, 1}}, {}, {}}), 9};
    Vectorizer vectorizer(params(), street(), kApart);
    const SmallFaces red({"R"});
    VectorSample out;
    vectorizer.build(made.scene.window(2), subject_of(made), red.rows(), out);
    vectorizer.build(alone.scene.window(2), subject_of(alone), {}, out);
    const auto fresh = built(alone);
    CHECK(out.track_id == 9);
    CHECK(out.history.available == fresh.history.available);
    CHECK(out.target.positions == fresh.target.positions);
    CHECK(out.others.track_ids == Ids{0, 0});
    CHECK(out.others.types == fresh.others.types);
    CHECK(out.other_agents_polyline == Floats(18, 0));
    CHECK(out.map.lanes_mid == fresh.map.lanes_mid);
    CHECK(out.speed == 0);
  }

  TEST_CASE("room for no agent has no room for the ego vehicle either") {
    auto how = params();
    how.other_agents_num = 0;
    CHECK_NOTHROW(Vectorizer(how, street(), kApart));
    CHECK_THROWS_WITH_AS(Vectorizer(how, street(), kAmong),
                         "config: data_generation_params.other_agents_num: invalid "
                         "value (found 0, expected at least 1 for the ego vehicle)",
                         Error);
    auto made = Case{two_tracks(), 7};
    made.how.other_agents_num = 0;
    CHECK(built(made).others.track_ids.empty());
    CHECK(built(made).other_agents_polyline.empty());
    made.how.other_agents_num = 1;
    made.subjects = kAmong;
    CHECK(built(made).others.track_ids == Ids{7});
  }
}

}  // namespace vector_sample_test

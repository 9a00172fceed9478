#include "core/scene/anomalies.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <tuple>
#include <vector>

using bev::scene::AbsentParts;
using bev::scene::AnomalyKind;
using bev::scene::SceneDataset;

namespace {

/// Frames 100 ms apart, each with agents 7 and 8, which move 1 m per frame.
SceneDataset driving(std::size_t frames) {
  SceneDataset scene;
  for (std::size_t k = 0; k < frames; ++k) {
    const auto row = static_cast<std::int64_t>(2 * k);
    scene.frames.timestamp.push_back(static_cast<std::int64_t>(k) * 100'000'000);
    scene.frames.agent_index_interval.push_back({row, row + 2});
    for (const std::uint64_t track : {7U, 8U}) {
      scene.agents.track_id.push_back(track);
      scene.agents.centroid.push_back({static_cast<double>(k), 0});
      scene.agents.extent.push_back({4, 2, 1.5F});
      scene.agents.yaw.push_back(0);
    }
  }
  return scene;
}

std::vector<bev::scene::Anomaly> odd(const SceneDataset& scene,
                                     std::vector<AbsentParts> absent = {}) {
  bev::scene::TrackIndex tracks;
  tracks.rebuild(scene.frames.agent_index_interval, 0, scene.agents.track_id);
  absent.resize(scene.frames.size());
  return bev::scene::find_anomalies(scene, tracks, absent);
}

using Told = std::vector<std::tuple<std::uint32_t, AnomalyKind, std::uint64_t>>;

Told reported(const SceneDataset& scene, const std::vector<AbsentParts>& absent = {}) {
  Told out;
  for (const auto& one : odd(scene, absent)) {
    out.emplace_back(one.frame, one.what, one.track_id);
  }
  return out;
}

}  // namespace

TEST_SUITE("scene/anomalies") {
  TEST_CASE("an ordinary scene has no anomalies, nor has an empty one") {
    CHECK(reported(driving(6)).empty());
    CHECK(reported(driving(1)).empty());
    CHECK(reported(SceneDataset{}).empty());
  }

  TEST_CASE("time that leaps or stands still is reported") {
    auto scene = driving(6);
    for (std::size_t k = 3; k < 6; ++k) scene.frames.timestamp[k] += 400'000'000;
    scene.frames.timestamp[5] = scene.frames.timestamp[4];
    CHECK(reported(scene) ==
          Told{{3, AnomalyKind::gap, 0}, {5, AnomalyKind::stuck, 0}});
    CHECK(odd(scene)[0].amount == doctest::Approx(0.5));
  }

  TEST_CASE("a frame without agents is reported") {
    auto scene = driving(3);
    scene.frames.agent_index_interval[1] = {2, 2};
    CHECK(reported(scene) == Told{{1, AnomalyKind::empty, 0}});
  }

  TEST_CASE("a track without size is reported once, where it begins") {
    auto scene = driving(4);
    for (std::size_t k = 2; k < 4; ++k) scene.agents.extent[2 * k] = {4, 0, 1};
    scene.agents.extent[3][0] = std::numeric_limits<float>::quiet_NaN();
    CHECK(reported(scene) ==
          Told{{1, AnomalyKind::flat, 8}, {2, AnomalyKind::flat, 7}});
  }

  TEST_CASE("a track that moves faster than anything drives jumps, once") {
    auto scene = driving(6);
    scene.agents.centroid[2 * 3 + 1] = {3, 8};  // and back in the next frame
    scene.agents.centroid[2 * 5] = {5, 6.9};    // just possible
    CHECK(reported(scene) == Told{{3, AnomalyKind::jump, 8}});
    CHECK(odd(scene)[0].amount == doctest::Approx(8.0623));
  }

  TEST_CASE("a track that turns by 30 degrees between two frames is listed once") {
    auto scene = driving(6);
    scene.agents.yaw[2 * 3] = 3.1F;      // and back
    scene.agents.yaw[2 * 1 + 1] = 3.1F;  // a small turn across half a turn
    for (std::size_t k = 2; k < 6; ++k) scene.agents.yaw[2 * k + 1] = -3.1F;
    CHECK(reported(scene) ==
          Told{{1, AnomalyKind::turn, 8}, {3, AnomalyKind::turn, 7}});
    CHECK(odd(scene)[1].amount == doctest::Approx(177.617));
    auto slow = driving(3);
    slow.agents.yaw[2] = 0.52F;
    CHECK(reported(slow).empty());
  }

  TEST_CASE("a track that grows or shrinks is listed") {
    auto scene = driving(6);
    for (std::size_t k = 2; k < 6; ++k) scene.agents.extent[2 * k] = {6, 3, 1.5F};
    for (std::size_t k = 4; k < 6; ++k)
      scene.agents.extent[2 * k + 1] = {3.5F, 2, 1.5F};
    CHECK(reported(scene) ==
          Told{{2, AnomalyKind::resize, 7}, {4, AnomalyKind::resize, 8}});
    CHECK(odd(scene)[0].amount == doctest::Approx(2.25));
    CHECK(odd(scene)[1].amount == doctest::Approx(8 / 7.0));
  }

  TEST_CASE("a tiny box is listed once, and not as a change of size") {
    auto scene = driving(4);
    for (std::size_t k = 1; k < 4; ++k) scene.agents.extent[2 * k] = {0.05F, 0.05F, 1};
    CHECK(reported(scene) == Told{{1, AnomalyKind::tiny, 7}});
    CHECK(odd(scene)[0].amount == doctest::Approx(0.0025));
  }

  TEST_CASE("a track that is missing and comes back has a hole where it is missing") {
    auto scene = driving(8);
    for (std::size_t k = 2; k < 5; ++k) scene.agents.track_id[2 * k + 1] = 100 + k;
    CHECK(reported(scene) == Told{{2, AnomalyKind::hole, 8}});
    CHECK(odd(scene)[0].amount == 3);
    std::vector<AbsentParts> absent(8);
    absent[3].agents = true;  // the track may have been there
    for (const auto& [frame, what, track] : reported(scene, absent)) {
      CHECK(what != AnomalyKind::hole);
    }
  }

  TEST_CASE("missing rows are listed as such, run by run, and not judged") {
    auto scene = driving(8);
    for (std::size_t k = 2; k < 5; ++k) {
      for (std::size_t i = 2 * k; i < 2 * k + 2; ++i) {
        scene.agents.extent[i] = {0, 0, 0};
        scene.agents.centroid[i] = {9999, 0};
      }
    }
    std::vector<AbsentParts> absent(8);
    for (std::size_t k = 2; k < 5; ++k) absent[k].agents = true;
    absent[6].faces = true;
    CHECK(reported(scene, absent) ==
          Told{{2, AnomalyKind::absent_agents, 0}, {6, AnomalyKind::absent_faces, 0}});
    CHECK(odd(scene, absent)[0].amount == 3);
    absent = std::vector<AbsentParts>(8);
    absent[0].frame = true;
    scene = driving(8);
    scene.frames.timestamp[0] = 7'000'000'000;
    scene.frames.agent_index_interval[0] = {0, 0};
    CHECK(reported(scene, absent) == Told{{0, AnomalyKind::absent_frames, 0}});
  }

  TEST_CASE("of one kind no more are reported than anybody reads") {
    auto scene = driving(100);
    for (auto& rows : scene.frames.agent_index_interval) rows.end = rows.begin;
    CHECK(odd(scene).size() == bev::scene::kMaxAnomalies);
  }

  TEST_CASE("steps to and from absent frames are not the usual step") {
    auto scene = driving(10);
    std::vector<AbsentParts> absent(10);
    for (std::size_t k = 0; k < 6; ++k) {
      absent[k].frame = true;
      scene.frames.timestamp[k] = 0;
      scene.frames.agent_index_interval[k] = {0, 0};
    }
    CHECK(reported(scene, absent) == Told{{0, AnomalyKind::absent_frames, 0}});
    CHECK(odd(scene, absent)[0].amount == 6);
    scene.frames.timestamp[9] += 100'000'000;  // twice the usual step
    CHECK(reported(scene, absent) ==
          Told{{9, AnomalyKind::gap, 0}, {0, AnomalyKind::absent_frames, 0}});
  }

  TEST_CASE("a track may have been in an absent frame") {
    auto scene = driving(6);
    std::vector<AbsentParts> absent(6);
    absent[2].frame = true;
    scene.frames.timestamp[2] = 0;
    scene.frames.agent_index_interval[2] = {0, 0};
    scene.agents.track_id[2 * 3] = 100;  // track 7 is missing in frame 3 too
    CHECK(reported(scene, absent) == Told{{2, AnomalyKind::absent_frames, 0}});
  }

  TEST_CASE("a step of one and a half times the usual one is no gap yet") {
    auto scene = driving(6);
    for (std::size_t k = 3; k < 6; ++k) scene.frames.timestamp[k] += 50'000'000;
    CHECK(reported(scene).empty());
    for (std::size_t k = 3; k < 6; ++k) scene.frames.timestamp[k] += 1'000'000;
    CHECK(reported(scene) == Told{{3, AnomalyKind::gap, 0}});
  }

  TEST_CASE("time that runs backwards is stuck, whatever its numbers") {
    auto scene = driving(4);
    scene.frames.timestamp[3] = std::numeric_limits<std::int64_t>::min();
    CHECK(reported(scene) == Told{{3, AnomalyKind::stuck, 0}});
    auto frozen = driving(4);
    frozen.frames.timestamp.assign(4, 5);
    CHECK(reported(frozen) == Told{{1, AnomalyKind::stuck, 0},
                                   {2, AnomalyKind::stuck, 0},
                                   {3, AnomalyKind::stuck, 0}});
  }

  TEST_CASE("a position that is NaN is no jump, a heading that is NaN no turn") {
    auto scene = driving(4);
    scene.agents.centroid[2] = {std::numeric_limits<double>::quiet_NaN(), 0};
    scene.agents.yaw[3] = std::numeric_limits<float>::quiet_NaN();
    CHECK(reported(scene).empty());
  }

  TEST_CASE("a track that leaves, comes, or is seen once has no hole") {
    auto scene = driving(5);
    scene.agents.track_id[2 * 2] = 50;  // seen once instead of 7
    for (std::size_t k = 3; k < 5; ++k) scene.agents.track_id[2 * k] = 60;  // comes
    CHECK(reported(scene).empty());
  }

  TEST_CASE("a track is listed for each kind, and once per kind") {
    auto scene = driving(8);
    for (std::size_t k = 1; k < 8; k += 2) {
      scene.agents.yaw[2 * k] = 1;
      scene.agents.extent[2 * k] = {8, 2, 1};
    }
    CHECK(reported(scene) ==
          Told{{1, AnomalyKind::turn, 7}, {1, AnomalyKind::resize, 7}});
  }

  TEST_CASE("each kind has its own limit") {
    auto scene = driving(60);
    for (std::size_t k = 0; k < 60; ++k) {
      scene.agents.track_id[2 * k] = 1000 + k;  // another flat track in each frame
      scene.agents.extent[2 * k] = {0, 0, 0};
      if (k >= 30) scene.frames.timestamp[k] = scene.frames.timestamp[29];
    }
    std::size_t stuck = 0, flat = 0;
    for (const auto& one : odd(scene)) {
      stuck += one.what == AnomalyKind::stuck ? 1 : 0;
      flat += one.what == AnomalyKind::flat ? 1 : 0;
    }
    CHECK(stuck == bev::scene::kMaxAnomalies);
    CHECK(flat == bev::scene::kMaxAnomalies);
  }
}

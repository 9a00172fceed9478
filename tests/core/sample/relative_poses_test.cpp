#include "core/sample/relative_poses.hpp"

#include <doctest/doctest.h>

#include <numbers>

#include "core/base/error.hpp"

using bev::Error;
using bev::sample::AgentRows;
using bev::sample::FrameRun;
using bev::sample::ReferenceFrame;
using bev::sample::relative_poses;
using bev::sample::RelativePoses;
using bev::sample::Window;
using doctest::Approx;
using Floats = std::vector<float>;

namespace {

constexpr auto kBackward = FrameRun::Direction::backward;
constexpr auto kForward = FrameRun::Direction::forward;

/// Four frames; the ego vehicle is at x = 0, 1, 2, 3. Track 5 is at y = 10, except in
/// frame 2; in frame 3 it has two rows.
class FourFrames {
 public:
  FourFrames() {
    for (int i = 0; i < 4; ++i) {
      frames_.timestamp.push_back(i);
      frames_.ego_translation.push_back({static_cast<double>(i), 0, 0});
    }
    frames_.agent_index_interval = {{0, 1}, {1, 2}, {2, 2}, {2, 4}};
    agents_.centroid = {{0, 10}, {1, 10}, {3, 10}, {99, 99}};
    agents_.extent.assign(4, {4, 2, 1});
    agents_.yaw = {3, 3, -3, 0};
    agents_.track_id.assign(4, 5);
  }

  Window window() const { return {frames_, yaws_, 0, AgentRows(agents_), 0, {}, 0}; }

 private:
  bev::scene::FrameColumns frames_;
  bev::scene::PoseColumns agents_;
  std::vector<double> yaws_{0, 0.5, 1, 1.5};
};

/// Output of `count` rows, filled with 9 to see what is written.
struct Out {
  explicit Out(std::size_t count)
      : positions(2 * count, 9.0F),
        yaws(count, 9.0F),
        extents(2 * count, 9.0F),
        availabilities(count, 9.0F) {}
  operator RelativePoses() { return {positions, yaws, extents, availabilities}; }

  Floats positions, yaws, extents, availabilities;
};

}  // namespace

TEST_SUITE("sample/relative_poses") {
  TEST_CASE("the ego vehicle is followed back in time, in the reference frame") {
    const FourFrames four;
    Out out(4);
    const ReferenceFrame reference{
        std::nullopt, bev::geom::inverse(bev::geom::pose({2, 0}, std::numbers::pi / 2)),
        1};
    relative_poses(four.window(), {2, 3, kBackward, 1}, reference, out);
    CHECK(out.availabilities == Floats{1, 1, 1, 0});
    // A reference that heads along +y has world's -x on its left.
    CHECK(out.positions[0] == Approx(0));
    CHECK(out.positions[3] == Approx(1));
    CHECK(out.positions[5] == Approx(2));
    CHECK(out.yaws[0] == 0);
    CHECK(out.yaws[1] == Approx(-0.5));
    CHECK(out.extents[0] == 4.87F);
    CHECK(out.extents[1] == 1.85F);
  }

  TEST_CASE("rows beyond the run and frames without the track are 0") {
    const FourFrames four;
    Out out(4);
    relative_poses(four.window(), {1, 3, kForward, 1}, {5, {}, 0}, out);
    CHECK(out.availabilities == Floats{1, 0, 1, 0});
    CHECK(out.positions == Floats{1, 10, 0, 0, 3, 10, 0, 0});
    CHECK(out.extents == Floats{4, 2, 0, 0, 4, 2, 0, 0});
    CHECK(out.yaws[1] == 0);
    CHECK(out.yaws[3] == 0);
  }

  TEST_CASE("of a track that occurs twice in a frame the first row counts") {
    const FourFrames four;
    Out out(1);
    relative_poses(four.window(), {3, 1, kForward, 1}, {5, {}, 0}, out);
    CHECK(out.positions == Floats{3, 10});
  }

  TEST_CASE("yaws are wrapped to half a turn") {
    const FourFrames four;
    Out out(2);
    relative_poses(four.window(), {0, 1, kForward, 1}, {5, {}, -3}, out);
    CHECK(out.yaws[0] == Approx(6 - 2 * std::numbers::pi));
  }

  TEST_CASE("a step skips frames, forward and backward") {
    const FourFrames four;
    Out out(2);
    relative_poses(four.window(), {1, 2, kForward, 2}, {}, out);
    CHECK(out.positions == Floats{1, 0, 3, 0});
    relative_poses(four.window(), {3, 2, kBackward, 3}, {}, out);
    CHECK(out.positions == Floats{3, 0, 0, 0});
  }

  TEST_CASE("a run of no frames fills nothing but zeros") {
    const FourFrames four;
    Out out(2);
    relative_poses(four.window(), {0, 0, kForward, 1}, {}, out);
    CHECK(out.availabilities == Floats{0, 0});
    CHECK(out.positions == Floats{0, 0, 0, 0});
  }

  TEST_CASE("spans of different lengths are refused before anything is written") {
    const FourFrames four;
    Out out(2);
    CHECK_THROWS_WITH_AS(relative_poses(four.window(), {0, 3, kForward, 1}, {}, out),
                         "relative poses: lengths differ (found 2 rows for 3 frames)",
                         Error);
    out.yaws.pop_back();
    CHECK_THROWS_AS(relative_poses(four.window(), {0, 1, kForward, 1}, {}, out), Error);
    CHECK(out.positions[0] == 9);
  }
}

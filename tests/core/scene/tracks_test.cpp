#include "core/scene/tracks.hpp"

#include <doctest/doctest.h>

#include <initializer_list>
#include <limits>
#include <vector>

using bev::scene::FrameWindow;
using bev::scene::Interval;
using bev::scene::Polylines;
using bev::scene::TrackIndex;
using bev::scene::TrackJoiner;
using Ids = std::vector<std::uint64_t>;
using Offsets = std::vector<std::uint32_t>;

namespace {

/// Returns a window whose agents are at (frame, position in the frame). `first` is the
/// first agent's row in the dataset.
FrameWindow window_of(std::initializer_list<Ids> frames, std::size_t now,
                      std::int64_t first = 100) {
  FrameWindow window;
  window.now = now;
  auto row = first;
  double x = 0;
  for (const auto& ids : frames) {
    const auto end = row + static_cast<std::int64_t>(ids.size());
    window.frames.agent_index_interval.push_back({row, end});
    window.frames.timestamp.push_back(0);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      window.tracks.track_id.push_back(ids[i]);
      window.tracks.centroid.push_back({x, static_cast<double>(i)});
    }
    row = end;
    ++x;
  }
  window.agent_rows = {first, row};
  return window;
}

Polylines follow(const FrameWindow& window, int step, std::size_t reach) {
  TrackJoiner joiner;
  joiner.rebuild(window);
  Polylines lines;
  joiner.follow(step, reach, lines);
  return lines;
}

}  // namespace

TEST_SUITE("scene/tracks") {
  TEST_CASE("a track is found in a frame, the first of its rows, or not at all") {
    const std::vector<std::uint64_t> ids{9, 4, 4, 9, 7};
    const std::vector<Interval> frames{{10, 13}, {13, 13}, {13, 15}};
    TrackIndex index;
    index.rebuild(frames, 10, ids);
    CHECK(index.find(0, 4) == 1);
    CHECK(index.find(0, 9) == 0);
    CHECK(index.find(0, 7) == TrackIndex::kNone);
    CHECK(index.find(1, 9) == TrackIndex::kNone);
    CHECK(index.find(2, 9) == 3);
    CHECK(index.find(2, 8) == TrackIndex::kNone);
  }

  TEST_CASE("a line ends at a frame without its agent, or goes on behind it") {
    const auto window = window_of({{7}, {8}, {7}, {7, 8}}, 0);
    TrackJoiner joiner;
    joiner.rebuild(window);
    Polylines lines;
    joiner.follow(+1, 25, lines);
    CHECK(lines.points.size() == 1);
    joiner.follow(+1, 25, lines, TrackJoiner::Gaps::skip);
    CHECK(lines.points.size() == 3);
    CHECK(lines.points[2] == window.tracks.centroid[3]);
  }

  TEST_CASE("a trail starts now and goes back, newest first") {
    const auto lines = follow(window_of({{7, 8}, {8, 7}, {7}}, 2), -1, 25);
    CHECK(lines.offsets == Offsets{0, 3});
    CHECK(lines.points[0] == std::array<double, 2>{2, 0});
    CHECK(lines.points[1] == std::array<double, 2>{1, 1});
    CHECK(lines.points[2] == std::array<double, 2>{0, 0});
  }

  TEST_CASE("it stops at the first frame without the track") {
    const auto window = window_of({{7}, {}, {7}, {7, 9}}, 3);
    CHECK(follow(window, -1, 25).offsets == Offsets{0, 2, 3});
  }

  TEST_CASE("it is no longer than asked for") {
    const auto window = window_of({{7}, {7}, {7}}, 2);
    CHECK(follow(window, -1, 1).offsets == Offsets{0, 2});
    CHECK(follow(window, -1, 0).offsets == Offsets{0, 1});
  }

  TEST_CASE("a future goes the other way") {
    const auto lines = follow(window_of({{7}, {7}, {9, 7}}, 0), +1, 25);
    CHECK(lines.offsets == Offsets{0, 3});
    CHECK(lines.points[2] == std::array<double, 2>{2, 1});
  }

  TEST_CASE("of an id that occurs twice in a frame the first row counts") {
    const auto lines = follow(window_of({{7, 7}, {7}}, 1), -1, 25);
    CHECK(lines.points[1] == std::array<double, 2>{0, 0});
  }

  TEST_CASE("a frame without agents has no lines") {
    CHECK(follow(window_of({{7}, {}}, 1), -1, 25).offsets == Offsets{0});
  }

  TEST_CASE("frames without agents, and no frames at all, have no tracks") {
    TrackIndex index;
    index.rebuild({}, 0, {});
    const std::vector<Interval> empty{{5, 5}, {5, 5}};
    index.rebuild(empty, 5, {});
    CHECK(index.find(0, 0) == TrackIndex::kNone);
    CHECK(index.find(1, ~std::uint64_t{0}) == TrackIndex::kNone);
  }

  TEST_CASE("a rebuilt index forgets the frames before") {
    TrackIndex index;
    const std::vector<Interval> frames{{0, 2}};
    const std::vector<std::uint64_t> first{1, 2}, second{0, ~std::uint64_t{0}};
    index.rebuild(frames, 0, first);
    CHECK(index.find(0, 2) == 1);
    index.rebuild(frames, 0, second);
    CHECK(index.find(0, 2) == TrackIndex::kNone);
    CHECK(index.find(0, ~std::uint64_t{0}) == 1);
    CHECK(index.find(0, 0) == 0);
  }

  TEST_CASE("a trail of the oldest frame, or a future of the newest, is one point") {
    const auto window = window_of({{7}, {7}}, 0);
    CHECK(follow(window, -1, 25).offsets == Offsets{0, 1});
    CHECK(follow(window_of({{7}, {7}}, 1), +1, 25).offsets == Offsets{0, 1});
  }

  TEST_CASE("a line across a gap is as long as its reach in frames, not in points") {
    const auto window = window_of({{7}, {}, {}, {7}, {7}}, 4);
    TrackJoiner joiner;
    joiner.rebuild(window);
    Polylines lines;
    joiner.follow(-1, 3, lines, TrackJoiner::Gaps::skip);
    CHECK(lines.points.size() == 2);
    joiner.follow(-1, 4, lines, TrackJoiner::Gaps::skip);
    CHECK(lines.points.size() == 3);
    CHECK(lines.points[2] == std::array<double, 2>{0, 0});
  }

  TEST_CASE("a reach beyond the window ends with it") {
    constexpr auto kMax = std::numeric_limits<std::size_t>::max();
    CHECK(follow(window_of({{7}, {7}, {7}}, 1), -1, kMax).offsets == Offsets{0, 2});
    CHECK(follow(window_of({{7}, {7}, {7}}, 1), +1, kMax).offsets == Offsets{0, 2});
  }

  TEST_CASE("lines follow the agents' order, whatever the order in other frames") {
    const auto lines = follow(window_of({{3, 1, 2}, {1, 2, 3}}, 1), -1, 1);
    CHECK(lines.offsets == Offsets{0, 2, 4, 6});
    CHECK(lines.points[1] == std::array<double, 2>{0, 1});  // of track 1
    CHECK(lines.points[3] == std::array<double, 2>{0, 2});  // of track 2
    CHECK(lines.points[5] == std::array<double, 2>{0, 0});  // of track 3
  }

  TEST_CASE("an agent stored twice in its frame has two lines") {
    const auto lines = follow(window_of({{7}, {7, 7}}, 1), -1, 5);
    CHECK(lines.offsets == Offsets{0, 2, 4});
    CHECK(lines.points[2] == std::array<double, 2>{1, 1});
  }

  TEST_CASE("lines replace those of the call before") {
    const auto window = window_of({{7}, {7}}, 1);
    TrackJoiner joiner;
    joiner.rebuild(window);
    Polylines lines{{{9, 9}, {9, 9}, {9, 9}}, {5, 6, 7}};
    joiner.follow(-1, 0, lines);
    CHECK(lines.points.size() == 1);
    CHECK(lines.offsets == Offsets{0, 1});
  }
}

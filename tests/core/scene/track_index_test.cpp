#include "core/scene/track_index.hpp"

#include <doctest/doctest.h>

#include <vector>

using bev::scene::Interval;
using bev::scene::TrackIndex;

TEST_SUITE("scene/track_index") {
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
}

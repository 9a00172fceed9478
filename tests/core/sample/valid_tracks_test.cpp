#include "core/sample/valid_tracks.hpp"

#include <doctest/doctest.h>

#include <cstring>

#include "tests/support/memory_dataset.hpp"
#include "tests/support/small_scenes.hpp"

using bev::Errc;
using bev::sample::ValidTracks;
using bev::scene::AgentIndex;
using bev::scene::Interval;
using bev::test::error_code;
using bev::test::MemoryDataset;
using bev::test::small_store;
using bev::test::SmallScenes;

namespace {

/// Returns an index of `count` agents whose items are every `step`-th row.
AgentIndex every(std::size_t count, std::size_t step) {
  std::vector<std::uint8_t> mask(count);
  for (std::size_t i = 0; i < count; i += step) mask[i] = 1;
  AgentIndex index;
  index.append_mask(mask);
  return index;
}

ValidTracks::Ids ids_of(MemoryDataset& data, const Interval& frames,
                        const AgentIndex& items) {
  ValidTracks tracks;
  data.read([&](bev::store::Reader& reader) {
    return tracks.read(reader, *data, frames, items);
  });
  return tracks.ids();
}

}  // namespace

TEST_SUITE("sample/valid_tracks") {
  TEST_CASE("a scene's items give their tracks in order, padded with 0") {
    MemoryDataset data(small_store());
    const auto ids = ids_of(data, {5, 10}, every(30, 4));
    // Rows 16, 20, 24 and 28 of the second scene; tracks are row % 3 + 1.
    CHECK(ids[0] == 2);
    CHECK(ids[1] == 3);
    CHECK(ids[2] == 1);
    CHECK(ids[3] == 2);
    CHECK(ids[4] == 0);
    CHECK(ids.back() == 0);
  }

  TEST_CASE("a scene without frames or items has no tracks") {
    MemoryDataset data(small_store());
    CHECK(ids_of(data, {5, 5}, every(30, 1)) == ValidTracks::Ids{});
    CHECK(ids_of(data, {0, 5}, every(0, 1)) == ValidTracks::Ids{});
  }

  TEST_CASE("a second scene does not keep the first one's tracks") {
    MemoryDataset data(small_store());
    ValidTracks tracks;
    const auto items = every(30, 1);
    for (const Interval& frames : {Interval{0, 5}, Interval{5, 5}}) {
      data.read([&](bev::store::Reader& reader) {
        return tracks.read(reader, *data, frames, items);
      });
    }
    CHECK(tracks.ids() == ValidTracks::Ids{});
  }

  TEST_CASE("fifty items fit, one more exceeds the limit") {
    MemoryDataset data(
        small_store(SmallScenes{.scenes = 1, .frames = 1, .agents = 51}));
    CHECK(ids_of(data, {0, 1}, every(50, 1)).back() == 50);
    CHECK(error_code([&] {
            ids_of(data, {0, 1}, every(51, 1));
          }) == Errc::limit_exceeded);
  }

  TEST_CASE("intervals beyond the agents are damage") {
    auto store = small_store();
    const Interval hostile{12, 31};
    std::memcpy(store.objects.at("frames/1").data() + 8, &hostile, sizeof hostile);
    MemoryDataset data(std::move(store));
    CHECK(error_code([&] {
            ids_of(data, {0, 5}, every(30, 1));
          }) == Errc::corrupt_chunk);
  }
}

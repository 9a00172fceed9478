#include "core/scene/intervals.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/small_scenes.hpp"

using bev::Errc;
using bev::Error;
using bev::scene::check_interval;
using bev::scene::check_intervals;
using bev::scene::Interval;
using bev::scene::IntervalField;

namespace {

constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
constexpr auto kMin = std::numeric_limits<std::int64_t>::min();
const IntervalField kField{"frames", "agent_index_interval", "agents", 10};

/// Returns the error of frame 1 of a dataset whose frame 1 has this interval of agents.
std::string frame_error(Interval hostile) {
  auto store = bev::test::small_store();
  auto& chunk = store.objects.at("frames/0");
  std::memcpy(chunk.data() + 136 + 8, &hostile, sizeof hostile);
  bev::Engine engine;
  try {
    run(engine, *engine.frame(0, 1), store);
  } catch (const Error& error) {
    CHECK(error.code() == Errc::corrupt_chunk);
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_SUITE("scene/intervals") {
  TEST_CASE("what lies in the array is accepted, empty or whole") {
    check_interval({0, 0}, 0, kField);
    check_interval({10, 10}, 0, kField);
    check_interval({0, 10}, 0, kField);
    CHECK(check_intervals({}, 0, kField) == Interval{0, 0});
    const std::vector<Interval> row{{2, 4}, {4, 4}, {4, 9}};
    CHECK(check_intervals(row, 0, kField) == Interval{2, 9});
  }

  TEST_CASE("what does not is refused, with its row and its bounds") {
    for (const Interval& bad :
         {Interval{-1, 3}, Interval{5, 3}, Interval{0, 11}, Interval{11, 11},
          Interval{0, kMax}, Interval{kMin, kMax}, Interval{kMax, kMin}}) {
      CAPTURE(bad.begin);
      CHECK_THROWS_AS(check_interval(bad, 0, kField), Error);
    }
    CHECK_THROWS_WITH_AS(check_interval({5, 3}, 12, kField),
                         "frames/12: agent_index_interval [5, 3), expected 0 <= begin "
                         "<= end <= 10, the length of agents",
                         Error);
  }

  TEST_CASE("neighbours that overlap, leave a gap or go back are refused") {
    for (const auto begin : {3, 5, 0}) {
      CAPTURE(begin);
      const std::vector<Interval> row{{2, 4}, {begin, 6}};
      CHECK_THROWS_WITH_AS(
          check_intervals(row, 7, kField),
          ("frames/8: agent_index_interval [" + std::to_string(begin) +
           ", 6), expected it to begin at 4, where the one before it ends")
              .c_str(),
          Error);
    }
  }

  TEST_CASE("hostile intervals of a file end a query, not the engine") {
    CHECK(frame_error({3, kMax}).starts_with("frames/1: agent_index_interval [3, "));
    CHECK(frame_error({6, 3}).starts_with("frames/1: agent_index_interval [6, 3)"));
    CHECK(frame_error({kMin, kMin}).starts_with("frames/1: agent_index_interval [-"));
    CHECK(frame_error({2, 6}).ends_with("begin at 3, where the one before it ends"));
    CHECK(frame_error({3, 31}).ends_with("end <= 30, the length of agents"));
  }

  TEST_CASE("a scene that points outside of the frames is refused") {
    auto store = bev::test::small_store();
    const Interval hostile{0, kMax};
    std::memcpy(store.objects.at("scenes/0").data(), &hostile, sizeof hostile);
    bev::Engine engine;
    CHECK_THROWS_WITH_AS(run(engine, *engine.frame(0, 0), store),
                         "scenes/0: frame_index_interval [0, 9223372036854775807), "
                         "expected 0 <= begin <= end <= 10, the length of frames",
                         Error);
    CHECK(run(engine, *engine.frame(1, 0), store)["agents.row"].shape[0] == 3);
  }
}

#include "core/sample/frame_slice.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "core/base/error.hpp"
#include "tests/support/files.hpp"
#include "tests/support/goldens.hpp"

using bev::Error;
using bev::sample::FrameSlice;
using bev::sample::future_slice;
using bev::sample::history_slice;
using bev::sample::indices;

using Indices = std::vector<std::int64_t>;

TEST_SUITE("sample/frame_slice") {
  TEST_CASE("history is newest first and stops at the scene's start") {
    CHECK(indices(history_slice(5, 2, 1, true), 25) == Indices{5, 4, 3});
    CHECK(indices(history_slice(2, 5, 1, true), 25) == Indices{2, 1, 0});
    CHECK(indices(history_slice(2, 5, 1, false), 25) == Indices{1, 0});
    CHECK(indices(history_slice(0, 5, 1, false), 25).empty());
  }

  TEST_CASE("a stride keeps its steps") {
    CHECK(indices(history_slice(5, 3, 2, true), 25) == Indices{5, 3, 1});
    CHECK(indices(history_slice(4, 3, 2, true), 25) == Indices{4, 2, 0});
    CHECK(indices(future_slice(20, 4, 2), 25) == Indices{22, 24});
  }

  TEST_CASE("the future ends with the scene") {
    CHECK(indices(future_slice(22, 5, 1), 25) == Indices{23, 24});
    CHECK(indices(future_slice(24, 5, 1), 25).empty());
    CHECK(indices(future_slice(3, 0, 1), 25).empty());
  }

  TEST_CASE("a step of 0 and a state before the scene are refused") {
    CHECK_THROWS_WITH_AS(history_slice(3, 1, 0, true),
                         "slice: step 0, expected at least 1", Error);
    CHECK_THROWS_AS(future_slice(3, 1, 0), Error);
    CHECK_THROWS_AS(history_slice(-1, 1, 1, true), Error);
  }

  TEST_CASE("slices are those of the reference") {
    BEV_REQUIRE_GOLDENS();
    const auto cases = nlohmann::json::parse(
        bev::test::read_text(bev::test::goldens() + "/outputs/geometry/slices.json"));
    CHECK(cases.size() == 225);
    for (const auto& one : cases) {
      CAPTURE(one.dump());
      const bool past = one.contains("history");
      const auto& call = one[past ? "history" : "future"];
      const auto got = past ? history_slice(call[0], call[1], call[2], call[3])
                            : future_slice(call[0], call[1], call[2]);
      CHECK(got.start == one["slice"][0].get<std::int64_t>());
      CHECK(got.stop.has_value() == !one["slice"][1].is_null());
      if (got.stop) CHECK(*got.stop == one["slice"][1].get<std::int64_t>());
      CHECK(got.step == one["slice"][2].get<std::int64_t>());
      CHECK(indices(got, 25) == one["of25"].get<Indices>());
    }
  }
}

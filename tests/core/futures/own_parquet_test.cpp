#include "core/futures/own_parquet.hpp"

#include <doctest/doctest.h>

#include <random>

#include "tests/support/error_code.hpp"
#include "tests/support/own_futures.hpp"
#include "tests/support/parquet_by_hand.hpp"

namespace own_parquet_test {
namespace {

using namespace bev::test;
using namespace bev::futures;
using bev::Errc;

TEST_SUITE("futures/own_parquet") {
  TEST_CASE("rows are poses, also of a scenario in several row groups") {
    const auto file = futures_parquet();
    ReadCounts counts;
    const auto shard = indexed("made", file, &counts);
    CHECK(shard.kind == SubmissionKind::futures);
    CHECK(counts.requests == 5);  // head, tail, footer, a column of two groups
    REQUIRE(shard.scenarios.size() == 2);
    const auto found = own_futures(file, "a");
    check(found.view(), "made");
    CHECK(found.ids == std::vector<std::uint64_t>{7, 8});
    CHECK(found.first_step == 11);
    CHECK(found.pose_values == 2);
    CHECK(found.poses == std::vector<float>{1, 2, 2, 2, 3, 4, 2, 2});
    CHECK(own_futures(file, "b").poses == std::vector<float>{5, 2});
    CHECK(shard.scenarios[0].bytes.end == shard.scenarios[1].bytes.end);
    CHECK(shard.scenarios[0].bytes.begin < shard.scenarios[1].bytes.begin);
  }

  TEST_CASE("metadata have a name and whether modes are joint") {
    const auto shard =
        indexed("made", futures_parquet(R"({"name": "mine", "joint": false})"));
    CHECK(shard.card.method == "mine");
    CHECK(shard.kind == SubmissionKind::predictions);
    for (const auto* const text : {"[]", "{", R"({"name": 1})", R"({"joint": 1})"}) {
      CHECK(own_refusal(futures_parquet(text)).find("metadata bevscope: ") !=
            std::string::npos);
    }
  }

  TEST_CASE("small files do not state many rows") {
    HandGroup group{1 << 20,
                    {{"scenario_id", 6, data_page(plain_texts({"a"}), 1)},
                     {"track_id", 1, ""},
                     {"step", 1, ""},
                     {"x", 4, ""},
                     {"y", 4, ""}}};
    CHECK(own_refusal(parquet_by_hand({group})).find("too many rows for its size") !=
          std::string::npos);
  }

  TEST_CASE("row groups in another order are refused") {
    auto file = futures_parquet();
    CHECK(own_refusal(file).empty());
    HandGroup one{1,
                  {{"scenario_id", 6, data_page(plain_texts({"a"}), 1)},
                   {"track_id", 1, data_page(plain_numbers<std::int32_t>({1}), 1)},
                   {"step", 1, data_page(plain_numbers<std::int32_t>({1}), 1)},
                   {"x", 4, data_page(plain_numbers<float>({1}), 1)},
                   {"y", 4, ""}}};
    CHECK(
        own_refusal(parquet_by_hand({one})).find("column y: wrong number of values") !=
        std::string::npos);
  }

  TEST_CASE("every truncation, and wrong bytes, are typed errors") {
    const auto file = futures_parquet(R"({"name": "mine"})");
    for (std::size_t size = 4; size < file.size(); ++size) {
      CAPTURE(size);
      REQUIRE_FALSE(own_refusal(file.substr(0, size)).empty());
    }
    std::mt19937 random(5);
    for (int i = 0; i < 3'000; ++i) {
      auto changed = file;
      changed[4 + random() % (file.size() - 4)] = static_cast<char>(random());
      REQUIRE_NOTHROW(own_refusal(changed));
    }
  }
}

}  // namespace
}  // namespace own_parquet_test

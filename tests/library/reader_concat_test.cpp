#include <doctest/doctest.h>

#include <bevscope/dataset.hpp>
#include <bevscope/error.hpp>
#include <bevscope/reader_concat.hpp>
#include <bevscope/reader_mix.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/library/memory_source.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/small_scenes.hpp"

namespace reader_concat_test {

using bev::Dataset;
using bev::Errc;
using bev::Reader;
using bev::ReaderConcat;
using bev::test::error_code;
using bev::test::MemorySource;
using bev::test::small_store;

namespace {

constexpr auto* kPlan =
    R"({"fields": ["row", "yaw"], "order": {"mode": "full"}, "batch": {"size": 4}})";

/// Two data sets.
struct TwoSets {
  Dataset first{std::make_shared<MemorySource>(small_store())};
  Dataset second{std::make_shared<MemorySource>(small_store())};

  std::vector<Reader> readers(const char* plan = kPlan) {
    std::vector<Reader> out;
    out.push_back(first.reader(plan));
    out.push_back(second.reader(plan));
    return out;
  }
};

using Stream = std::vector<std::pair<std::size_t, std::vector<std::int64_t>>>;

Stream rest_of(ReaderConcat& concat, std::size_t most = 1'000) {
  Stream out;
  while (out.size() < most) {
    const auto batch = concat.next();
    if (!batch) break;
    const auto rows = batch->arrays["row"].values<std::int64_t>();
    out.emplace_back(batch->reader, std::vector(rows.begin(), rows.end()));
  }
  return out;
}

}  // namespace

TEST_SUITE("library/reader_concat") {
  TEST_CASE("readers follow each other, and epochs have other orders") {
    TwoSets sets;
    ReaderConcat concat(sets.readers());
    CHECK(concat.length() == 60);
    const auto whole = rest_of(concat);
    REQUIRE(whole.size() == 16);
    for (std::size_t i = 0; i < whole.size(); ++i) CHECK(whole[i].first == i / 8);
    CHECK(rest_of(concat).empty());
    concat.reset(1);
    CHECK(rest_of(concat) != whole);
    concat.reset();
    CHECK(rest_of(concat) == whole);
  }

  TEST_CASE("they continue after any batch") {
    TwoSets sets;
    ReaderConcat concat(sets.readers());
    const auto whole = rest_of(concat);
    for (std::size_t stop = 0; stop <= whole.size(); ++stop) {
      CAPTURE(stop);
      concat.reset();
      auto all = rest_of(concat, stop);
      ReaderConcat other(sets.readers());
      other.restore(concat.state());
      for (auto& one : rest_of(other)) all.push_back(std::move(one));
      CHECK(all == whole);
    }
  }

  TEST_CASE("a state that a reader refuses leaves the position as it is") {
    TwoSets sets;
    ReaderConcat concat(sets.readers()), expected(sets.readers());
    rest_of(concat, 5);
    rest_of(expected, 5);
    ReaderConcat other(sets.readers(R"({"fields": ["row", "yaw"]})"));
    CHECK(error_code([&] { concat.restore(other.state()); }) == Errc::invalid_argument);
    CHECK(rest_of(concat) == rest_of(expected));
  }

  TEST_CASE("fields that differ are refused, also in a mixture") {
    TwoSets sets;
    const auto differing = [&] {
      auto readers = sets.readers();
      readers[1] = sets.second.reader(R"({"fields": ["row", "centroid"]})");
      return readers;
    };
    CHECK_THROWS_WITH_AS(ReaderConcat{differing()},
                         "concat: fields of reader 1 differ from those of reader 0 "
                         "(found row <i8, centroid <f8 (2); expected row <i8, yaw <f4)",
                         bev::Error);
    CHECK(error_code([&] { bev::ReaderMix(differing(), R"({"weights": [1, 1]})"); }) ==
          Errc::invalid_argument);
    CHECK(error_code([] { ReaderConcat({}); }) == Errc::invalid_argument);
  }

  TEST_CASE("fields are the arrays of the batches, with windows and masks") {
    TwoSets sets;
    auto reader = sets.first.reader(
        R"({"fields": ["centroid", "host"], "window": {"past": 2, "edges": "pad"},
            "shard": {"equal": "pad"}})");
    using bev::ReaderField;
    CHECK(reader.fields() == std::vector<ReaderField>{{"centroid", "<f8", {3, 2}},
                                                      {"host", "<U16", {3}},
                                                      {"window.mask", "|b1", {3}},
                                                      {"padded", "|b1", {}}});
  }
}

}  // namespace reader_concat_test

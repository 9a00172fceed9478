#include <doctest/doctest.h>

#include <algorithm>
#include <bevscope/dataset.hpp>
#include <bevscope/error.hpp>
#include <bevscope/reader_mix.hpp>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "tests/library/memory_source.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/small_scenes.hpp"

namespace reader_mix_test {

using bev::Dataset;
using bev::Errc;
using bev::Reader;
using bev::ReaderMix;
using bev::test::error_code;
using bev::test::MemorySource;
using bev::test::small_store;

namespace {

constexpr auto* kAll =
    R"({"weights": [2, 1], "seed": 1, "on_exhausted": "renormalise"})";

/// Readers of the two scenes.
std::vector<Reader> readers_of(Dataset& dataset) {
  std::vector<Reader> out;
  for (const auto* where : {"scene == 0", "scene == 1"}) {
    out.push_back(dataset.reader(std::string(R"({"where": ")") + where +
                                 R"(", "fields": ["row"], "batch": {"size": 2}})"));
  }
  return out;
}

Dataset small_dataset() {
  return Dataset(std::make_shared<MemorySource>(small_store()));
}

/// The reader and the rows of each batch.
using Stream = std::vector<std::pair<std::size_t, std::vector<std::int64_t>>>;

Stream rest_of(ReaderMix& mix, std::size_t most = 1'000) {
  Stream out;
  while (out.size() < most) {
    const auto batch = mix.next();
    if (!batch) break;
    const auto rows = batch->arrays["row"].values<std::int64_t>();
    out.emplace_back(batch->reader, std::vector(rows.begin(), rows.end()));
  }
  return out;
}

}  // namespace

TEST_SUITE("library/reader_mix") {
  TEST_CASE("a mixture of all readers has every row once") {
    auto dataset = small_dataset();
    ReaderMix mix(readers_of(dataset), kAll);
    std::vector<std::int64_t> rows;
    for (const auto& [reader, more] : rest_of(mix)) {
      rows.insert(rows.end(), more.begin(), more.end());
    }
    CHECK_FALSE(std::is_sorted(rows.begin(), rows.end()));
    std::sort(rows.begin(), rows.end());
    std::vector<std::int64_t> all(30);
    std::iota(all.begin(), all.end(), 0);
    CHECK(rows == all);
    CHECK(rest_of(mix).empty());
  }

  TEST_CASE("it continues after any batch, and begins again after a reset") {
    auto dataset = small_dataset();
    ReaderMix mix(readers_of(dataset), kAll);
    const auto whole = rest_of(mix);
    REQUIRE(whole.size() == 16);
    for (std::size_t stop = 0; stop <= whole.size(); ++stop) {
      CAPTURE(stop);
      mix.reset();
      const auto begin = rest_of(mix, stop);
      ReaderMix other(readers_of(dataset), kAll);
      other.restore(mix.state());
      auto all = begin;
      for (auto& one : rest_of(other)) all.push_back(std::move(one));
      CHECK(all == whole);
    }
  }

  TEST_CASE("restarted readers go on to their next epochs") {
    auto dataset = small_dataset();
    ReaderMix mix(readers_of(dataset),
                  R"({"weights": [1, 1], "on_exhausted": "restart"})");
    CHECK(rest_of(mix, 100).size() == 100);
    CHECK(mix.reader(0).position().epoch > 1);
  }

  TEST_CASE("a state that a reader refuses leaves the position as it is") {
    auto dataset = small_dataset();
    ReaderMix mix(readers_of(dataset), kAll), expected(readers_of(dataset), kAll);
    rest_of(mix, 5);
    rest_of(expected, 5);
    auto swapped = readers_of(dataset);
    std::swap(swapped[0], swapped[1]);
    auto foreign = ReaderMix(std::move(swapped), kAll).state();
    CHECK(error_code([&] { mix.restore(foreign); }) == Errc::invalid_argument);
    CHECK(rest_of(mix) == rest_of(expected));
  }

  TEST_CASE("weights are one per reader") {
    auto dataset = small_dataset();
    CHECK(error_code([&] { ReaderMix(readers_of(dataset), R"({"weights": [1]})"); }) ==
          Errc::invalid_argument);
  }
}

}  // namespace reader_mix_test

#include <doctest/doctest.h>

#include <algorithm>
#include <bevscope/dataset.hpp>
#include <bevscope/error.hpp>
#include <bevscope/reader.hpp>
#include <bevscope/samples.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/library/memory_source.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/sample_config.hpp"
#include "tests/support/small_scenes.hpp"

namespace reader_test {

using bev::Arrays;
using bev::Dataset;
using bev::test::error_code;
using bev::test::MemorySource;
using bev::test::small_store;

namespace {

constexpr auto* kPlan =
    R"({"where": "track_id != 2 and frame > 0", "fields": ["row", "yaw"],
        "order": {"mode": "blocks"}, "batch": {"size": 7}})";

Dataset small_dataset() {
  return Dataset(std::make_shared<MemorySource>(small_store()));
}

std::vector<std::int64_t> rows_of(const Arrays& batch) {
  const auto rows = batch["row"].values<std::int64_t>();
  return {rows.begin(), rows.end()};
}

}  // namespace

TEST_SUITE("library/reader") {
  TEST_CASE("batches outlive the reader and the data set") {
    std::vector<Arrays> batches;
    {
      auto dataset = small_dataset();
      auto reader = dataset.reader(kPlan);
      CHECK(reader.length() == 16);
      while (auto batch = reader.next()) batches.push_back(*std::move(batch));
    }
    std::vector<std::int64_t> rows;
    for (const auto& batch : batches) {
      CHECK(batch["yaw"].size() == batch["row"].size());
      const auto more = rows_of(batch);
      rows.insert(rows.end(), more.begin(), more.end());
    }
    CHECK(batches.size() == 3);
    std::sort(rows.begin(), rows.end());
    CHECK(rows == std::vector<std::int64_t>{3, 5, 6, 8, 9, 11, 12, 14, 18, 20, 21, 23,
                                            24, 26, 27, 29});
  }

  TEST_CASE("a state is known before the first batch and resumes after any") {
    auto dataset = small_dataset();
    auto reader = dataset.reader(kPlan);
    const auto start = reader.state();
    std::vector<std::vector<std::int64_t>> all;
    std::vector<std::string> states;
    while (const auto batch = reader.next()) {
      all.push_back(rows_of(*batch));
      states.push_back(reader.state());
    }
    auto other = dataset.reader(kPlan);
    other.restore(states[0]);
    CHECK(rows_of(other.next().value()) == all[1]);
    CHECK(rows_of(other.next().value()) == all[2]);
    CHECK_FALSE(other.next().has_value());
    other.restore(start);
    CHECK(rows_of(other.next().value()) == all[0]);
  }

  TEST_CASE("a refused state leaves the position as it is") {
    auto dataset = small_dataset();
    auto reader = dataset.reader(kPlan);
    auto other = dataset.reader(kPlan);
    reader.next();
    other.next();
    const auto foreign = dataset.reader(R"({"from": "frames"})").state();
    CHECK(error_code([&] { reader.restore(foreign); }) == bev::Errc::invalid_argument);
    CHECK(reader.position().items == 7);
    CHECK(rows_of(reader.next().value()) == rows_of(other.next().value()));
  }

  TEST_CASE("counting keeps the position, and unfiltered readers know their length") {
    auto dataset = small_dataset();
    auto reader = dataset.reader(kPlan);
    const auto first = rows_of(reader.next().value());
    CHECK_FALSE(reader.known_length().has_value());
    CHECK(reader.length() == 16);
    CHECK(reader.position().items == 7);
    CHECK(rows_of(reader.next().value()) != first);
    CHECK(dataset.reader("{}").known_length() == 30);
    const auto* strided = R"({"shard": {"index": 3, "count": 4}})";
    CHECK(dataset.reader(strided).known_length() == 7);
  }

  TEST_CASE("describing fields keeps the position") {
    auto dataset = small_dataset();
    auto reader = dataset.reader(kPlan);
    reader.next();
    const auto all = reader.describe();
    CHECK(all.find(R"("rows":16)") != std::string::npos);
    CHECK(reader.describe("scene").find(R"("by":"scene")") != std::string::npos);
    CHECK(error_code([&] { reader.describe("yaw"); }) == bev::Errc::invalid_argument);
    CHECK(reader.position().items == 7);
  }

  TEST_CASE("a reader explains its plan and reports what it read") {
    auto dataset = small_dataset();
    auto reader = dataset.reader(R"({"where": "frame == 1", "fields": ["row"]})");
    CHECK(reader.explain().find("\"distance_to_ego\"") != std::string::npos);
    CHECK(rows_of(reader.next().value()).size() == 6);
    const auto diagnostics = reader.diagnostics();
    CHECK(diagnostics.blocks == 2);
    CHECK(diagnostics.rows == 30);
    CHECK(diagnostics.rows_tested == 0);
    CHECK(diagnostics.pieces_excluded_by_frame > 0);
    CHECK(reader.blocks_done() == reader.block_count());
  }

  TEST_CASE("samples are items, and equal those of a data set of samples") {
    auto dataset = small_dataset();
    const auto config = bev::test::SampleConfig{}.json();
    auto reader = dataset.reader(
        R"({"from": "frames", "where": "frame >= 2", "batch": {"size": 4}, "sample":
            {"config": )" +
        config + "}}");
    auto samples = dataset.ego_samples({.json = config});
    std::vector<float> found, expected;
    while (const auto batch = reader.next()) {
      const auto values = (*batch)["target_positions"].values<float>();
      found.insert(found.end(), values.begin(), values.end());
      CHECK((*batch)["image"].shape()[0] == reader.batch_size());
    }
    for (const auto frame : {2, 3, 4, 7, 8, 9}) {
      const auto sample = samples.sample(frame);
      const auto values = sample["target_positions"].values<float>();
      expected.insert(expected.end(), values.begin(), values.end());
    }
    CHECK(found == expected);
    CHECK(reader.length() == 6);
  }

  TEST_CASE("maps that samples need are named if they are absent") {
    auto dataset = small_dataset();
    const bev::test::SampleConfig config{.map_type = "py_semantic"};
    auto reader = dataset.reader(R"({"from": "frames", "sample": {"config": )" +
                                 config.json() + "}}");
    CHECK(error_code([&] { reader.next(); }) == bev::Errc::invalid_argument);
  }
}

}  // namespace reader_test

#include <doctest/doctest.h>

#include <algorithm>
#include <bevscope/dataset.hpp>
#include <bevscope/error.hpp>
#include <bevscope/map.hpp>
#include <bevscope/samples.hpp>
#include <memory>
#include <vector>

#include "tests/library/memory_source.hpp"
#include "tests/support/sample_config.hpp"
#include "tests/support/small_map.hpp"
#include "tests/support/small_scenes.hpp"

namespace samples_test {

using bev::Dataset;
using bev::Errc;
using bev::Error;
using bev::SampleConfig;

namespace {

Dataset small_dataset() {
  return Dataset(std::make_shared<bev::test::MemorySource>(bev::test::small_store()));
}

SampleConfig small_config() {
  SampleConfig config;
  config.json = bev::test::SampleConfig{}.json();
  return config;
}

std::vector<std::size_t> shape_of(const bev::ArrayView& array) {
  return {array.shape().begin(), array.shape().end()};
}

}  // namespace

TEST_SUITE("library/samples") {
  using Shape = std::vector<std::size_t>;

  TEST_CASE("ego samples are one per frame") {
    auto dataset = small_dataset();
    auto samples = dataset.ego_samples(small_config());
    CHECK(samples.size() == 10);
    const auto sample = samples.sample(-1);
    CHECK(sample.scalar<std::int64_t>("frame_index") == 4);
    CHECK(sample.scalar<std::int64_t>("track_id") == -1);
    CHECK(shape_of(sample["image"]) == Shape{3, 20, 10});
    CHECK(sample.array<float>("image").size() == 600);
    CHECK(sample["target_positions"].rows<float, 2>().size() == 3);
    CHECK(sample["raster_from_agent"].rows<double, 3>().size() == 3);
  }

  TEST_CASE("agent samples are one per selected row") {
    auto dataset = small_dataset();
    bev::AgentRules rules;
    rules.min_history = 2;
    rules.min_future = 2;
    auto samples = dataset.agent_samples(small_config(), rules);
    CHECK(samples.size() == 6);
    CHECK(samples.agent_rows()[0] == 6);
    const auto sample = samples.sample(1);
    CHECK(sample.scalar<std::int64_t>("track_id") == 2);
    CHECK(sample.array<double>("centroid")[0] == 4);
    CHECK_THROWS_AS(samples.sample(6), Error);
  }

  TEST_CASE("a track of a frame needs no mask") {
    auto dataset = small_dataset();
    auto samples = dataset.ego_samples(small_config());
    CHECK(samples.track(1, 2, 3).scalar<std::int64_t>("track_id") == 3);
    CHECK_THROWS_AS(samples.track(1, 2, 4), Error);
  }

  TEST_CASE("images have the requested format") {
    auto dataset = small_dataset();
    auto config = small_config();
    config.image = bev::ImageFormat::rgba;
    auto samples = dataset.ego_samples(config);
    const auto sample = samples.sample(0);
    CHECK(shape_of(sample["image"]) == Shape{20, 10, 4});
    CHECK(samples.channels().size() == 3);
    config.image = bev::ImageFormat::none;
    CHECK_FALSE(dataset.ego_samples(config).sample(0).contains("image"));
  }

  TEST_CASE(
      "vectorized samples need a map, and those of ego and agents are vectorized") {
    auto dataset = small_dataset();
    auto config = small_config();
    CHECK_THROWS_AS(dataset.ego_agent_samples(config), Error);
    config.vectorized = true;
    CHECK_THROWS_AS(dataset.ego_samples(config), Error);
  }

  TEST_CASE("one scene is a data set of its own") {
    auto dataset = small_dataset();
    auto config = small_config();
    config.scene = 1;
    auto samples = dataset.ego_samples(config);
    CHECK(samples.size() == 5);
    CHECK(samples.sample(0).scalar<std::int64_t>("scene_index") == 0);
    CHECK_THROWS_AS(dataset.agent_samples(config), Error);
  }

  TEST_CASE("samples outlive the data set") {
    auto dataset = std::make_unique<Dataset>(small_dataset());
    auto samples = dataset->ego_samples(small_config());
    dataset.reset();
    CHECK(samples.sample(3).scalar<std::int64_t>("frame_index") == 3);
  }

  TEST_CASE("a batch stacks samples and owns its memory") {
    auto dataset = small_dataset();
    auto samples = dataset.ego_samples(small_config());
    const std::vector<std::int64_t> indices{3, -1, 3};
    const auto batch = samples.batch(indices);
    for (std::size_t i = 0; i < indices.size(); ++i) {
      const auto one = samples.sample(indices[i]);
      REQUIRE(one.all().size() == batch.all().size());
      for (std::size_t k = 0; k < one.all().size(); ++k) {
        const auto& array = one.all()[k];
        const auto& stacked = batch.all()[k];
        CAPTURE(array.name());
        CHECK(stacked.name() == array.name());
        CHECK(stacked.shape()[0] == 3);
        const auto bytes = stacked.bytes().subspan(i * array.bytes().size());
        CHECK(std::equal(array.bytes().begin(), array.bytes().end(), bytes.begin()));
      }
    }
    CHECK_THROWS_WITH_AS(samples.batch({}), "batch: indices must not be empty", Error);
  }

  TEST_CASE("a copy of a sample stays when the next one is built") {
    auto dataset = small_dataset();
    auto samples = dataset.ego_samples(small_config());
    const auto copy = samples.sample(0).copy();
    samples.sample(3);
    CHECK(copy.scalar<std::int64_t>("frame_index") == 0);
    CHECK(copy["frame_index"].shape().empty());
  }

  TEST_CASE("an invalid config is an error of the call that takes it") {
    auto dataset = small_dataset();
    CHECK_THROWS_AS(dataset.ego_samples(SampleConfig{"{}"}), Error);
  }
}

}  // namespace samples_test

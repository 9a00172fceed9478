#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bevscope/dataset.hpp>
#include <bevscope/error.hpp>
#include <bevscope/samples.hpp>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/library/memory_source.hpp"
#include "tests/support/sample_config.hpp"
#include "tests/support/small_scenes.hpp"
#include "tests/support/threads.hpp"

namespace batch_test {

using bev::Arrays;
using bev::BatchOptions;
using bev::BatchOutput;
using bev::Dataset;
using bev::Error;
using bev::test::Threads;

namespace {

/// A source that records the threads that read from it.
class ThreadSource final : public bev::Source {
 public:
  std::optional<std::vector<std::byte>> read(
      const std::string& key, const std::optional<bev::ByteRange>& range) override {
    if (std::this_thread::get_id() != owner_) ++foreign;
    if (key == broken) throw Error(bev::Errc::io, "agents: broken on purpose");
    return inner_.read(key, range);
  }

  std::string broken;
  int foreign = 0;

 private:
  std::thread::id owner_ = std::this_thread::get_id();
  bev::test::MemorySource inner_{bev::test::small_store({.agents_per_chunk = 4})};
};

bev::SampleConfig box_config(bev::ImageFormat image) {
  bev::SampleConfig config;
  bev::test::SampleConfig made;
  made.map_type = "box_debug";
  config.json = made.json();
  config.image = image;
  return config;
}

std::vector<std::int64_t> all_items() {
  std::vector<std::int64_t> items;
  for (std::int64_t i = 0; i < 40; ++i) items.push_back((i * 7) % 10);
  return items;
}

void check_equal(const Arrays& found, const Arrays& expected) {
  REQUIRE(found.all().size() == expected.all().size());
  for (std::size_t k = 0; k < found.all().size(); ++k) {
    const auto a = found.all()[k].bytes(), b = expected.all()[k].bytes();
    CAPTURE(found.all()[k].name());
    CHECK(std::equal(a.begin(), a.end(), b.begin(), b.end()));
  }
}

}  // namespace

TEST_SUITE("library/batch") {
  TEST_CASE("threads do not change a batch, and only the calling thread reads") {
    const Threads threads;
    for (const auto image : {bev::ImageFormat::f32, bev::ImageFormat::u8}) {
      const auto source = std::make_shared<ThreadSource>();
      auto samples = Dataset(source).ego_samples(box_config(image));
      const auto items = all_items();
      const auto expected = samples.batch(items);
      for (const auto count : std::array<std::size_t, 3>{2, 3, 100}) {
        auto others = Dataset(source).ego_samples(box_config(image));
        check_equal(others.batch(items, {count}), expected);
      }
      CHECK(source->foreign == 0);
    }
  }

  TEST_CASE("a batch on threads throws the error of the first item that fails") {
    const Threads threads;
    auto samples = Dataset(std::make_shared<ThreadSource>())
                       .ego_samples(box_config(bev::ImageFormat::u8));
    auto items = all_items();
    items[20] = 1000;
    items[30] = 2000;
    for (int i = 0; i < 20; ++i) {
      CHECK_THROWS_WITH_AS(samples.batch(items, {3}),
                           "sample 1000 is out of range (count 10)", Error);
    }
    check_equal(samples.batch(all_items(), {3}), samples.batch(all_items()));
  }

  TEST_CASE("errors of the source end a batch on threads") {
    const Threads threads;
    const auto source = std::make_shared<ThreadSource>();
    source->broken = "agents/3";
    auto samples = Dataset(source).ego_samples(box_config(bev::ImageFormat::u8));
    CHECK_THROWS_WITH_AS(samples.batch(all_items(), {3}), "agents: broken on purpose",
                         Error);
    source->broken.clear();
    const auto batch = samples.batch(all_items(), {3});
    CHECK(batch["image"].shape()[0] == 40);
  }

  TEST_CASE("outputs are written instead of the batch's memory") {
    const Threads threads;
    auto samples = Dataset(std::make_shared<ThreadSource>())
                       .ego_samples(box_config(bev::ImageFormat::f32));
    const auto items = all_items();
    const auto expected = samples.batch(items);
    const auto& image = expected["image"];
    std::vector<std::byte> memory(image.bytes().size() + 1);
    // Aligned, and one byte off.
    for (const auto offset : std::array<std::size_t, 2>{0, 1}) {
      const BatchOutput output{"image",
                               "<f4",
                               {image.shape().begin(), image.shape().end()},
                               std::span(memory).subspan(offset, memory.size() - 1)};
      const auto made = samples.batch(items, {2, {&output, 1}});
      check_equal(made, expected);
      CHECK(made["image"].bytes().data() == memory.data() + offset);
    }
  }

  TEST_CASE("outputs that do not fit are refused") {
    auto samples = Dataset(std::make_shared<ThreadSource>())
                       .ego_samples(box_config(bev::ImageFormat::u8));
    std::vector<std::byte> memory(16);
    BatchOutput output{"timestamp", "<i8", {2}, memory};
    const std::vector<std::int64_t> items{1, 2};
    const auto batch = samples.batch(items, {1, {&output, 1}});
    CHECK(batch.array<std::int64_t>("timestamp")[1] ==
          samples.sample(2).scalar<std::int64_t>("timestamp"));
    output.dtype = "<u8";
    CHECK_THROWS_AS(samples.batch(items, {1, {&output, 1}}), Error);
    output = {"timestamp", "<i8", {2, 1}, memory};
    CHECK_THROWS_AS(samples.batch(items, {1, {&output, 1}}), Error);
    output = {"timestamp", "<i8", {2}, std::span(memory).first(8)};
    CHECK_THROWS_AS(samples.batch(items, {1, {&output, 1}}), Error);
    output = {"timestamps", "<i8", {2}, memory};
    CHECK_THROWS_WITH_AS(samples.batch(items, {1, {&output, 1}}),
                         "batch: output \"timestamps\" is not an array of the samples",
                         Error);
  }

  TEST_CASE("owned samples stay, also when the number of arrays changes") {
    auto samples = Dataset(std::make_shared<ThreadSource>())
                       .ego_samples(box_config(bev::ImageFormat::f32));
    std::vector<Arrays> owned;
    for (std::int64_t i = 0; i < 10; ++i) owned.push_back(samples.owned_sample(i));
    for (std::int64_t i = 0; i < 10; ++i) {
      check_equal(owned[static_cast<std::size_t>(i)], samples.sample(i));
    }
  }

  TEST_CASE("a mask selects the items of an agent data set") {
    auto dataset = Dataset(std::make_shared<ThreadSource>());
    std::vector<std::uint8_t> mask(dataset.agent_count());
    mask[3] = mask[7] = 1;
    auto samples =
        dataset.masked_agent_samples(box_config(bev::ImageFormat::none), mask);
    REQUIRE(samples.size() == 2);
    CHECK(samples.agent_rows()[1] == 7);
    CHECK(samples.sample(1).scalar<std::int64_t>("track_id") >= 0);
    mask.pop_back();
    CHECK_THROWS_AS(
        dataset.masked_agent_samples(box_config(bev::ImageFormat::none), mask), Error);
  }

  TEST_CASE("offsets displace items, and NaN leaves them as recorded") {
    auto samples = Dataset(std::make_shared<ThreadSource>())
                       .ego_samples(box_config(bev::ImageFormat::none));
    constexpr auto kNan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<std::array<double, 3>> offsets{
        {0.5, 0.2, 0.05}, {kNan, 0, 0}, {kNan, kNan, kNan}};
    const std::vector<std::int64_t> items{1, 1, 0};
    BatchOptions options;
    options.offsets = offsets;
    const auto moved = samples.batch(items, options);
    const auto plain = samples.batch(items);
    const auto a = moved["centroid"].rows<double, 2>();
    const auto b = plain["centroid"].rows<double, 2>();
    CHECK(a[0] != b[0]);
    CHECK(a[1] == b[1]);
    CHECK(a[2] == b[2]);
  }

  TEST_CASE("items without their whole future are not displaced") {
    auto samples = Dataset(std::make_shared<ThreadSource>())
                       .ego_samples(box_config(bev::ImageFormat::none));
    const std::vector<std::array<double, 3>> offsets{{0.5, 0.2, 0.05}};
    const std::vector<std::int64_t> last{4}, two{0, 1};
    BatchOptions options;
    options.offsets = offsets;
    CHECK_THROWS_AS(samples.batch(last, options), Error);
    CHECK_THROWS_WITH_AS(samples.batch(two, options),
                         "batch: wrong number of offsets (found 1, expected 2)", Error);
  }
}

}  // namespace batch_test

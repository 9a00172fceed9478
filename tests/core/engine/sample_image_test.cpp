#include "core/engine/sample_image.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "core/engine/sample_query.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/sample_config.hpp"
#include "tests/support/small_scenes.hpp"

namespace sample_image_test {

using bev::Engine;
using bev::Errc;
using bev::Error;
using bev::ImageForm;
using bev::SampleOptions;
using bev::test::run;
using bev::test::SampleConfig;
using bev::test::small_store;
using Bytes = std::vector<std::uint8_t>;
using Shape = std::vector<std::size_t>;

namespace {

SampleOptions options_of(ImageForm form, const std::string& map_type) {
  SampleOptions options;
  options.config = SampleConfig{.map_type = map_type}.json();
  options.image = form;
  return options;
}

/// Returns the image of frame 2; checks its shape and dtype.
template <class T>
std::vector<T> image(const SampleOptions& options, const Shape& shape,
                     const std::string& dtype) {
  const auto store = small_store();
  Engine engine;
  const auto query = engine.samples(options);
  query->at_frame(2);
  const auto sample = run(engine, *query, store);
  CHECK(sample.arrays[1].name == "image");
  CHECK(sample["image"].shape == shape);
  CHECK(sample["image"].dtype == dtype);
  return sample.values<T>("image");
}

Errc code_of(const SampleOptions& options) {
  Engine engine;
  try {
    engine.samples(options);
  } catch (const Error& error) {
    return error.code();
  }
  return Errc::internal;  // nothing thrown
}

}  // namespace

TEST_SUITE("engine/sample_image") {
  TEST_CASE("the stub's image is black, its sides swapped as in L5Kit") {
    const auto black =
        image<float>(options_of(ImageForm::f32, "stub_debug"), {3, 20, 10}, "<f4");
    CHECK(black == std::vector<float>(600, 0.0F));
  }

  TEST_CASE("an image in parts has the values of the whole image") {
    const auto store = small_store();
    Engine engine;
    auto options = options_of(ImageForm::f32, "box_debug");
    options.config.replace(options.config.find("[20, 10]"), 8, "[150, 75]");
    const auto query = engine.samples(options);
    query->at_frame(2);
    const auto whole = run(engine, *query, store).values<float>("image");
    REQUIRE(whole.size() == 6 * 75 * 150);
    CHECK(query->next_part().bytes == 0);

    query->convert_in_parts(true);
    for (int round = 0; round < 2; ++round) {
      query->at_frame(2);
      REQUIRE(query->missing().empty());
      const auto image = query->build()[1];
      CHECK(image.shape == Shape{6, 75, 150});
      std::vector<float> parts;
      std::size_t zeros = 0;
      for (auto part = query->next_part(); part.bytes > 0; part = query->next_part()) {
        const auto count = part.bytes / sizeof(float);
        if (part.is_zero) {
          parts.resize(parts.size() + count);
          zeros += count;
          continue;
        }
        REQUIRE(part.bytes <= image.bytes.size());
        const auto* const values = reinterpret_cast<const float*>(image.bytes.data());
        parts.insert(parts.end(), values, values + count);
      }
      CHECK(zeros > whole.size() / 4);
      CHECK(parts == whole);
      CHECK(query->next_part().bytes == 0);
    }

    query->convert_in_parts(false);
    query->at_frame(2);
    CHECK(run(engine, *query, store).values<float>("image") == whole);
  }

  TEST_CASE("images of one part and of other forms are built whole") {
    const auto store = small_store();
    for (const auto form : {ImageForm::f32, ImageForm::u8, ImageForm::rgba}) {
      Engine engine;
      const auto query = engine.samples(options_of(form, "box_debug"));
      query->convert_in_parts(true);
      query->at_frame(2);
      const auto sample = run(engine, *query, store);
      CHECK(sample.values<std::uint8_t>("image").size() ==
            query->build()[1].bytes.size());
      CHECK(query->next_part().bytes == 0);
    }
  }

  TEST_CASE("all forms show the same image") {
    const auto u8 =
        image<std::uint8_t>(options_of(ImageForm::u8, "box_debug"), {6, 10, 20}, "|u1");
    const auto f32 =
        image<float>(options_of(ImageForm::f32, "box_debug"), {6, 10, 20}, "<f4");
    const auto rgba = image<std::uint8_t>(options_of(ImageForm::rgba, "box_debug"),
                                          {10, 20, 4}, "|u1");
    CHECK(std::count(u8.begin(), u8.end(), 255) > 20);
    for (std::size_t i = 0; i < u8.size(); ++i) {
      REQUIRE(f32[i] == static_cast<float>(u8[i]) / 255.0F);
    }
    // Plane 3 is the ego vehicle in the current frame, drawn green.
    const auto ego = static_cast<std::size_t>(
        std::find(u8.begin() + 600, u8.begin() + 800, 255) - (u8.begin() + 600));
    REQUIRE(ego < 200);
    CHECK(rgba[4 * ego + 1] == 255);
    CHECK(rgba[4 * ego + 3] == 255);
  }

  TEST_CASE("one channel is shown in grey until all are selected again") {
    const auto store = small_store();
    Engine engine;
    const auto planes =
        image<std::uint8_t>(options_of(ImageForm::u8, "box_debug"), {6, 10, 20}, "|u1");
    const auto query = engine.samples(options_of(ImageForm::rgba, "box_debug"));
    const auto shown = [&] {
      query->at_frame(2);
      return run(engine, *query, store).values<std::uint8_t>("image");
    };
    const auto all = shown();
    CHECK(query->channels().size() == 6);
    query->show_channel(3);
    const auto alone = shown();
    for (std::size_t i = 0; i < 200; ++i) REQUIRE(alone[4 * i] == planes[600 + i]);
    CHECK(alone != all);
    query->show_channel(std::nullopt);
    CHECK(shown() == all);
    CHECK_THROWS_WITH_AS(query->show_channel(6),
                         "raster: channel 6 is out of range (count 6)", Error);
  }

  TEST_CASE("only form rgba shows a single channel") {
    Engine engine;
    const auto query = engine.samples(options_of(ImageForm::u8, "box_debug"));
    CHECK_THROWS_AS(query->show_channel(0), Error);
    query->show_channel(std::nullopt);
  }

  TEST_CASE("without an image no rasterizer is needed") {
    CHECK(code_of(options_of(ImageForm::none, "no such type")) == Errc::internal);
    CHECK(code_of(options_of(ImageForm::u8, "no such type")) == Errc::unsupported);
  }

  TEST_CASE("a missing map is refused before anything is read") {
    for (const auto* type : {"py_semantic", "semantic_debug", "py_satellite"}) {
      CAPTURE(type);
      CHECK(code_of(options_of(ImageForm::f32, type)) == Errc::invalid_argument);
    }
  }

  TEST_CASE("an image above 1 GiB is refused before allocation") {
    auto options = options_of(ImageForm::f32, "box_debug");
    const auto at = options.config.find("[20, 10]");
    options.config.replace(at, 8, "[8000, 8000]");
    CHECK(code_of(options) == Errc::limit_exceeded);
  }
}

}  // namespace sample_image_test

#include "native/index/thumbnails.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/scan/thumbnails.hpp"
#include "native/cli/commands.hpp"
#include "native/images/image_file.hpp"
#include "native/source/zip_source.hpp"
#include "tests/support/small_folder.hpp"

namespace thumbnails_test {

using bev::native::draw_preview;
using bev::native::index_main;
using bev::native::open_source;
using bev::native::write_thumbnails;
using bev::test::file_text;
using bev::test::SmallFolder;
namespace fs = std::filesystem;
using Words = std::vector<std::string>;

namespace {

int index_with(const SmallFolder& data, Words words = {}) {
  words.insert(words.begin(), {data.dataset(), "--quiet"});
  return index_main(words);
}

std::string pack_path(const SmallFolder& data) {
  return data.dataset() + "/" + bev::thumbnails_key(0);
}

bev::native::ThumbnailsMade made_of(const SmallFolder& data) {
  const auto source = open_source(data.dataset());
  return write_thumbnails(*source, data.dataset(), {});
}

/// Writes the objects of a larger data set over those of a smaller one.
void grow(const SmallFolder& data, const bev::test::SmallScenes& to) {
  for (const auto& [key, bytes] : bev::test::small_store(to).objects) {
    const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    data.folder().write("small.zarr/" + key, text);
  }
}

}  // namespace

TEST_SUITE("native/index/thumbnails") {
  TEST_CASE("each scene has a picture of 160 x 90 pixels, named after its state") {
    const SmallFolder data({.scenes = 3});
    REQUIRE(index_with(data, {"--thumbnails"}) == 0);
    const auto text = file_text(pack_path(data));
    for (const auto* const name : {"0-", "1-", "2-", "style.json"}) {
      CHECK(text.find(name) != std::string::npos);
    }
    const auto begin = text.find("\x89PNG");
    REQUIRE(begin != std::string::npos);
    const auto image = bev::native::decode_image(
        std::as_bytes(std::span(text).subspan(begin)), "a picture", 1 << 20);
    CHECK(image.width == 160);
    CHECK(image.height == 90);
  }

  TEST_CASE("equal data have equal bytes; scenes that have not changed keep pictures") {
    const SmallFolder data({.scenes = 3});
    REQUIRE(index_with(data, {"--thumbnails"}) == 0);
    const auto whole = file_text(pack_path(data));
    CHECK(made_of(data).kept == 3);
    CHECK(file_text(pack_path(data)) == whole);
    grow(data, {.scenes = 9});
    // Thumbnails that exist are updated.
    REQUIRE(index_with(data) == 0);
    const auto grown = file_text(pack_path(data));
    fs::remove(pack_path(data));
    const auto again = made_of(data);
    CHECK(again.scenes == 9);
    CHECK(again.kept == 0);
    CHECK(file_text(pack_path(data)) == grown);
  }

  TEST_CASE("damaged archives are written again") {
    const SmallFolder data({.scenes = 3});
    REQUIRE(index_with(data, {"--thumbnails"}) == 0);
    const auto whole = file_text(pack_path(data));
    for (std::size_t at = 0; at < whole.size(); at += 97) {
      auto flipped = whole;
      flipped[at] = static_cast<char>(flipped[at] ^ 16);
      data.folder().write("small.zarr/" + bev::thumbnails_key(0), flipped);
      made_of(data);
      CHECK(file_text(pack_path(data)) == whole);
    }
    for (const auto size : {std::size_t{0}, std::size_t{1}, whole.size() - 1}) {
      data.folder().write("small.zarr/" + bev::thumbnails_key(0),
                          whole.substr(0, size));
      made_of(data);
      CHECK(file_text(pack_path(data)) == whole);
    }
  }

  TEST_CASE("facts of the data set as it is are required") {
    const SmallFolder data({.scenes = 3});
    CHECK_THROWS_WITH_AS(made_of(data), doctest::Contains("no facts beside it"),
                         bev::Error);
    REQUIRE(index_with(data) == 0);
    CHECK(!fs::exists(pack_path(data)));
    grow(data, {.scenes = 9});
    CHECK_THROWS_WITH_AS(made_of(data), doctest::Contains("thumbnails need facts"),
                         bev::Error);
    CHECK_THROWS(index_with(data, {"--thumbnails", "--no-facts"}));
    CHECK_THROWS(index_with(data, {"--thumbnails", "--check"}));
  }

  TEST_CASE("a preview is a PNG of the first scene, the same each time") {
    const SmallFolder data;
    const auto source = open_source(data.dataset());
    const auto bytes = draw_preview(*source, "");
    CHECK(bytes == draw_preview(*source, ""));
    auto image = bev::native::decode_image(bytes, "preview", std::uint64_t{1} << 24U);
    CHECK(image.width == 1200);
    CHECK(image.height == 630);
    std::set<std::uint32_t> colours;
    for (std::uint32_t y = 0; y < image.height; ++y) {
      const auto* row = image.row(y);
      for (std::uint32_t x = 0; x < image.width; ++x) {
        colours.insert(std::uint32_t{row[3 * x]} << 16U |
                       std::uint32_t{row[3 * x + 1]} << 8U | row[3 * x + 2]);
      }
    }
    CHECK(colours.contains(0x0C1014));  // the ground
    CHECK(colours.contains(0xFCB757));  // the ego vehicle
  }

  TEST_CASE("keys of archives are recognized") {
    CHECK(bev::thumbnails_key(1023) == ".bevscope/thumbnails-0.zip");
    CHECK(bev::thumbnails_key(1024) == ".bevscope/thumbnails-1.zip");
    CHECK(bev::is_thumbnails_key(".bevscope/thumbnails-12.zip"));
    for (const auto* const key :
         {".bevscope/thumbnails-.zip", ".bevscope/thumbnails-1", ".bevscope/thumbnails",
          ".bevscope/thumbnails-a.zip", "x/.bevscope/thumbnails-1.zip"}) {
      CHECK(!bev::is_thumbnails_key(key));
    }
  }
}

}  // namespace thumbnails_test

#include <doctest/doctest.h>
#include <png.h>

#include <filesystem>

#include "core/base/error.hpp"
#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"
#include "tests/support/small_folder.hpp"

using bev::cli::UsageError;
using bev::native::render_main;
using bev::test::SmallFolder;

namespace {

using Words = std::vector<std::string>;

int render(const SmallFolder& small, const Words& more,
           const std::string& map_type = "box_debug") {
  Words words{small.dataset(), "--config", small.config(map_type),
              "--quiet",       "-o",       small.at("out.png")};
  words.insert(words.end(), more.begin(), more.end());
  return render_main(words);
}

/// A PNG decoded by libpng.
struct Picture {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t format = 0;  ///< as stored
  std::vector<std::uint8_t> rgb;

  explicit Picture(const std::string& path) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    REQUIRE(png_image_begin_read_from_file(&image, path.c_str()) != 0);
    format = image.format;
    image.format = PNG_FORMAT_RGB;
    width = image.width;
    height = image.height;
    rgb.resize(PNG_IMAGE_SIZE(image));
    REQUIRE(png_image_finish_read(&image, nullptr, rgb.data(), 0, nullptr) != 0);
  }

  std::vector<int> at(std::size_t x, std::size_t y) const {
    const auto i = 3 * (y * width + x);
    return {rgb[i], rgb[i + 1], rgb[i + 2]};
  }
};

}  // namespace

TEST_SUITE("native/render/render_command") {
  TEST_CASE("the picture has the raster's size, whose sample it is in green") {
    const SmallFolder small;
    REQUIRE(render(small, {"--index=4"}) == 0);
    const Picture picture(small.at("out.png"));
    CHECK(picture.width == 20);
    CHECK(picture.height == 10);
    CHECK(picture.format == PNG_FORMAT_RGB);
    CHECK(picture.at(5, 5) == std::vector<int>{0, 255, 0});
    CHECK(picture.at(19, 0) == std::vector<int>{0, 0, 0});
  }

  TEST_CASE("an agent's picture is around the agent") {
    const SmallFolder small;
    REQUIRE(render(small, {"--kind=agent", "--min-history=0", "--index=-1"}) == 0);
    CHECK(Picture(small.at("out.png")).at(5, 5) == std::vector<int>{0, 255, 0});
  }

  TEST_CASE("nothing is left behind by what cannot be drawn") {
    const SmallFolder small;
    CHECK_THROWS_AS(render(small, {"--index=10"}), bev::Error);
    CHECK_THROWS_AS(render(small, {"--index=0"}, "py_cartoon"), bev::Error);
    CHECK_THROWS_AS(render(small, {"--index=0,1"}), UsageError);
    CHECK_THROWS_AS(render(small, {"--index=0", "--kind=egoagent"}), UsageError);
    CHECK_THROWS_AS(render(small, {}), UsageError);
    CHECK_FALSE(std::filesystem::exists(small.at("out.png")));
  }
}

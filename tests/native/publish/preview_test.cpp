#include "native/publish/preview.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <set>

#include "native/images/image_file.hpp"
#include "tests/support/small_folder.hpp"

namespace preview_test {

using bev::native::decode_image;
using bev::native::draw_preview;
using bev::native::open_source;
using bev::test::SmallFolder;

TEST_SUITE("native/publish/preview") {
  TEST_CASE("a preview is a PNG of the first scene, the same each time") {
    const SmallFolder data;
    const auto source = open_source(data.dataset());
    const auto bytes = draw_preview(*source, "");
    CHECK(bytes == draw_preview(*source, ""));
    auto image = decode_image(bytes, "preview", std::uint64_t{1} << 24U);
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
    CHECK(colours.contains(0x0E1116));  // the ground
    CHECK(colours.contains(0xFFB454));  // the ego vehicle
  }
}

}  // namespace preview_test

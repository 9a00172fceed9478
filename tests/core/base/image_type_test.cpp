#include "core/base/image_type.hpp"

#include <doctest/doctest.h>

#include <span>
#include <string>

TEST_SUITE("base/image_type") {
  TEST_CASE("the first bytes tell the type of an image") {
    const auto type = [](const std::string& text) {
      return bev::image_type(std::as_bytes(std::span(text.data(), text.size())));
    };
    CHECK(type("\x89PNG\r\n\x1a\n...") == "image/png");
    CHECK(type("\xff\xd8\xff\xe0...") == "image/jpeg");
    CHECK(type(std::string("RIFF\x04\0\0\0WEBPVP8 ", 16)) == "image/webp");
    CHECK(type(std::string("RIFF\x04\0\0\0WAVE", 12)).empty());
    CHECK(type("RIFF").empty());
    CHECK(type("\x89PNG").empty());
    CHECK(type("GIF89a").empty());
    CHECK(type("").empty());
  }
}

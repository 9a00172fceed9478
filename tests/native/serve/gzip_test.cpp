#include "native/serve/gzip.hpp"

#include <doctest/doctest.h>
#include <zlib.h>

#include <string>

#include "tests/support/temp_folder.hpp"

namespace {

std::string gunzip(const std::string& packed, std::size_t size) {
  std::string out(size, '\0');
  z_stream stream{};
  REQUIRE(inflateInit2(&stream, 16 + MAX_WBITS) == Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  CHECK(inflate(&stream, Z_FINISH) == Z_STREAM_END);
  CHECK(stream.avail_out == 0);
  inflateEnd(&stream);
  return out;
}

}  // namespace

TEST_SUITE("native/serve/gzip") {
  TEST_CASE("compressed text decompresses to itself") {
    std::string noise;
    std::uint32_t state = 1;
    for (int i = 0; i < 100'000; ++i) {
      state = state * 1664525 + 1013904223;
      noise += static_cast<char>(state >> 24);
    }
    for (const auto& text : {std::string("x"), std::string(100'000, 'y'), noise}) {
      CHECK(gunzip(bev::serve::gzip(text), text.size()) == text);
    }
  }

  TEST_CASE("a file is compressed once per version") {
    const bev::test::TempFolder folder;
    const auto open = [&](const std::string& content) {
      return *bev::native::File::open(folder.write("f", content), "f");
    };
    bev::serve::GzipCache cache;
    const auto first = open("one");
    const auto packed = cache.get("f", "1", first);
    CHECK(gunzip(*packed, 3) == "one");
    CHECK(cache.get("f", "1", first) == packed);
    CHECK(gunzip(*cache.get("f", "2", open("seven")), 5) == "seven");
    CHECK(gunzip(*cache.get("g", "1", open("other")), 5) == "other");
    CHECK(gunzip(*cache.get("f", "1", open("three")), 5) == "three");
  }

  TEST_CASE("a file above the limit is not compressed") {
    const bev::test::TempFolder folder;
    const auto path = folder.write("big", "");
    std::filesystem::resize_file(path, (32 << 20) + 1);
    bev::serve::GzipCache cache;
    CHECK(cache.get("big", "1", *bev::native::File::open(path, "big")) == nullptr);
  }
}

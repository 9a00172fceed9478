#include "core/zarr/inflate.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "tests/support/zip_by_hand.hpp"

using bev::Errc;
using bev::Error;
using bev::zarr::Deflate;
using bev::zarr::inflate_exactly;

namespace {

std::string unpacked(const std::string& stream, std::size_t size) {
  std::string out(size, '?');
  inflate_exactly(Deflate::raw, std::as_bytes(std::span(stream)),
                  std::as_writable_bytes(std::span(out)), [](const std::string& what) {
                    throw Error(Errc::corrupt_chunk, what);
                  });
  return out;
}

}  // namespace

TEST_SUITE("zarr/inflate") {
  TEST_CASE("a raw deflate stream is decoded") {
    CHECK(unpacked(bev::test::as_stored_block("bytes"), 5) == "bytes");
    CHECK(unpacked(std::string("\x4b\x4c\xa4\x3d\x00\x00", 6), 100) ==
          std::string(100, 'a'));
  }

  TEST_CASE("truncated, too long and trailing data are refused") {
    const auto stream = bev::test::as_stored_block("bytes");
    CHECK_THROWS_WITH_AS(unpacked(stream, 6), "truncated (expected 6 bytes)", Error);
    CHECK_THROWS_WITH_AS(unpacked(stream, 4), "too long (expected 4 bytes)", Error);
    CHECK_THROWS_WITH_AS(unpacked(stream + "x", 5), "bytes after the end of the stream",
                         Error);
    CHECK_THROWS_WITH_AS(unpacked("\x07", 5), "decoding failed", Error);
    CHECK_THROWS_WITH_AS(unpacked("", 5), "truncated (expected 5 bytes)", Error);
  }
}

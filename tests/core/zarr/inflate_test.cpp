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

std::string unpacked(const std::string& stream, std::size_t size,
                     Deflate format = Deflate::raw) {
  std::string out(size, '?');
  inflate_exactly(
      format, std::as_bytes(std::span(stream)), std::as_writable_bytes(std::span(out)),
      [](const std::string& what) { throw Error(Errc::corrupt_chunk, what); });
  return out;
}

// Members as Python's zlib writes them: "ab", "cd", nothing.
const std::string kHead("\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03", 10);
const std::string kAb =
    kHead + std::string("\x4b\x4c\x02\x00\x6d\x48\x83\x9e\x02\x00\x00\x00", 12);
const std::string kCd =
    kHead + std::string("\x4b\x4e\x01\x00\xda\x8f\xd6\x45\x02\x00\x00\x00", 12);
const std::string kNothing = kHead + std::string("\x03", 1) + std::string(9, '\0');
const std::string kZlib("\x78\xda\x4b\x4c\x02\x00\x01\x26\x00\xc4", 10);

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

  TEST_CASE("gzip members are joined, zeros after them are padding") {
    CHECK(unpacked(kAb, 2, Deflate::gzip) == "ab");
    CHECK(unpacked(kAb + kNothing + kCd, 4, Deflate::gzip) == "abcd");
    CHECK(unpacked(kAb + std::string(7, '\0'), 2, Deflate::gzip) == "ab");
    CHECK(unpacked(kNothing, 0, Deflate::gzip).empty());
  }

  TEST_CASE("members beyond the expected size, or too few of them, are refused") {
    CHECK_THROWS_WITH_AS(unpacked(kAb + kCd, 2, Deflate::gzip),
                         "too long (expected 2 bytes)", Error);
    CHECK_THROWS_WITH_AS(unpacked(kAb + kCd, 3, Deflate::gzip),
                         "too long (expected 3 bytes)", Error);
    CHECK_THROWS_WITH_AS(unpacked(kAb + kCd, 5, Deflate::gzip),
                         "truncated (expected 5 bytes)", Error);
    CHECK_THROWS_WITH_AS(unpacked(kAb + "x", 2, Deflate::gzip),
                         "truncated (expected 2 bytes)", Error);
    CHECK_THROWS_AS(unpacked(kAb + kHead, 2, Deflate::gzip), Error);
  }

  TEST_CASE("containers are not mistaken for each other") {
    CHECK(unpacked(kZlib, 2, Deflate::zlib) == "ab");
    CHECK_THROWS_AS(unpacked(kZlib, 2, Deflate::gzip), Error);
    CHECK_THROWS_AS(unpacked(kZlib, 2, Deflate::raw), Error);
    CHECK_THROWS_AS(unpacked(kAb, 2, Deflate::zlib), Error);
    CHECK_THROWS_WITH_AS(unpacked(kZlib + std::string(1, '\0'), 2, Deflate::zlib),
                         "bytes after the end of the stream", Error);
  }

  TEST_CASE("a container's checksum and every truncation are checked") {
    for (std::size_t size = 0; size < kAb.size(); ++size) {
      CHECK_THROWS_AS(unpacked(kAb.substr(0, size), 2, Deflate::gzip), Error);
    }
    for (std::size_t size = 0; size < kZlib.size(); ++size) {
      CHECK_THROWS_AS(unpacked(kZlib.substr(0, size), 2, Deflate::zlib), Error);
    }
    auto damaged = kAb;
    damaged[15] = '!';  // of the CRC-32
    CHECK_THROWS_WITH_AS(unpacked(damaged, 2, Deflate::gzip), "decoding failed", Error);
  }
}

#include "core/zarr/codec.hpp"

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "tests/support/codec_cases.hpp"

namespace codec_test {

using bev::Errc;
using bev::Error;
using bev::test::codec_cases;
using bev::test::CodecCase;
using namespace bev::zarr;

namespace {

using Id = Compressor::Id;

const CodecCase& case_of(const char* name) {
  static const std::vector<CodecCase> kCases = codec_cases();
  for (const CodecCase& one : kCases) {
    if (one.name == name) return one;
  }
  throw std::runtime_error(name);
}

Errc code_of(const char* name, const std::vector<std::byte>& bytes, std::size_t size) {
  std::vector<std::byte> out(size);
  try {
    decode_stream(case_of(name).meta().compressor.id, {"a/0", bytes}, out);
  } catch (const Error& error) {
    return error.code();
  }
  return Errc::internal;  // nothing is thrown
}

constexpr const char* kStreams[] = {"zlib",         "gzip",        "zstd",        "lz4",
                                    "gzip_members", "zstd_frames", "zstd_no_size"};

}  // namespace

TEST_SUITE("zarr/codec") {
  TEST_CASE(
      "a stream gives as many bytes as the metadata promises, no fewer, no more") {
    for (const char* name : kStreams) {
      CAPTURE(name);
      const auto bytes = case_of(name).chunk();
      const std::size_t size = case_of(name).elements().size();
      CHECK(code_of(name, bytes, size) == Errc::internal);
      for (const std::size_t other :
           {std::size_t{0}, size / 2, size - 1, size + 1, 2 * size}) {
        CAPTURE(other);
        CHECK(code_of(name, bytes, other) == Errc::corrupt_chunk);
      }
    }
  }

  TEST_CASE("a stream truncated anywhere is corrupt") {
    for (const char* name : kStreams) {
      CAPTURE(name);
      const auto bytes = case_of(name).chunk();
      const std::size_t size = case_of(name).elements().size();
      for (std::size_t cut = 0; cut < bytes.size(); cut += 1 + cut / 64) {
        const auto end = bytes.begin() + static_cast<std::ptrdiff_t>(cut);
        if (code_of(name, {bytes.begin(), end}, size) == Errc::corrupt_chunk) continue;
        FAIL("cut at " << cut);
      }
    }
  }

  TEST_CASE("bytes after a stream are corrupt; zeros after gzip are padding") {
    for (const char* name : kStreams) {
      CAPTURE(name);
      auto bytes = case_of(name).chunk();
      const std::size_t size = case_of(name).elements().size();
      const bool gzip = std::string(name).starts_with("gzip");
      bytes.push_back(std::byte{0});
      CHECK(code_of(name, bytes, size) ==
            (gzip ? Errc::internal : Errc::corrupt_chunk));
      bytes.back() = std::byte{1};
      CHECK(code_of(name, bytes, size) == Errc::corrupt_chunk);
    }
  }

  TEST_CASE("messages name key, codec and expected size") {
    const auto message = [](Id codec, std::vector<std::byte> bytes) {
      std::vector<std::byte> out(100);
      try {
        decode_stream(codec, {"a/3", bytes}, out);
      } catch (const Error& error) {
        return std::string(error.what());
      }
      return std::string();
    };
    const std::vector<std::byte> five(5, std::byte{1});
    CHECK(message(Id::zlib, {}) == "a/3: zlib: truncated (expected 100 bytes)");
    CHECK(message(Id::gzip, five) == "a/3: gzip: decoding failed");
    CHECK(message(Id::lz4, five) ==
          "a/3: lz4: wrong decoded size (found 16843009, expected 100)");
    CHECK(message(Id::zstd, five) ==
          "a/3: zstd: Src size is incorrect (expected 100 bytes)");
  }

  TEST_CASE("implausible decoded sizes are refused before allocation") {
    const std::vector<std::byte> bytes(100);
    const EncodedChunk chunk{"a/0", bytes};
    CHECK_NOTHROW(check_plausible(Id::zlib, chunk, 100000));
    CHECK_THROWS_WITH_AS(
        check_plausible(Id::zlib, chunk, std::size_t{1} << 30),
        "a/0: zlib: too short (found 100 bytes for 1073741824 decoded bytes)", Error);
    CHECK_THROWS_AS(check_plausible(Id::lz4, chunk, 30000), Error);
    CHECK_THROWS_AS(check_plausible(Id::zstd, chunk, std::size_t{1} << 30), Error);
  }
}

}  // namespace codec_test

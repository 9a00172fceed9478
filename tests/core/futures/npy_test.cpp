#include "core/futures/npy.hpp"

#include <doctest/doctest.h>

#include "tests/support/error_code.hpp"
#include "tests/support/own_futures.hpp"

namespace npy_test {
namespace {

using namespace bev::futures;
using bev::Errc;
using bev::test::error_code;
using bev::test::npy_bytes;
using bev::test::npy_file;

NpyHeader header_of(const std::string& file) {
  return parse_npy_header(std::as_bytes(std::span(file)), "a");
}

NpyArray array_of(const std::string& file) {
  NpyArray out{header_of(file), {}};
  const auto bytes = std::as_bytes(std::span(file));
  out.bytes.assign(bytes.begin(), bytes.end());
  out.check("a");
  return out;
}

TEST_SUITE("futures/npy") {
  TEST_CASE("headers have type and shape") {
    const auto found = header_of(npy_file("<f4", "(2, 3)", ""));
    CHECK(found.shape == std::vector<std::uint64_t>{2, 3});
    CHECK(found.size() == 6);
    CHECK(found.bytes == 128);
    CHECK(found.type.item_size == 4);
    CHECK(header_of(npy_file("<f4", "()", "")).size() == 1);
    CHECK(header_of(npy_file("<f4", "(5,)", "")).size() == 5);
  }

  TEST_CASE("numbers of all types are read in both byte orders") {
    CHECK(array_of(npy_file(">f8", "()", std::string("\x3f\xf8\0\0\0\0\0\0", 8)))
              .real(0) == 1.5);
    CHECK(array_of(npy_file(">i2", "()", "\xff\xfe")).integer(0) == -2);
    CHECK(array_of(npy_file("|u1", "(2,)", "\x01\xff")).integer(1) == 255);
    const auto large = npy_bytes<std::int64_t>({9223372036854775807});
    CHECK(array_of(npy_file("<i8", "()", large)).integer(0) == 9223372036854775807);
    const auto half = array_of(npy_file("<f4", "()", npy_bytes<float>({0.5F})));
    CHECK(error_code([&] { half.integer(0); }) == Errc::invalid_metadata);
  }

  TEST_CASE("text is Unicode or UTF-8, and refused if it is neither") {
    CHECK(
        array_of(npy_file("<U2", "()", std::string("\xdf\0\0\0\0\0\0\0", 8))).text(0) ==
        "\xc3\x9f");
    const auto two =
        array_of(npy_file("|S3", "(2,)", std::string("ab\0\xc3\x9f\0", 6)));
    CHECK(two.text(0) == "ab");
    CHECK(two.text(1) == "\xc3\x9f");
    for (const auto* const type : {"<U1", "|S4"}) {
      const auto bad = array_of(npy_file(type, "()", std::string("\0\xd8\0\0", 4)));
      CHECK(error_code([&] { bad.text(0); }) == Errc::invalid_metadata);
    }
  }

  TEST_CASE("anything else is refused") {
    const auto code = [](const std::string& file) {
      return error_code([&] { header_of(file); });
    };
    const auto good = npy_file("<f4", "(2, 3)", "");
    for (std::size_t size = 0; size < good.size(); ++size) {
      CAPTURE(size);
      CHECK(code(good.substr(0, size)) == Errc::corrupt_chunk);
    }
    CHECK(code(npy_file("|O", "(1,)", "")) == Errc::unsupported);
    CHECK(code(npy_file("<f4", "(2 3", "")) == Errc::corrupt_chunk);
    CHECK(code(npy_file("<f4", "(-1,)", "")) == Errc::corrupt_chunk);
    auto long_one = good;
    long_one[9] = '\x7f';
    CHECK(code(long_one) == Errc::limit_exceeded);
    CHECK(error_code([] { array_of(npy_file("<f4", "(2,)", "abc")); }) ==
          Errc::corrupt_chunk);
  }
}

}  // namespace
}  // namespace npy_test

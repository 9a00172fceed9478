#include "core/convert/wkb.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <random>

#include "tests/support/error_code.hpp"
#include "tests/support/nuplan.hpp"

using namespace bev;
using namespace bev::convert;

namespace {

const std::vector<std::pair<double, double>> kPoints = {{1, 2}, {3, 4}, {5, 6}};

std::string le(std::uint32_t value) {
  return test::little_endian(value);
}

std::string doubles(const std::vector<double>& values) {
  std::string out;
  for (const double value : values) {
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  return out;
}

std::string head(char flags = '\1') {
  return std::string("GP\0", 3) + flags + le(4326);
}

}  // namespace

TEST_SUITE("convert/wkb") {
  TEST_CASE("lines and polygons are read") {
    const auto line = parse_geometry(test::geometry_blob(kPoints, false).bytes);
    CHECK(line.srs_id == 32611);
    CHECK(!line.is_polygon);
    REQUIRE(line.lines.size() == 1);
    CHECK(line.lines[0][2] == geom::Vec3{5, 6, 0});
    CHECK(parse_geometry(test::geometry_blob(kPoints, true).bytes).is_polygon);
  }

  TEST_CASE("several lines, heights and measures are read") {
    const std::string one(1, '\1');
    const auto z = one + le(1002) + le(1) + doubles({1, 2, 3});
    const auto zm = one + le(0xc0000002U) + le(1) + doubles({1, 2, 3, 4});
    const auto found = parse_geometry(head() + one + le(5) + le(2) + z + zm);
    REQUIRE(found.lines.size() == 2);
    CHECK(found.lines[0][0] == geom::Vec3{1, 2, 3});
    CHECK(found.lines[1][0] == geom::Vec3{1, 2, 3});
  }

  TEST_CASE("envelopes are read, and skipped") {
    const auto blob = head('\3') + doubles({1, 5, 2, 6}) + std::string(1, '\1') +
                      le(2) + le(1) + doubles({1, 2});
    CHECK(envelope_of(blob) == Envelope{1, 5, 2, 6});
    CHECK(parse_geometry(blob).lines.size() == 1);
    CHECK(!envelope_of(test::geometry_blob(kPoints, false).bytes));
    CHECK(parse_geometry(head('\x11')).lines.empty());
  }

  TEST_CASE("truncated geometries, and counts beyond the bytes, are errors") {
    const auto blob = test::geometry_blob(kPoints, true).bytes;
    for (std::size_t size = 0; size < blob.size(); ++size) {
      CHECK(test::error_code([&] { parse_geometry(blob.substr(0, size)); }) ==
            Errc::corrupt_chunk);
    }
    const std::string one(1, '\1');
    for (const auto& body :
         {one + le(2) + le(0xffffffffU), one + le(3) + le(0xffffffffU),
          one + le(5) + le(0xffffffffU), std::string(1, '\7') + le(2) + le(0),
          one + le(2) + le(1) + doubles({1, std::numeric_limits<double>::infinity()}),
          blob.substr(8) + "x"}) {
      CHECK(test::error_code([&] { parse_geometry(head() + body); }) ==
            Errc::corrupt_chunk);
    }
  }

  TEST_CASE("a blob has no more lines and points than its bytes allow") {
    const std::string one(1, '\1');
    const auto empty_line = one + le(2) + le(0);
    std::string body = one + le(5) + le(10'000);
    for (int i = 0; i < 10'000; ++i) body += empty_line;
    CHECK(parse_geometry(head() + body).lines.size() == 10'000);
    const auto rings = one + le(3) + le(10'000) + std::string(40'000, '\0');
    CHECK(parse_geometry(head() + rings).lines.size() == 10'000);
    for (const auto& beyond :
         {one + le(5) + le(9) + empty_line, one + le(3) + le(2) + le(0),
          one + le(2) + le(2) + doubles({1, 2, 3}),
          one + le(1002) + le(1) + doubles({1, 2})}) {
      CHECK(test::error_code([&] { parse_geometry(head() + beyond); }) ==
            Errc::corrupt_chunk);
    }
  }

  TEST_CASE("damaged blobs are read or refused") {
    std::mt19937 random(5);
    const auto whole = test::geometry_blob(kPoints, true).bytes;
    for (int round = 0; round < 5000; ++round) {
      auto blob = whole;
      for (int i = 0; i < 2; ++i) {
        blob[random() % blob.size()] = static_cast<char>(random());
      }
      const auto code = test::error_code([&] {
        static_cast<void>(envelope_of(blob));
        static_cast<void>(parse_geometry(blob));
      });
      const bool is_expected =
          !code || code == Errc::corrupt_chunk || code == Errc::unsupported;
      REQUIRE(is_expected);
    }
  }

  TEST_CASE("points, collections, extensions and nested collections are unsupported") {
    const std::string one(1, '\1');
    const auto nested = one + le(5) + le(1) + one + le(5) + le(0);
    for (const auto& blob :
         {head() + one + le(1) + doubles({1, 2}), head() + one + le(7) + le(0),
          head() + nested, head('\x21')}) {
      CHECK(test::error_code([&] { parse_geometry(blob); }) == Errc::unsupported);
    }
  }
}

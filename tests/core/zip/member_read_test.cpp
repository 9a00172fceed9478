#include "core/zip/member_read.hpp"

#include <doctest/doctest.h>

#include <string>

#include "core/base/error.hpp"
#include "tests/support/zip_by_hand.hpp"
#include "tests/support/zip_reader.hpp"

namespace member_read_test {

using bev::ByteRange;
using bev::Errc;
using bev::Error;
using bev::test::HandMember;
using bev::test::zip_by_hand;
using bev::test::ZipReader;

namespace {

std::string long_text() {
  std::string text;
  for (int i = 0; text.size() < 40000; ++i) text += std::to_string(i) + " ";
  return text;
}

// Returns the error of reading member "a" of an archive with one changed byte.
std::string refusal(std::size_t at, unsigned byte, Errc code = Errc::corrupt_chunk) {
  auto archive = zip_by_hand({{{"a", "bytes", true}}});
  archive.at(at) = static_cast<std::byte>(byte);
  try {
    ZipReader(archive).read("a");
    return "";
  } catch (const Error& error) {
    CHECK(error.code() == code);
    return error.what();
  }
}

}  // namespace

TEST_SUITE("zip/member_read") {
  TEST_CASE("a whole member takes one round, whatever its local header's padding") {
    for (const bool deflate : {false, true}) {
      for (const std::size_t padding : {0u, 40u, 3000u}) {
        const auto text = long_text();
        ZipReader reader(
            zip_by_hand({{{"a", text, deflate, false, padding}, {"b", "x"}}}));
        reader.rounds.clear();
        CHECK(reader.read("a") == text);
        CHECK(reader.whole);
        CHECK(reader.rounds.size() == (padding > 64 ? 2 : 1));
        reader.rounds.clear();
        CHECK(reader.read("a") == text);
        CHECK(reader.rounds.size() == 1);  // its data offset is known by now
      }
    }
  }

  TEST_CASE("ranges of a stored member are ranges of the archive") {
    const auto text = long_text();
    ZipReader reader(zip_by_hand({{{"a", text}, {"b", "x"}}}));
    reader.rounds.clear();
    CHECK(reader.read("a", ByteRange{30000, 30100}) == text.substr(30000, 100));
    CHECK(reader.rounds.size() == 2);
    CHECK(reader.rounds[1].size() == 100);
    reader.rounds.clear();
    CHECK(reader.read("a", ByteRange{10, 60000}) == text.substr(10));
    CHECK_FALSE(reader.whole);
    CHECK(reader.read("a", ByteRange{60000, 60010}) == "");
    CHECK(reader.rounds.size() == 1);
  }

  TEST_CASE("members may be beyond 4 GiB") {
    const auto text = long_text();
    const auto hole = (std::uint64_t{5} << 30) + 7;
    ZipReader reader(zip_by_hand({{{"a", text, false, true}, {"b", text, true, true}},
                                  std::string(300, 'c'),
                                  true,
                                  hole}),
                     hole);
    CHECK(reader.read("a") == text);
    CHECK(reader.read("b") == text);
    CHECK(reader.read("a", ByteRange{39000, 39010}) == text.substr(39000, 10));
    CHECK(reader.directory.find("a")->header == hole);
    CHECK(reader.directory.find("b")->header > hole + text.size());
  }

  TEST_CASE("a stored member's head is read with its local header") {
    const auto text = long_text();
    ZipReader reader(zip_by_hand({{{"a", text}, {"b", "x"}}}));
    reader.rounds.clear();
    CHECK(reader.read("a", ByteRange{0, 512}) == text.substr(0, 512));
    CHECK(reader.rounds.size() == 1);
    CHECK(reader.rounds[0].size() < 700);
  }

  TEST_CASE("a range of a deflated member reads all of it") {
    ZipReader reader(zip_by_hand({{{"a", long_text(), true}}}));
    CHECK(reader.read("a", ByteRange{10, 20}) == long_text());
    CHECK(reader.whole);
  }

  TEST_CASE("members may be empty") {
    for (const bool deflate : {false, true}) {
      ZipReader reader(zip_by_hand({{{"a", "", deflate, false, 3000}}}));
      CHECK(reader.read("a") == "");
      CHECK(reader.read("a") == "");
      CHECK(reader.read("a", ByteRange{3, 5}) == "");
    }
  }

  TEST_CASE("an invalid local header is refused") {
    CHECK(refusal(0, 0) == "town.zip: a: local header not found at 0");
    CHECK(refusal(30, 'b') == "town.zip: a: local header has another name");
    CHECK(refusal(26, 2) == "town.zip: a: local header has another name");
    CHECK(refusal(28, 1) == "town.zip: a: data at 32 overlaps the next member at 41");
  }

  TEST_CASE("data that does not decompress to its size is refused") {
    CHECK(refusal(31, 7) == "town.zip: a: decoding failed");
    CHECK(refusal(38, 'B') == "town.zip: a: wrong CRC-32");
    const std::size_t entry = 31 + 10;
    CHECK(refusal(entry + 24, 6) == "town.zip: a: truncated (expected 6 bytes)");
    CHECK(refusal(entry + 24, 4) == "town.zip: a: too long (expected 4 bytes)");
    CHECK(refusal(entry + 20, 9) == "town.zip: a: truncated (expected 5 bytes)");
  }

  TEST_CASE("a metadata document above 64 MiB is refused") {
    const std::string content(65'500, ' ');
    auto archive = zip_by_hand({{{"town.zarr/.zattrs", content, true}}});
    const auto entry = archive.size() - 22 - 46 - 17;
    REQUIRE(archive.at(entry) == std::byte{'P'});
    archive.at(entry + 24) = std::byte{1};
    archive.at(entry + 25) = std::byte{0};
    archive.at(entry + 27) = std::byte{4};
    ZipReader reader(archive);
    CHECK_THROWS_WITH_AS(
        reader.read("town.zarr/.zattrs"),
        "town.zip: town.zarr/.zattrs: metadata too large (found 67108865 "
        "bytes, expected at most 67108864)",
        Error);
  }

  TEST_CASE("missing data is refused, wherever it should begin") {
    for (const std::size_t padding : {0u, 3000u}) {
      auto archive = zip_by_hand({{{"a", "bytes", true, false, padding}}});
      const std::size_t entry = 31 + padding + 10;
      REQUIRE(archive.at(entry) == std::byte{'P'});
      archive.at(entry + 20) = std::byte{0};
      ZipReader reader(archive);
      CHECK_THROWS_WITH_AS(reader.read("a"),
                           "town.zip: a: truncated (expected 5 bytes)", Error);
    }
  }

  TEST_CASE("encryption and other methods are unsupported") {
    for (const auto& member : {HandMember{"a", "x", false, false, 0, 1},
                               HandMember{"a", "x", false, false, 0, 0, 12}}) {
      ZipReader reader(zip_by_hand({{member}}));
      try {
        reader.read("a");
        FAIL("was read");
      } catch (const Error& error) {
        CHECK(error.code() == Errc::unsupported);
      }
    }
    CHECK(refusal(31 + 10 + 10, 12, Errc::unsupported) ==
          "town.zip: a: compression method 12 is not supported");
  }
}

}  // namespace member_read_test

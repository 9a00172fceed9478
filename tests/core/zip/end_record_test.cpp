#include "core/zip/end_record.hpp"

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "tests/support/records.hpp"
#include "tests/support/zip_by_hand.hpp"

using bev::ByteRange;
using bev::Error;
using bev::test::Packed;
using bev::test::zip_by_hand;
using bev::zip::read_end_record;

namespace {

using Bytes = std::vector<std::byte>;

Bytes end_record(std::uint16_t count, std::uint32_t size, std::uint32_t place) {
  Packed end;
  end.add(std::uint32_t{0x06054b50}).add(std::uint32_t{0}).add(count).add(count);
  return end.add(size).add(place).add(std::uint16_t{0}).bytes();
}

}  // namespace

TEST_SUITE("zip/end_record") {
  TEST_CASE("the end record locates the directory") {
    const auto end = read_end_record("z", 222, end_record(1, 100, 50));
    CHECK(end.entries == ByteRange{50, 150});
    CHECK(end.count == 1);
    CHECK(end.shift == 50);
    CHECK_FALSE(end.read_from.has_value());
  }

  TEST_CASE("a zip64 record shifted by a prefix is found before its locator") {
    const auto archive = zip_by_hand({{{"a", "aa"}}, "", true});
    const auto end = read_end_record("z", archive.size() + 1000, archive);
    CHECK(end.entries == ByteRange{33, 80});
    CHECK(end.shift == 1000);
    CHECK(read_end_record("z", archive.size(), archive).shift == 0);
  }

  TEST_CASE("a record inside a comment is skipped") {
    std::string comment(40, ' ');
    comment.replace(3, 4, "PK\x05\x06");
    const auto archive = zip_by_hand({{{"a", "aa"}}, comment});
    const auto end = read_end_record("z", archive.size(), archive);
    CHECK(end.entries == ByteRange{33, 80});
  }

  TEST_CASE("maximum values without a zip64 locator are literal") {
    const auto record = end_record(0xffff, 46 * 0xffff, 0);
    const std::uint64_t size = record.size() + std::uint64_t{46} * 0xffff;
    CHECK(read_end_record("z", size, record).count == 0xffff);
  }

  TEST_CASE("a zip64 record before the tail is requested") {
    const auto archive = zip_by_hand({{{"a", "aa"}}, "", true});
    const auto size = archive.size();
    const auto tail = std::span(archive).last(22 + 20);
    const auto end = read_end_record("z", size, tail);
    CHECK(end.read_from == size - 22 - 20 - 56);
    CHECK(read_end_record("z", size, archive).count == 1);
  }

  TEST_CASE("offsets outside the archive are refused") {
    CHECK_THROWS_WITH_AS(read_end_record("z", 222, end_record(1, 100, 101)),
                         "z: directory of 100 bytes at 101 does not end before 200",
                         Error);
    CHECK_THROWS_WITH_AS(read_end_record("z", 222, end_record(3, 100, 50)),
                         "z: directory too small for 3 members (found 100 bytes)",
                         Error);
    CHECK_THROWS_WITH_AS(read_end_record("z", 21, Bytes(21)),
                         "z: not a zip archive (no end record in 21 bytes)", Error);
  }

  TEST_CASE("an invalid locator is refused") {
    auto archive = zip_by_hand({{{"a", "aa"}}, "", true});
    const auto locator = archive.size() - 22 - 20;
    archive[locator + 15] = std::byte{0x7f};
    CHECK_THROWS_AS(read_end_record("z", archive.size(), archive), Error);
    archive[locator + 15] = std::byte{0};
    archive[locator + 8] = std::byte{1};
    CHECK_THROWS_WITH_AS(read_end_record("z", archive.size(), archive),
                         "z: zip64 end record not found at 1", Error);
  }

  TEST_CASE("multi-disk archives are unsupported") {
    auto record = end_record(1, 100, 50);
    record[4] = std::byte{1};
    CHECK_THROWS_WITH_AS(read_end_record("z", 222, record),
                         "z: multi-disk zip archives are not supported", Error);
  }
}

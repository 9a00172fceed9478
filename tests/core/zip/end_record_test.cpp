#include "core/zip/end_record.hpp"

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "tests/support/records.hpp"
#include "tests/support/zip_by_hand.hpp"

using bev::Error;
using bev::test::Packed;
using bev::test::zip_by_hand;
using bev::zip::Range;
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
  TEST_CASE("the old record says where the directory is") {
    const auto end = read_end_record("z", 222, end_record(1, 100, 50));
    CHECK(end.entries == Range{50, 150});
    CHECK(end.count == 1);
    CHECK(end.shift == 50);
    CHECK_FALSE(end.read_from.has_value());
  }

  TEST_CASE("a record of zip64 moved by a prefix stands before its locator") {
    const auto archive = zip_by_hand({{{"a", "aa"}}, "", true});
    const auto end = read_end_record("z", archive.size() + 1000, archive);
    CHECK(end.entries == Range{33, 80});
    CHECK(end.shift == 1000);
    CHECK(read_end_record("z", archive.size(), archive).shift == 0);
  }

  TEST_CASE("a comment that holds a record is passed over") {
    std::string comment(40, ' ');
    comment.replace(3, 4, "PK\x05\x06");
    const auto archive = zip_by_hand({{{"a", "aa"}}, comment});
    const auto end = read_end_record("z", archive.size(), archive);
    CHECK(end.entries == Range{33, 80});
  }

  TEST_CASE("full fields without zip64's locator are taken as they are") {
    const auto record = end_record(0xffff, 46 * 0xffff, 0);
    const std::uint64_t size = record.size() + std::uint64_t{46} * 0xffff;
    CHECK(read_end_record("z", size, record).count == 0xffff);
  }

  TEST_CASE("a record of zip64 before the tail is asked for") {
    const auto archive = zip_by_hand({{{"a", "aa"}}, "", true});
    const auto size = archive.size();
    const auto tail = std::span(archive).last(22 + 20);
    const auto end = read_end_record("z", size, tail);
    CHECK(end.read_from == size - 22 - 20 - 56);
    CHECK(read_end_record("z", size, archive).count == 1);
  }

  TEST_CASE("what lies beyond the archive is refused") {
    CHECK_THROWS_WITH_AS(read_end_record("z", 222, end_record(1, 100, 101)),
                         "z: a directory of 100 bytes at 101, expected to end before "
                         "200",
                         Error);
    CHECK_THROWS_WITH_AS(read_end_record("z", 222, end_record(3, 100, 50)),
                         "z: 3 members in a directory of 100 bytes", Error);
    CHECK_THROWS_WITH_AS(read_end_record("z", 21, Bytes(21)),
                         "z: 21 bytes without the end record of a zip archive in the "
                         "last of them",
                         Error);
  }

  TEST_CASE("a locator that lies is refused") {
    auto archive = zip_by_hand({{{"a", "aa"}}, "", true});
    const auto locator = archive.size() - 22 - 20;
    archive[locator + 15] = std::byte{0x7f};
    CHECK_THROWS_AS(read_end_record("z", archive.size(), archive), Error);
    archive[locator + 15] = std::byte{0};
    archive[locator + 8] = std::byte{1};
    CHECK_THROWS_WITH_AS(read_end_record("z", archive.size(), archive),
                         "z: no end record of zip64 at 1, where its locator says",
                         Error);
  }

  TEST_CASE("archives of several disks are unsupported") {
    auto record = end_record(1, 100, 50);
    record[4] = std::byte{1};
    CHECK_THROWS_WITH_AS(read_end_record("z", 222, record),
                         "z: a zip archive of several disks", Error);
  }
}

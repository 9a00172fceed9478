#include "core/zip/directory.hpp"

#include <doctest/doctest.h>

#include <string>

#include "core/base/error.hpp"
#include "tests/support/zip_by_hand.hpp"
#include "tests/support/zip_reader.hpp"

namespace directory_test {

using bev::ByteRange;
using bev::Errc;
using bev::Error;
using bev::test::HandArchive;
using bev::test::zip_by_hand;
using bev::test::ZipReader;
using bev::zip::Directory;

namespace {

using Bytes = std::vector<std::byte>;

Bytes usual() {
  return zip_by_hand({{{"agents/0", "rows", true}, {".zgroup", "{}"}}});
}

// Returns the error that rejects an archive, "" without an error.
std::string refusal(const Bytes& archive, Errc code = Errc::corrupt_chunk) {
  try {
    ZipReader reader(archive);
    return "";
  } catch (const Error& error) {
    CHECK(error.code() == code);
    return error.what();
  }
}

void set(Bytes& archive, std::size_t at, std::initializer_list<unsigned> bytes) {
  for (const auto byte : bytes) archive.at(at++) = static_cast<std::byte>(byte);
}

// Offsets of the first member's entry in usual(), and of the end record.
constexpr std::size_t kEntry = 30 + 8 + 9 + 30 + 7 + 2;
constexpr std::size_t kEnd = kEntry + 46 + 8 + 46 + 7;

}  // namespace

TEST_SUITE("zip/directory") {
  TEST_CASE("a small archive takes one round, and members are found by name") {
    ZipReader reader(usual());
    CHECK(reader.rounds == std::vector{ByteRange{0, usual().size()}});
    CHECK(reader.directory.members().size() == 2);
    const auto* member = reader.directory.find("agents/0");
    REQUIRE(member != nullptr);
    CHECK(member->size == 4);
    CHECK(member->stored == 9);
    CHECK(reader.directory.name_of(*member) == "agents/0");
    CHECK(reader.directory.describe(*member) == "town.zip: agents/0");
    CHECK(reader.directory.find("agents") == nullptr);
    CHECK(reader.directory.find("agents/00") == nullptr);
  }

  TEST_CASE("a long directory takes two rounds and requests no byte twice") {
    HandArchive archive;
    for (int i = 0; i < 3000; ++i) {
      archive.members.push_back({"agents/" + std::to_string(i), "x"});
    }
    const auto bytes = zip_by_hand(archive);
    ZipReader reader(bytes);
    REQUIRE(reader.rounds.size() == 2);
    CHECK(reader.rounds[0].end == bytes.size());
    CHECK(reader.rounds[1].end == reader.rounds[0].begin);
    CHECK(reader.directory.members().size() == 3000);
    CHECK(reader.directory.find("agents/2999") != nullptr);
  }

  TEST_CASE("zip64 and long comments") {
    for (const auto comment : {std::size_t{0}, std::size_t{65535}}) {
      for (const bool wide : {false, true}) {
        const auto archive =
            zip_by_hand({{{"a", "aa", false, wide}, {"b", "bbb", true, wide}},
                         std::string(comment, '!'),
                         wide});
        ZipReader reader(archive);
        CHECK(reader.rounds.size() <= 2);
        CHECK(reader.read("a") == "aa");
        CHECK(reader.read("b") == "bbb");
      }
    }
  }

  TEST_CASE("directories are not members; the last duplicate name counts") {
    ZipReader reader(
        zip_by_hand({{{"agents/", ""}, {".zattrs", "old"}, {".zattrs", "new"}}}));
    CHECK(reader.directory.members().size() == 1);
    CHECK(reader.directory.find("agents/") == nullptr);
    CHECK(reader.read(".zattrs") == "new");
  }

  TEST_CASE("an archive without members is valid") {
    CHECK(ZipReader(zip_by_hand({})).directory.members().empty());
  }

  TEST_CASE("contradictory sizes are refused by name") {
    auto archive = usual();
    set(archive, kEntry + 24, {0, 0, 0xf0, 0});
    CHECK(
        refusal(archive) ==
        "town.zip: agents/0: size too large for deflate (found 15728640 from 9 bytes)");
    archive = usual();
    set(archive, kEntry + 20, {90});
    CHECK(refusal(archive) ==
          "town.zip: agents/0: 90 bytes at 0 overlap the next member or the directory "
          "at 47");
    archive = usual();
    set(archive, kEntry + 54 + 24, {3});
    CHECK(refusal(archive) ==
          "town.zip: .zgroup: sizes of a stored member differ (found 3 and 2)");
  }

  TEST_CASE("overlapping members are refused") {
    auto archive = usual();
    set(archive, kEntry + 42, {47});
    CHECK(refusal(archive).find("or the directory at 47") != std::string::npos);
    set(archive, kEntry + 42, {40});
    CHECK(refusal(archive) ==
          "town.zip: agents/0: 9 bytes at 40 overlap the next member or the directory "
          "at 47");
  }

  TEST_CASE("invalid, missing and extra entries are refused") {
    auto archive = usual();
    set(archive, kEntry + 54, {0});
    CHECK(refusal(archive) == "town.zip: directory entry 1 is invalid");
    archive = usual();
    set(archive, kEntry + 54 + 28, {8});
    CHECK(refusal(archive) == "town.zip: directory entry 1 is truncated");
    archive = usual();
    set(archive, kEnd + 10, {1});
    CHECK(refusal(archive) == "town.zip: directory has more entries than stated (1)");
    set(archive, kEnd + 10, {9});
    CHECK(refusal(archive) ==
          "town.zip: directory too small for 9 members (found 107 bytes)");
  }

  TEST_CASE("missing zip64 sizes are refused") {
    auto archive = zip_by_hand({{{"a", "aa", false, true}}});
    const std::size_t entry = 30 + 1 + 28 + 2;
    set(archive, entry + 46 + 1, {2});  // an extra field of another kind
    CHECK(refusal(archive) == "town.zip: a: zip64 sizes are missing");
  }

  TEST_CASE("a directory above the limit is unsupported") {
    Directory directory("town.zip", std::uint64_t{1} << 33);
    const auto tail = *directory.missing();
    Bytes bytes(static_cast<std::size_t>(tail.size()));
    const auto end = zip_by_hand({});
    std::copy(end.begin(), end.end(), bytes.end() - 22);
    set(bytes, bytes.size() - 22 + 12, {0, 0, 0, 0x20});
    CHECK_THROWS_WITH_AS(directory.supply(bytes),
                         "town.zip: directory too large (found 536870912 bytes, "
                         "expected at most 268435456)",
                         Error);
  }

  TEST_CASE("bytes before an archive shift all offsets") {
    HandArchive archive{{{"agents/0", "rows", true}, {".zgroup", "{}"}}};
    for (const bool wide : {false, true}) {
      for (const auto prefix : {std::size_t{1}, std::size_t{4096}}) {
        archive.zip64 = wide;
        archive.comment = std::string(prefix == 1 ? 7 : 0, '!');
        for (auto& member : archive.members) member.zip64 = wide;
        auto bytes = zip_by_hand(archive);
        bytes.insert(bytes.begin(), prefix, std::byte{'P'});
        ZipReader reader(bytes);
        CHECK(reader.read("agents/0") == "rows");
        CHECK(reader.read(".zgroup") == "{}");
      }
    }
  }

  TEST_CASE("a prefix that contains an archive is ignored") {
    auto bytes = usual();
    const auto outer = zip_by_hand({{{"agents/0", "outer"}}});
    bytes.insert(bytes.end(), outer.begin(), outer.end());
    ZipReader reader(bytes);
    CHECK(reader.directory.members().size() == 1);
    CHECK(reader.read("agents/0") == "outer");
  }

  TEST_CASE("a prefix before a long directory is not read") {
    HandArchive archive;
    for (int i = 0; i < 3000; ++i) {
      archive.members.push_back({"agents/" + std::to_string(i), "x"});
    }
    ZipReader reader(zip_by_hand(archive), std::uint64_t{1} << 40);
    CHECK(reader.rounds.size() == 2);
    CHECK(reader.read("agents/2999") == "x");
  }

  TEST_CASE("records between directory and end record are not a prefix") {
    const auto gap = Bytes(10, std::byte{1});
    auto archive = usual();
    archive.insert(archive.begin() + static_cast<std::ptrdiff_t>(kEnd), gap.begin(),
                   gap.end());
    ZipReader reader(archive);
    CHECK(reader.read("agents/0") == "rows");
  }

  TEST_CASE("a gap after the directory is bounded") {
    Directory directory("town.zip", std::uint64_t{1} << 33);
    const auto tail = *directory.missing();
    Bytes bytes(static_cast<std::size_t>(tail.size()));
    const auto end = zip_by_hand({});
    std::copy(end.begin(), end.end(), bytes.end() - 22);
    set(bytes, bytes.size() - 22 + 10, {1, 0, 46});
    CHECK_THROWS_WITH_AS(directory.supply(bytes),
                         "town.zip: directory too large (found 8589934592 bytes, "
                         "expected at most 268435456)",
                         Error);
  }

  TEST_CASE("fewer bytes than requested are an error") {
    Directory directory("town.zip", 100);
    CHECK_THROWS_WITH_AS(directory.supply(Bytes(99)),
                         "town.zip: wrong length (found 99 bytes, expected 100)",
                         Error);
  }

  TEST_CASE("with any byte changed, members are refused or unchanged") {
    const auto archive = zip_by_hand(
        {{{"a", "first", true, true}, {"b", "second"}, {"c", "third", true}},
         "ab",
         true});
    for (std::size_t at = 0; at < archive.size(); ++at) {
      for (const unsigned bits : {0x01u, 0x80u, 0xffu}) {
        auto flipped = archive;
        flipped[at] ^= static_cast<std::byte>(bits);
        CAPTURE(at);
        try {
          ZipReader reader(flipped);
          for (const char* name : {"a", "b", "c"}) {
            const auto found = reader.read(name);
            const bool same =
                !found || found == "first" || found == "second" || found == "third";
            CHECK(same);
          }
        } catch (const Error& error) {
          CHECK(std::string(error.what()).starts_with("town.zip: "));
        }
      }
    }
  }

  TEST_CASE("an archive truncated anywhere is refused") {
    const auto archive = usual();
    for (std::size_t size = 0; size < archive.size(); ++size) {
      const auto end = archive.begin() + static_cast<std::ptrdiff_t>(size);
      CHECK(refusal({archive.begin(), end}) != "");
    }
  }
}

}  // namespace directory_test

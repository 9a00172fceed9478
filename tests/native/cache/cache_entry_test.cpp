#include "native/cache/cache_entry.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

using bev::ByteRange;
using bev::native::entry_name;
using bev::native::EntryHead;
using bev::native::kCacheSegment;
using bev::native::parse_entry_front;

namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

const EntryHead kHead{"https://host/a/x/0", {7, 12}, {"\"e\"", "Mon", 40}, 99};

}  // namespace

TEST_SUITE("native/cache/cache_entry") {
  TEST_CASE("a head round-trips, with and without its optional fields") {
    for (const auto& head : {kHead, EntryHead{"u", {0, 5}, {}, {}},
                             EntryHead{"u", {0, 5}, {"", "M", {}}, {}}}) {
      const auto front = entry_front(head, bytes_of("bytes"));
      CHECK(bev::native::entry_front_length(front) == front.size());
      const auto parsed = parse_entry_front(front, front.size() + 5);
      REQUIRE(parsed);
      CHECK(parsed->begin == front.size());
      CHECK(parsed->head.url == head.url);
      CHECK(parsed->head.range == head.range);
      CHECK(parsed->head.validator.etag == head.validator.etag);
      CHECK(parsed->head.validator.modified == head.validator.modified);
      CHECK(parsed->head.validator.length == head.validator.length);
      CHECK(parsed->head.metadata == head.metadata);
    }
  }

  TEST_CASE("a front with any flipped bit, and any other size, is rejected") {
    const auto front = entry_front(kHead, bytes_of("bytes"));
    for (std::size_t at = 0; at < front.size() * 8; ++at) {
      auto bad = front;
      bad[at / 8] ^= std::byte{1} << (at % 8);
      CAPTURE(at);
      CHECK_FALSE(parse_entry_front(bad, bad.size() + 5));
    }
    for (std::size_t size = 0; size < front.size(); ++size) {
      CHECK_FALSE(parse_entry_front(std::span(front).first(size), size + 5));
    }
    CHECK_FALSE(parse_entry_front(front, front.size() + 4));
    CHECK_FALSE(parse_entry_front(front, front.size() + 6));
    CHECK_FALSE(parse_entry_front(front, 0));
  }

  TEST_CASE(
      "a name depends on URL, state, metadata and range, and contains the range") {
    const auto name = entry_name(kHead);
    CHECK(name.size() == 2 + 1 + 16 + 1 + 16 + 4);
    CHECK(name.ends_with("-7-c"));
    CHECK(name.starts_with(bev::native::entry_prefix(kHead.url, 0)));
    CHECK(bev::native::range_of_entry(name) == kHead.range);
    std::vector<EntryHead> others(6, kHead);
    others[0].url += "1";
    others[1].validator.etag = "f";
    others[2].validator.modified.clear();
    others[3].validator.length.reset();
    others[4].metadata = 98;
    others[5].range.end = 13;
    for (const auto& other : others) CHECK(entry_name(other) != name);
  }

  TEST_CASE("entries of different segments have different prefixes") {
    const auto next = ByteRange{kCacheSegment, kCacheSegment + 4};
    const auto name = entry_name({"u", next, {"e", "", {}}, {}});
    CHECK(name.starts_with(bev::native::entry_prefix("u", 1)));
    CHECK_FALSE(name.starts_with(bev::native::entry_prefix("u", 0)));
    CHECK(bev::native::range_of_entry(name) == next);
  }

  TEST_CASE("other names are not those of entries") {
    const auto good = entry_name(kHead);
    for (const auto& name :
         {std::string(), std::string("ledger"), good + "-1", good + "x",
          good.substr(0, good.size() - 2), "zz" + good.substr(2), good.substr(3),
          good.substr(0, good.size() - 1) + "7",       // empty range
          good.substr(0, good.size() - 1) + "ffffff",  // crosses segments
          good.substr(0, good.size() - 1) + "11111111111111111"}) {
      CAPTURE(name);
      CHECK_FALSE(bev::native::range_of_entry(name));
    }
  }

  TEST_CASE("the hash is FNV-1a") {
    CHECK(bev::native::stable_hash(bytes_of("")) == 0xcbf29ce484222325U);
    CHECK(bev::native::stable_hash(bytes_of("a")) == 0xaf63dc4c8601ec8cU);
    CHECK(bev::native::stable_hash(bytes_of("foobar")) == 0x85944171f73967e8U);
  }
}

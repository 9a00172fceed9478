#include "native/cache/cached_object.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

using bev::ByteRange;
using bev::native::CachedObject;
using bev::native::cover_of;
using bev::native::StoredRange;

namespace {

/// Describes a cover: "a0-5 b5-9 !9-12", with the hole last.
std::string described(ByteRange wanted, const std::vector<StoredRange>& stored) {
  const auto cover = cover_of(wanted, stored);
  std::string text;
  const auto add = [&](const std::string& name, ByteRange range) {
    text += (text.empty() ? "" : " ") + name + std::to_string(range.begin) + "-" +
            std::to_string(range.end);
  };
  for (const auto& part : cover.parts) add(part.name, part.range);
  if (cover.hole) add("!", *cover.hole);
  return text;
}

}  // namespace

TEST_SUITE("native/cache/cached_object") {
  TEST_CASE("covers a range with the entries that reach furthest") {
    CHECK(described({0, 10}, {}) == "!0-10");
    CHECK(described({2, 5}, {{"a", {0, 10}}}) == "a2-5");
    CHECK(described({0, 10}, {{"a", {0, 4}}, {"b", {0, 7}}, {"c", {5, 12}}}) ==
          "b0-7 c7-10");
    CHECK(described({0, 10}, {{"a", {0, 9}}, {"b", {1, 3}}}) == "a0-9 !9-10");
    CHECK(described({4, 4}, {{"a", {0, 9}}}).empty());
  }

  TEST_CASE("the hole contains all gaps") {
    CHECK(described({0, 10}, {{"a", {2, 4}}, {"b", {6, 8}}}) == "a2-4 b6-8 !0-10");
    CHECK(described({2, 8}, {{"a", {2, 4}}, {"b", {6, 8}}}) == "a2-4 b6-8 !4-6");
    CHECK(described({2, 9}, {{"a", {0, 3}}, {"b", {5, 6}}, {"c", {8, 20}}}) ==
          "a2-3 b5-6 c8-9 !3-8");
  }

  TEST_CASE("a range is cut at the end of a known object") {
    CachedObject object("u");
    CHECK_FALSE(object.cut(std::nullopt));
    CHECK(object.cut(ByteRange{3, 9}) == ByteRange{3, 9});
    object.saw({"e", "", 5});
    CHECK(object.cut(std::nullopt) == ByteRange{0, 5});
    CHECK(object.cut(ByteRange{3, 9}) == ByteRange{3, 5});
    CHECK(object.cut(ByteRange{7, 9}) == ByteRange{5, 5});
  }

  TEST_CASE("a change discards the known state; further responses complete it") {
    CachedObject object("u");
    object.saw({"e", "", {}});
    object.saw({"e", "Mon", 5});
    CHECK(object.changes() == 0);
    CHECK(object.now()->length == 5);
    object.saw({"f", "", {}});
    CHECK(object.changes() == 1);
    CHECK(object.now()->modified.empty());
    CHECK_FALSE(object.now()->length);
  }
}

#include "core/base/json_tree.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <string_view>

namespace bev {
namespace {

std::optional<nlohmann::json> tree(std::string_view text) {
  bool too_deep = true;
  auto found = parse_json_tree(text, too_deep);
  CHECK_FALSE(too_deep);
  return found;
}

// Whether they are the same tree, of the same types of numbers, or both none.
void check_as_the_library(const std::string& text) {
  CAPTURE(text);
  const auto theirs = nlohmann::json::parse(text, nullptr, false);
  const auto ours = tree(text);
  REQUIRE(ours.has_value() == !theirs.is_discarded());
  if (ours) REQUIRE(nlohmann::json::to_cbor(*ours) == nlohmann::json::to_cbor(theirs));
}

std::string nested(int levels) {
  const auto count = static_cast<std::size_t>(levels);
  return std::string(count, '[') + std::string(count, ']');
}

}  // namespace

TEST_SUITE("base/json_tree") {
  TEST_CASE("what is JSON is the tree that the library makes of it") {
    for (const char* text :
         {"null",
          "true",
          "-3",
          "18446744073709551615",
          "1.5e3",
          "\"a\\u00e9\\n\"",
          "[]",
          "{}",
          "[1,[2,{\"a\":[3,null]}],\"b\"]",
          "{\"a\":{\"b\":[{},[],{\"c\":-0.0}],\"d\":false},\"e\":1e400,\"f\":[]}",
          "\xef\xbb\xbf 1",
          "\xef\xbb",
          "-0",
          "-0.0",
          "00",
          "0.",
          ".5",
          "+1",
          "1e",
          "1e+",
          "-9223372036854775808",
          "-9223372036854775809",
          "18446744073709551616",
          "1E-400",
          "123456789012345678901234567890e-25",
          "1e99999999999999999999",
          "-",
          "--1",
          "1.e5",
          "0e0",
          "\"\\ud834\\udd1e\"",
          "\"\\ud834\"",
          "\"\\udd1e\"",
          "\"\\ud834\\u0041\"",
          "\"\\u00g0\"",
          "\"\\u00\"",
          "\"\\x\"",
          "\"\\",
          "\"\x7f\"",
          "\"\xc0\x80\"",
          "\"\xed\xa0\x80\"",
          "\"\xf4\x90\x80\x80\"",
          "\"\xf0\x9f\x98\x80\"",
          "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\"",
          "\t[\r1 ,\n2 ]\n",
          "[1 2]",
          "{,}",
          "[,]",
          "{\"a\":1,}",
          "{1:2}",
          "nulll",
          "tru",
          "True",
          "NaN",
          "[]]",
          "\"a",
          "\v1"}) {
      check_as_the_library(text);
    }
  }

  TEST_CASE("so are damaged texts, or both are none") {
    const std::string whole =
        R"([{"k\u00e9\"y": [-12.5e-3, 0, 18446744073709551615, "\ud83d\ude00)"
        "\xe2\x82\xac\xf0\x9f\x98\x80"
        R"("]}, true, false, null, {}, [], "", 1.7976931348623157e308, -7, {"a": {"b": 1}}])";
    constexpr std::string_view kPieces =
        "\"\\{}[]:,.-+eE019 tfnu\n\x80\xc3\xed\xf0\xff\x1f";
    std::mt19937 random(7);
    for (int i = 0; i < 20'000; ++i) {
      auto text = whole;
      for (auto left = 1 + random() % 3; left > 0 && !text.empty(); --left) {
        const auto at = random() % text.size();
        const char piece = kPieces[random() % kPieces.size()];
        switch (random() % 4) {
          case 0: text.erase(at, 1 + random() % 4); break;
          case 1: text.insert(at, 1, piece); break;
          case 2: text[at] = piece; break;
          default: text.resize(at + 1);
        }
      }
      check_as_the_library(text);
    }
  }

  TEST_CASE("a zero byte is no end of a text") {
    using std::string_view_literals::operator""sv;
    CHECK_FALSE(tree("1\0"sv));
    CHECK_FALSE(tree("\0"sv));
    CHECK_FALSE(tree("\"\0\""sv));
  }

  TEST_CASE("of a key that is there twice the last counts") {
    CHECK(tree(R"({"a":{"b":1},"a":2})")->dump() == R"({"a":2})");
  }

  TEST_CASE("what is not JSON is nothing") {
    for (const char* text : {"", " ", "{", "[1,]", "{\"a\"}", "nul", "1 2", "\"\x01\"",
                             "[1}", "\xff", "{\"a\":}"}) {
      CAPTURE(text);
      CHECK_FALSE(tree(text));
    }
  }

  TEST_CASE("brackets within brackets are bounded") {
    CHECK(tree(nested(kDeepestJson)).has_value());
    bool too_deep = false;
    CHECK_FALSE(parse_json_tree(nested(kDeepestJson + 1), too_deep));
    CHECK(too_deep);
    CHECK_FALSE(parse_json_tree(std::string(1'000'000, '['), too_deep));
    CHECK(too_deep);
  }
}

}  // namespace bev

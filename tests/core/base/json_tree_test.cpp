#include "core/base/json_tree.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace bev {
namespace {

std::optional<nlohmann::json> tree(std::string_view text) {
  bool too_deep = true;
  auto found = parse_json_tree(text, too_deep);
  CHECK_FALSE(too_deep);
  return found;
}

std::string nested(int levels) {
  const auto count = static_cast<std::size_t>(levels);
  return std::string(count, '[') + std::string(count, ']');
}

}  // namespace

TEST_SUITE("base/json_tree") {
  TEST_CASE("valid JSON gives the same tree as nlohmann's parser") {
    for (const char* text :
         {"null", "true", "-3", "18446744073709551615", "1.5e3", "\"a\\u00e9\\n\"",
          "[]", "{}", "[1,[2,{\"a\":[3,null]}],\"b\"]",
          "{\"a\":{\"b\":[{},[],{\"c\":-0.0}],\"d\":false},\"e\":1e400,\"f\":[]}"}) {
      CAPTURE(text);
      const auto theirs = nlohmann::json::parse(text, nullptr, false);
      const auto ours = tree(text);
      CHECK(ours.has_value() == !theirs.is_discarded());
      if (ours) CHECK(ours->dump() == theirs.dump());
    }
  }

  TEST_CASE("the last of duplicate keys counts") {
    CHECK(tree(R"({"a":{"b":1},"a":2})")->dump() == R"({"a":2})");
  }

  TEST_CASE("invalid JSON gives nullopt") {
    for (const char* text : {"", " ", "{", "[1,]", "{\"a\"}", "nul", "1 2", "\"\x01\"",
                             "[1}", "\xff", "{\"a\":}"}) {
      CAPTURE(text);
      CHECK_FALSE(tree(text));
    }
  }

  TEST_CASE("nesting depth is bounded") {
    CHECK(tree(nested(kMaxJsonDepth)).has_value());
    bool too_deep = false;
    CHECK_FALSE(parse_json_tree(nested(kMaxJsonDepth + 1), too_deep));
    CHECK(too_deep);
    CHECK_FALSE(parse_json_tree(std::string(1'000'000, '['), too_deep));
    CHECK(too_deep);
  }
}

}  // namespace bev

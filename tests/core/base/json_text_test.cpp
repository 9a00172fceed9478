#include "core/base/json_text.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <nlohmann/json.hpp>

using bev::json_lines;
using bev::json_text;
using nlohmann::json;

namespace {

const json kTree = {
    {"a", {1, -2, 18446744073709551615U, std::numeric_limits<std::int64_t>::min()}},
    {"b", {{"c", nullptr}, {"d", true}, {"e", false}, {"f", json::array()}}},
    {"g", json::object()},
    {"quote\" and \\", "\b\f\n\r\t\x01\x1f\x7f/"},
    {"\xc3\xa9", "\xe2\x82\xac \xf0\x9f\x98\x80 \xf4\x8f\xbf\xbf"},
    {"numbers", {0.5, -0.0, 30.0, 1e-5, 1e-7, 1.25e100, 0.1, 5e-324}}};

}  // namespace

TEST_SUITE("base/json_text") {
  TEST_CASE("a tree is the text that the library makes of it") {
    CHECK(json_text(kTree) == kTree.dump());
    CHECK(json_text(kTree, true) == kTree.dump(-1, ' ', true));
    CHECK(json_lines(kTree) == kTree.dump(4, ' ', true));
    for (const json& one :
         {json(), json(7), json("x"), json::array(), json::object()}) {
      CHECK(json_text(one) == one.dump());
      CHECK(json_lines(one) == one.dump(4, ' ', true));
    }
  }

  TEST_CASE("reals are as in Python") {
    CHECK(json_text(1e15) == "1000000000000000.0");
    CHECK(json_text(1e16) == "1e+16");
    CHECK(json_text(1.0 / 3) == "0.3333333333333333");
  }

  TEST_CASE("what is not finite is null") {
    CHECK(json_text({std::numeric_limits<double>::infinity(),
                     std::numeric_limits<double>::quiet_NaN()}) == "[null,null]");
  }

  TEST_CASE("what is not UTF-8 is replaced byte by byte") {
    CHECK(json_text("a\xff"
                    "b\xe2\x82") ==
          "\"a\xef\xbf\xbd"
          "b\xef\xbf\xbd\xef\xbf\xbd\"");
    CHECK(json_text("\xff", true) == "\"\\ufffd\"");
  }

  TEST_CASE("every character is read back") {
    std::string all;
    for (char c = 1; c < 0x7f; ++c) all += c;
    const json text =
        all + std::string(1, '\0') + "\xed\x9f\xbf\xee\x80\x80\xf0\x90\x80\x80";
    CHECK(json::parse(json_text(text)) == text);
    CHECK(json::parse(json_text(text, true)) == text);
  }
}

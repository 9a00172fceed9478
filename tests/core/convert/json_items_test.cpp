#include "core/convert/json_items.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "tests/support/error_code.hpp"

using namespace bev;
using convert::JsonItems;

namespace json_items_test {

namespace {

std::vector<std::string> items(JsonItems::Root root, std::string_view text,
                               std::size_t step) {
  std::vector<std::string> out;
  JsonItems all(root, [&](const JsonItems::Item& item) {
    out.push_back(std::string(item.section) + "|" + std::string(item.key) + "|" +
                  std::string(item.text));
  });
  for (std::size_t at = 0; at < text.size(); at += step) {
    all.push(text.substr(at, step));
  }
  all.end();
  return out;
}

constexpr auto kArray = JsonItems::Root::array;
constexpr auto kObject = JsonItems::Root::object;

}  // namespace

TEST_SUITE("convert/json_items") {
  TEST_CASE("items do not depend on the pieces that the text arrives in") {
    constexpr std::string_view kText =
        " [ {\"a\": \"},[\\\"\", \"b\":[{}] } ,\n 12 , \"x,]\", [] ]\n";
    constexpr std::string_view kSections =
        "{\"version\": \"1.3\", \"node\": [{\"x\": 1}, 2], \"none\": [],"
        " \"path\" : {\"k:1\": [3], \"l\" : 4 } }";
    for (std::size_t step = 1; step < 100; ++step) {
      CAPTURE(step);
      CHECK(items(kArray, kText, step) ==
            std::vector<std::string>{"||{\"a\": \"},[\\\"\", \"b\":[{}] }", "||12",
                                     "||\"x,]\"", "||[]"});
      CHECK(items(kObject, kSections, step) ==
            std::vector<std::string>{"version||\"1.3\"", "node||{\"x\": 1}", "node||2",
                                     "path|k:1|[3]", "path|l|4"});
    }
    CHECK(items(kArray, "[]", 1).empty());
    CHECK(items(kObject, "{ }", 1).empty());
  }

  TEST_CASE("text that is cut, or not such JSON, is refused") {
    for (const char* text : {"", "[", "[1", "[1,", "[1,]", "[,]", "[1]]", "[1] 2", "{}",
                             "[1}", "[{]", "[\"]", "[1:2]"}) {
      CAPTURE(text);
      CHECK(test::error_code([&] { items(kArray, text, 1); }) ==
            Errc::invalid_metadata);
    }
    for (const char* text :
         {"[]", "{\"a\"}", "{1: 2}", "{\"a\":}", "{\"a\":1,}", "{\"a\":{\"b\"}}",
          "{\"a\":{\"b\":1,}}", "{\"a\":[1}", "{\"a\" 1}", "{a:1}"}) {
      CAPTURE(text);
      CHECK(test::error_code([&] { items(kObject, text, 1); }) ==
            Errc::invalid_metadata);
    }
  }

  TEST_CASE("an item that is too large is refused before it is complete") {
    const std::string piece(1 << 20, 'x');
    JsonItems all(kArray, [](const auto&) {});
    all.push("[\"");
    CHECK(test::error_code([&] {
            for (int i = 0; i < 5; ++i) all.push(piece);
          }) == Errc::limit_exceeded);
  }
}

}  // namespace json_items_test

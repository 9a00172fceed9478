#include "core/base/json_text.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>

using bev::JsonText;

TEST_SUITE("base/json_text") {
  TEST_CASE("values are separated where they have to be") {
    JsonText out;
    out.open('{')
        .name("a")
        .count(std::uint64_t{1})
        .name("b")
        .open('[')
        .number(0.5)
        .flag(true);
    out.null().open('[').close(']').close(']').name("c").text("x").close('}');
    CHECK(std::move(out).take() == R"({"a":1,"b":[0.5,true,null,[]],"c":"x"})");
  }

  TEST_CASE("what JSON has no number for is null") {
    JsonText out;
    out.open('[').number(std::numeric_limits<double>::infinity());
    out.count(std::optional<std::uint32_t>{}).count(std::optional<std::uint32_t>{7});
    out.close(']');
    CHECK(std::move(out).take() == "[null,null,7]");
  }

  TEST_CASE("a tree comes back as it was") {
    const auto tree = nlohmann::json::parse(R"({
      "text": "a\"b\\c\n\u0001 \u00e9", "list": [1, -2, 1.5, 1e-30, 18446744073709551615],
      "nested": {"a": {}, "b": []}, "flag": false, "none": null})");
    JsonText out;
    out.tree(tree);
    CHECK(nlohmann::json::parse(std::move(out).take()) == tree);
  }
}

#include "core/batch/document.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.hpp"
#include "tests/support/error_code.hpp"

using bev::Errc;
using bev::batch::parsed;
using bev::batch::text_of;
using bev::test::error_code;
using nlohmann::json;

TEST_SUITE("batch/document") {
  TEST_CASE("text has sorted members, and no invalid UTF-8") {
    CHECK(text_of(json{{"b", 1}, {"a", "\xC3\xA9"}}) == "{\"a\":\"\\u00e9\",\"b\":1}");
    CHECK(text_of(json("\xFF")) == "\"\\ufffd\"");
  }

  TEST_CASE("errors have the code of their origin, and limits their own") {
    CHECK(parsed("[1]", 3, {"plan", Errc::invalid_metadata}) == json{1});
    for (const auto code : {Errc::invalid_metadata, Errc::invalid_argument}) {
      CHECK(error_code([&] { parsed("[1", 3, {"plan", code}); }) == code);
    }
    CHECK_THROWS_WITH_AS(parsed("[10]", 3, {"plan.json", Errc::invalid_metadata}),
                         "plan.json: too long (found 4 bytes, expected at most 3)",
                         bev::Error);
  }
}

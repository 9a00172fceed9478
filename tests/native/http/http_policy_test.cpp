#include "native/http/http_policy.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/files.hpp"

namespace http_policy_test {

using bev::native::Asked;
using bev::native::compare;
using bev::native::Comparison;
using bev::native::delay_ms;
using bev::native::HttpAnswer;
using bev::native::judge;
using bev::native::parse_content_range;
using bev::native::retry_after_ms;
using bev::native::validator_of;
using bev::native::Verdict;
using nlohmann::json;

namespace {

const json& vectors() {
  static const auto kVectors = [] {
    const auto bytes = bev::test::read_file(bev::test::test_path("vectors/http.json"));
    return json::parse(
        std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  }();
  return kVectors;
}

/// Returns the response that a vector describes.
HttpAnswer answer_of(const json& vector) {
  HttpAnswer answer;
  answer.status = vector.at("status");
  const auto headers = vector.value("headers", json::object());
  answer.content_encoding = headers.value("Content-Encoding", "");
  answer.content_type = headers.value("Content-Type", "");
  answer.etag = headers.value("ETag", "");
  answer.last_modified = headers.value("Last-Modified", "");
  if (headers.contains("Content-Range"))
    answer.content_range = headers["Content-Range"];
  const std::string body = vector.value("body", "");
  for (const char c : body) answer.body.push_back(static_cast<std::byte>(c));
  if (body.empty()) answer.body.resize(vector.value("length", std::size_t{0}));
  return answer;
}

std::string name_of(Verdict verdict) {
  constexpr const char* kNames[] = {"part",      "whole", "absent",   "denied",
                                    "ask-whole", "retry", "web-page", "refused"};
  return kNames[static_cast<std::size_t>(verdict)];
}

std::string name_of(Comparison comparison) {
  constexpr const char* kNames[] = {"same", "changed", "unknown"};
  return kNames[static_cast<std::size_t>(comparison)];
}

}  // namespace

TEST_SUITE("native/http/http_policy") {
  TEST_CASE("judges the responses of the vectors") {
    CHECK(vectors().at("answers").size() >= 90);
    for (const auto& vector : vectors().at("answers")) {
      if (vector.value("host", "native") != "native") continue;
      const std::string name = vector.at("name");
      CAPTURE(name);
      Asked asked;
      asked.forbidden_is_absent = vector.value("forbiddenIsAbsent", false);
      if (vector.contains("range")) {
        asked.range = {vector["range"].at(0), vector["range"].at(1)};
      }
      const auto judged = judge(answer_of(vector), asked);
      CHECK(name_of(judged.verdict) == vector.at("verdict"));
      if (vector.contains("problem")) CHECK(judged.problem == vector["problem"]);
    }
  }

  TEST_CASE("compares the states of the vectors") {
    for (const auto& vector : vectors().at("states")) {
      const std::string name = vector.at("name");
      CAPTURE(name);
      const auto state = [&](const char* which) {
        const auto& seen = vector.at(which);
        return validator_of(
            answer_of(seen),
            seen.contains("length")
                ? std::optional<std::uint64_t>(seen["length"].get<std::uint64_t>())
                : std::nullopt);
      };
      CHECK(name_of(compare(state("known"), state("seen"))) == vector.at("is"));
    }
  }

  TEST_CASE("waits as the vectors say") {
    constexpr std::int64_t kNow = 1'445'412'480;  // the vectors' "now"
    CHECK(vectors().at("now") == "Wed, 21 Oct 2015 07:28:00 GMT");
    for (const auto& vector : vectors().at("waits")) {
      const std::string name = vector.at("name");
      CAPTURE(name);
      const std::string header = vector.value("retryAfter", "");
      const auto delay = delay_ms(vector.at("attempt"), vector.at("firstMs"),
                                  retry_after_ms(header, kNow), vector.at("random"));
      CHECK(delay.has_value() == !vector.at("ms").is_null());
      if (delay) CHECK(*delay == doctest::Approx(vector["ms"].get<double>()));
    }
  }

  TEST_CASE("no response is temporary unless its cause is permanent") {
    HttpAnswer none;
    none.failure = "Connection refused";
    CHECK(judge(none, {}).verdict == Verdict::retry);
    CHECK(judge(none, {}).problem == "Connection refused");
    none.permanent = true;
    CHECK(judge(none, {}).verdict == Verdict::refused);
  }

  TEST_CASE("Content-Range has bytes and the object's size") {
    const auto found = parse_content_range("bytes 5-7/100");
    REQUIRE(found);
    CHECK(found->begin == 5);
    CHECK(found->end == 8);
    CHECK(found->size == 100);
    const auto open = parse_content_range("bytes 0-0/*");
    REQUIRE(open);
    CHECK(open->end == 1);
    CHECK_FALSE(open->size.has_value());
  }

  TEST_CASE("a malformed or inconsistent Content-Range is rejected") {
    for (const auto* text :
         {"", "bytes", "bytes ", "bytes */10", "bytes 7-5/10", "bytes 5-7",
          "bytes 5-7/", "bytes 5-7/7", "bytes 5-7/8x", "bytes -7/8", "items 5-7/8",
          "bytes 5-7/-1", "bytes 0-18446744073709551615/*",
          "bytes 0-99999999999999999999/*"}) {
      CAPTURE(text);
      CHECK_FALSE(parse_content_range(text).has_value());
    }
  }

  TEST_CASE("the back-off doubles up to a limit, for any number of attempts") {
    CHECK(delay_ms(0, 250, 0, 0.5) == 187.5);
    CHECK(delay_ms(3, 250, 0, 0.5) == 1500);
    CHECK(delay_ms(4'000'000'000, 250, 0, 0) == 15'000);
    CHECK(delay_ms(0, 4e9, 0, 0) == 15'000);
    CHECK(delay_ms(4'000'000'000, 0, 0, 0.5) == 0);
  }
}

}  // namespace http_policy_test

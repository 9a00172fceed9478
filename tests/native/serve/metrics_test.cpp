#include "native/serve/metrics.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <regex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/metric_value.hpp"

namespace metrics_test {

using bev::serve::Metrics;
using bev::serve::Record;
using bev::serve::Request;
using bev::test::metric_value;
using std::chrono::microseconds;

namespace {

Record record_of(const Request& request, int status, microseconds duration = {}) {
  Record record;
  record.request = &request;
  record.status = status;
  record.duration = duration;
  return record;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t from = 0; from < text.size();) {
    const auto end = text.find('\n', from);
    REQUIRE(end != text.npos);
    lines.push_back(text.substr(from, end - from));
    from = end + 1;
  }
  return lines;
}

constexpr auto kBucket = "bevscope_http_request_duration_seconds_bucket";

}  // namespace

TEST_SUITE("native/serve/metrics") {
  TEST_CASE(
      "every line is one of the text format, and each metric is described first") {
    const auto text = Metrics().text();
    const std::regex comment("# (HELP|TYPE) ([a-z_]+) (.+)");
    const std::regex value(
        R"re(([a-z_]+)(\{[a-z_]+="[^"\\]*"(,[a-z_]+="[^"\\]*")*\})? [0-9]+(\.[0-9]+)?)re");
    std::set<std::string> described;
    std::set<std::string> types;
    for (const auto& line : lines_of(text)) {
      CAPTURE(line);
      std::smatch found;
      if (std::regex_match(line, found, comment)) {
        auto& seen = found[1] == "HELP" ? described : types;
        CHECK(seen.insert(found[2]).second);
        continue;
      }
      REQUIRE(std::regex_match(line, found, value));
      const auto name =
          std::regex_replace(found[1].str(), std::regex("_(bucket|sum|count)$"), "");
      CHECK(described.contains(name));
      CHECK(types.contains(name));
    }
    CHECK(described == types);
    CHECK(text.find("bevscope_build_info{version=\"") != text.npos);
  }

  TEST_CASE("requests are counted by method and class of status") {
    Metrics metrics;
    const Request get{"GET", "/", true, {}};
    const Request head{"HEAD", "/", true, {}};
    const Request brew{"BREW", "/", true, {}};
    for (const int status : {200, 206, 304, 404, 416, 500, 503}) {
      metrics.count(record_of(get, status));
    }
    metrics.count(record_of(head, 200));
    metrics.count(record_of(brew, 405));
    metrics.count({.status = 400});
    const auto text = metrics.text();
    const auto count = [&](const std::string& method, const std::string& status) {
      return metric_value(text, "bevscope_http_requests_total{method=\"" + method +
                                    "\",status=\"" + status + "\"}");
    };
    CHECK(count("GET", "2xx") == 2);
    CHECK(count("GET", "3xx") == 1);
    CHECK(count("GET", "4xx") == 2);
    CHECK(count("GET", "5xx") == 2);
    CHECK(count("HEAD", "2xx") == 1);
    CHECK(count("HEAD", "4xx") == 0);
    CHECK(count("OPTIONS", "2xx") == 0);
    CHECK(count("other", "4xx") == 2);
  }

  TEST_CASE("buckets contain the requests of at most their limit") {
    Metrics metrics;
    const Request get{"GET", "/", true, {}};
    for (const int us : {0, 1'000, 1'001, 99'999'999}) {
      metrics.count(record_of(get, 200, microseconds(us)));
    }
    const auto text = metrics.text();
    const auto bucket = [&](const std::string& limit) {
      return metric_value(text, kBucket + ("{le=\"" + limit + "\"}"));
    };
    CHECK(bucket("0.0005") == 1);
    CHECK(bucket("0.001") == 2);
    CHECK(bucket("0.0025") == 3);
    CHECK(bucket("60") == 3);
    CHECK(bucket("+Inf") == 4);
    CHECK(text.find("_duration_seconds_sum 100.002000000\n") != text.npos);
    CHECK(text.find("_duration_seconds_count 4\n") != text.npos);
  }

  TEST_CASE(
      "nothing is lost between threads, and open connections are no fewer than 0") {
    Metrics metrics;
    const Request get{"GET", "/", true, {}};
    constexpr int kThreads = 4;
    constexpr int kRounds = 5'000;
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&] {
        for (int round = 0; round < kRounds; ++round) {
          metrics.open();
          metrics.send(3);
          metrics.count(record_of(get, 200, microseconds(round)));
          metrics.close();
        }
      });
    }
    for (int i = 0; i < 50; ++i) {
      const auto text = metrics.text();
      CHECK(metric_value(text, "bevscope_connections") <= kThreads);
      CHECK(metric_value(text, kBucket + std::string("{le=\"+Inf\"}")) ==
            metric_value(text, "bevscope_http_request_duration_seconds_count"));
    }
    for (auto& thread : threads) thread.join();
    const auto text = metrics.text(7);
    constexpr std::uint64_t kAll = std::uint64_t{kThreads} * kRounds;
    CHECK(metric_value(text,
                       "bevscope_http_requests_total{method=\"GET\",status=\"2xx\"}") ==
          kAll);
    CHECK(metric_value(text, "bevscope_http_sent_bytes_total") == 3 * kAll);
    CHECK(metric_value(text, "bevscope_connections_total") == kAll);
    CHECK(metric_value(text, "bevscope_connections") == 0);
    CHECK(metric_value(text, "bevscope_log_dropped_lines_total") == 7);
  }
}

}  // namespace metrics_test

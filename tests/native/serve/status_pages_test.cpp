#include "native/serve/status_pages.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "tests/support/metric_value.hpp"
#include "tests/support/temp_folder.hpp"

namespace status_pages_test {

using bev::serve::Access;
using bev::serve::Metrics;
using bev::serve::respond;
using bev::serve::Response;
using bev::serve::Site;
using bev::serve::StatusPages;
using bev::test::TempFolder;
using nlohmann::json;
using Headers = std::vector<std::pair<std::string, std::string>>;

namespace {

/// Data with files of the pages' names, and a viewer.
struct Fixture {
  explicit Fixture(const StatusPages::Options& options = {})
      : pages(site, metrics, nullptr, options) {}

  Response ask(const std::string& target, const std::string& method = "GET",
               Headers headers = {}) const {
    return respond({method, target, true, std::move(headers)}, site, &pages);
  }

  TempFolder folder;
  std::string page = folder.write("app/index.html", "viewer");
  std::string data = folder.write("data/healthz", "data");
  std::string more = folder.write("data/metrics", "data");
  Site site{folder.at("data"), folder.at("app"), Access({"*"})};
  Metrics metrics;
  StatusPages pages;
};

std::string header(const Response& response, std::string_view name) {
  const auto* found = response.header(name);
  return found == nullptr ? "(none)" : *found;
}

}  // namespace

TEST_SUITE("native/serve/status_pages") {
  TEST_CASE("/healthz is 200 and ready while the folders are there") {
    const Fixture one;
    const auto response = one.ask("/healthz");
    CHECK(response.status == 200);
    CHECK(header(response, "Content-Type") == "application/json");
    CHECK(header(response, "Cache-Control") == "no-store");
    const auto body = json::parse(response.text);
    CHECK(body.at("status") == "ready");
    CHECK_FALSE(body.at("version").get<std::string>().empty());
    CHECK(body.size() == 2);
    CHECK(one.ask("/healthz?x=1").status == 200);
    CHECK(one.ask("/healthz", "HEAD").head_only);
  }

  TEST_CASE("/healthz is 503 while a folder is gone, with a reason without its path") {
    for (const auto* name : {"data", "app"}) {
      CAPTURE(name);
      const Fixture one;
      std::filesystem::rename(one.folder.at(name), one.folder.at("elsewhere"));
      const auto response = one.ask("/healthz");
      CHECK(response.status == 503);
      CHECK(
          head_of(response, false, 0).starts_with("HTTP/1.1 503 Service Unavailable"));
      const auto body = json::parse(response.text);
      CHECK(body.at("status") == "unavailable");
      CHECK(body.at("reason").get<std::string>().find("cannot be read") !=
            std::string::npos);
      CHECK(response.text.find(one.folder.path().string()) == std::string::npos);
      std::filesystem::rename(one.folder.at("elsewhere"), one.folder.at(name));
      CHECK(one.ask("/healthz").status == 200);
    }
  }

  TEST_CASE("/metrics is the counters' text") {
    Fixture one;
    one.metrics.send(7);
    const auto response = one.ask("/metrics");
    CHECK(response.status == 200);
    CHECK(header(response, "Content-Type") ==
          "text/plain; version=0.0.4; charset=utf-8");
    CHECK(bev::test::metric_value(response.text, "bevscope_http_sent_bytes_total") ==
          7);
  }

  TEST_CASE("pages of other origins cannot read them, nor those of other hosts") {
    const Fixture one;
    for (const auto* page : {"/healthz", "/metrics"}) {
      const auto response = one.ask(page, "GET", {{"origin", "https://example.org"}});
      CHECK(header(response, "Access-Control-Allow-Origin") == "(none)");
      CHECK(header(response, "Cross-Origin-Resource-Policy") == "same-origin");
      CHECK(one.ask(page, "GET", {{"host", "evil.example"}}).status == 421);
    }
    const auto file =
        one.ask("/data/healthz", "GET", {{"origin", "https://example.org"}});
    CHECK(header(file, "Access-Control-Allow-Origin") == "*");
  }

  TEST_CASE("data of these names is served below /data/, as all data") {
    const Fixture one;
    CHECK(one.ask("/data/healthz").file);
    CHECK(one.ask("/data/metrics").file);
    CHECK(one.ask("/healthz/").status == 404);
    CHECK(one.ask("/metrics/x").status == 404);
  }

  TEST_CASE("each can be switched off") {
    const Fixture healthy({.metrics = false});
    CHECK(healthy.ask("/healthz").status == 200);
    CHECK(healthy.ask("/metrics").status == 404);
    const Fixture measured({.health = false});
    CHECK(measured.ask("/healthz").status == 404);
    CHECK(measured.ask("/metrics").status == 200);
  }

  TEST_CASE("a file of the viewer's folder is never hidden by them") {
    const TempFolder folder;
    folder.write("app/index.html", "viewer");
    folder.write("app/metrics", "file");
    const Site site(folder.path().string(), folder.at("app"));
    const Metrics metrics;
    CHECK_THROWS_WITH_AS(
        StatusPages(site, metrics, nullptr, {}),
        "--app: the file metrics has the name of a page of the server; "
        "--no-metrics serves the file",
        bev::Error);
    const StatusPages pages(site, metrics, nullptr, {.metrics = false});
    CHECK(respond({"GET", "/metrics", true, {}}, site, &pages).file);
  }
}

}  // namespace status_pages_test

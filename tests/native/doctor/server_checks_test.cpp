#include "native/doctor/server_checks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "native/serve/server.hpp"
#include "native/serve/site.hpp"
#include "tests/support/scripted_server.hpp"
#include "tests/support/temp_folder.hpp"

namespace server_checks_test {

using bev::doctor::check_server;
using bev::doctor::Finding;
using bev::doctor::Level;
using bev::serve::Access;
using bev::serve::Server;
using bev::serve::Site;
using bev::test::ScriptedServer;
using bev::test::TempFolder;

namespace {

constexpr auto kGroup = "{\"zarr_format\": 2, \"attributes\": {}}";

const Finding& named(const std::vector<Finding>& findings, const std::string& name) {
  const auto hit = std::find_if(findings.begin(), findings.end(),
                                [&](const Finding& f) { return f.name == name; });
  if (hit == findings.end()) FAIL("no finding ", name);
  return *hit;
}

void check_remedies(const std::vector<Finding>& findings) {
  for (const auto& finding : findings) {
    CAPTURE(finding.name);
    CHECK((finding.level == Level::ok || !finding.remedy.empty()));
    CHECK(finding.found.find('\n') == std::string::npos);
  }
}

std::string line_of(const std::string& request, const std::string& name) {
  const auto at = request.find("\r\n" + name + ": ");
  if (at == request.npos) return {};
  const auto from = at + name.size() + 4;
  return request.substr(from, request.find("\r\n", from) - from);
}

/// Returns findings about a server that answers as a script does. Requests of absent
/// files get 404.
std::vector<Finding> examine(
    const std::function<std::string(const std::string& request)>& script) {
  ScriptedServer server([&](const std::string& request) {
    if (request.find("/.zgroup") == request.npos) {
      return ScriptedServer::answer("404 Not Found", "");
    }
    return script(request);
  });
  auto findings = check_server({.address = server.origin() + "/a.zarr"});
  check_remedies(findings);
  return findings;
}

std::string whole(const std::string& headers = "ETag: \"a\"\r\n") {
  return ScriptedServer::answer("200 OK", kGroup, headers);
}

}  // namespace

TEST_SUITE("native/doctor/server_checks") {
  TEST_CASE("bevscope serve has no warning for a page that --cors allows") {
    const TempFolder folder;
    folder.write("a.zarr/.zgroup", kGroup);
    folder.write("a.zarr/agents/0", std::string(100'000, 'x'));
    const Site site(folder.path().string(), "", Access({"https://example.org"}));
    const Server server(site);
    const auto address =
        "http://127.0.0.1:" + std::to_string(server.port()) + "/data/a.zarr";
    for (const auto* end : {"", "/", "?sig=planted", "/#fragment"}) {
      const auto findings = check_server({.address = address + end});
      check_remedies(findings);
      for (const auto& finding : findings) {
        CAPTURE(finding.name);
        CAPTURE(finding.found);
        CHECK(finding.level == Level::ok);
      }
      CHECK(findings.size() == 7);
      const auto& speed = named(findings, "speed");
      CHECK(speed.facts.at("object") == "agents/0");
      CHECK(speed.facts.at("bytes") == 100'000);
      CHECK(report_json(findings).find("planted") == std::string::npos);
    }
    const auto other =
        check_server({.address = address, .origin = "https://else.where"});
    CHECK(named(other, "other origins").level == Level::warning);
    CHECK(named(other, "other origins").found.find("https://else.where") !=
          std::string::npos);
  }

  TEST_CASE("the query is sent with each request") {
    bool always = true;
    ScriptedServer server([&](const std::string& request) {
      always = always && request.find("?sig=x HTTP/1.1") != request.npos;
      return whole();
    });
    check_server({.address = server.origin() + "/a.zarr?sig=x"});
    CHECK(always);
  }

  TEST_CASE("a server that does not answer is a problem, and the only finding") {
    std::string origin;
    {
      origin = ScriptedServer([](const auto&) { return ""; }).origin();
    }
    const auto findings = check_server({.address = origin + "/a.zarr"});
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].level == Level::problem);
    CHECK(findings[0].name == "server");
    check_remedies(findings);
  }

  TEST_CASE("an address without a data set is a problem, one of a file is examined") {
    const TempFolder folder;
    folder.write("file", std::string(5'000, 'x'));
    folder.write("a.zip", std::string(5'000, 'x'));
    const Site site(folder.path().string(), "");
    const Server server(site);
    const auto data = "http://127.0.0.1:" + std::to_string(server.port()) + "/data/";
    const auto none = check_server({.address = data + "none.zarr"});
    CHECK(named(none, "server").level == Level::ok);
    CHECK(named(none, "data").level == Level::problem);
    CHECK(named(none, "data").found.find("HTTP 404") != std::string::npos);
    CHECK(none.size() == 2);
    const auto file = check_server({.address = data + "file"});
    CHECK(named(file, "data").level == Level::warning);
    CHECK(named(file, "ranges").level == Level::ok);
    CHECK(named(file, "speed").facts.at("bytes") == 5'000);
    CHECK(named(check_server({.address = data + "a.zip"}), "data").level == Level::ok);
  }

  TEST_CASE("a web page in place of the data is a problem") {
    const ScriptedServer server([](const std::string&) {
      return ScriptedServer::answer("200 OK", "<!doctype html><p>hello",
                                    "Content-Type: text/html\r\n");
    });
    const auto findings = check_server({.address = server.origin() + "/a.zarr"});
    CHECK(named(findings, "data").level == Level::problem);
    CHECK(named(findings, "data").found.find("web page") != std::string::npos);
  }

  TEST_CASE("ranges that are ignored or encoded are a warning, wrong ones a problem") {
    const auto ignored = examine([](const auto&) { return whole(); });
    CHECK(named(ignored, "ranges").level == Level::warning);
    CHECK(named(ignored, "ranges").found.find("ignored") != std::string::npos);
    const auto encoded = examine([](const std::string& request) {
      if (line_of(request, "Range") != "bytes=2-5") return whole();
      return ScriptedServer::answer(
          "206 Partial Content", "abcd",
          "Content-Range: bytes 2-5/36\r\nContent-Encoding: gzip\r\n");
    });
    CHECK(named(encoded, "ranges").level == Level::warning);
    CHECK(named(encoded, "ranges").found.find("Content-Encoding gzip") !=
          std::string::npos);
    const auto wrong = examine([](const std::string& request) {
      if (line_of(request, "Range") != "bytes=2-5") return whole();
      return ScriptedServer::answer("206 Partial Content", "abcd",
                                    "Content-Range: bytes 0-3/36\r\n");
    });
    CHECK(named(wrong, "ranges").level == Level::problem);
    CHECK(named(wrong, "ranges").found.find("wrong range") != std::string::npos);
  }

  TEST_CASE("absent files are 404; 403 is a warning, 200 a problem") {
    using Case = std::pair<std::string, Level>;
    for (const auto& one :
         {Case("404 Not Found", Level::ok), Case("403 Forbidden", Level::warning),
          Case("500 Broken", Level::warning), Case("200 OK", Level::problem)}) {
      CAPTURE(one.first);
      const ScriptedServer server([&](const std::string& request) {
        const bool is_absent = request.find("/.bevscope-") != request.npos;
        return is_absent ? ScriptedServer::answer(one.first, "x") : whole();
      });
      const auto findings = check_server({.address = server.origin() + "/a.zarr"});
      check_remedies(findings);
      CHECK(named(findings, "absent files").level == one.second);
    }
  }

  TEST_CASE("CORS headers must be on absent files, too") {
    const auto findings = examine(
        [](const auto&) { return whole("Access-Control-Allow-Origin: *\r\n"); });
    CHECK(named(findings, "other origins").level == Level::warning);
    CHECK(named(findings, "other origins").found.find("not on absent files") !=
          std::string::npos);
    const auto none = examine([](const auto&) { return whole(); });
    CHECK(named(none, "other origins").found.find("no Access-Control-Allow-Origin") !=
          std::string::npos);
  }

  TEST_CASE("without validators, HEAD or 304, caching is a warning") {
    const auto none = examine([](const auto&) { return whole(""); });
    CHECK(named(none, "caching").level == Level::warning);
    CHECK(named(none, "caching").remedy.find("ETag") != std::string::npos);
    const auto headless = examine([](const std::string& request) {
      return request.starts_with("HEAD")
                 ? std::string("HTTP/1.1 405 No\r\nContent-Length: 0\r\n\r\n")
                 : whole();
    });
    CHECK(named(headless, "caching").found.find("HEAD fails") != std::string::npos);
    const auto conditional = [](const std::string& header) {
      return [header](const std::string& request) {
        const auto state = header + ": x\r\nCache-Control: max-age=60\r\n";
        if (request.starts_with("HEAD")) {
          return "HTTP/1.1 200 OK\r\n" + state + "Content-Length: 36\r\n\r\n";
        }
        const auto asked = header == "ETag" ? "If-None-Match" : "If-Modified-Since";
        return line_of(request, asked) == "x"
                   ? "HTTP/1.1 304 Not Modified\r\n" + state + "\r\n"
                   : whole(state);
      };
    };
    for (const auto* header : {"ETag", "Last-Modified"}) {
      const auto findings = examine(conditional(header));
      CHECK(named(findings, "caching").level == Level::ok);
      CHECK(named(findings, "caching").found == std::string(header) + ", max-age=60");
    }
    const auto never = examine([](const std::string& request) {
      return request.starts_with("HEAD")
                 ? std::string(
                       "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 36\r\n\r\n")
                 : whole();
    });
    CHECK(named(never, "caching").found.find("never 304") != std::string::npos);
  }

  TEST_CASE("what is not the address of a server is refused") {
    for (const auto* address : {"", "town.zarr", "/data/a", "ftp://host/a"}) {
      CHECK_THROWS_AS(check_server({.address = address}), bev::Error);
    }
  }
}

}  // namespace server_checks_test

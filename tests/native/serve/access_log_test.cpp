#include "native/serve/access_log.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/files.hpp"
#include "tests/support/temp_folder.hpp"

namespace access_log_test {

using bev::serve::combined_line;
using bev::serve::json_line;
using bev::serve::Record;
using bev::serve::Request;
using nlohmann::json;
using namespace std::chrono_literals;

namespace {

Record record_of(const Request& request) {
  return {.client = "192.0.2.7",
          .request = &request,
          .status = 206,
          .body_bytes = 512,
          .received = std::chrono::system_clock::time_point(1796024593042ms),
          .duration = 1'812'345us};
}

Request usual() {
  return {"GET",
          "/data/a%20b?x=1",
          true,
          {{"range", "bytes=0-511"},
           {"referer", "http://localhost:8000/#src=/data/a"},
           {"user-agent", "curl/7.88.1"}}};
}

}  // namespace

TEST_SUITE("native/serve/access_log") {
  TEST_CASE("the combined format is Apache's, with the answer's seconds") {
    const auto request = usual();
    auto record = record_of(request);
    const std::string line =
        "192.0.2.7 - - [30/Nov/2026:07:43:13 +0000] \"GET /data/a%20b HTTP/1.1\" 206 "
        "512 "
        "\"http://localhost:8000/\" \"curl/7.88.1\" 1.812345";
    CHECK(combined_line(record) == line);
    record.complete = false;
    CHECK(combined_line(record) == line + " aborted");
  }

  TEST_CASE("a JSON line has the same, and the range") {
    const auto request = usual();
    const auto line = json_line(record_of(request));
    CHECK(line.find('\n') == line.npos);
    CHECK(json::parse(line) == json({{"time", "2026-11-30T07:43:13.042Z"},
                                     {"client", "192.0.2.7"},
                                     {"method", "GET"},
                                     {"path", "/data/a%20b"},
                                     {"protocol", "HTTP/1.1"},
                                     {"range", "bytes=0-511"},
                                     {"status", 206},
                                     {"bytes", 512},
                                     {"seconds", 1.812345},
                                     {"complete", true},
                                     {"referer", "http://localhost:8000/"},
                                     {"agent", "curl/7.88.1"}}));
  }

  TEST_CASE("what is not known is a dash, or null") {
    const Record record = {.status = 400};
    CHECK(combined_line(record) ==
          "- - - [01/Jan/1970:00:00:00 +0000] \"-\" 400 0 \"-\" \"-\" 0.000000");
    const auto line = json::parse(json_line(record));
    for (const auto* name :
         {"method", "path", "protocol", "range", "referer", "agent"}) {
      CHECK(line.at(name).is_null());
    }
  }

  TEST_CASE("no line contains a query, fragment, user name or password") {
    const std::string targets[] = {"/data/a?X-Amz-Signature=planted", "/data/a?planted",
                                   "/data/a#planted", "/data/a?b?planted",
                                   "http://planted:planted@host/data/a?planted"};
    for (const auto& target : targets) {
      CAPTURE(target);
      for (const auto* referer : {"https://planted:planted@host/a?planted#planted",
                                  "/a?planted", "https://host/#planted"}) {
        const Request request{"GET",
                              target,
                              true,
                              {{"referer", referer},
                               {"authorization", "Basic planted"},
                               {"cookie", "planted"},
                               {"user-agent", "robot https://host/?token=planted"}}};
        for (const auto& line :
             {combined_line(record_of(request)), json_line(record_of(request))}) {
          CHECK(line.find("planted") == line.npos);
          CHECK(line.find("/data/a") != line.npos);
        }
      }
    }
  }

  TEST_CASE("values cannot end a line, a value or its encoding, and are cut") {
    const Request request{"GET",
                          "/data/\"\\\xff\xc3\xa9\x01",
                          true,
                          {{"user-agent", "a\tb\"c" + std::string(9'000, 'x')}}};
    const auto record = record_of(request);
    const auto line = combined_line(record);
    CHECK(line.find("\"GET /data/\\x22\\x5C\\xFF\\xC3\\xA9\\x01 HTTP/1.1\"") !=
          line.npos);
    CHECK(line.find("\"a\\x09b\\x22cxxx") != line.npos);
    CHECK(line.size() < 3'000);
    const auto parsed = json::parse(json_line(record));
    CHECK(parsed.at("path") == "/data/\"\\x5C\\xFF\\xC3\\xA9\\x01");
    CHECK(json_line(record).size() < 3'000);
  }

  TEST_CASE("a log has a line per record, in its format") {
    const bev::test::TempFolder folder;
    const auto request = usual();
    {
      bev::serve::AccessLog log(folder.at("log"), bev::serve::LogFormat::json);
      log.add(record_of(request));
      log.add(record_of(request));
      log.drop_line();
      CHECK(log.dropped() == 1);
    }
    const auto line = json_line(record_of(request)) + "\n";
    CHECK(bev::test::file_text(folder.at("log")) == line + line);
  }
}

}  // namespace access_log_test

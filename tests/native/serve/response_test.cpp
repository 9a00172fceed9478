#include "native/serve/response.hpp"

#include <doctest/doctest.h>

#include "tests/support/temp_folder.hpp"

using bev::serve::Request;
using bev::serve::respond;
using bev::serve::Response;
using bev::serve::Site;
using bev::test::TempFolder;

namespace {

/// A site of one file of 100 bytes, /data/f.
struct OneFile {
  TempFolder folder;
  std::string path = folder.write("f", std::string(100, 'x'));
  Site site{folder.path().string(), ""};

  Response ask(const std::string& method, const std::string& target,
               std::vector<std::pair<std::string, std::string>> headers = {}) const {
    return respond({method, target, true, std::move(headers)}, site);
  }
};

std::string value(const Response& response, std::string_view name) {
  const auto* found = response.header(name);
  return found == nullptr ? "(none)" : *found;
}

}  // namespace

TEST_SUITE("native/serve/response") {
  TEST_CASE("a file is sent whole, with what a cache and another origin need") {
    const OneFile one;
    const auto got = one.ask("GET", "/data/f");
    CHECK(got.status == 200);
    CHECK(got.body_size() == 100);
    CHECK(value(got, "Accept-Ranges") == "bytes");
    CHECK(value(got, "Access-Control-Allow-Origin") == "*");
    CHECK(value(got, "Access-Control-Expose-Headers").find("Content-Range") !=
          std::string::npos);
    CHECK(value(got, "Cache-Control") == "no-cache");
    CHECK(value(got, "Content-Type") == "application/octet-stream");
    CHECK(value(got, "X-Content-Type-Options") == "nosniff");
  }

  TEST_CASE("a range is 206 and says which bytes of how many") {
    const OneFile one;
    const auto got = one.ask("GET", "/data/f", {{"range", "bytes=90-511"}});
    CHECK(got.status == 206);
    CHECK(value(got, "Content-Range") == "bytes 90-99/100");
    CHECK(got.begin == 90);
    CHECK(got.end == 100);
  }

  TEST_CASE("a range behind the end is 416 and says how many bytes there are") {
    const OneFile one;
    const auto got = one.ask("GET", "/data/f", {{"range", "bytes=100-"}});
    CHECK(got.status == 416);
    CHECK(value(got, "Content-Range") == "bytes */100");
    CHECK(got.body_size() == 0);
  }

  TEST_CASE("HEAD is GET without the body; it knows no ranges") {
    const OneFile one;
    const auto got = one.ask("HEAD", "/data/f", {{"range", "bytes=0-1"}});
    CHECK(got.status == 200);
    CHECK(got.head_only);
    CHECK(got.body_size() == 100);
  }

  TEST_CASE("what has not changed is not sent again") {
    const OneFile one;
    const auto first = one.ask("GET", "/data/f");
    const auto etag = value(first, "ETag");
    const auto date = value(first, "Last-Modified");
    CHECK(one.ask("GET", "/data/f", {{"if-none-match", etag}}).status == 304);
    CHECK(one.ask("GET", "/data/f", {{"if-none-match", "\"x\", W/" + etag}}).status ==
          304);
    CHECK(one.ask("GET", "/data/f", {{"if-none-match", "\"x\""}}).status == 200);
    CHECK(one.ask("GET", "/data/f", {{"if-modified-since", date}}).status == 304);

    one.folder.write("f", "changed");
    const auto second = one.ask("GET", "/data/f", {{"if-none-match", etag}});
    CHECK(second.status == 200);
    CHECK(value(second, "ETag") != etag);
  }

  TEST_CASE("a range of what has changed meanwhile is the whole of the new") {
    const OneFile one;
    const auto etag = value(one.ask("GET", "/data/f"), "ETag");
    const std::pair<std::string, std::string> range = {"range", "bytes=0-1"};
    CHECK(one.ask("GET", "/data/f", {range, {"if-range", etag}}).status == 206);
    CHECK(one.ask("GET", "/data/f", {range, {"if-range", "\"old\""}}).status == 200);
  }

  TEST_CASE("a preflight allows reading with a range") {
    const OneFile one;
    const auto got = one.ask("OPTIONS", "/data/f");
    CHECK(got.status == 204);
    CHECK(value(got, "Access-Control-Allow-Origin") == "*");
    CHECK(value(got, "Access-Control-Allow-Headers").starts_with("Range"));
    CHECK(value(got, "Access-Control-Allow-Methods") == "GET, HEAD, OPTIONS");
  }

  TEST_CASE("absence is readable by other origins, or it would look like an outage") {
    const OneFile one;
    const auto got = one.ask("GET", "/data/g");
    CHECK(got.status == 404);
    CHECK(value(got, "Access-Control-Allow-Origin") == "*");
    CHECK(one.ask("GET", "/data/%00").status == 404);
    CHECK(one.ask("GET", "/data/%zz").status == 400);
  }

  TEST_CASE("nothing can be changed") {
    const OneFile one;
    for (const auto* method : {"POST", "PUT", "DELETE", "TRACE", "get"}) {
      CAPTURE(method);
      CHECK(one.ask(method, "/data/f").status == 405);
    }
  }

  TEST_CASE("a head ends with an empty line and says how long the body is") {
    const auto plain = bev::serve::plain_response(404, "not found\n");
    const auto head = bev::serve::head_of(plain, false, 784111777);
    CHECK(head.starts_with(
        "HTTP/1.1 404 Not Found\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n"));
    CHECK(head.ends_with("Content-Length: 10\r\nConnection: close\r\n\r\n"));
  }
}

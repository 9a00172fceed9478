#include "native/serve/response.hpp"

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "native/serve/gzip.hpp"
#include "tests/support/temp_folder.hpp"

using Headers = std::vector<std::pair<std::string, std::string>>;
using Kind = bev::serve::RangeAnswer::Kind;
using bev::serve::Access;
using bev::serve::answer_range;
using bev::serve::http_date;
using bev::serve::RangeAnswer;
using bev::serve::Request;
using bev::serve::respond;
using bev::serve::Response;
using bev::serve::Site;
using bev::test::TempFolder;

namespace {

/// A site with one file of 100 bytes, /data/f.
struct OneFile {
  TempFolder folder;
  std::string path = folder.write("f", std::string(100, 'x'));
  Site site{folder.path().string(), ""};

  Response ask(const std::string& method, const std::string& target,
               Headers headers = {}) const {
    return respond({method, target, true, std::move(headers)}, site);
  }
};

/// Returns the response of a site with one file for the given access rules.
Response ask_with(Access access, const std::string& method, const std::string& target,
                  Headers headers) {
  const TempFolder folder;
  folder.write("f", "x");
  const Site site(folder.path().string(), "", std::move(access));
  return respond({method, target, true, std::move(headers)}, site);
}

std::string value(const Response& response, std::string_view name) {
  const auto* found = response.header(name);
  return found == nullptr ? "(none)" : *found;
}

RangeAnswer part(std::uint64_t begin, std::uint64_t end) {
  return {Kind::part, begin, end};
}

constexpr RangeAnswer kWhole = {};
constexpr RangeAnswer kUnsatisfiable = {Kind::unsatisfiable, 0, 0};

}  // namespace

TEST_SUITE("native/serve/response") {
  TEST_CASE("sends a whole file with validators") {
    const OneFile one;
    const auto got = one.ask("GET", "/data/f");
    CHECK(got.status == 200);
    CHECK(got.body_size() == 100);
    CHECK(value(got, "Accept-Ranges") == "bytes");
    CHECK(value(got, "Cache-Control") == "no-cache");
    CHECK(value(got, "Content-Type") == "application/octet-stream");
    CHECK(value(got, "X-Content-Type-Options") == "nosniff");
  }

  TEST_CASE("a range is 206 with Content-Range") {
    const OneFile one;
    const auto got = one.ask("GET", "/data/f", {{"range", "bytes=90-511"}});
    CHECK(got.status == 206);
    CHECK(value(got, "Content-Range") == "bytes 90-99/100");
    CHECK(got.begin == 90);
    CHECK(got.end == 100);
  }

  TEST_CASE("a range after the end is 416 with the size") {
    const OneFile one;
    const auto got = one.ask("GET", "/data/f", {{"range", "bytes=100-"}});
    CHECK(got.status == 416);
    CHECK(value(got, "Content-Range") == "bytes */100");
    CHECK(got.body_size() == 0);
  }

  TEST_CASE("HEAD is GET without body and ranges") {
    const OneFile one;
    const auto got = one.ask("HEAD", "/data/f", {{"range", "bytes=0-1"}});
    CHECK(got.status == 200);
    CHECK(got.head_only);
    CHECK(got.body_size() == 100);
  }

  TEST_CASE("an unchanged file is 304") {
    const OneFile one;
    const auto first = one.ask("GET", "/data/f");
    const auto etag = value(first, "ETag");
    const auto date = value(first, "Last-Modified");
    CHECK(one.ask("GET", "/data/f", {{"if-none-match", etag}}).status == 304);
    CHECK(one.ask("GET", "/data/f", {{"if-none-match", "\"x\", W/" + etag}}).status ==
          304);
    CHECK(one.ask("GET", "/data/f", {{"if-none-match", etag + " , \"x\""}}).status ==
          304);
    CHECK(one.ask("GET", "/data/f", {{"if-none-match", "*"}}).status == 304);
    for (const auto& other :
         {std::string("\"x\""), "x" + etag + "y", "\"x" + etag + "\"", etag.substr(1),
          "w/" + etag, std::string(), "\"x, " + etag}) {
      CAPTURE(other);
      CHECK(one.ask("GET", "/data/f", {{"if-none-match", other}}).status == 200);
    }
    CHECK(one.ask("GET", "/data/f", {{"if-modified-since", date}}).status == 304);

    one.folder.write("f", "changed");
    const auto second = one.ask("GET", "/data/f", {{"if-none-match", etag}});
    CHECK(second.status == 200);
    CHECK(value(second, "ETag") != etag);
  }

  TEST_CASE("If-Range: a changed file is sent whole") {
    const OneFile one;
    const auto etag = value(one.ask("GET", "/data/f"), "ETag");
    const std::pair<std::string, std::string> range = {"range", "bytes=0-1"};
    CHECK(one.ask("GET", "/data/f", {range, {"if-range", etag}}).status == 206);
    CHECK(one.ask("GET", "/data/f", {range, {"if-range", "\"old\""}}).status == 200);
  }

  TEST_CASE("other origins cannot read unless allowed") {
    const Headers elsewhere = {{"origin", "https://example.org"}};
    for (const auto* target : {"/data/f", "/data/missing", "/data/%zz"}) {
      for (const auto* method : {"GET", "HEAD", "OPTIONS", "POST"}) {
        CAPTURE(target);
        CAPTURE(method);
        const auto closed = ask_with(Access(), method, target, elsewhere);
        CHECK(value(closed, "Access-Control-Allow-Origin") == "(none)");
        CHECK(value(closed, "Access-Control-Allow-Methods") == "(none)");
        CHECK(value(closed, "Cross-Origin-Resource-Policy") == "same-origin");
        CHECK(value(closed, "Vary") == "(none)");

        const auto open = ask_with(Access({"*"}), method, target, elsewhere);
        CHECK(value(open, "Access-Control-Allow-Origin") == "*");
        CHECK(value(open, "Access-Control-Expose-Headers").find("Content-Range") !=
              std::string::npos);
        CHECK(value(open, "Cross-Origin-Resource-Policy") == "cross-origin");

        const Access some({"https://other.org", "https://Example.org"});
        const auto listed = ask_with(some, method, target, elsewhere);
        CHECK(value(listed, "Access-Control-Allow-Origin") == "https://example.org");
        CHECK(value(listed, "Vary") == "Origin");

        const auto unlisted =
            ask_with(some, method, target, {{"origin", "https://example.org.evil"}});
        CHECK(value(unlisted, "Access-Control-Allow-Origin") == "(none)");
        CHECK(value(unlisted, "Vary") == "Origin");
      }
    }
  }

  TEST_CASE("a preflight of an allowed origin allows ranges and private networks") {
    const auto got = ask_with(Access({"*"}), "OPTIONS", "/data/f",
                              {{"origin", "https://example.org"},
                               {"access-control-request-private-network", "true"}});
    CHECK(got.status == 204);
    CHECK(value(got, "Access-Control-Allow-Headers").starts_with("Range"));
    CHECK(value(got, "Access-Control-Allow-Methods") == "GET, HEAD, OPTIONS");
    CHECK(value(got, "Access-Control-Allow-Private-Network") == "true");
  }

  TEST_CASE("an unknown host is 421, with the known ones") {
    const Access access({}, {"box.local", "Proxy"});
    for (const auto* host : {"127.0.0.1", "127.0.0.1:8000", "localhost:1", "LOCALHOST",
                             "[::1]", "[::1]:8000", "box.local:80", "proxy"}) {
      CAPTURE(host);
      CHECK(ask_with(access, "GET", "/data/f", {{"host", host}}).status == 200);
    }
    for (const auto* host :
         {"evil.example", "evil.example:8000", "localhost.evil.example",
          "127.0.0.1.nip.io", "", ":8000", "[::1", "::1", "box.local.evil", "0.0.0.0",
          "localhost:1:80", "localhost:x", "[::1]:80:1", "localhost:80@evil.example"}) {
      CAPTURE(host);
      const auto got = ask_with(access, "GET", "/data/f", {{"host", host}});
      CHECK(got.status == 421);
      CHECK(
          got.text.starts_with("host \"" + std::string(host) + "\": not served here"));
      CHECK(ask_with(access, "OPTIONS", "/data/f", {{"host", host}}).status == 421);
    }
    CHECK(ask_with(access, "GET", "/data/f", {}).status == 200);  // HTTP/1.0
  }

  TEST_CASE("a server that other machines reach answers to every address, to no name") {
    const Access access({}, {"box.local"}, true);
    for (const auto* host :
         {"10.0.0.1:8000", "[fe80::1]:8000", "box.local", "localhost"}) {
      CAPTURE(host);
      CHECK(ask_with(access, "GET", "/data/f", {{"host", host}}).status == 200);
    }
    for (const auto* host : {"evil.example", "10.0.0.1.nip.io", "10.0.0.1:80:80", ""}) {
      CAPTURE(host);
      CHECK(ask_with(access, "GET", "/data/f", {{"host", host}}).status == 421);
    }
  }

  TEST_CASE("invalid origins and host names are errors at the start") {
    for (const auto* origin : {"", "example.org", "https://", "https://a/b", "null"}) {
      CAPTURE(origin);
      CHECK_THROWS_AS(Access({origin}), bev::Error);
    }
    for (const auto* host : {"", "a:80", "::1"}) {
      CAPTURE(host);
      CHECK_THROWS_AS(Access({}, {host}), bev::Error);
    }
  }

  TEST_CASE("an absent path is 404, an invalid one 400") {
    const OneFile one;
    CHECK(one.ask("GET", "/data/g").status == 404);
    CHECK(one.ask("GET", "/data/%00").status == 404);
    CHECK(one.ask("GET", "/data/%zz").status == 400);
  }

  TEST_CASE("gzips the app's text for clients that accept it") {
    const TempFolder data;
    const TempFolder app;
    const std::string text(5000, 'x');
    data.write("page.html", text);
    app.write("index.html", text);
    app.write("assets/main-DxY01234.js", text);
    const Site site(data.path().string(), app.path().string());
    const auto ask = [&](const std::string& target, Headers headers,
                         const std::string& method = "GET") {
      return respond({method, target, true, std::move(headers)}, site);
    };
    const std::pair<std::string, std::string> any = {"accept-encoding",
                                                     "br;q=1.0, GZIP;q=0.8"};
    const auto plain = ask("/", {});
    CHECK(value(plain, "Content-Encoding") == "(none)");
    CHECK(value(plain, "Vary") == "Accept-Encoding");
    CHECK(plain.body_size() == text.size());

    const auto packed = ask("/", {any});
    CHECK(value(packed, "Content-Encoding") == "gzip");
    CHECK(value(packed, "Vary") == "Accept-Encoding");
    CHECK(value(packed, "Content-Type") == "text/html; charset=utf-8");
    CHECK(value(packed, "Cache-Control") == "no-cache");
    CHECK(packed.text == bev::serve::gzip(text));
    CHECK(packed.body_size() < 200);
    CHECK(value(packed, "ETag") != value(plain, "ETag"));
    CHECK(ask("/", {any}, "HEAD").body_size() == packed.body_size());

    const std::pair<std::string, std::string> known = {"if-none-match",
                                                       value(packed, "ETag")};
    CHECK(ask("/", {any, known}).status == 304);
    CHECK(ask("/", {known}).status == 200);

    CHECK(value(ask("/assets/main-DxY01234.js", {any}), "Cache-Control") ==
          "public, max-age=31536000, immutable");
    const auto range = ask("/", {any, {"range", "bytes=0-9"}});
    CHECK(range.status == 206);
    CHECK(value(range, "Content-Encoding") == "(none)");
    CHECK(value(ask("/data/page.html", {any}), "Content-Encoding") == "(none)");
    for (const auto* refused : {"br", "gzip;q=0", "gzip; Q=0.00, br", "gzipx", ""}) {
      CAPTURE(refused);
      const auto got = ask("/", {{"accept-encoding", refused}});
      CHECK(value(got, "Content-Encoding") == "(none)");
    }

    app.write("index.html", "changed");
    CHECK(ask("/", {any}).text == bev::serve::gzip("changed"));
  }

  TEST_CASE("methods that change data are 405") {
    const OneFile one;
    for (const auto* method : {"POST", "PUT", "DELETE", "TRACE", "get"}) {
      CAPTURE(method);
      CHECK(one.ask(method, "/data/f").status == 405);
    }
  }

  TEST_CASE("a head ends with an empty line and has the body's length") {
    const auto plain = bev::serve::plain_response(404, "not found\n");
    const auto head = bev::serve::head_of(plain, false, 784111777);
    CHECK(head.starts_with(
        "HTTP/1.1 404 Not Found\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n"));
    CHECK(head.ends_with("Content-Length: 10\r\nConnection: close\r\n\r\n"));
  }

  TEST_CASE("first and last byte, both included, end with the file") {
    CHECK(answer_range("bytes=0-9", 100) == part(0, 10));
    CHECK(answer_range("bytes=99-99", 100) == part(99, 100));
    CHECK(answer_range("bytes=0-511", 100) == part(0, 100));
    CHECK(answer_range("bytes=50-", 100) == part(50, 100));
    CHECK(answer_range("bytes=0-18446744073709551615", 100) == part(0, 100));
  }

  TEST_CASE("a suffix counts from the end") {
    CHECK(answer_range("bytes=-10", 100) == part(90, 100));
    CHECK(answer_range("bytes=-500", 100) == part(0, 100));
    CHECK(answer_range("bytes=-0", 100) == kUnsatisfiable);
  }

  TEST_CASE("a range after the end is unsatisfiable") {
    CHECK(answer_range("bytes=100-", 100) == kUnsatisfiable);
    CHECK(answer_range("bytes=100-200", 100) == kUnsatisfiable);
    CHECK(answer_range("bytes=0-0", 0) == kUnsatisfiable);
    CHECK(answer_range("bytes=-5", 0) == kUnsatisfiable);
  }

  TEST_CASE("several or malformed ranges select the whole file") {
    for (const auto* text :
         {"", "bytes=", "bytes=-", "bytes=5", "bytes=9-5", "bytes=a-b", "bytes=0-1,4-5",
          "items=0-1", "bytes=0-1x", "bytes= 0-1", "bytes=99999999999999999999-",
          "bytes=--5"}) {
      CAPTURE(text);
      CHECK(answer_range(text, 100) == kWhole);
    }
  }

  TEST_CASE("formats the standard's example date") {
    CHECK(http_date(784111777) == "Sun, 06 Nov 1994 08:49:37 GMT");
    CHECK(http_date(0) == "Thu, 01 Jan 1970 00:00:00 GMT");
    CHECK(http_date(951782400) == "Tue, 29 Feb 2000 00:00:00 GMT");
  }
}

#include "native/source/http_source.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "core/base/error.hpp"
#include "core/engine/host_loop.hpp"
#include "native/serve/server.hpp"
#include "tests/support/scripted_server.hpp"
#include "tests/support/temp_folder.hpp"

namespace http_source_test {

using bev::ByteRange;
using bev::Errc;
using bev::Error;
using bev::native::HttpSettings;
using bev::native::HttpSource;
using bev::test::ScriptedServer;

namespace {

const std::string kBody = "0123456789";
const HttpSettings kQuick{.silence_timeout_s = 1, .retries = 2, .first_delay_ms = 1};

std::string text(const std::optional<std::vector<std::byte>>& bytes) {
  REQUIRE(bytes);
  return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
}

std::string ok(const std::string& body, const std::string& headers = "") {
  return ScriptedServer::answer("200 OK", body, headers);
}

/// Returns a partial response with `said` as Content-Range.
std::string part(const std::string& body, const std::string& said,
                 const std::string& headers = "") {
  return ScriptedServer::answer("206 Partial Content", body,
                                "Content-Range: " + said + "\r\n" + headers);
}

std::string header(const std::string& request, const std::string& name) {
  const auto at = request.find(name + ": ");
  if (at == std::string::npos) return {};
  const auto from = at + name.size() + 2;
  return request.substr(from, request.find("\r\n", from) - from);
}

/// The outcome of reading bytes 2 to 5 of "k" with the given answers, one by one; the
/// last one repeats.
struct Outcome {
  std::string bytes{};
  std::string error{};
  std::vector<std::string> ranges{};  ///< requested ranges; "" for the whole object
};

Outcome read_part(std::vector<std::string> answers) {
  std::size_t next = 0;
  const ScriptedServer server([&](const std::string&) {
    const auto at = std::min(next, answers.size() - 1);
    ++next;
    return answers[at];
  });
  Outcome out;
  HttpSource source(server.origin() + "/a.zarr", kQuick);
  try {
    const auto bytes = source.read("k", ByteRange{2, 6});
    out.bytes = bytes ? text(bytes) : "absent";
  } catch (const Error& error) {
    CHECK(error.code() == Errc::network);
    out.error = error.what();
    out.error.resize(out.error.rfind(" (http"));
  }
  for (const auto& request : server.requests()) {
    out.ranges.push_back(header(request, "Range"));
  }
  return out;
}

}  // namespace

TEST_SUITE("native/source/http_source") {
  TEST_CASE("messages have neither the user nor the query of a URL") {
    const ScriptedServer server(
        [](const std::string&) { return ScriptedServer::answer("403 Forbidden", ""); });
    const auto place = server.origin().substr(7);
    HttpSource source("http://PLANTED:PLANTED@" + place + "/a.zarr?key=PLANTED",
                      kQuick);
    try {
      source.read("agents/3", std::nullopt);
      FAIL("no error");
    } catch (const Error& error) {
      const std::string message = error.what();
      CHECK(message.find("(" + server.origin() + "/a.zarr/)") != message.npos);
      CHECK(message.find("PLANTED") == message.npos);
    }
    const auto request = server.requests().at(0);
    CHECK(request.starts_with("GET /a.zarr/agents/3?key=PLANTED "));
    CHECK(header(request, "Authorization").starts_with("Basic "));
  }

  TEST_CASE("a key's URL is encoded and has the source's query") {
    const ScriptedServer server([](const std::string&) { return ok(kBody); });
    HttpSource source(server.origin() + "/a%20b.zarr/?signed=1", kQuick);
    CHECK(text(source.read("x y/0.0", std::nullopt)) == kBody);
    CHECK(server.requests().at(0).starts_with(
        "GET /a%20b.zarr/x%20y/0.0?signed=1 HTTP/1.1\r\n"));
    for (const auto* key : {"", "/", "../x", "a//b", "a/.."}) {
      CHECK_THROWS_AS(source.read(key, std::nullopt), Error);
    }
    for (const auto* address : {"http://", "ftp://host/a", "https:///"}) {
      CHECK_THROWS_AS(HttpSource{address}, Error);
    }
  }

  TEST_CASE("requests a range and checks the response") {
    const auto good = read_part({part("2345", "bytes 2-5/10")});
    CHECK(good.bytes == "2345");
    CHECK(good.ranges == std::vector<std::string>{"bytes=2-5"});
    CHECK(read_part({part("2345", "bytes 2-5/*")}).bytes == "2345");
    CHECK(read_part({part("234", "bytes 2-4/5")}).bytes == "234");  // the object's end
  }

  TEST_CASE("a wrong Content-Range is retried, then an error") {
    for (const auto* said :
         {"bytes 3-6/10", "bytes 2-4/10", "bytes 2-5", "items 2-5/10", "bytes 5-2/10",
          "bytes 2-5/3", "", "bytes 2-x/10"}) {
      CAPTURE(said);
      const auto wrong = part("2345", said);
      CHECK(read_part({wrong, part("2345", "bytes 2-5/10")}).bytes == "2345");
      const auto lost = read_part({wrong});
      CHECK(lost.error == "k: wrong range (found Content-Range \"" + std::string(said) +
                              "\" with 4 bytes, expected bytes 2-5)");
      CHECK(lost.ranges.size() == 3);
    }
    CHECK(read_part({part("23", "bytes 2-5/10")}).error.find("with 2 bytes") !=
          std::string::npos);
  }

  TEST_CASE("a server without ranges is remembered; ranges are cut from the object") {
    const ScriptedServer server([](const std::string&) { return ok(kBody); });
    HttpSource source(server.origin() + "/a", kQuick);
    CHECK(text(source.read("k", ByteRange{2, 6})) == "2345");
    CHECK(text(source.read("k", ByteRange{8, 20})) == "89");
    CHECK(text(source.read("k", ByteRange{20, 30})).empty());
    CHECK(server.requests().size() == 1);
    CHECK(text(source.read("l", ByteRange{0, 1})) == "0");
    CHECK(header(server.requests().at(1), "Range").empty());
  }

  TEST_CASE("after 416, the range is cut from the whole object") {
    const auto refused = ScriptedServer::answer("416 Range Not Satisfiable", "");
    const auto got = read_part({refused, ok(kBody)});
    CHECK(got.bytes == "2345");
    CHECK(got.ranges == std::vector<std::string>{"bytes=2-5", ""});
  }

  TEST_CASE("404 is absence; other permanent statuses are errors") {
    CHECK(read_part({ScriptedServer::answer("404 Not Found", "no")}).bytes == "absent");
    for (const auto* status : {"403 Forbidden", "401 Unauthorized", "410 Gone"}) {
      const auto got = read_part({ScriptedServer::answer(status, "")});
      CHECK(got.error.starts_with("k: HTTP " + std::string(status, 3)));
      CHECK(got.ranges.size() == 1);
    }
    const auto page = ok("<!doctype html>", "Content-Type: text/html\r\n");
    CHECK(read_part({page}).error ==
          "k: unexpected response (found a web page, expected data)");
  }

  TEST_CASE("temporary failures are retried up to the limit") {
    const auto good = part("2345", "bytes 2-5/10");
    const std::string cut =
        "HTTP/1.1 206 Partial Content\r\nConnection: close\r\n"
        "Content-Range: bytes 2-5/10\r\nContent-Length: 4\r\n\r\n23";
    for (const auto& bad :
         {ScriptedServer::answer("503 Busy", ""),
          ScriptedServer::answer("429 Slow", ""), std::string(), cut}) {
      CAPTURE(bad);
      CHECK(read_part({bad, bad, good}).bytes == "2345");
      const auto lost = read_part({bad});
      CHECK(!lost.error.empty());
      CHECK(lost.ranges.size() >= 3);
    }
    const auto later = ScriptedServer::answer("503 Busy", "", "Retry-After: 900\r\n");
    CHECK(read_part({later}).ranges.size() == 1);
  }

  TEST_CASE("follows redirects, except to other schemes") {
    const auto to = [](const std::string& where) {
      return ScriptedServer::answer("302 Found", "",
                                    "Location: " + where + "\r\nETag: \"of this\"\r\n");
    };
    CHECK(read_part({to("/elsewhere"), part("2345", "bytes 2-5/10")}).bytes == "2345");
    CHECK(!read_part({to("file:///etc/passwd")}).error.empty());
    CHECK(!read_part({to("/elsewhere")}).error.empty());  // endless redirects
  }

  TEST_CASE("permanent failures are not retried") {
    const auto loop =
        ScriptedServer::answer("302 Found", "", "Location: /a.zarr/k\r\n");
    // The first request and the redirects followed
    CHECK(read_part({loop}).ranges.size() == 6);
    const auto file =
        ScriptedServer::answer("302 Found", "", "Location: file:///etc/passwd\r\n");
    CHECK(read_part({file}).ranges.size() == 1);
    CHECK(read_part({"this is not HTTP\r\n\r\n"}).ranges.size() == 1);
  }

  TEST_CASE("a Retry-After above the maximum ends the read") {
    for (const auto* wait : {"31", "4294968", "18446744073709551616"}) {
      CAPTURE(wait);
      const auto later = ScriptedServer::answer(
          "503 Busy", "", "Retry-After: " + std::string(wait) + "\r\n");
      CHECK(read_part({later}).ranges.size() == 1);
    }
  }

  TEST_CASE("reads all objects of a rate-limited server") {
    // Two of three requests are refused: more than the number of retries.
    int asked = 0;
    const ScriptedServer server([&](const std::string& request) {
      return ++asked % 3 == 0 ? ok(request.substr(0, 8))
                              : ScriptedServer::answer("429 Too Many Requests", "");
    });
    HttpSource source(server.origin(), kQuick);
    std::vector<bev::ReadRequest> wanted;
    for (int i = 0; i < 40; ++i) wanted.push_back({std::to_string(10 + i)});
    std::map<std::string, std::string> got;
    source.read_all(wanted, [&](const auto& request, auto bytes) {
      got[request.key] = text(bytes);
    });
    CHECK(got.size() == 40);
    for (const auto& [key, bytes] : got) CHECK(bytes == "GET /" + key + " ");

    const auto only = read_part({ScriptedServer::answer("429 Too Many Requests", "")});
    CHECK(only.error == "k: HTTP 429");
    CHECK(only.ranges.size() == 3);
  }

  TEST_CASE("403 for a document beside a readable one is absence") {
    const auto denied = ScriptedServer::answer("403 Forbidden", "");
    std::string readable;
    const ScriptedServer server([&](const std::string& request) {
      const bool is_it = request.starts_with("GET /a/" + readable + " ");
      return is_it && !readable.empty() ? ok("{}") : denied;
    });
    const auto read = [&](const std::string& key, const HttpSettings& settings) {
      HttpSource source(server.origin() + "/a", settings);
      try {
        return source.read(key, std::nullopt) ? "there" : "absent";
      } catch (const Error& error) {
        CHECK(error.code() == Errc::network);
        CHECK(std::string(error.what()).find("HTTP 403; if the server") !=
              std::string::npos);
        return "denied";
      }
    };
    auto lenient = kQuick;
    lenient.forbidden_is_absent = true;
    for (const auto* key : {".zmetadata", ".zgroup", ".zarray", "zarr.json", ".zattrs",
                            "x/.zarray", "x/0"}) {
      CAPTURE(key);
      readable = "";
      CHECK(read(key, kQuick) == std::string("denied"));
      CHECK(read(key, lenient) == std::string("absent"));
    }
    readable = ".zgroup";
    for (const auto* key : {".zmetadata", ".zarray", "zarr.json"}) {
      CAPTURE(key);
      CHECK(read(key, kQuick) == std::string("absent"));
    }
    // Attributes, other nodes and chunks may exist and be denied.
    for (const auto* key : {".zattrs", "x/.zarray", "x/.zmetadata", "0"}) {
      CAPTURE(key);
      CHECK(read(key, kQuick) == std::string("denied"));
    }
    readable = "zarr.json";
    CHECK(read(".zgroup", kQuick) == std::string("absent"));
  }

  TEST_CASE("responses above the store do not prevent finding an array") {
    const std::string x =
        R"({"zarr_format": 2, "shape": [6], "chunks": [2], "dtype": "|u1",
            "order": "C", "compressor": null, "fill_value": 9, "filters": null})";
    std::string above;
    const ScriptedServer server([&](const std::string& request) {
      if (request.starts_with("GET /data/a.zarr/x/.zarray ")) return ok(x);
      if (request.starts_with("GET /data/a.zarr/.zgroup ")) {
        return ok(R"({"zarr_format": 2})");
      }
      if (request.starts_with("GET /data/a.zarr/")) {
        return ScriptedServer::answer("404 Not Found", "");
      }
      return above;
    });
    for (const auto& answer : {ScriptedServer::answer("404 Not Found", ""),
                               ScriptedServer::answer("403 Forbidden", ""),
                               ScriptedServer::answer("500 Broken", ""),
                               ok("<!doctype html>", "Content-Type: text/html\r\n"),
                               ok("<!doctype html>"), ok("[1]"), std::string()}) {
      CAPTURE(answer);
      above = answer;
      const auto url = server.origin() + "/data/a.zarr";
      const auto found = bev::native::find_array(url + "/x");
      CHECK(found.dataset == url);
      CHECK(found.array == "x");
    }
  }

  TEST_CASE("detects at the end that a data set was replaced") {
    const auto ends = [](const std::string& before, const std::string& after) {
      std::string reply = before;
      const ScriptedServer server([&](const std::string&) { return reply; });
      HttpSource source(server.origin() + "/a", kQuick);
      source.read("agents/.zarray", std::nullopt);
      source.read("agents/0", std::nullopt);
      CHECK_NOTHROW(source.check_unchanged());
      reply = after;
      try {
        source.check_unchanged();
      } catch (const Error& error) {
        CHECK(error.code() == Errc::changed);
        return std::string(error.what()).substr(0, 30);
      }
      return std::string("same");
    };
    const std::string changed = "agents/.zarray: changed on the";
    CHECK(ends(ok("{}"), ok("{}")) == "same");
    CHECK(ends(ok("{}"), ok("[]")) == changed);
    CHECK(ends(ok("{}", "ETag: \"a\"\r\n"), ok("{}", "ETag: \"b\"\r\n")) == changed);
    CHECK(ends(ok("{}", "Last-Modified: a\r\n"), ok("{}", "Last-Modified: b\r\n")) ==
          changed);
    CHECK(ends(ok("{}"), ScriptedServer::answer("404 Not Found", "")) ==
          "agents/.zarray: removed from t");
  }

  TEST_CASE("decodes encoded objects, but not encoded ranges") {
    const std::string packed(
        "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x33\x30\x34\x32\x36"
        "\x31\x35\x33\xb7\xb0\x04\x00\xc6\xc7\x84\xa6\x0a\x00\x00\x00",
        30);
    const auto gzip = std::string("Content-Encoding: gzip\r\n");
    const auto got = read_part({ok(packed, gzip)});
    CHECK(got.bytes == "2345");
    CHECK(got.ranges == std::vector<std::string>{"bytes=2-5", ""});
    CHECK(read_part({part("2345", "bytes 2-5/10", gzip)})
              .error.starts_with("k: server applied Content-Encoding gzip to a range"));
  }

  TEST_CASE("an object that changes while it is read in parts is an error") {
    const auto changes = [](const std::string& before, const std::string& after,
                            const std::string& size) {
      int asked = 0;
      const ScriptedServer server([&](const std::string&) {
        return asked++ < 2 ? part("01", "bytes 0-1/10", before)
                           : part("01", "bytes 0-1/" + size, after);
      });
      HttpSource source(server.origin() + "/a", kQuick);
      for (int i = 0; i < 2; ++i) source.read("k", ByteRange{0, 2});
      CHECK(source.read("l", ByteRange{0, 2}));  // another object
      try {
        source.read("k", ByteRange{0, 2});
      } catch (const Error& error) {
        return error.code() == Errc::changed &&
               std::string(error.what()).find("changed on the server") !=
                   std::string::npos;
      }
      return false;
    };
    CHECK(changes("ETag: \"a\"\r\n", "ETag: \"b\"\r\n", "10"));
    CHECK(changes("Last-Modified: x\r\n", "Last-Modified: y\r\n", "10"));
    CHECK(changes("", "", "11"));
    CHECK_FALSE(changes("ETag: \"a\"\r\n", "ETag: \"a\"\r\n", "10"));
  }

  TEST_CASE("reads many objects at a time over persistent connections") {
    const ScriptedServer server(
        [](const std::string& request) { return ok(request.substr(0, 8)); });
    HttpSource source(server.origin(), kQuick);
    std::vector<bev::ReadRequest> wanted;
    for (int i = 0; i < 40; ++i) wanted.push_back({std::to_string(10 + i)});
    for (int round = 0; round < 3; ++round) {
      std::map<std::string, std::string> got;
      source.read_all(wanted, [&](const auto& request, auto bytes) {
        got[request.key] = text(bytes);
      });
      CHECK(got.size() == 40);
      for (const auto& [key, bytes] : got) CHECK(bytes == "GET /" + key + " ");
    }
    CHECK(server.requests().size() == 120);
    CHECK(server.connections() <= bev::native::HttpClient::kWide);
  }

  TEST_CASE("requests sizes concurrently, of existing and absent objects") {
    const ScriptedServer server([](const std::string& request) {
      // Long enough for the other requests to arrive.
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      if (request.starts_with("GET /13 ")) {
        return ScriptedServer::answer("404 Not Found", "");
      }
      return part("0", "bytes 0-0/" + request.substr(5, 2));
    });
    HttpSource source(server.origin(), kQuick);
    const auto sizes = source.sizes(std::vector<std::string>{"10", "13", "16", "29"});
    using Sizes = std::vector<std::optional<std::uint64_t>>;
    CHECK(sizes == Sizes{10, std::nullopt, 16, 29});
    CHECK(server.requests().size() == 4);
    CHECK(server.connections() > 1);  // sequential requests would use one
  }

  TEST_CASE("a refused connection is a network error after the retries") {
    HttpSource source("http://127.0.0.1:1/a.zarr", kQuick);
    try {
      source.read("k", std::nullopt);
      FAIL("nothing was thrown");
    } catch (const Error& error) {
      CHECK(error.code() == Errc::network);
    }
  }

  TEST_CASE("reads data sets and arrays from our server") {
    const bev::test::TempFolder folder;
    folder.write("a.zarr/.zgroup", R"({"zarr_format": 2})");
    folder.write("a.zarr/x/.zarray",
                 R"({"zarr_format": 2, "shape": [6], "chunks": [2], "dtype": "|u1",
                     "order": "C", "compressor": null, "fill_value": 9,
                     "filters": null})");
    folder.write("a.zarr/x/0", "\x01\x02");
    folder.write("a.zarr/x/2", "\x05\x06");
    const bev::serve::Site site(folder.path().string(), "");
    bev::serve::Server server(site);
    const auto url =
        "http://127.0.0.1:" + std::to_string(server.port()) + "/data/a.zarr";
    const auto found = bev::native::find_array(url + "/x");
    CHECK(found.dataset == url);
    CHECK(found.array == "x");
    CHECK_THROWS_AS(bev::native::find_array(url), Error);
    const auto source = bev::native::open_source(url);
    bev::Engine engine;
    bev::Rows rows;
    rows.array = "x";
    const auto query = engine.rows(rows);
    bev::run(engine, *query, *source);
    std::string bytes;
    for (const auto byte : query->build().front().bytes) {
      bytes += std::to_string(std::to_integer<int>(byte));
    }
    CHECK(bytes == "129956");
    CHECK_FALSE(source->list("").has_value());
    CHECK(source->size("x/0") == 2);
    CHECK_FALSE(source->size("x/1").has_value());
  }
}

}  // namespace http_source_test

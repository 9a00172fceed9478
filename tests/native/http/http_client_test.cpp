#include "native/http/http_client.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/scripted_server.hpp"

using bev::ByteRange;
using bev::native::HttpAnswer;
using bev::native::HttpClient;
using bev::native::HttpRequest;
using bev::native::HttpSettings;
using bev::test::ScriptedServer;

namespace {

const HttpSettings kQuick{.silence_timeout_s = 2, .max_bytes = 1000};

std::string text(const HttpAnswer& answer) {
  return {reinterpret_cast<const char*>(answer.body.data()), answer.body.size()};
}

/// Returns the answer received from a server that sends `said`.
HttpAnswer hear(const std::string& said, std::optional<ByteRange> range = std::nullopt,
                std::uint64_t max_bytes = 0) {
  const ScriptedServer server([&](const std::string&) { return said; });
  HttpClient client(kQuick);
  const HttpRequest request{server.origin() + "/k", range, max_bytes};
  HttpAnswer heard;
  client.get(std::span(&request, 1), 1, [&](std::size_t, HttpAnswer answer) {
    heard = std::move(answer);
    return true;
  });
  return heard;
}

/// Returns the answer to a request of one URL.
HttpAnswer fetch(const std::string& url) {
  HttpClient client(kQuick);
  const HttpRequest request{.url = url};
  HttpAnswer heard;
  client.get(std::span(&request, 1), 1, [&](std::size_t, HttpAnswer answer) {
    heard = std::move(answer);
    return true;
  });
  return heard;
}

std::string redirect(const std::string& to) {
  return ScriptedServer::answer("302 Found", "", "Location: " + to + "\r\n");
}

/// Returns the path of a request: "/k".
std::string path_of(const std::string& request) {
  const auto from = request.find(' ') + 1;
  return request.substr(from, request.find(' ', from) - from);
}

/// How a server answers on a connection: returns the bytes that follow a request whose
/// right answer is `right`; `before` is the right answer to the previous request.
using Fault =
    std::function<std::string(const std::string& right, const std::string& before)>;

/// Reads ten objects one after another from a server that answers each request with
/// `fault`. Checks that each answer is right, and returns the number of requests.
std::size_t read_ten(const Fault& fault, bool head = false) {
  std::map<int, std::string> before;
  const ScriptedServer server([&](const std::string& request, int connection) {
    const auto right = ScriptedServer::answer("200 OK", path_of(request));
    return fault(right, std::exchange(before[connection], right));
  });
  HttpClient client(kQuick);
  for (int i = 0; i < 10; ++i) {
    const auto path = "/" + std::to_string(i);
    const HttpRequest request{.url = server.origin() + path,
                              .head = head && i % 2 == 0};
    client.get(std::span(&request, 1), 1, [&](std::size_t, const HttpAnswer& answer) {
      CHECK(answer.status == 200);
      CHECK(text(answer) == (request.head ? "" : path));
      return true;
    });
    // Longer than a surplus needs to arrive.
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return server.requests().size();
}

/// Returns a response without length, which ends with the connection.
std::string endless(const std::string& body) {
  return "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + body;
}

}  // namespace

TEST_SUITE("native/http/http_client") {
  TEST_CASE("an answer has status, body and known headers") {
    const auto got = hear(
        ScriptedServer::answer("200 OK", "hello",
                               "ETag:  \"x\" \r\nLAST-MODIFIED: today\r\nRetry-After: "
                               "5\r\nContent-Type: a/b\r\n"));
    CHECK(got.status == 200);
    CHECK(text(got) == "hello");
    CHECK(got.etag == "\"x\"");
    CHECK(got.last_modified == "today");
    CHECK(got.retry_after == "5");
    CHECK(got.content_type == "a/b");
    CHECK_FALSE(got.content_range.has_value());
    CHECK(got.failure.empty());
  }

  TEST_CASE("a body without a length has a limit, a stated length a higher one") {
    CHECK(text(hear(endless(std::string(1000, 'x')))).size() == 1000);
    const auto over = hear(endless(std::string(1001, 'x')));
    CHECK(over.status == 0);
    CHECK(over.permanent);
    CHECK(over.failure ==
          "answer too large (found more than 1000 bytes, expected at most 1000)");
    CHECK(hear(ScriptedServer::answer("200 OK", std::string(4000, 'x'))).status == 200);
    CHECK(hear(ScriptedServer::answer("200 OK", std::string(4001, 'x'))).permanent);
    CHECK(hear(endless(std::string(11, 'x')), std::nullopt, 10).permanent);
  }

  TEST_CASE("a decoded body has the limit of one without a length") {
    // 2000 times "x", in zlib's format
    const std::string packed(
        "\x78\xda\xab\xa8\x18\x05\xa3\x60\x14\x8c\x82\x51"
        "\x30\x0a\x46\xc1\x50\x07\x00\xcf\x40\xa9\xae",
        23);
    const auto said =
        ScriptedServer::answer("200 OK", packed, "Content-Encoding: deflate\r\n");
    CHECK(text(hear(said, std::nullopt, 2000)) == std::string(2000, 'x'));
    CHECK(hear(said).failure ==
          "answer too large (found more than 1000 bytes, expected at most 1000)");
  }

  TEST_CASE("the answer to a range is no longer than the range") {
    const std::string part =
        "HTTP/1.1 206 Partial Content\r\nConnection: close\r\n\r\n";
    CHECK(text(hear(part + "0123", ByteRange{2, 6})) == "0123");
    const auto over = hear(part + "01234", ByteRange{2, 6});
    CHECK(over.permanent);
    CHECK(over.failure.starts_with("answer too large (found more than 4 bytes"));
    // The server ignores the range and sends the whole object.
    CHECK(text(hear(endless("0123456789"), ByteRange{2, 6})) == "0123456789");
  }

  TEST_CASE("permanent failures are distinguished from temporary ones") {
    for (const auto& said :
         {redirect("/k"), redirect("file:///etc/passwd"), redirect("ftp://host/x"),
          std::string("this is not HTTP\r\n\r\n"),
          std::string("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n")}) {
      CAPTURE(said);
      const auto got = hear(said);
      CHECK(got.status == 0);
      CHECK_FALSE(got.failure.empty());
      CHECK(got.permanent);
    }
    for (const auto& said :
         {std::string(),
          std::string("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: "
                      "9\r\n\r\ncut")}) {
      CAPTURE(said);
      const auto got = hear(said);
      CHECK(got.status == 0);
      CHECK_FALSE(got.permanent);
    }
  }

  TEST_CASE("follows up to five redirects") {
    // "/3" redirects to "/2", and so on; "/0" is data.
    const ScriptedServer server([](const std::string& request) {
      const int left = std::stoi(path_of(request).substr(1));
      return left == 0 ? ScriptedServer::answer("200 OK", "data")
                       : redirect("/" + std::to_string(left - 1));
    });
    CHECK(text(fetch(server.origin() + "/5")) == "data");
    CHECK(server.requests().size() == 6);
    const auto more = fetch(server.origin() + "/6");
    CHECK(more.status == 0);
    CHECK(more.permanent);
    CHECK(server.requests().size() == 12);
  }

  TEST_CASE("a redirect loop and another scheme are permanent failures") {
    for (const auto* to : {"/k", "file:///etc/passwd", "ftp://127.0.0.1/x",
                           "gopher://127.0.0.1/", "dict://127.0.0.1/"}) {
      CAPTURE(to);
      const auto got = hear(redirect(to));
      CHECK(got.status == 0);
      CHECK(got.permanent);
      CHECK(got.body.empty());
    }
  }

  TEST_CASE("a redirect without a target is the answer") {
    CHECK(hear(ScriptedServer::answer("302 Found", "")).status == 302);
    CHECK(hear(ScriptedServer::answer("304 Not Modified", "")).status == 304);
  }

  TEST_CASE("headers of a redirect are not those of the answer") {
    const ScriptedServer server([](const std::string& request) {
      return path_of(request) == "/to"
                 ? ScriptedServer::answer("200 OK", "data", "Last-Modified: now\r\n")
                 : ScriptedServer::answer("302 Found", "",
                                          "Location: /to\r\nETag: \"a\"\r\n"
                                          "Content-Range: bytes 0-1/2\r\n"
                                          "Retry-After: 5\r\n");
    });
    const auto got = fetch(server.origin() + "/from");
    CHECK(got.etag.empty());
    CHECK(got.retry_after.empty());
    CHECK_FALSE(got.content_range.has_value());
    CHECK(got.last_modified == "now");
  }

  TEST_CASE("credentials of a URL go to its origin only") {
    const ScriptedServer other(
        [](const std::string&) { return ScriptedServer::answer("200 OK", "data"); });
    const ScriptedServer server([&](const std::string& request) {
      if (path_of(request) == "/here") return redirect("/data");
      if (path_of(request) == "/there") return redirect(other.origin() + "/data");
      return ScriptedServer::answer("200 OK", "data");
    });
    const auto with_user = "http://me:secret@" + server.origin().substr(7);
    const auto has_credentials = [](const std::string& request) {
      return request.find("Authorization: Basic") != std::string::npos;
    };
    CHECK(text(fetch(with_user + "/here")) == "data");
    REQUIRE(server.requests().size() == 2);
    CHECK(has_credentials(server.requests()[0]));
    CHECK(has_credentials(server.requests()[1]));

    CHECK(text(fetch(with_user + "/there")) == "data");
    CHECK(has_credentials(server.requests().at(2)));
    REQUIRE(other.requests().size() == 1);
    CHECK_FALSE(has_credentials(other.requests()[0]));
  }

  TEST_CASE("a server that stops sending is given up, and may be asked again") {
    auto impatient = kQuick;
    impatient.silence_timeout_s = 1;
    // The connection stays open.
    const ScriptedServer server([](const std::string&) {
      return std::string("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npart");
    });
    HttpClient client(impatient);
    const HttpRequest request{.url = server.origin() + "/k"};
    HttpAnswer heard;
    client.get(std::span(&request, 1), 1, [&](std::size_t, HttpAnswer answer) {
      heard = std::move(answer);
      return true;
    });
    CHECK(heard.status == 0);
    CHECK_FALSE(heard.failure.empty());
    CHECK_FALSE(heard.permanent);
  }

  TEST_CASE("a refused connection may be tried again") {
    const auto got = fetch("http://127.0.0.1:1/k");
    CHECK(got.status == 0);
    CHECK_FALSE(got.permanent);
    CHECK(fetch("http://").permanent);
    CHECK(fetch("file:///etc/passwd").permanent);
  }

  TEST_CASE("sends at most `width` requests at a time, and none after false") {
    const ScriptedServer server(
        [&](const std::string&) { return ScriptedServer::answer("200 OK", "x"); });
    HttpClient client(kQuick);
    const std::vector<HttpRequest> requests(20, {.url = server.origin() + "/k"});
    std::size_t answers = 0;
    client.get(requests, 1, [&](std::size_t index, const HttpAnswer&) {
      CHECK(index == answers);  // in order: one at a time
      ++answers;
      return true;
    });
    CHECK(answers == 20);
    CHECK(server.connections() == 1);

    answers = 0;
    client.get(requests, 1,
               [&](std::size_t, const HttpAnswer&) { return ++answers < 5; });
    CHECK(answers == 5);
    CHECK(server.requests().size() == 25);
  }

  TEST_CASE("a client is usable after a caller's exception") {
    const ScriptedServer server(
        [&](const std::string&) { return ScriptedServer::answer("200 OK", "x"); });
    HttpClient client(kQuick);
    const std::vector<HttpRequest> requests(20, {.url = server.origin() + "/k"});
    CHECK_THROWS_AS(client.get(requests, 8,
                               [](std::size_t, const HttpAnswer&) -> bool {
                                 throw std::runtime_error("enough");
                               }),
                    std::runtime_error);
    std::size_t answers = 0;
    client.get(requests, 8, [&](std::size_t, const HttpAnswer& answer) {
      answers += answer.status == 200 ? 1 : 0;
      return true;
    });
    CHECK(answers == 20);
  }

  TEST_CASE("an answer that nobody has asked for is not the next one") {
    const std::string other = ScriptedServer::answer("200 OK", "/x");
    using Text = const std::string&;
    CHECK(read_ten([](Text right, Text) { return right; }) == 10);
    CHECK(read_ten([](Text right, Text) { return right + right; }) == 10);
    CHECK(read_ten([&](Text right, Text) { return right + other; }) == 10);
    // Late answers are recognized by their content.
    CHECK(read_ten([](Text right, Text before) { return before + right; }) <= 20);
    CHECK(read_ten([](Text right, Text before) {
            return before.empty() ? right : before;
          }) <= 20);
    // A body after HEAD
    CHECK(read_ten([](Text right, Text) { return right; }, true) == 10);
  }

  TEST_CASE("equal answers to different requests are asked for once more") {
    std::string status = "404 Not Found";
    const ScriptedServer server(
        [&](const std::string&) { return ScriptedServer::answer(status, ""); });
    HttpClient client(kQuick);
    std::vector<HttpRequest> requests;
    for (int i = 0; i < 10; ++i) {
      requests.push_back({.url = server.origin() + "/" + std::to_string(i)});
    }
    client.get(requests, 1, [](std::size_t, const HttpAnswer& answer) {
      CHECK(answer.status == 404);
      return true;
    });
    const auto asked = server.requests().size();
    CHECK(asked < 20);
    // Neither is a rate limit exceeded further, nor a write sent twice.
    status = "429 Too Many Requests";
    client.get(requests, 1, [](std::size_t, const HttpAnswer&) { return true; });
    CHECK(server.requests().size() == asked + 10);
    for (auto& request : requests) request.method = "PUT";
    client.get(requests, 1, [](std::size_t, const HttpAnswer&) { return true; });
    CHECK(server.requests().size() == asked + 20);
  }
}

#include "native/http/http_client.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/scripted_server.hpp"

using bev::native::HttpAnswer;
using bev::native::HttpClient;
using bev::native::HttpRequest;
using bev::native::HttpSettings;
using bev::store::ByteRange;
using bev::test::ScriptedServer;

namespace {

constexpr HttpSettings kQuick{.silence_timeout_s = 2, .max_bytes = 1000};

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

/// Returns a response without length, which ends with the connection.
std::string endless(const std::string& body) {
  return "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + body;
}

}  // namespace

TEST_SUITE("native/http/http_client") {
  TEST_CASE("an answer has status, body and the headers that count") {
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

  TEST_CASE("failures that would repeat are told from those that may pass") {
    const auto redirect = [](const std::string& to) {
      return ScriptedServer::answer("302 Found", "", "Location: " + to + "\r\n");
    };
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

  TEST_CASE("no more requests are under way than are wanted, and none after a no") {
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

  TEST_CASE("a client goes on after a caller's exception") {
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
}

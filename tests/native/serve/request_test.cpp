#include "native/serve/request.hpp"

#include <doctest/doctest.h>

#include <string>

using bev::serve::parse_request;
using bev::serve::path_of;

TEST_SUITE("native/serve/request") {
  TEST_CASE("a head is its request line and its headers") {
    const auto got = parse_request(
        "GET /a%20b?x=1 HTTP/1.1\r\nHost: h\r\nRANGE:  bytes=0-1 \t\r\nX:");
    REQUIRE(got.has_value());
    CHECK(got->method == "GET");
    CHECK(got->target == "/a%20b?x=1");
    CHECK(*got->header("range") == "bytes=0-1");
    CHECK(*got->header("x") == "");
    CHECK(got->header("accept") == nullptr);
  }

  TEST_CASE("HTTP/1.1 keeps the connection by default, HTTP/1.0 closes it") {
    const std::string host = "\r\nHost: h";
    CHECK(parse_request("GET / HTTP/1.1" + host)->keep_alive);
    CHECK_FALSE(
        parse_request("GET / HTTP/1.1" + host + "\r\nConnection: Close")->keep_alive);
    CHECK_FALSE(parse_request("GET / HTTP/1.0")->keep_alive);
    CHECK(parse_request("GET / HTTP/1.0\r\nconnection: keep-alive")->keep_alive);
  }

  TEST_CASE("anything but HTTP/1 is rejected") {
    for (const auto* head :
         {"", "GET", "GET /", "GET / HTTP/2", "GET  / HTTP/1.1", "GET / HTTP/1.1 x",
          "G T / HTTP/1.1", "GET / HTTP/1.1\r\nno colon", "GET / HTTP/1.1\r\n: value",
          "GET / HTTP/1.1\r\nspace : value", "GET / HTTP/1.1\r\n folded: x",
          "GET /\x01 HTTP/1.1", "\x16\x03\x01"}) {
      CAPTURE(head);
      CHECK_FALSE(parse_request(head).has_value());
      const auto with_host = std::string(head) + "\r\nHost: h";
      CHECK_FALSE(parse_request(with_host).has_value());
    }
  }

  TEST_CASE("ambiguous requests are rejected") {
    using std::string_literals::operator""s;
    const auto get = [](const std::string& headers) {
      return parse_request("GET / HTTP/1.1\r\n" + headers).has_value();
    };
    CHECK(get("Host: h"));
    CHECK(get("Host: h\r\nContent-Length: 0"));
    CHECK(get("Host: h\r\nX: a\tb \xc3\xa9"));
    for (const auto& headers :
         {"Accept: x"s, "Host: h\r\nHost: h"s, "Host: h\r\nHOST: i"s,
          "Host: h\r\nContent-Length: 0\r\nContent-Length: 30"s,
          "Host: h\r\nContent-Length: 0\r\nContent-Length: 0"s,
          "Host: h\r\nContent-Length: +1"s, "Host: h\r\nContent-Length: "s,
          "Host: h\r\nX: a\0b"s, "Host: h\r\nX: a\rb"s, "Host: h\r\nX: a\nb"s,
          "Host: h\r\nX: a\x7f"s, "Host: h\nX: a"s}) {
      CAPTURE(headers);
      CHECK_FALSE(get(headers));
    }
    CHECK(parse_request("GET / HTTP/1.0").has_value());
    CHECK_FALSE(parse_request("GET / HTTP/1.0\r\nHost: a\r\nHost: b").has_value());
  }

  TEST_CASE("a path is decoded and loses its query") {
    CHECK(path_of("/data/a%20b%2Fc?x=/y#z") == "/data/a b/c");
    CHECK(path_of("/") == "/");
    CHECK(path_of("/%C3%A9") == "/\xc3\xa9");
  }

  TEST_CASE("a malformed escape and a path without slash are invalid") {
    for (const auto* target :
         {"", "x", "http://h/x", "*", "/%", "/%4", "/%zz", "/%-1", "/%+1", "/% 1"}) {
      CAPTURE(target);
      CHECK_FALSE(path_of(target).has_value());
    }
  }
}

#include "native/serve/address.hpp"

#include <arpa/inet.h>
#include <doctest/doctest.h>

#include <utility>

#include "core/base/error.hpp"

using bev::serve::Address;
using bev::serve::address_text;
using bev::serve::is_address;

TEST_SUITE("native/serve/address") {
  TEST_CASE("an address is IPv4 or IPv6; names are errors") {
    CHECK(Address().in_url() == "127.0.0.1");
    CHECK(Address("192.168.1.5").in_url() == "192.168.1.5");
    CHECK(Address("fe80::1").in_url() == "[fe80::1]");
    CHECK(Address("0.0.0.0").in_url() == "127.0.0.1");
    CHECK(Address("::").in_url() == "[::1]");
    for (const auto* text : {"", "localhost", "127.0.0.1:80", "[::1]", "*", "1.2.3"}) {
      CAPTURE(text);
      CHECK_THROWS_AS(Address{text}, bev::Error);
    }
  }

  TEST_CASE("other machines reach all addresses but loopback ones") {
    for (const auto* text : {"127.0.0.1", "127.8.9.1", "::1"}) {
      CAPTURE(text);
      CHECK_FALSE(Address(text).is_public());
      CHECK_FALSE(Address(text).is_wildcard());
    }
    for (const auto* text : {"0.0.0.0", "::", "10.0.0.1", "fe80::1"}) {
      CAPTURE(text);
      CHECK(Address(text).is_public());
    }
  }

  TEST_CASE("a host of a URL is an address only as a whole") {
    for (const auto* host : {"10.0.0.1", "[::1]", "[fe80::1]"}) CHECK(is_address(host));
    for (const auto* host :
         {"", "[]", "::1", "10.0.0.1.nip.io", "[10.0.0.1]", "evil"}) {
      CAPTURE(host);
      CHECK_FALSE(is_address(host));
    }
  }

  TEST_CASE("a client's address is text without a port, also of IPv4 over IPv6") {
    sockaddr_storage client{};
    CHECK(address_text(client).empty());
    auto& four = reinterpret_cast<sockaddr_in&>(client);
    four.sin_family = AF_INET;
    four.sin_port = htons(1234);
    REQUIRE(::inet_pton(AF_INET, "192.0.2.7", &four.sin_addr) == 1);
    CHECK(address_text(client) == "192.0.2.7");
    auto& six = reinterpret_cast<sockaddr_in6&>(client);
    six.sin6_family = AF_INET6;
    for (const auto& [given, text] : {std::pair("2001:db8::7", "2001:db8::7"),
                                      {"::ffff:192.0.2.7", "192.0.2.7"},
                                      {"2001:db8::ffff:7", "2001:db8::ffff:7"}}) {
      REQUIRE(::inet_pton(AF_INET6, given, &six.sin6_addr) == 1);
      CHECK(address_text(client) == std::string(text));
    }
  }

  TEST_CASE("an address that the machine lacks is an error with address and port") {
    CHECK_THROWS_WITH_AS(Address("192.0.2.1").listen(8000),
                         "192.0.2.1, port 8000: Cannot assign requested address",
                         bev::Error);
  }
}

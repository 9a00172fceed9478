#include "native/serve/address.hpp"

#include <doctest/doctest.h>

#include "core/base/error.hpp"

using bev::serve::Address;
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

  TEST_CASE("an address that the machine lacks is an error with address and port") {
    CHECK_THROWS_WITH_AS(Address("192.0.2.1").listen(8000),
                         "192.0.2.1, port 8000: Cannot assign requested address",
                         bev::Error);
  }
}

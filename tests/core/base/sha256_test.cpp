#include "core/base/sha256.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using bev::is_sha256_hex;
using bev::Sha256;
using bev::sha256_hex;

namespace {

std::string hash_of(std::string_view text) {
  return sha256_hex(std::as_bytes(std::span(text.data(), text.size())));
}

}  // namespace

TEST_SUITE("base/sha256") {
  TEST_CASE("hashes are those of FIPS 180-4's examples") {
    CHECK(hash_of("") ==
          "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK(hash_of("abc") ==
          "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(hash_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    CHECK(hash_of(std::string(1'000'000, 'a')) ==
          "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  }

  TEST_CASE("parts of any length give the hash of the whole") {
    const std::string text(300, 'x');
    for (std::size_t length = 0; length <= 300; ++length) {
      const auto bytes =
          std::as_bytes(std::span(text.data(), text.size())).first(length);
      for (const std::size_t step : {1U, 7U, 63U, 64U, 65U, 130U}) {
        Sha256 hash;
        for (std::size_t at = 0; at < length; at += step) {
          hash.add(bytes.subspan(at, std::min(step, length - at)));
        }
        CHECK(hash.hex() == sha256_hex(bytes));
      }
    }
  }

  TEST_CASE("a hash has 64 lower-case digits") {
    CHECK(is_sha256_hex(hash_of("")));
    CHECK_FALSE(is_sha256_hex(""));
    CHECK_FALSE(is_sha256_hex(hash_of("").substr(1)));
    CHECK_FALSE(is_sha256_hex(std::string(64, 'A')));
    CHECK_FALSE(is_sha256_hex(std::string(63, 'a') + "/"));
  }
}

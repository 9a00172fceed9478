#include "tests/support/npz.hpp"

#include <doctest/doctest.h>

#include "core/base/bytes.hpp"

using bev::test::parse_npy;
using bev::test::parse_npz;

namespace {

std::vector<std::byte> bytes_of(const std::string& text) {
  std::vector<std::byte> out;
  for (const char c : text) out.push_back(static_cast<std::byte>(c));
  return out;
}

/// Returns a .npy of format 1 with the given header and data.
std::vector<std::byte> npy(const std::string& header, const std::string& data) {
  const std::string size = {static_cast<char>(header.size()), '\0'};
  return bytes_of(std::string("\x93NUMPY\x01\x00", 8) + size + header + data);
}

}  // namespace

TEST_SUITE("support/npz") {
  TEST_CASE("an array has its type, order, shape and bytes") {
    const auto array =
        parse_npy(npy("{'descr': '<u2', 'fortran_order': True, 'shape': (2, 1), }\n",
                      std::string("\x01\x00\x02\x01", 4)));
    CHECK(array.descr == "'<u2'");
    CHECK(array.fortran_order);
    CHECK(array.shape == std::vector<std::size_t>{2, 1});
    CHECK(array.as<std::uint16_t>() == std::vector<std::uint16_t>{1, 258});
    CHECK_THROWS(array.as<double>());
  }

  TEST_CASE("an array of no dimensions has one value") {
    const auto array = parse_npy(
        npy("{'descr': '|u1', 'fortran_order': False, 'shape': (), }", "\x07"));
    CHECK(array.shape.empty());
    CHECK(array.as<std::uint8_t>() == std::vector<std::uint8_t>{7});
  }

  TEST_CASE("a structured type is its list of fields") {
    const auto array = parse_npy(
        npy("{'descr': [('a', '<u8'), ('b', '<f4', (3,))], 'fortran_order': False, "
            "'shape': (0,), }",
            ""));
    CHECK(array.descr == "[('a', '<u8'), ('b', '<f4', (3,))]");
    CHECK(array.count() == 0);
  }

  TEST_CASE("bytes that are neither an array nor a zip are rejected") {
    CHECK_THROWS(parse_npy(bytes_of("NUMPY")));
    CHECK_THROWS(parse_npy(bytes_of("something else")));
    CHECK_THROWS(parse_npz(bytes_of("something else")));
  }
}

#include "core/simulation/message_pack.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/pickles.hpp"

namespace message_pack_test {

using namespace std::string_literals;
using bev::Errc;
using bev::simulation::packed_bytes;
using bev::simulation::read_message_pack;
using bev::test::bytes_of;
using nlohmann::json;

json read(const std::string& bytes, std::size_t max_values = 1000) {
  json out;
  read_message_pack(bytes_of(bytes), "m", max_values,
                    [&](const json& item, std::optional<std::size_t> index) {
                      if (!index) {
                        out = item;
                        return;
                      }
                      if (*index == 0) out = json::array();
                      CHECK(out.size() == *index);
                      out.push_back(item);
                    });
  return out;
}
std::optional<Errc> refusal(const std::string& bytes) {
  return bev::test::error_code([&] { read(bytes); });
}

TEST_SUITE("simulation/message_pack") {
  TEST_CASE("all formats of numbers, texts, arrays and maps are read") {
    CHECK(read("\x7f") == 127);
    CHECK(read("\xff") == -1);
    CHECK(read("\xcc\xff") == 255);
    CHECK(read("\xcd\x01\x00"s) == 256);
    CHECK(read("\xcf\xff\xff\xff\xff\xff\xff\xff\xff") == 18446744073709551615U);
    CHECK(read("\xd0\x80") == -128);
    CHECK(read("\xd1\xff\x00"s) == -256);
    CHECK(read("\xd3\x80\x00\x00\x00\x00\x00\x00\x00"s) ==
          std::numeric_limits<std::int64_t>::min());
    CHECK(read("\xca\x3f\xc0\x00\x00"s) == 1.5);
    CHECK(read("\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00"s) == 1.5);
    CHECK(read("\xc0") == nullptr);
    CHECK(read("\xc2") == false);
    CHECK(read("\xc3") == true);
    CHECK(read("\xa2hi") == "hi");
    CHECK(read("\xd9\x02hi") == "hi");
    CHECK(read("\xda\x00\x02hi"s) == "hi");
    CHECK(read("\x92\x01\xa1x") == json({1, "x"}));
    CHECK(read("\xdc\x00\x01\x07"s) == json::array({7}));
    CHECK(read("\xdf\x00\x00\x00\x01\xa1k\x90"s) == json({{"k", json::array()}}));
    CHECK(read("\x81\xa1k\x81\xa1l\x05") == json({{"k", {{"l", 5}}}}));
  }

  TEST_CASE("what json.hpp packs is read as it was") {
    const json value = {{"a", {1, -2, 3.5, nullptr, true}},
                        {"b", {{"c", "text"}, {"d", std::string(300, 'x')}}}};
    const auto bytes = json::to_msgpack(value);
    CHECK(read({bytes.begin(), bytes.end()}) == value);
  }

  TEST_CASE("a binary value is found if it is the document") {
    const auto found =
        packed_bytes(bytes_of("\xc4\x03"
                              "abc"));
    CHECK(std::string(reinterpret_cast<const char*>(found.data()), found.size()) ==
          "abc");
    CHECK(packed_bytes(bytes_of("\xc5\x00\x01z"s)).size() == 1);
    CHECK(packed_bytes(bytes_of("\xc4\x03"
                                "ab"))
              .empty());
    CHECK(packed_bytes(bytes_of("\xc4\x01"
                                "ab"))
              .empty());
    CHECK(packed_bytes(bytes_of("\xc6")).empty());
    CHECK(packed_bytes({}).empty());
  }

  TEST_CASE("other bytes are refused") {
    for (const auto& bytes :
         {""s, "\x92\x01"s, "\xcd\x01"s, "\x01\x02"s, "\x81\x01\x02"s, "\x81\x90\x02"s,
          "\xdd\xff\xff\xff\xff"s, "\xdf\xff\xff\xff\xff"s, "\xdb\xff\xff\xff\xff"s}) {
      CHECK(refusal(bytes) == Errc::corrupt_chunk);
    }
    for (const auto& bytes : {"\xc4\x01z"s, "\xd4\x01z"s, "\xc1"s}) {
      CHECK(refusal(bytes) == Errc::unsupported);
    }
    CHECK(refusal(std::string(100, '\x91') + "\x01") == Errc::limit_exceeded);
    // An item with more values; items are counted alone.
    CHECK(refusal("\x91\xdc\x03\xe8"s + std::string(1000, '\x01')) ==
          Errc::limit_exceeded);
    CHECK(read("\x92\x92\x01\x02\x92\x03\x04", 3) == json::parse("[[1, 2], [3, 4]]"));
  }
}

}  // namespace message_pack_test

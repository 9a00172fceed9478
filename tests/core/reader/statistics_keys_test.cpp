// Keys of core/reader/statistics.hpp: fields of which every value is kept.
#include <doctest/doctest.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/reader/statistics.hpp"
#include "tests/support/memory_dataset.hpp"
#include "tests/support/statistics_text.hpp"

namespace statistics_keys_test {

using bev::Errc;
using bev::Error;
using bev::reader::ChunkStatistics;
using bev::reader::Filter;
using bev::reader::parse_filter;
using bev::reader::Schema;
using bev::reader::Statistics;
using bev::test::error_code;
using bev::test::message_of;
using bev::test::replaced;
using bev::test::type_of;
using bev::zarr::DType;
using bev::zarr::Kind;
using Field = Statistics::Field;

TEST_SUITE("reader/statistics_keys") {
  TEST_CASE("every value of a key excludes chunks between its limits") {
    Schema schema;
    schema.columns = {{"id", type_of(Kind::signed_int, 8)},
                      {"host", type_of(Kind::unicode, 4)}};
    Statistics statistics;
    statistics.set_array("agents", {20, 20, "1"});
    statistics.set_keys("agents", {"id", "host"});
    std::vector<std::int64_t> ids;
    std::vector<std::uint32_t> letters;
    for (int i = 0; i < 20; ++i) {
      ids.push_back(i < 10 ? i - 5 : 1000 + 2 * i);
      letters.push_back('a' + static_cast<unsigned>(i));
    }
    const Field fields[] = {
        {"id", {schema.columns[0].type, 1, std::as_bytes(std::span(ids))}},
        {"host", {schema.columns[1].type, 1, std::as_bytes(std::span(letters))}}};
    statistics.add("agents", 0, {}, fields);
    const auto text = statistics.to_json();
    CHECK(text.find(R"("keys":["host","id"])") != text.npos);
    CHECK(text.find(R"("sets":{"0":[[-5,4],[1020,1020],)") != text.npos);
    CHECK(text.find(R"("1":["a","b",)") != text.npos);
    const auto read = Statistics::parse(text);
    CHECK(read.to_json() == text);
    const auto match = [&](std::string_view filter) {
      return Filter(parse_filter(filter), schema)
          .match(ChunkStatistics(read, schema, "agents", 0));
    };
    for (const auto* none : {"id == 5", "id == 1021", "1021 == id", "id in (7, 1023)",
                             "id == 0.5", "host == 'z'", "id in (-6, 9) and id > -9"}) {
      CAPTURE(none);
      CHECK(match(none) == Filter::Match::none);
      CHECK(match("not (" + std::string(none) + ")") == Filter::Match::all);
    }
    for (const auto* some : {"id == 4", "id != -5", "id in (7, 1022)", "id > 5",
                             "host == 't'", "id == 1.0"}) {
      CAPTURE(some);
      CHECK(match(some) == Filter::Match::some);
    }
    for (const auto* wrong : {"[[-5,4],[4,", "[[-5,4],[3,", "[[-4,4],[1020,",
                              "[[-5],[1020,", "[[4,-5],[1020,", "[[-5,\"x\"],[1020,"}) {
      CAPTURE(wrong);
      CHECK(message_of(replaced(text, "[[-5,4],[1020,", wrong))
                .starts_with("invalid_metadata"));
    }
    CHECK(message_of(replaced(text, R"(["host","id"])", R"(["id","host"])"))
              .starts_with("invalid_metadata"));
  }

  TEST_CASE("other keys are learnt by reading again; parts have equal keys") {
    const auto some = [] {
      Statistics out;
      out.set_array("agents", {1, 1, "1"});
      const std::byte id[1] = {};
      const Field fields[] = {{"id", {type_of(Kind::unsigned_int, 1), 1, id}}};
      out.add("agents", 0, {}, fields);
      return out;
    };
    auto statistics = some();
    CHECK(statistics.chunk_count("agents") == 1);
    statistics.set_keys("agents", {"id"});
    CHECK(statistics.chunk_count("agents") == 0);
    statistics.set_keys("none", {"id"});
    CHECK(std::vector(statistics.keys("agents").begin(),
                      statistics.keys("agents").end()) ==
          std::vector<std::string>{"id"});
    CHECK(error_code([&] { statistics.merge(some()); }) == Errc::invalid_argument);
  }
}

}  // namespace statistics_keys_test

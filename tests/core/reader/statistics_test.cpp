#include "core/reader/statistics.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/reader/compare.hpp"
#include "tests/support/memory_dataset.hpp"
#include "tests/support/random_filter.hpp"
#include "tests/support/statistics_text.hpp"

namespace statistics_test {

using bev::Errc;
using bev::Error;
using bev::reader::ChunkIdentity;
using bev::reader::ChunkStatistics;
using bev::reader::compare;
using bev::reader::Filter;
using bev::reader::parse_filter;
using bev::reader::Schema;
using bev::reader::Statistics;
using bev::test::error_code;
using bev::test::message_of;
using bev::test::RandomFilters;
using bev::test::replaced;
using bev::test::type_of;
using bev::zarr::DType;
using bev::zarr::Kind;
using bev::zarr::Number;
using Array = Statistics::Array;
using Field = Statistics::Field;

namespace {

template <class T>
std::vector<std::byte> packed(std::initializer_list<T> values) {
  std::vector<std::byte> out(values.size() * sizeof(T));
  std::size_t at = 0;
  for (const T value : values) bev::store_le(out.data() + sizeof(T) * at++, value);
  return out;
}

const Array kArray{5, 2, R"([["id","<u8"],["x","<f4",[2]]])"};

// Statistics of three chunks of two rows, the last one of one row.
Statistics small() {
  constexpr auto kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr auto kInf = std::numeric_limits<float>::infinity();
  Statistics out;
  out.set_array("agents", kArray);
  const auto add = [&](std::uint64_t chunk, const std::vector<std::byte>& ids,
                       const std::vector<std::byte>& xs) {
    const Field fields[] = {{"id", {type_of(Kind::unsigned_int, 8), 1, ids}},
                            {"x", {type_of(Kind::real, 4), 2, xs}}};
    out.add("agents", chunk, {100 + chunk, 7, "v" + std::to_string(chunk)}, fields);
  };
  add(0, packed<std::uint64_t>({3, ~std::uint64_t{0}}),
      packed<float>({0.1f, kNan, -2.5f, kNan}));
  add(1, packed<std::uint64_t>({(std::uint64_t{1} << 53) + 1, 9}),
      packed<float>({kInf, 1, -kInf, kNan}));
  add(2, packed<std::uint64_t>({4}), packed<float>({-0.0f, 1e-30f}));
  return out;
}

}  // namespace

TEST_SUITE("reader/statistics") {
  TEST_CASE("the file has the documented form") {
    CHECK(small().to_json() ==
          R"({"version":1,"arrays":{
"agents":{"length":5,"chunk_rows":2,"dtype":[["id","<u8"],["x","<f4",[2]]],"fields":[["id",1],["x",2]],"chunks":[
{"chunk":0,"size":100,"checksum":7,"validator":"v0","limits":[[[3,"18446744073709551615",0]],[[-2.5,0.10000000149011612,0],[null,null,2]]]},
{"chunk":1,"size":101,"checksum":7,"validator":"v1","limits":[[[9,"9007199254740993",0]],[["-inf","inf",0],[1.0,1.0,1]]]},
{"chunk":2,"size":102,"checksum":7,"validator":"v2","limits":[[[4,4,0]],[[-0.0,-0.0,0],[1.0000000031710769e-30,1.0000000031710769e-30,0]]]}]}},"crc32c":2751502243}
)");
  }

  TEST_CASE("parts that are merged in any order are the whole") {
    const auto whole = small();
    const auto part = [&](std::string_view kept) {
      Statistics out;
      out.set_array("agents", kArray);
      const auto ids = packed<std::uint64_t>({4});
      const auto xs = packed<float>({-0.0f, 1e-30f});
      const Field fields[] = {{"id", {type_of(Kind::unsigned_int, 8), 1, ids}},
                              {"x", {type_of(Kind::real, 4), 2, xs}}};
      if (kept == "last") out.add("agents", 2, {102, 7, "v2"}, fields);
      return out;
    };
    auto text = replaced(whole.to_json(), "{", "{");  // without the checksum
    const auto last = text.find(",\n{\"chunk\":2");
    REQUIRE(last != text.npos);
    const auto first =
        Statistics::parse(text.erase(last, text.find("]}}}", last) - last));
    for (const bool backwards : {false, true}) {
      Statistics joined;
      joined.merge(backwards ? part("last") : first);
      joined.merge(part("none"));
      joined.merge(backwards ? first : part("last"));
      CHECK(joined.to_json() == whole.to_json());
    }
  }

  TEST_CASE("parts of arrays that differ are not merged") {
    auto joined = small();
    Statistics other;
    other.set_array("agents", {6, 2, kArray.dtype});
    CHECK(error_code([&] { joined.merge(other); }) == Errc::invalid_argument);
    other.set_array("frames", kArray);
    CHECK(joined.to_json() == small().to_json());
  }

  TEST_CASE("reading and writing keep every bit") {
    const auto text = small().to_json();
    const auto again = Statistics::parse(text);
    CHECK(again.to_json() == text);
    const auto range = again.range("agents", 0, "id", 0);
    REQUIRE(range);
    CHECK(range->max.bits == ~std::uint64_t{0});
    CHECK_FALSE(range->has_nan);
    CHECK(again.range("agents", 0, "x", 1)->has_nan);
    CHECK_FALSE(again.range("agents", 0, "x", 1)->has_value);
    CHECK(again.identity("agents", 1) == ChunkIdentity{101, 7, "v1"});
    CHECK(again.arrays() == std::vector<std::string>{"agents"});
    CHECK(again.chunk_count("agents") == 3);
    CHECK(again.field_count("agents") == 2);
  }

  TEST_CASE("what is unknown has no range") {
    const auto statistics = small();
    CHECK_FALSE(statistics.range("frames", 0, "id", 0));
    CHECK_FALSE(statistics.range("agents", 3, "id", 0));
    CHECK_FALSE(statistics.range("agents", 0, "yaw", 0));
    CHECK_FALSE(statistics.range("agents", 0, "x", 2));
    CHECK_FALSE(statistics.identity("agents", 3));
    CHECK(statistics.texts("agents", 0, "x") == nullptr);
    CHECK(Statistics().to_json() ==
          "{\"version\":1,\"arrays\":{},\"crc32c\":678866415}\n");
  }

  TEST_CASE("random columns of all types are read back exactly") {
    RandomFilters made(41);
    for (int i = 0; i < 30; ++i) {
      made.new_table(50);
      Statistics statistics;
      statistics.set_array("a", {50, 64, "1"});
      std::vector<Field> fields;
      for (std::size_t c = 0; c < made.schema().columns.size(); ++c) {
        const auto& column = made.schema().columns[c];
        fields.push_back(
            {column.name, {column.type, column.width, made.rows().columns[c]}});
      }
      statistics.add("a", 0, {}, fields);
      const auto text = statistics.to_json();
      const auto again = Statistics::parse(text);
      REQUIRE(again.to_json() == text);
      for (std::size_t c = 0; c < made.schema().columns.size(); ++c) {
        const auto& column = made.schema().columns[c];
        for (std::size_t e = 0; e < column.width; ++e) {
          const auto a = statistics.range("a", 0, column.name, e);
          const auto b = again.range("a", 0, column.name, e);
          REQUIRE(a.has_value() == is_number(column.type));
          REQUIRE(a.has_value() == b.has_value());
          if (!a || !a->has_value) continue;
          CHECK(a->min.kind == b->min.kind);
          CHECK(compare(a->min, b->min) == 0);
          CHECK(compare(a->max, b->max) == 0);
          CHECK(a->has_nan == b->has_nan);
        }
      }
    }
  }

  TEST_CASE("filters exclude chunks by statistics, never one with a passing row") {
    RandomFilters made(42);
    std::size_t decided = 0;
    for (int i = 0; i < 300; ++i) {
      if (i % 10 == 0) made.new_table(100);
      const auto tree = made.condition(3);
      CAPTURE(bev::reader::to_text(tree));
      Filter filter(tree, made.schema());
      std::vector<std::uint8_t> mask(100);
      filter.select(made.rows().spans(), mask);
      Statistics statistics;
      statistics.set_array("a", {100, 20, "1"});
      std::vector<std::string> keys;
      for (const auto& column : made.schema().columns) {
        if (i % 2 == 0 && column.width == 1 && Statistics::can_be_key(column.type)) {
          keys.push_back(column.name);
        }
      }
      statistics.set_keys("a", keys);
      for (std::uint64_t chunk = 0; chunk < 5; ++chunk) {
        std::vector<Field> fields;
        for (std::size_t c = 0; c < made.schema().columns.size(); ++c) {
          const auto& column = made.schema().columns[c];
          const auto size = 20 * column.width * column.type.item_size;
          fields.push_back(
              {column.name,
               {column.type, column.width,
                std::span(made.rows().columns[c])
                    .subspan(static_cast<std::size_t>(chunk * size), size)}});
        }
        statistics.add("a", chunk, {}, fields);
      }
      const auto read = Statistics::parse(statistics.to_json());
      for (std::uint64_t chunk = 0; chunk < 5; ++chunk) {
        const auto match =
            filter.match(ChunkStatistics(read, made.schema(), "a", chunk));
        const auto begin = mask.begin() + static_cast<std::ptrdiff_t>(20 * chunk);
        const auto passing = std::count(begin, begin + 20, 1);
        if (match == Filter::Match::none) REQUIRE(passing == 0);
        if (match == Filter::Match::all) REQUIRE(passing == 20);
        decided += match != Filter::Match::some;
      }
    }
    CHECK(decided > 300);
  }

  TEST_CASE("few strings exclude chunks") {
    Schema schema;
    schema.columns = {{"host", type_of(Kind::unicode, 8)}};
    Statistics statistics;
    statistics.set_array("scenes", {2, 2, "1"});
    const auto hosts = packed<std::uint32_t>({'a', 0, 'b', 'c'});
    const Field fields[] = {{"host", {schema.columns[0].type, 1, hosts}}};
    statistics.add("scenes", 0, {}, fields);
    REQUIRE(statistics.texts("scenes", 0, "host") != nullptr);
    CHECK(*statistics.texts("scenes", 0, "host") ==
          std::vector<std::string>{"a", "bc"});
    const auto read = Statistics::parse(statistics.to_json());
    const auto match = [&](std::string_view text) {
      return Filter(parse_filter(text), schema)
          .match(ChunkStatistics(read, schema, "scenes", 0));
    };
    CHECK(match("host == \"b\"") == Filter::Match::none);
    CHECK(match("host == \"a\"") == Filter::Match::some);
    CHECK(match("host in (\"a\", \"bc\")") == Filter::Match::all);
    CHECK(match("host != \"b\"") == Filter::Match::all);
    CHECK(match(std::string("host in (\"a", 12) + std::string("\0\", \"bc\")", 9)) ==
          Filter::Match::all);
  }

  TEST_CASE("a set of codes excludes chunks between its limits") {
    Schema schema;
    schema.columns = {{"label", type_of(Kind::unsigned_int, 1), 1, {"A", "B", "C"}},
                      {"code", type_of(Kind::unsigned_int, 1)}};
    Statistics statistics;
    statistics.set_array("agents", {2, 2, "1"});
    const auto values = packed<std::uint8_t>({0, 2});
    std::vector<Field> fields;
    for (const auto& one : schema.columns)
      fields.push_back({one.name, {one.type, 1, values}});
    statistics.add("agents", 0, {}, fields);
    const auto text = statistics.to_json();
    CHECK(text.find("\"limits\":[[[0,2,0,5]],[[0,2,0,5]]]") != text.npos);
    const auto read = Statistics::parse(text);
    const auto match = [&](std::string_view filter) {
      return Filter(parse_filter(filter), schema)
          .match(ChunkStatistics(read, schema, "agents", 0));
    };
    for (const auto* none : {"label == 'B'", "label in ('B')", "code == 1", "1 == code",
                             "code == 1.0", "code == 0.5", "code == -1",
                             "code in (1, 7)", "code == 64", "code == 1e300"}) {
      CAPTURE(none);
      CHECK(match(none) == Filter::Match::none);
      CHECK(match("not (" + std::string(none) + ")") == Filter::Match::all);
    }
    for (const auto* some : {"label == 'A'", "label != 'A'", "code == 2.0", "code > 1",
                             "code in (1, 2)", "-code == 0", "code in (0, 0.5)"}) {
      CAPTURE(some);
      CHECK(match(some) == Filter::Match::some);
    }
    for (const auto* all : {"label in ('A', 'C')", "label != 'B'", "code != 1",
                            "code in (0, 1, 2.0)", "code <= 2"}) {
      CAPTURE(all);
      CHECK(match(all) == Filter::Match::all);
    }
    for (const auto* wrong : {"[0,2,0,4]", "[0,2,0,13]", "[0,2,0,0]", "[0,2,0,-5]",
                              "[0.5,2,0,5]", "[null,null,0,5]", "[0,2,0,5,5]"}) {
      CAPTURE(wrong);
      CHECK(message_of(replaced(text, "[0,2,0,5]", wrong))
                .starts_with("invalid_metadata"));
    }
  }

  TEST_CASE("chunks with other fields than now are forgotten") {
    auto statistics = small();
    const std::string same[] = {"id", "x"}, more[] = {"id", "x", "label"};
    statistics.set_fields("agents", same);
    CHECK(statistics.chunk_count("agents") == 3);
    statistics.set_fields("agents", more);
    CHECK(statistics.chunk_count("agents") == 0);
    statistics.set_fields("other", more);
    CHECK(statistics.arrays() == std::vector<std::string>{"agents"});
  }

  TEST_CASE("after an append the full chunks stay valid") {
    auto statistics = small();
    auto now = kArray;
    CHECK(statistics.valid_chunks("agents", now) == 3);
    CHECK(statistics.valid_chunks("frames", now) == 0);
    now.length = 6;
    CHECK(statistics.valid_chunks("agents", now) == 2);
    now.length = 4;
    CHECK(statistics.valid_chunks("agents", now) == 0);
    now = kArray;
    now.chunk_rows = 3;
    CHECK(statistics.valid_chunks("agents", now) == 0);
    now = kArray;
    now.dtype = "\"<f4\"";
    CHECK(statistics.valid_chunks("agents", now) == 0);

    now = kArray;
    now.length = 9;
    statistics.set_array("agents", now);
    CHECK(statistics.chunk_count("agents") == 2);
    CHECK(statistics.identity("agents", 1));
    CHECK_FALSE(statistics.identity("agents", 2));
    now.dtype = "\"<f4\"";
    statistics.set_array("agents", now);
    CHECK(statistics.chunk_count("agents") == 0);
  }

  TEST_CASE("fields of strings, numbers and booleans with few elements are covered") {
    auto type = type_of(Kind::real, 4);
    CHECK(Statistics::covers(type));
    type.shape = {2, 2};
    CHECK(Statistics::covers(type));
    type.shape = {5};
    CHECK_FALSE(Statistics::covers(type));
    type.shape = {0};
    CHECK_FALSE(Statistics::covers(type));
    CHECK(Statistics::covers(type_of(Kind::unicode, 64)));
    CHECK(Statistics::covers(type_of(Kind::boolean, 1)));
    CHECK_FALSE(Statistics::covers(type_of(Kind::datetime, 8)));
    CHECK_FALSE(Statistics::covers(type_of(Kind::bytes, 8)));
    CHECK_FALSE(Statistics::covers(type_of(Kind::unicode, 0)));
  }

  TEST_CASE("chunks that do not fit the array are refused") {
    auto statistics = small();
    const auto ids = packed<std::uint64_t>({3});
    const Field field{"id", {type_of(Kind::unsigned_int, 8), 1, ids}};
    const auto add = [&](std::string_view path, std::uint64_t chunk) {
      statistics.add(path, chunk, {}, std::span(&field, 1));
    };
    CHECK_THROWS_WITH_AS(add("frames", 0), "statistics: unknown array frames", Error);
    CHECK_THROWS_WITH_AS(add("agents", 3),
                         "statistics of agents, chunk 3: out of range (count 3)",
                         Error);
    CHECK_THROWS_WITH_AS(add("agents", 0),
                         "statistics of agents, chunk 0: field id has the wrong size "
                         "(found 8 bytes, expected 2 rows of 8)",
                         Error);
    CHECK_THROWS_WITH_AS(
        add("agents", 2),
        "statistics of agents, chunk 2: fields differ from other chunks'", Error);
    CHECK(statistics.to_json() == small().to_json());
    CHECK(error_code([&] {
            statistics.set_array("x", {1, 0, "1"});
          }) == Errc::invalid_argument);
    CHECK(error_code([&] {
            statistics.set_array("x", {1, 1, "]"});
          }) == Errc::invalid_argument);
  }

  TEST_CASE("files that are not statistics are refused, with the path") {
    const auto text = small().to_json();
    CHECK(message_of("[") == "invalid_metadata: .bevscope/statistics.json: not JSON");
    CHECK(message_of("{}") ==
          "invalid_metadata: .bevscope/statistics.json: \"version\" is missing");
    CHECK(message_of("{\"version\": 2}") ==
          "unsupported: .bevscope/statistics.json: unknown version (found 2, expected "
          "1)");
    CHECK(message_of("{\"version\": 1, \"arrays\": []}") ==
          "invalid_metadata: .bevscope/statistics.json: statistics.arrays: unexpected "
          "value (found [], expected an object of at most 1000 arrays)");
    CHECK(message_of(replaced(text, "\"chunk_rows\":2", "\"chunk_rows\":0")) ==
          "invalid_metadata: .bevscope/statistics.json: "
          "arrays[\"agents\"].chunk_rows: unexpected value (found 0, expected at least "
          "1)");
    CHECK(message_of(replaced(text, "[\"x\",2]", "[\"x\",5]")) ==
          "invalid_metadata: .bevscope/statistics.json: arrays[\"agents\"].fields: "
          "unexpected value (found [\"x\",5], expected a name and 1 to 4 elements)");
    CHECK(message_of(replaced(text, "\"chunk\":2", "\"chunk\":3")) ==
          "invalid_metadata: .bevscope/statistics.json: "
          "arrays[\"agents\"].chunks[2].chunk: unexpected value (found 3, expected a "
          "chunk from 2 to below 3)");
    CHECK(message_of(replaced(text, "\"chunk\":2", "\"chunk\":1")) ==
          "invalid_metadata: .bevscope/statistics.json: "
          "arrays[\"agents\"].chunks[2].chunk: unexpected value (found 1, expected a "
          "chunk from 2 to below 3)");
    CHECK(message_of(replaced(text, "[4,4,0]", "[4,3,0]")) ==
          "invalid_metadata: .bevscope/statistics.json: "
          "arrays[\"agents\"].chunks[2].limits: unexpected value (found [4,3,0], "
          "expected a minimum up to the maximum)");
    CHECK(message_of(replaced(text, "[4,4,0]", "[4,\"nan\",0]")) ==
          "invalid_metadata: .bevscope/statistics.json: "
          "arrays[\"agents\"].chunks[2].limits: unexpected value (found \"nan\", "
          "expected a number)");
    CHECK(message_of(replaced(text, "\"checksum\":7", "\"checksum\":4294967296")) ==
          "invalid_metadata: .bevscope/statistics.json: "
          "arrays[\"agents\"].chunks[0].checksum: unexpected value (found 4294967296, "
          "expected a count up to 4294967295)");
    CHECK(
        message_of(replaced(text, "[[3,", "[[3],[3,")).starts_with("invalid_metadata"));
    CHECK(message_of(replaced(text, "\"v0\"", "0")).starts_with("invalid_metadata"));
  }

  TEST_CASE("a flipped bit anywhere is refused, or changes nothing") {
    const auto text = small().to_json();
    std::size_t refused = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
      auto flipped = text;
      flipped[at] = static_cast<char>(flipped[at] ^ (1 << at % 7));
      try {
        const auto again = Statistics::parse(flipped);
        CHECK(again.to_json() == text);
      } catch (const Error& error) {
        CHECK(std::string(error.what()).starts_with(Statistics::kKey));
        ++refused;
      }
    }
    CHECK(refused > text.size() - 12);  // the checksum's name is not found then
    // Texts of earlier versions have no checksum.
    const auto without = text.substr(0, text.rfind(",\"crc32c\"")) + "}\n";
    CHECK(Statistics::parse(without).to_json() == text);
  }

  TEST_CASE("files above the limits are refused") {
    CHECK(message_of(std::string(Statistics::kMaxBytes + 1, ' ')) ==
          "limit_exceeded: .bevscope/statistics.json: too long (found 67108865 bytes, "
          "limit 67108864)");
    std::string many = R"({"version":1,"arrays":{"a":{"length":1000000,"chunk_rows":1,)"
                       R"("dtype":1,"fields":[)";
    for (int i = 0; i < 1000; ++i) many += i == 0 ? "[\"\",1]" : ",[\"\",1]";
    many += "],\"chunks\":[";
    std::string limits;
    for (int i = 0; i < 1000; ++i) limits += i == 0 ? "null" : ",null";
    for (int i = 0; i < 4000; ++i) {
      many += (i == 0 ? "" : ",") + ("{\"chunk\":" + std::to_string(i)) +
              ",\"size\":0,\"checksum\":0,\"validator\":\"\",\"limits\":[" + limits +
              "]}";
    }
    CHECK(message_of(many + "]}}}") ==
          "limit_exceeded: statistics: too many values (limit 4000000)");
  }
}

}  // namespace statistics_test

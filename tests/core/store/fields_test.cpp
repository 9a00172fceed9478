#include "core/store/fields.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/field_store.hpp"

namespace fields_test {

using bev::Engine;
using bev::Errc;
using namespace bev::test;
using nlohmann::json;

namespace {

/// Opens the table and returns the labels.
std::vector<std::int64_t> labels_of(const FieldStore& data) {
  Engine engine;
  run(engine, *engine.open(), data.store);
  const auto query = engine.rows({.array = "rows", .fields = {"label"}});
  return run(engine, *query, data.store).values<std::int64_t>("label");
}

std::string message_of(const FieldStore& data) {
  try {
    labels_of(data);
  } catch (const bev::Error& error) {
    return error.what();
  }
  return "";
}

/// Changes the description, and returns the error of reading the table.
template <class Change>
std::optional<Errc> code_after(const Change& change) {
  FieldStore data;
  change(data.fields);
  data.finish();
  return error_code([&] { labels_of(data); });
}

}  // namespace

TEST_SUITE("store/fields") {
  TEST_CASE("a table is listed among the arrays") {
    const FieldStore data;
    Engine engine;
    run(engine, *engine.open(), data.store);
    const auto arrays = json::parse(engine.describe()).at("arrays");
    CHECK(arrays.at("rows").at("shape").at(0) == data.rows.size());
  }

  TEST_CASE("a table reads as records, whose chunks have the least length") {
    const FieldStore data;
    const auto labels = labels_of(data);
    REQUIRE(labels.size() == data.rows.size());
    for (std::size_t i = 0; i < labels.size(); ++i) {
      CHECK(labels[i] == data.rows[i].label);
    }
  }

  TEST_CASE("descriptions that are not understood are refused") {
    using Fields = json;
    CHECK(code_after([](Fields& all) { all[2]["kind"] = "video"; }) ==
          Errc::unsupported);
    CHECK(code_after([](Fields& all) { all[2]["kind"] = 3; }) == Errc::unsupported);
    CHECK(code_after([](Fields& all) { all[2].erase("values"); }) ==
          Errc::invalid_metadata);
    CHECK(code_after([](Fields& all) { all[0].erase("name"); }) ==
          Errc::invalid_metadata);
    CHECK(code_after([](Fields& all) { all[0].erase("array"); }) ==
          Errc::invalid_metadata);
    CHECK(code_after([](Fields& all) { all[0]["array"] = "nothing"; }) ==
          Errc::missing_key);
    CHECK(code_after([](Fields& all) { all[0]["array"] = "rows"; }) ==
          Errc::missing_key);
    CHECK(code_after([](Fields& all) { all[1]["valid"] = "label"; }) ==
          Errc::invalid_metadata);
    CHECK(code_after([](Fields& all) { all[2]["array"] = "label"; }) ==
          Errc::invalid_metadata);
    CHECK(code_after([](Fields& all) { all[3]["values"] = "points_values"; }) ==
          Errc::invalid_metadata);
    CHECK(code_after([](Fields& all) { all[0]["array"] = "points_values"; }) ==
          Errc::invalid_metadata);  // another length
    CHECK(code_after([](Fields& all) { all[0]["name"] = "note"; }) ==
          Errc::invalid_metadata);
    CHECK(code_after([](Fields& all) { all[4]["content_type"] = "<script>"; }) ==
          Errc::invalid_metadata);
    CHECK(code_after([](Fields& all) { all[3]["content_type"] = "text/plain"; }) ==
          Errc::invalid_metadata);
    CHECK(code_after([](Fields& all) { all = json::array(); }) ==
          Errc::invalid_metadata);
    CHECK(code_after([](Fields& all) { all = 3; }) == Errc::invalid_metadata);
    CHECK(code_after([](Fields&) {}) == std::nullopt);
  }

  TEST_CASE("a message names the member") {
    FieldStore data;
    data.fields[2]["values"] = 7;
    data.finish();
    CHECK(
        message_of(data) ==
        "bevscope_fields: rows: field 2: invalid member \"values\" (found 7, expected "
        "a string)");
  }

  TEST_CASE("another version is refused") {
    FieldStore data;
    auto document = json::parse(data.store.text(".zmetadata"));
    document["metadata"][".zattrs"]["bevscope_fields"]["version"] = 2;
    data.store.text(".zmetadata", document.dump());
    CHECK(error_code([&] { labels_of(data); }) == Errc::unsupported);
  }

  TEST_CASE("a validity is a column of the table") {
    const FieldStore data;
    Engine engine;
    run(engine, *engine.open(), data.store);
    const auto query = engine.rows({.array = "rows", .fields = {"speed.valid"}});
    const auto valid =
        run(engine, *query, data.store).values<std::uint8_t>("speed.valid");
    REQUIRE(valid.size() == data.rows.size());
    for (std::size_t i = 0; i < valid.size(); ++i) {
      CHECK((valid[i] != 0) == data.rows[i].speed.has_value());
    }
  }
}

}  // namespace fields_test

#include "core/save/load_schema.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/save_configs.hpp"

using bev::Errc;
using bev::save::load_schema;
using bev::test::error_code;
using bev::test::small_config;
using nlohmann::json;

namespace {

/// Returns the description of a data set of 23 rows.
json description() {
  const auto documents =
      bev::save::documents_of({small_config(), 23, "id"},
                              std::vector<bev::save::ArrayRows>{{23, 5}, {23, 100}});
  return {{"attrs", json::parse(documents.at(".zattrs"))},
          {"arrays",
           {{"image", json::parse(documents.at("image/.zarray"))},
            {"label", json::parse(documents.at("label/.zarray"))}}}};
}

Errc error_of(const json& description) {
  return *error_code([&] { load_schema(description.dump(), "d.zarr"); });
}

}  // namespace

TEST_SUITE("save/load_schema") {
  TEST_CASE("layouts are those of the arrays, in the config's order") {
    const auto schema = load_schema(description().dump(), "d.zarr");
    CHECK(schema.committed.rows == 23);
    CHECK(schema.committed.config.to_json() == small_config().to_json());
    REQUIRE(schema.layouts.size() == 2);
    CHECK(schema.layouts[0].row_bytes == 63);
    CHECK(schema.layouts[0].chunk_rows == 5);
    CHECK(schema.layouts[1].row_bytes == 4);
    CHECK(schema.layouts[1].chunk_rows == 100);
  }

  TEST_CASE("a choice of attributes has those only, in its order") {
    const auto text = description().dump();
    const auto one = load_schema(text, "d.zarr", {{"label"}});
    CHECK(one.committed.rows == 23);
    REQUIRE(one.layouts.size() == 1);
    CHECK(one.layouts[0].row_bytes == 4);
    const auto both = load_schema(text, "d.zarr", {{"label", "image"}});
    REQUIRE(both.layouts.size() == 2);
    CHECK(both.layouts[1].row_bytes == 63);
    const auto error_of_choice = [&](std::vector<std::string> names) {
      return *error_code([&] { load_schema(text, "d.zarr", names); });
    };
    CHECK(error_of_choice({}) == Errc::invalid_argument);
    CHECK(error_of_choice({"label", "label"}) == Errc::invalid_argument);
    CHECK(error_of_choice({"labels"}) == Errc::not_found);
  }

  TEST_CASE("stores that no saver has written are refused") {
    auto other = description();
    other["attrs"].erase("bevscope_save");
    CHECK(error_of(other) == Errc::invalid_argument);
    other["attrs"] = nullptr;
    CHECK(error_of(other) == Errc::invalid_argument);
  }

  TEST_CASE("arrays that differ from the config are refused") {
    const auto changed = [](const char* array, const char* member, const json& value) {
      auto out = description();
      out["arrays"][array][member] = value;
      return error_of(out);
    };
    CHECK(changed("image", "shape", {22, 7, 9}) == Errc::invalid_metadata);
    CHECK(changed("image", "shape", {23, 7, 8}) == Errc::invalid_metadata);
    CHECK(changed("image", "shape", {23, 7}) == Errc::invalid_metadata);
    CHECK(changed("label", "dtype", ">i4") == Errc::invalid_metadata);
    CHECK(changed("label", "dtype", 5) == Errc::invalid_metadata);
    CHECK(changed("label", "chunks", json::array()) == Errc::invalid_metadata);
    CHECK(changed("label", "chunks", {0}) == Errc::invalid_metadata);
    CHECK(changed("label", "chunks", nullptr) == Errc::invalid_metadata);
    auto missing = description();
    missing["arrays"].erase("label");
    CHECK(error_of(missing) == Errc::invalid_metadata);
  }
}

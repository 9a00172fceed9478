#include "core/store/catalogue.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>

#include "core/base/error.hpp"
#include "core/store/store.hpp"

namespace catalogue_test {

using bev::Error;
using bev::store::Catalogue;
using bev::store::Missing;
using bev::store::MissingPolicy;
using bev::store::Plan;
using bev::store::Store;

namespace {

constexpr auto kArray = R"({"zarr_format": 2, "shape": [3], "chunks": [2],
  "dtype": "<i4", "compressor": null, "fill_value": 0, "order": "C", "filters": null})";

std::string consolidated() {
  return std::string(R"({"zarr_consolidated_format": 1, "metadata": {)") +
         R"(".zgroup": {"zarr_format": 2}, ".zattrs": {"who": "all"}, "x/.zarray": )" +
         kArray + R"(, "old/.zarray": {"zarr_format": 2, "shape": [1], "chunks": [1],
         "dtype": "|O", "compressor": null, "fill_value": 0, "order": "C",
         "filters": null}}})";
}

void supply(Catalogue& catalogue, std::string_view key, std::string_view text) {
  catalogue.supply(key, std::as_bytes(std::span(text.data(), text.size())));
}

}  // namespace

TEST_SUITE("store/catalogue") {
  TEST_CASE("documents are recognized by the last segment") {
    for (const auto* key : {".zgroup", "a/.zarray", "a/b/.zattrs", ".zmetadata"}) {
      CHECK(Catalogue::is_document(key));
    }
    for (const auto* key : {"a/0", "0", "a/zarray", ".zarray/0", "", "a.zarray"}) {
      CAPTURE(key);
      CHECK_FALSE(Catalogue::is_document(key));
    }
  }

  TEST_CASE("an array is requested, then found, or absent") {
    Store store(0);
    Plan plan(store, "test");
    auto& catalogue = store.catalogue();
    plan.begin();
    CHECK_FALSE(catalogue.array("x", plan).has_value());
    CHECK(plan.has_request("x/.zarray"));
    supply(catalogue, "x/.zarray", kArray);
    const auto found = catalogue.array("x", plan);
    REQUIRE(found.has_value());
    CHECK((*found)->length() == 3);
    CHECK((*found)->key(std::vector<std::uint64_t>{1}) == "x/1");
    CHECK(catalogue.array("x", plan) == found);
    catalogue.supply_absent("y/.zarray");
    CHECK_FALSE(catalogue.array("y", plan).has_value());
    CHECK(plan.has_request(".zmetadata"));  // may describe it alone
    catalogue.supply_absent(".zmetadata");
    CHECK(catalogue.array("y", plan) == nullptr);
  }

  TEST_CASE("consolidated metadata replaces the documents it contains, no others") {
    Store store(0);
    Plan plan(store, "test");
    auto& catalogue = store.catalogue();
    supply(catalogue, ".zmetadata", consolidated());
    plan.begin();
    REQUIRE(catalogue.array("x", plan).has_value());
    CHECK(*catalogue.array("x", plan) != nullptr);
    CHECK(catalogue.attrs()["who"] == "all");
    CHECK(catalogue.is_group());
    CHECK_FALSE(catalogue.array("mask", plan).has_value());
    CHECK(plan.has_request("mask/.zarray"));
    CHECK_THROWS_AS(catalogue.array("old", plan), Error);
  }

  TEST_CASE("an array's own document takes precedence") {
    Store store(0);
    Plan plan(store, "test");
    auto& catalogue = store.catalogue();
    supply(catalogue, ".zmetadata", consolidated());
    std::string grown = kArray;
    grown.replace(grown.find("[3]"), 3, "[8]");
    supply(catalogue, "x/.zarray", grown);
    CHECK((*catalogue.array("x", plan))->length() == 8);
  }

  TEST_CASE("an invalid document is dropped and can be supplied again") {
    Store store(0);
    Plan plan(store, "test");
    auto& catalogue = store.catalogue();
    supply(catalogue, "x/.zarray", "{");
    supply(catalogue, ".zattrs", "[1]");
    CHECK_THROWS_AS(catalogue.array("x", plan), Error);
    CHECK_THROWS_WITH_AS(catalogue.attrs(), ".zattrs: not a JSON object", Error);
    plan.begin();
    CHECK_FALSE(catalogue.array("x", plan).has_value());
    CHECK(catalogue.attrs().empty());
    supply(catalogue, "x/.zarray", kArray);
    CHECK((*catalogue.array("x", plan))->length() == 3);
  }

  TEST_CASE("arrays keep their address and id when others are added") {
    Store store(0);
    Plan plan(store, "test");
    auto& catalogue = store.catalogue();
    supply(catalogue, "b/.zarray", kArray);
    const auto* first = *catalogue.array("b", plan);
    for (const auto* key : {"a/.zarray", "c/.zarray", ".zarray"}) {
      supply(catalogue, key, kArray);
    }
    const auto all = catalogue.arrays();
    REQUIRE(all.size() == 4);
    CHECK(all[0]->path.empty());
    CHECK(all[0]->name() == "the root array");
    CHECK(all[2] == first);
    CHECK(first->id == 0);
    std::set<std::uint32_t> ids;
    for (const auto* array : all) ids.insert(array->id);
    CHECK(ids.size() == 4);
  }

  TEST_CASE("the policy for absent chunks follows the array's path") {
    constexpr std::string_view kComplete[] = {"agents"};
    const MissingPolicy policy{Missing::fill, kComplete};
    CHECK(policy.of("agents") == Missing::error);
    CHECK(policy.of("agents/x") == Missing::fill);
    CHECK(policy.of("") == Missing::fill);
    CHECK(MissingPolicy{Missing::error, {}}.of("x") == Missing::error);
    CHECK(bev::store::missing_from("error") == Missing::error);
    CHECK_THROWS_WITH_AS(
        bev::store::missing_from("ignore"),
        "missing: unknown value \"ignore\" (expected \"fill\" or \"error\")", Error);
  }

  TEST_CASE("version 2 documents hide a zarr.json beside them") {
    Store store(0);
    auto& catalogue = store.catalogue();
    supply(catalogue, "zarr.json", R"({"zarr_format": 3, "node_type": "group"})");
    CHECK(catalogue.version3());
    CHECK(catalogue.is_group());
    supply(catalogue, ".zgroup", R"({"zarr_format": 2})");
    CHECK_FALSE(catalogue.version3());
    CHECK(catalogue.is_group());
  }

  TEST_CASE("invalid attributes are dropped and can be supplied again") {
    Catalogue catalogue;
    CHECK(catalogue.attrs().empty());
    for (const auto* text : {"[1]", "{", "3"}) {
      supply(catalogue, ".zattrs", text);
      CHECK_THROWS_AS(catalogue.attrs(), Error);
      CHECK(catalogue.attrs().empty());
    }
    supply(catalogue, ".zattrs", R"({"a": 1})");
    CHECK(catalogue.attrs()["a"] == 1);
    CHECK(catalogue.attrs()["a"] == 1);
  }
}

}  // namespace catalogue_test

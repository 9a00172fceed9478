#include "core/store/catalogue.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.hpp"
#include "core/store/store.hpp"

using bev::Error;
using bev::store::Catalogue;
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
  TEST_CASE("documents are told from chunks by the last segment") {
    for (const auto* key : {".zgroup", "a/.zarray", "a/b/.zattrs", ".zmetadata"}) {
      CHECK(Catalogue::is_document(key));
    }
    for (const auto* key : {"a/0", "0", "a/zarray", ".zarray/0", "", "a.zarray"}) {
      CAPTURE(key);
      CHECK_FALSE(Catalogue::is_document(key));
    }
  }

  TEST_CASE("an array is wanted, then there, or there is none") {
    Store store(0);
    Plan plan(store, "test");
    auto& catalogue = store.catalogue();
    plan.begin();
    CHECK_FALSE(catalogue.array("x", plan).has_value());
    CHECK(plan.wants("x/.zarray"));
    supply(catalogue, "x/.zarray", kArray);
    const auto found = catalogue.array("x", plan);
    REQUIRE(found.has_value());
    CHECK((*found)->length() == 3);
    CHECK((*found)->key(std::vector<std::uint64_t>{1}) == "x/1");
    CHECK(catalogue.array("x", plan) == found);
    catalogue.supply_absent("y/.zarray");
    CHECK(catalogue.array("y", plan) == nullptr);
  }

  TEST_CASE("consolidated metadata stands for what it holds, no more") {
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
    CHECK(plan.wants("mask/.zarray"));
    CHECK_THROWS_AS(catalogue.array("old", plan), Error);
  }

  TEST_CASE("an array's own document goes before what is consolidated") {
    Store store(0);
    Plan plan(store, "test");
    auto& catalogue = store.catalogue();
    supply(catalogue, ".zmetadata", consolidated());
    std::string grown = kArray;
    grown.replace(grown.find("[3]"), 3, "[8]");
    supply(catalogue, "x/.zarray", grown);
    CHECK((*catalogue.array("x", plan))->length() == 8);
  }

  TEST_CASE("a document that does not parse is forgotten, so that it can come anew") {
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
}

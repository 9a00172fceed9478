#include "native/export/selection.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/base/error.hpp"

using bev::native::gather;
using bev::native::select_fields;
using bev::native::Selection;
using Names = std::vector<std::string>;

namespace {

// 17 bytes: id @0, xy @1, pose @9 {x @9, q @13}.
bev::zarr::DType record() {
  return bev::zarr::parse_dtype(nlohmann::json::parse(R"([["id", "|u1"],
      ["xy", "<f4", [2]], ["pose", [["x", "<f4"], ["q", "|u1", [4]]]]])"),
                                "test");
}

Selection chosen(const Names& names) {
  return select_fields(record(), names);
}

}  // namespace

TEST_SUITE("native/export/selection") {
  TEST_CASE("no names select the whole element") {
    const auto all = chosen({});
    CHECK(all.type == record());
    CHECK(all.pieces == std::vector<Selection::Piece>{{0, 17}});
  }

  TEST_CASE("one name selects a field; dots select nested fields") {
    CHECK(chosen({"xy"}).type == record().fields[1].type);
    CHECK(chosen({"xy"}).name == "xy");
    CHECK(chosen({"pose"}).type == record().fields[2].type);
    CHECK(chosen({"pose.q"}).pieces == std::vector<Selection::Piece>{{13, 4}});
  }

  TEST_CASE("several names select a packed record in their order") {
    const auto two = chosen({"pose.q", "id"});
    CHECK(two.type.size() == 5);
    REQUIRE(two.type.fields.size() == 2);
    CHECK(two.type.fields[0].name == "pose.q");
    CHECK(two.type.fields[1].offset == 4);
    CHECK(two.pieces == std::vector<Selection::Piece>{{13, 4}, {0, 1}});
  }

  TEST_CASE("gathering joins the pieces of each element") {
    std::vector<std::byte> stored(34);
    for (std::size_t i = 0; i < stored.size(); ++i)
      stored[i] = static_cast<std::byte>(i);
    std::vector<std::byte> out(99);
    gather(chosen({"pose.q", "id"}), 17, stored, out);
    const std::vector<int> expected = {13, 14, 15, 16, 0, 30, 31, 32, 33, 17};
    REQUIRE(out.size() == expected.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
      CHECK(std::to_integer<int>(out[i]) == expected[i]);
    }
    gather(chosen({"id"}), 17, {}, out);
    CHECK(out.empty());
  }

  TEST_CASE("rejects unknown and duplicate names, and fields of a plain array") {
    CHECK_THROWS_WITH_AS(chosen({"yaw"}),
                         "unknown field \"yaw\" (expected one of id, xy, pose)",
                         bev::Error);
    CHECK_THROWS_WITH_AS(chosen({"pose.z"}),
                         "unknown field \"pose.z\" (expected one of x, q)", bev::Error);
    CHECK_THROWS_AS(chosen({"pose."}), bev::Error);
    CHECK_THROWS_AS(chosen({"id.x"}), bev::Error);
    CHECK_THROWS_WITH_AS(chosen({"id", "xy", "id"}), "duplicate field \"id\"",
                         bev::Error);
    const Names x = {"x"};
    CHECK_THROWS_WITH_AS(
        select_fields(bev::zarr::parse_dtype(nlohmann::json("<f4"), "test"), x),
        "field \"x\": the array has no fields (found dtype <f4)", bev::Error);
  }
}

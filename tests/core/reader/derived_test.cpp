#include "core/reader/derived.hpp"

#include <doctest/doctest.h>

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/reader/statistics_fields.hpp"
#include "core/zarr/json_view.hpp"

namespace derived_test {

using bev::reader::derive_from_field;
using bev::reader::derived_columns;
using bev::reader::derives_from_field;
using bev::reader::Origin;
using bev::reader::StatisticsFields;
using bev::zarr::DType;

namespace {

/// Returns a dtype of its JSON in zarr's form, with a shape of its own.
DType type_of(const char* json, std::vector<std::size_t> shape = {}) {
  const auto tree = nlohmann::json::parse(json);
  auto type = bev::zarr::parse_dtype(bev::zarr::JsonView(tree), "dtype");
  type.shape = std::move(shape);
  return type;
}

std::vector<std::string> names_of(const char* path, const char* json,
                                  std::vector<std::size_t> shape = {}) {
  std::vector<std::string> out;
  for (const auto& one : derived_columns(path, type_of(json, shape)))
    out.push_back(one.name);
  return out;
}

using Names = std::vector<std::string>;

constexpr const char* kAgents =
    R"([["track_id", "<u8"], ["velocity", "<f4", [2]], ["label_probabilities", "<f4", [17]]])";

}  // namespace

TEST_SUITE("reader/derived") {
  TEST_CASE("values derive from a field of the row") {
    const std::array<float, 4> velocities{3, -4, 0, 0.5F};
    std::array<float, 2> speeds{};
    derive_from_field(Origin::speed, std::as_bytes(std::span(velocities)),
                      std::as_writable_bytes(std::span(speeds)));
    CHECK(speeds == std::array<float, 2>{5, 0.5F});
    CHECK(derives_from_field(Origin::label));
    CHECK_FALSE(derives_from_field(Origin::distance_to_ego));  // of the frame as well
    CHECK_FALSE(derives_from_field(Origin::stored));
  }

  TEST_CASE("tables and their columns have the same derived columns") {
    const Names of_labels{"label", "label_probability", "class", "kept"};
    CHECK(names_of("agents", kAgents) ==
          Names{"speed", "label", "label_probability", "class", "kept"});
    CHECK(names_of("agents/velocity", R"("<f4")", {2}) == Names{"speed"});
    CHECK(names_of("agents/label_probabilities", R"("<f4")", {17}) == of_labels);
    CHECK(names_of("traffic_light_faces",
                   R"([["traffic_light_face_status", "<f4", [3]]])") == Names{"state"});
  }

  TEST_CASE("other tables, own fields and other types have none") {
    CHECK(names_of("frames", kAgents).empty());
    CHECK(names_of("more/agents", kAgents).empty());
    CHECK(names_of("agents", R"([["velocity", "<f8", [2]]])").empty());
    CHECK(names_of("agents", R"([["velocity", ">f4", [2]]])").empty());
    CHECK(names_of("agents", R"([["velocity", "<f4", [3]]])").empty());
    CHECK(
        names_of("agents", R"([["velocity", "<f4", [2]], ["speed", "<f8"]])").empty());
    CHECK(names_of("agents/velocity", R"("<f4")").empty());
  }

  TEST_CASE("statistics hold the fields that have limits, then derived columns") {
    StatisticsFields fields("agents", type_of(kAgents));
    CHECK(fields.names() == Names{"track_id", "velocity", "speed", "label",
                                  "label_probability", "class", "kept"});
    REQUIRE(fields.columns().size() == 3);  // velocity is read once
    std::vector<std::vector<std::byte>> rows{std::vector<std::byte>(16),
                                             std::vector<std::byte>(16),
                                             std::vector<std::byte>(136)};
    const auto chunk = fields.of_chunk(rows);
    REQUIRE(chunk.size() == 7);
    CHECK(chunk[1].rows.elements == 2);
    CHECK(chunk[2].rows.values.size() == 8);
    CHECK(chunk[3].rows.values.size() == 2);
    CHECK(StatisticsFields("agents/extra", type_of(R"("<f4")", {9})).empty());
  }
}

}  // namespace derived_test

#include "core/zarr/consolidated.hpp"

#include <doctest/doctest.h>

#include "core/base/error.hpp"

using bev::Error;
using nlohmann::json;
using namespace bev::zarr;

namespace {

json good() {
  return json::parse(R"({"zarr_format": 2, "shape": [300], "chunks": [128],
    "dtype": "<f4", "order": "C", "fill_value": null, "filters": null,
    "compressor": null})");
}

}  // namespace

TEST_SUITE("zarr/consolidated") {
  TEST_CASE("consolidated metadata holds arrays by path, and what it refuses of them") {
    json odd = good();
    odd["dtype"] = "|O";
    json whole;
    whole["metadata"] = {{".zgroup", {{"zarr_format", 2}}},
                         {".zattrs", {{"labels", {"a", "b"}}}},
                         {"deep/agents/.zarray", good()},
                         {"agents/.zattrs", {{"x", 1}}},
                         {"odd/.zarray", odd},
                         {"not.zarray", good()}};
    const Group group = parse_consolidated(whole.dump(), ".zmetadata");
    CHECK(group.arrays.size() == 1);
    CHECK(group.arrays.at("deep/agents").chunk_rows() == 128);
    CHECK(json::parse(group.arrays.at("deep/agents").json) == good());
    CHECK(group.attrs == json{{"labels", {"a", "b"}}});
    CHECK(std::string(group.refused.at("odd").what()) ==
          "odd/.zarray: dtype \"|O\": objects are not supported");
    CHECK_THROWS_AS(parse_consolidated("{}", ".zmetadata"), Error);
    whole["metadata"] = {{".zarray", good()}};
    CHECK(parse_consolidated(whole.dump(), ".zmetadata").arrays.count("") == 1);
  }
}

#include "core/save/array_documents.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/base/error.hpp"

namespace array_documents_test {

using namespace bev::save;
using bev::zarr::ArrayMeta;

TEST_SUITE("save/array_documents") {
  TEST_CASE("a key names a chunk only if it is spelt as chunk_key() does") {
    ArrayMeta meta;
    meta.shape = {20, 20};
    meta.chunks = {5, 5};
    using Index = std::vector<std::uint64_t>;
    CHECK(chunk_of_key(meta, "3.12") == Index{3, 12});
    for (const auto* other :
         {"", ".", "3", "3.", "3.1.2", "03.1", "3.1.partial", "3/1", "c/3/1", ".zarray",
          ".lock", "-1.2", "+1.2", "99999999999999999999.1", "3.1 "}) {
      CHECK_MESSAGE(chunk_of_key(meta, other) == std::nullopt, other);
    }
    meta.separator = '/';
    CHECK(chunk_of_key(meta, "3/1") == Index{3, 1});
    meta.prefixed_keys = true;
    CHECK(chunk_of_key(meta, "c/3/1") == Index{3, 1});
    CHECK(chunk_of_key(meta, "c") == std::nullopt);
    CHECK(chunk_of_key(meta, "d/3/1") == std::nullopt);
    meta.shape = meta.chunks = {};
    CHECK(chunk_of_key(meta, "c") == Index{});
    meta.prefixed_keys = false;
    CHECK(chunk_of_key(meta, "0") == Index{});
  }

  TEST_CASE("a new shape leaves every other member as it is") {
    const std::string text =
        R"({"zarr_format": 2, "shape": [3], "chunks": [2], "dtype": "<f8", "order": "C",
        "fill_value": "NaN", "filters": null, "compressor": null, "odd": [1.5, "\u00e4"]})";
    const auto document = parse_document("a/.zarray", text);
    const std::vector<std::uint64_t> shape{7};
    auto expected = nlohmann::json::parse(text);
    expected["shape"] = {7};
    CHECK(nlohmann::json::parse(with_shape(document, shape)) == expected);
  }

  TEST_CASE("consolidated metadata without arrays, or with this document, stays") {
    const std::string text =
        R"({"zarr_format": 2, "shape": [3], "chunks": [2], "dtype": "<f8", "order": "C",
        "fill_value": 0, "filters": null, "compressor": null})";
    const auto document = parse_document("a/.zarray", text);
    CHECK(consolidated_with("{}", ".zmetadata", "a", document) == std::nullopt);
    CHECK(consolidated_with("[]", ".zmetadata", "a", document) == std::nullopt);
    CHECK(consolidated_with(R"({"metadata": 3})", ".zmetadata", "a", document) ==
          std::nullopt);
    const auto added =
        consolidated_with(R"({"metadata": {}})", ".zmetadata", "a", document);
    REQUIRE(added.has_value());
    CHECK(consolidated_with(*added, ".zmetadata", "a", document) == std::nullopt);
  }
}

}  // namespace array_documents_test

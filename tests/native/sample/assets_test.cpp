#include "native/sample/assets.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.hpp"
#include "tests/support/temp_folder.hpp"

namespace assets_test {

using bev::Errc;
using bev::Error;
using bev::native::load_assets;
using bev::sample::Config;

namespace {

const char* const kMeta = R"({
  "world_to_ecef": [[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]],
  "ecef_to_aerial": [[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]})";

Config config(const std::string& map_type) {
  return Config::parse(nlohmann::json{{"raster_params",
                                       {{"map_type", map_type},
                                        {"semantic_map_key", "map.pb"},
                                        {"satellite_map_key", "aerial.png"},
                                        {"dataset_meta_key", "meta.json"}}}}
                           .dump());
}

std::string error_of(const std::string& map_type, const std::string& root, Errc code) {
  try {
    load_assets(config(map_type), false, root);
  } catch (const Error& error) {
    CHECK(error.code() == code);
    return error.what();
  }
  FAIL("nothing thrown");
  return "";
}

}  // namespace

TEST_SUITE("native/sample/assets") {
  TEST_CASE("a config without maps opens nothing, and its root may be anything") {
    const auto assets = load_assets(config("stub_debug"), false, "/no/such/folder");
    CHECK(!assets.semantic_map.has_map());
    CHECK(assets.aerial_image == nullptr);
  }

  TEST_CASE("a semantic map is read with the meta file beside it") {
    const bev::test::TempFolder folder;
    folder.write("meta.json", kMeta);
    folder.write("map.pb", "");
    const auto root = folder.path().string();
    const auto assets = load_assets(config("py_semantic"), false, root);
    CHECK(assets.semantic_map.has_map());
    CHECK(assets.aerial_image == nullptr);
    const auto vectors = load_assets(config("stub_debug"), true, root);
    CHECK(vectors.semantic_map.has_map());
  }

  TEST_CASE("missing and invalid files are named") {
    const bev::test::TempFolder folder;
    const auto root = folder.path().string();
    CHECK(error_of("py_semantic", root, Errc::not_found).find("meta.json") !=
          std::string::npos);
    folder.write("meta.json", kMeta);
    CHECK(error_of("py_semantic", root, Errc::not_found).find("map.pb") !=
          std::string::npos);
    folder.write("aerial.png", "not an image");
    CHECK_FALSE(error_of("py_satellite", root, Errc::unsupported).empty());
  }
}

}  // namespace assets_test

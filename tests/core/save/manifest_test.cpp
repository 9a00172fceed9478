#include "core/save/manifest.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/save_configs.hpp"

using bev::Errc;
using bev::save::full_rows;
using bev::save::Manifest;
using bev::test::error_code;
using bev::test::small_config;
using nlohmann::json;

namespace {

Manifest made() {
  Manifest out;
  out.config = small_config().fingerprint();
  out.saver = 3;
  out.batches = 4;
  out.rows = 150;
  out.arrays = {{65, {{0, 65, 4095, 1}, {65, 65, 4095, 0xffffffff}, {130, 20, 9, 7}}},
                {std::nullopt, {{0, 150, 600, 2}}}};
  return out;
}

}  // namespace

TEST_SUITE("save/manifest") {
  TEST_CASE("a manifest is read as it was written") {
    const auto config = small_config();
    for (const bool complete : {false, true}) {
      auto manifest = made();
      manifest.complete = complete;
      CHECK(Manifest::parse(manifest.to_json(config), config, "m") == manifest);
    }
  }

  TEST_CASE("a manifest of another config is an error that names both") {
    const auto other = small_config(5000);
    CHECK_THROWS_WITH_AS(
        Manifest::parse(made().to_json(small_config()), other, "p/manifest.json"),
        ("p/manifest.json: part of another config (found fingerprint " +
         small_config().fingerprint() + ", expected " + other.fingerprint() + ")")
            .c_str(),
        bev::Error);
  }

  TEST_CASE("a damaged manifest is an error") {
    const auto config = small_config();
    const auto good = json::parse(made().to_json(config));
    const auto with = [&](const char* pointer, const json& value) {
      auto changed = good;
      changed[json::json_pointer(pointer)] = value;
      CAPTURE(pointer);
      CHECK(error_code([&] { Manifest::parse(changed.dump(), config, "m"); }) ==
            Errc::invalid_metadata);
    };
    with("/rows", 151);
    with("/rows", -1);
    with("/rows", json());
    with("/extra", 1);
    with("/version", 2);
    with("/complete", "yes");
    with("/arrays/label", json());
    with("/arrays/more", json::object());
    with("/arrays/image/chunk_rows", 0);
    with("/arrays/image/objects/0/0", 64);
    with("/arrays/image/objects/0/0", std::uint64_t{1} << 63);
    with("/arrays/image/objects/1/0", 0);
    with("/arrays/image/objects/0/1", 4097);
    with("/arrays/image/objects/0/2", std::uint64_t{1} << 32);
    with("/arrays/image/objects/0", {65, 1});
    CHECK(error_code([&] { Manifest::parse("{", config, "m"); }) ==
          Errc::invalid_metadata);
  }

  TEST_CASE("keys name first row and rows; full rows are those of full chunks") {
    const auto config = small_config();
    const auto manifest = made();
    CHECK(object_key(config.attributes()[0], manifest.arrays[0].objects[1]) ==
          "image/65-65");
    CHECK(full_rows(manifest.arrays[0], 150) == 130);
    CHECK(full_rows(manifest.arrays[1], 150) == 0);
  }
}

#include <doctest/doctest.h>

#include <random>

#include "core/convert/argoverse2.hpp"
#include "core/convert/commonroad.hpp"
#include "core/convert/opendrive.hpp"
#include "core/convert/scenarionet.hpp"
#include "core/convert/waymo.hpp"
#include "tests/fuzz/convert/target.hpp"
#include "tests/support/rounds.hpp"

using bev::test::convert_seeds;

namespace {

void run(const std::string& target, std::string_view bytes) {
  const auto input = std::as_bytes(std::span<const char>(bytes.data(), bytes.size()));
  if (target == "waymo") return bev::test::waymo_target(input);
  if (target == "commonroad") return bev::test::commonroad_target(input);
  if (target == "opendrive") return bev::test::opendrive_target(input);
  if (target == "wkb") return bev::test::wkb_target(input);
  if (target == "lanelet2") return bev::test::lanelet2_target(input);
  if (target == "interaction") return bev::test::interaction_target(input);
  if (target == "nuplan") return bev::test::nuplan_target(input);
  if (target == "nuscenes") return bev::test::nuscenes_target(input);
  if (target == "scenarionet") return bev::test::scenarionet_target(input);
  bev::test::city_map_target(input);
}

/// Bytes between cuts: some seeds are larger.
std::size_t step_of(std::string_view target) {
  if (target == "nuplan") return 509;
  if (target == "nuscenes" || target == "commonroad") return 41;
  const bool is_large =
      target == "scenarionet" || target == "lanelet2" || target == "interaction";
  return is_large ? 7 : 1;
}

}  // namespace

TEST_SUITE("fuzz/convert") {
  TEST_CASE("the seeds are accepted") {
    for (const auto& seed : convert_seeds()) {
      CAPTURE(seed.name);
      if (seed.target == "city_map") {
        CHECK_NOTHROW(bev::convert::parse_argoverse2_map(
            seed.bytes, "austin", bev::convert::argoverse2_tables()));
      } else if (seed.name == "mapping") {
        const auto bytes = std::as_bytes(std::span(seed.bytes));
        CHECK(bev::convert::scenarionet_files(std::nullopt, bytes).size() == 2);
      } else if (seed.target == "scenarionet") {
        CHECK_NOTHROW(bev::convert::import_scenarionet(
            std::as_bytes(std::span(seed.bytes)), bev::convert::scenarionet_tables()));
      } else if (seed.target == "commonroad") {
        CHECK_NOTHROW(bev::convert::import_commonroad(
            seed.bytes, bev::convert::commonroad_tables()));
      } else if (seed.target == "opendrive") {
        CHECK_NOTHROW(bev::convert::import_opendrive(seed.bytes));
      } else if (seed.target == "nuplan" || seed.target == "nuscenes" ||
                 seed.target == "wkb" || seed.target == "lanelet2" ||
                 seed.target == "interaction") {
        CHECK_NOTHROW(run(seed.target, seed.bytes));
      } else if (seed.name != "file") {
        CHECK_NOTHROW(
            bev::convert::import_waymo(seed.bytes, bev::convert::waymo_tables()));
      }
    }
  }

  TEST_CASE("the properties hold for every seed, whole and cut anywhere") {
    for (const auto& seed : convert_seeds()) {
      CAPTURE(seed.name);
      const std::size_t step = step_of(seed.target);
      for (std::size_t size = 0; size <= seed.bytes.size(); size += step) {
        CAPTURE(size);
        REQUIRE_NOTHROW(run(seed.target, std::string_view(seed.bytes).substr(0, size)));
      }
    }
  }

  TEST_CASE("the properties hold for seeds with wrong bytes in them") {
    std::mt19937 random(13);
    for (const auto& seed : convert_seeds()) {
      CAPTURE(seed.name);
      for (int round = 0; round < bev::test::rounds(400); ++round) {
        CAPTURE(round);
        std::string bytes = seed.bytes;
        const auto flips = 1 + random() % 3;
        for (std::uint32_t i = 0; i < flips; ++i) {
          bytes[random() % bytes.size()] = static_cast<char>(random() % 256);
        }
        REQUIRE_NOTHROW(run(seed.target, bytes));
      }
    }
  }
}

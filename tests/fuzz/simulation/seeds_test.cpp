#include <doctest/doctest.h>

#include <random>

#include "core/simulation/reader.hpp"
#include "tests/fuzz/simulation/target.hpp"

namespace simulation_seeds_test {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span<const char>(text.data(), text.size()));
}

}  // namespace

TEST_SUITE("fuzz/simulation") {
  TEST_CASE("the seeds of simulations are accepted") {
    for (const auto& seed : bev::test::simulation_seeds()) {
      CAPTURE(seed.name);
      bev::simulation::Reader reader;
      CHECK_NOTHROW(reader.add(bytes_of(seed.bytes), "seed", seed.bytes.size()));
    }
  }

  TEST_CASE("the properties hold for every simulation, cut at many places") {
    for (const auto& seed : bev::test::simulation_seeds()) {
      CAPTURE(seed.name);
      const auto step = 1 + seed.bytes.size() / 300;
      for (std::size_t size = 0; size <= seed.bytes.size(); size += step) {
        CAPTURE(size);
        REQUIRE_NOTHROW(bev::test::simulation_target(
            bytes_of(std::string_view(seed.bytes).substr(0, size))));
      }
    }
  }

  TEST_CASE("the properties hold for simulations with wrong bytes in them") {
    std::mt19937 random(19);
    for (const auto& seed : bev::test::simulation_seeds()) {
      CAPTURE(seed.name);
      for (int round = 0; round < 300; ++round) {
        CAPTURE(round);
        std::string bytes = seed.bytes;
        const auto flips = 1 + random() % 3;
        for (std::uint32_t i = 0; i < flips; ++i) {
          bytes[random() % bytes.size()] = static_cast<char>(random() % 256);
        }
        REQUIRE_NOTHROW(bev::test::simulation_target(bytes_of(bytes)));
      }
    }
  }
}

}  // namespace simulation_seeds_test

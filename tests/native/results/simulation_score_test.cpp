#include "native/results/simulation_score.hpp"

#include <doctest/doctest.h>
#include <lzma.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "native/results/simulation_files.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/simulation_logs.hpp"
#include "tests/support/temp_folder.hpp"

namespace simulation_score_test {
namespace {

using namespace bev;
using namespace bev::native;
using nlohmann::json;

std::string xz(const std::string& bytes) {
  std::string out(lzma_stream_buffer_bound(bytes.size()), '\0');
  std::size_t size = 0;
  const auto code = lzma_easy_buffer_encode(
      0, LZMA_CHECK_CRC64, nullptr, reinterpret_cast<const std::uint8_t*>(bytes.data()),
      bytes.size(), reinterpret_cast<std::uint8_t*>(out.data()), &size, out.size());
  REQUIRE(code == LZMA_OK);
  out.resize(size);
  return out;
}

json scored(const std::vector<std::string>& paths) {
  std::string rows;
  score_simulations(paths, "json", [&](std::span<const std::byte> bytes) {
    rows.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  });
  return json::parse(rows);
}

json scene_at(int time_us, double x) {
  return {{"timestamp_us", time_us},
          {"ego", {{"pose", {x, 0, 0}}}},
          {"world", json::object()}};
}

}  // namespace

TEST_SUITE("results/simulation_score") {
  TEST_CASE("logs have a row each, by their measures") {
    const test::TempFolder folder;
    auto samples = test::straight_samples(20);
    folder.write("a/a.pkl.xz", xz(test::pickled_log(samples)));
    samples[3].boxes = {{"0a", 0, {7, 0, 0}, 5}};
    folder.write("b/b.pkl.xz", xz(test::pickled_log(samples)));
    REQUIRE(are_simulations({folder.path().string()}));
    const auto rows = scored({folder.path().string()});
    REQUIRE(rows.size() == 2);
    CHECK(rows[0]["planner_name"] == "idm");
    CHECK(rows[0]["scenario_type"] == "following");
    CHECK(rows[0]["scenario_id"] == "ab12");
    CHECK(rows[0]["frames"] == 20);
    CHECK(rows[0]["no_ego_at_fault_collisions"] == 1);
    CHECK(rows[0]["ego_is_comfortable"] == 1);
    CHECK(rows[1]["collisions"] == 1);
    CHECK(rows[1]["no_ego_at_fault_collisions"] == 0);
    CHECK(rows[1]["time_to_collision_within_bound"] == 0);
    CHECK(rows[1]["min_time_to_collision_ahead"] == 0);
  }

  TEST_CASE("scenes of a folder are one simulation with the folders' names") {
    const test::TempFolder folder;
    folder.write("idm/following/log1/ab/1.json", scene_at(100'000, 0).dump());
    folder.write("idm/following/log1/ab/2.json", scene_at(200'000, 1).dump());
    folder.write("idm/following/log1/cd/cd.json",
                 json::array({scene_at(1, 0), scene_at(2, 1), scene_at(3, 2)}).dump());
    const auto rows = scored({folder.path().string()});
    REQUIRE(rows.size() == 2);
    CHECK(rows[0]["planner_name"] == "idm");
    CHECK(rows[0]["log_name"] == "log1");
    CHECK(rows[0]["scenario_id"] == "ab");
    CHECK(rows[0]["frames"] == 2);
    CHECK(rows[0]["ego_is_comfortable"] == "NaN");
    CHECK(rows[1]["frames"] == 3);
  }

  TEST_CASE("bombs are refused after 16 MiB") {
    const test::TempFolder folder;
    const auto bomb = xz(std::string(std::size_t{256} << 20U, '\0'));
    CHECK(bomb.size() < 50'000);
    folder.write("bomb.msgpack.xz", bomb);
    CHECK(test::error_code([&] { scored({folder.at("bomb.msgpack.xz")}); }) ==
          Errc::limit_exceeded);
  }

  TEST_CASE("xz files that are cut or damaged are refused") {
    const test::TempFolder folder;
    const auto file = xz(test::pickled_log(test::straight_samples(3)));
    const auto refused = [&](const std::string& bytes) {
      folder.write("x.pkl.xz", bytes);
      return test::error_code([&] { scored({folder.at("x.pkl.xz")}); });
    };
    for (std::size_t i = 0; i < 100; ++i) {
      CAPTURE(i);
      CHECK(refused(file.substr(0, i * file.size() / 100)).has_value());
    }
    auto damaged = file;
    damaged[damaged.size() / 2] = static_cast<char>(~damaged[damaged.size() / 2]);
    CHECK(refused(damaged) == Errc::corrupt_chunk);
  }

  TEST_CASE("other files are no simulations") {
    const test::TempFolder folder;
    folder.write("a.csv", "scenario_id,ade\n");
    CHECK_FALSE(are_simulations({folder.at("a.csv")}));
    CHECK_FALSE(are_simulations({folder.at("none")}));
    CHECK_FALSE(are_simulations({}));
  }
}

}  // namespace simulation_score_test

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/operations_host.hpp"

namespace ops_unroll_test {

using namespace bev;
using test::error_code;
using test::PlainArguments;
using test::values;
using Host = test::OperationsHost;
using Array = PlainArguments::Array;
using Given = std::map<std::string, PlainArguments::Value>;

namespace {

/// Returns a simulation of both scenes.
double simulation_of(Host& host, Given config) {
  const auto out = host.made("simulate", std::move(config));
  for (const double scene : {1.0, 0.0}) {
    const auto arrays =
        host.made("scene_arrays", {{"engine", host.engine()}, {"scene", scene}});
    host.answer(arrays);
    host.run("add_scene", {{"simulation", out}, {"arrays", arrays}});
  }
  return out;
}

}  // namespace

TEST_SUITE("ops/unroll") {
  TEST_CASE("a host drives scenes through the table of operations") {
    Host host;
    const auto loop = simulation_of(host, {{"num_simulation_steps", 3.0}});
    CHECK(host.run("simulation_frames", {{"simulation", loop}}).number() == 3);
    const auto& agents =
        host.run("controlled_agents", {{"simulation", loop}, {"frame", 0.0}});
    CHECK(values<std::uint32_t>(agents.arrays(), "scenes") ==
          std::vector<std::uint32_t>{1, 1, 1, 0, 0, 0});
    CHECK(values<std::uint64_t>(agents.arrays(), "tracks") ==
          std::vector<std::uint64_t>{1, 2, 3, 1, 2, 3});
    const Array scenes(std::vector<std::uint32_t>{0});
    const Array positions(std::vector<double>{7, 1, 99, 99});
    const Array yaws(std::vector<double>{0.5, 0.5});
    host.run("take_steps", {{"simulation", loop},
                            {"frame", 0.0},
                            {"scenes", scenes},
                            {"tracks", Array(std::vector<std::uint64_t>{2})},
                            {"positions", positions},
                            {"yaws", yaws},
                            {"steps", 2.0}});
    host.run("take_steps", {{"simulation", loop},
                            {"frame", 0.0},
                            {"scenes", scenes},
                            {"positions", positions},
                            {"yaws", yaws},
                            {"steps", 2.0}});
    const auto& found =
        host.run("simulation_rollout", {{"simulation", loop}, {"scene", 0.0}});
    CHECK(values<double>(found.arrays(), "ego_x") == std::vector<double>{0, 7, 4});
    CHECK(values<double>(found.arrays(), "x")[4] == 7);
    CHECK(values<double>(found.arrays(), "yaw")[4] == 0.5);

    const auto seen =
        host.made("simulation_engine",
                  {{"simulation", loop}, {"engine", host.engine()}, {"recorded", 0.0}});
    const auto frame =
        host.made("frame", {{"engine", seen}, {"scene", 0.0}, {"frame", 1.0}});
    CHECK(values<double>(host.answer(frame), "ego.centroid") ==
          std::vector<double>{7, -4});
    const auto before =
        host.made("simulation_engine",
                  {{"simulation", loop}, {"engine", host.engine()}, {"recorded", 1.0}});
    const auto same =
        host.made("frame", {{"engine", before}, {"scene", 0.0}, {"frame", 1.0}});
    CHECK(values<double>(host.answer(same), "ego.centroid") ==
          std::vector<double>{2, -5});
  }

  TEST_CASE("queries add the scenes that they read") {
    Host host;
    const std::string samples =
        R"({"raster_params": {"filter_agents_threshold": 0.8}})";
    const auto loop = host.made("simulate", {{"config", samples}});
    const auto add = [&](double scene) {
      host.answer(host.made(
          "simulated_scene",
          {{"simulation", loop}, {"engine", host.engine()}, {"scene", scene}}));
    };
    add(1);
    CHECK(host.run("simulation_frames", {{"simulation", loop}}).number() == 5);
    const auto& agents =
        host.run("controlled_agents", {{"simulation", loop}, {"frame", 0.0}});
    // Cars have a probability of 0.75.
    CHECK(values<std::uint64_t>(agents.arrays(), "tracks").empty());
    const auto& egos =
        host.run("controlled_egos", {{"simulation", loop}, {"frame", 0.0}});
    CHECK(values<std::uint32_t>(egos.arrays(), "scenes") ==
          std::vector<std::uint32_t>{1});
    const auto& first =
        host.run("simulation_rollout",
                 {{"simulation", loop}, {"scene", 1.0}, {"begin", 1.0}, {"end", 3.0}});
    CHECK(values<double>(first.arrays(), "ego_x") == std::vector<double>{1002, 1004});
    CHECK(values<double>(first.arrays(), "x").size() == 6);
    CHECK(error_code([&] { add(0); }) == Errc::invalid_argument);
    CHECK(error_code([&] {
            host.made("simulate", {{"config", std::string("{}")}});
          }) == Errc::missing_key);
  }

  TEST_CASE("the subjects of a frame are its nearest agents") {
    Host host;
    const std::string config = R"({"raster_params": {"filter_agents_threshold": 0.5}})";
    const auto subjects = host.made("subjects", {{"config", config}, {"most", 2.0}});
    host.answer(
        host.made("scene_of_subjects",
                  {{"subjects", subjects}, {"engine", host.engine()}, {"scene", 1.0}}));
    const auto& found =
        host.run("subjects_of_frame", {{"subjects", subjects}, {"frame", 2.0}});
    CHECK(values<std::uint64_t>(found.arrays(), "tracks").size() == 2);
    CHECK(error_code([&] {
            host.run("subjects_of_frame", {{"subjects", subjects}, {"frame", 99.0}});
          }) == Errc::out_of_range);
    CHECK(error_code([&] {
            host.made("subjects", {{"config", std::string("{}")}});
          }) == Errc::missing_key);
  }

  TEST_CASE("scenes are added before the simulation begins") {
    Host host;
    const auto loop = simulation_of(host, {});
    host.run("simulation_frames", {{"simulation", loop}});
    const auto arrays =
        host.made("scene_arrays", {{"engine", host.engine()}, {"scene", 0.0}});
    CHECK(error_code([&] {
            host.run("add_scene", {{"simulation", loop}, {"arrays", arrays}});
          }) == Errc::invalid_argument);
    const auto none = host.made("simulate", {});
    CHECK(error_code([&] {
            host.run("controlled_egos", {{"simulation", none}, {"frame", 0.0}});
          }) == Errc::invalid_argument);
  }
}

}  // namespace ops_unroll_test

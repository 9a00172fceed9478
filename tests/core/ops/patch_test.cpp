#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/operations_host.hpp"
#include "tests/support/patches.hpp"

namespace ops_patch_test {

using namespace bev;
using test::error_code;
using test::patch_json;
using Host = test::OperationsHost;

TEST_SUITE("ops/patch") {
  TEST_CASE("a host edits scenes through the table of operations") {
    Host host;
    const auto patch = host.made(
        "patch", {{"json", patch_json(R"({"op": "remove", "scene": 1, "track": 1},
                    {"op": "move", "scene": 1, "track": 2, "by": [0, 7]})")}});
    CHECK(host.run("patch_text", {{"patch", patch}}).text().size() == 134);
    CHECK(error_code([&] {
            host.made("patched_engine", {{"patch", patch}, {"engine", host.engine()}});
          }) == Errc::invalid_argument);
    host.run("patch_scenes", {{"patch", patch}, {"engine", host.engine()}});
    const auto arrays =
        host.made("scene_arrays", {{"engine", host.engine()}, {"scene", 1.0}});
    host.answer(arrays);
    host.run("patch_scene", {{"patch", patch}, {"arrays", arrays}});
    const auto engine =
        host.made("patched_engine", {{"patch", patch}, {"engine", host.engine()}});
    const auto frame =
        host.made("frame", {{"engine", engine}, {"scene", 1.0}, {"frame", 2.0}});
    const auto answer = host.answer(frame);
    CHECK(test::values<std::uint64_t>(answer, "agents.track_id") ==
          std::vector<std::uint64_t>{2, 3});
    CHECK(test::values<double>(answer, "agents.centroid")[1] == 8);
    const auto columns =
        host.answer(host.made("scene_arrays", {{"engine", engine}, {"scene", 1.0}}));
    CHECK(test::values<std::uint64_t>(columns, "track_id").size() == 10);
    CHECK(test::values<std::int64_t>(columns, "agent_index_interval")[3] == 4);
    CHECK(test::values<double>(columns, "centroid")[1] == 8);
    CHECK(test::values<double>(columns, "ego_translation").size() == 15);
    CHECK(test::values<float>(columns, "label_probabilities").size() == 10 * 17);
    CHECK(error_code([&] {
            host.run("patch_scenes", {{"patch", patch}, {"engine", engine}});
          }) == Errc::invalid_argument);
    CHECK(error_code([&] {
            host.made("patch", {{"json", "{}"}});
          }) == Errc::invalid_argument);
  }

  TEST_CASE("a host that cannot keep queries has scenes edited when they are built") {
    Host host;
    const auto json = patch_json(R"({"op": "remove", "scene": 1, "track": 1},
                                    {"op": "stop", "scene": 0, "track": 77})");
    const auto patch = host.made("patch", {{"json", json}});
    const auto scene = [&](double number) {
      return host.made(
          "patched_scene",
          {{"patch", patch}, {"engine", host.engine()}, {"scene", number}});
    };
    host.answer(scene(1));
    const auto missing = scene(0);
    CHECK(error_code([&] { host.answer(missing); }) == Errc::out_of_range);
    const auto engine_of = [&](double from) {
      return host.made("patched_engine", {{"patch", from}, {"engine", host.engine()}});
    };
    CHECK(error_code([&] { engine_of(patch); }) == Errc::invalid_argument);
    const auto one = host.made(
        "patch", {{"json", patch_json(R"({"op": "remove", "scene": 1, "track": 1})")}});
    host.answer(host.made("patched_scene",
                          {{"patch", one}, {"engine", host.engine()}, {"scene", 1.0}}));
    const auto frame = host.made(
        "frame", {{"engine", engine_of(one)}, {"scene", 1.0}, {"frame", 2.0}});
    CHECK(test::values<std::uint64_t>(host.answer(frame), "agents.track_id") ==
          std::vector<std::uint64_t>{2, 3});
  }
}

}  // namespace ops_patch_test

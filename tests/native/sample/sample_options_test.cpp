#include "native/sample/sample_options.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/temp_folder.hpp"

using bev::SampleKind;
using namespace bev::native;
using Words = std::vector<std::string>;

namespace {

bev::cli::Arguments parsed(const Words& words) {
  bev::cli::Usage usage;
  usage.command = "sample";
  usage.options = sample_option_list();
  usage.options.push_back({"vectorized", "", "", ""});
  usage.options.push_back({"eval", "", "", ""});
  usage.options.push_back({"index", "I", "", ""});
  usage.options.push_back({"output", "DIR", "", "o"});
  return bev::cli::parse_arguments(usage, words);
}

std::string refusal(const Words& words) {
  try {
    sample_request(parsed(words));
  } catch (const bev::cli::UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_SUITE("native/sample/sample_options") {
  TEST_CASE("defaults are L5Kit's") {
    const bev::test::TempFolder folder;
    const auto config = folder.write("config.yaml", "model_params: {step_time: 0.1}");
    const auto request = sample_request(parsed({"data.zarr", "--config", config}));
    CHECK(request.dataset == "data.zarr");
    CHECK(request.options.kind == SampleKind::ego);
    CHECK_FALSE(request.options.vectorized);
    CHECK_FALSE(request.options.eval);
    CHECK(request.options.config.find("step_time") != std::string::npos);
    CHECK_FALSE(request.root);
    CHECK_FALSE(request.mask);
    CHECK(request.minima == bev::scene::MaskMinima{10, 1});
  }

  TEST_CASE("every option is applied") {
    const bev::test::TempFolder folder;
    const auto config = folder.write("config.json", "{}");
    const auto request = sample_request(
        parsed({"data.zarr", "--config", config, "--root", "maps", "--kind", "agent",
                "--mask", "m.npy", "--min-history", "0", "--min-future", "7"}));
    CHECK(request.options.kind == SampleKind::agent);
    CHECK(request.root == "maps");
    CHECK(request.mask == "m.npy");
    CHECK(request.minima == bev::scene::MaskMinima{0, 7});
    const auto both =
        sample_request(parsed({"d", "--config", config, "--kind=egoagent", "--eval"}));
    CHECK(both.options.kind == SampleKind::ego_agent);
    CHECK(both.options.vectorized);
    CHECK(both.options.eval);
  }

  TEST_CASE("invalid options are usage errors") {
    CHECK(refusal({"--config", "c"}) == "expected one data set, DATASET");
    CHECK(refusal({"a", "b", "--config", "c"}) == "expected one data set, DATASET");
    CHECK(refusal({"a"}) == "--config is required");
    CHECK(refusal({"a", "--config", "c", "--kind", "bus"}) ==
          "--kind: unknown kind \"bus\" (expected ego, agent or egoagent)");
    CHECK(refusal({"a", "--config", "c", "--eval"}) ==
          "--eval requires --kind egoagent");
    CHECK_FALSE(refusal({"a", "--config", "c", "--min-history", "-1"}).empty());
    CHECK_FALSE(refusal({"a", "--config", "c", "--min-future", "4294967296"}).empty());
  }

  TEST_CASE("an output is required") {
    const auto target = sample_target(parsed({"a", "--index", "0:3", "-o", "out"}));
    CHECK(target.index == "0:3");
    CHECK(target.output == "out");
    CHECK_THROWS_WITH_AS(sample_target(parsed({"a", "-o", "out"})),
                         "--index is required", bev::cli::UsageError);
    CHECK_THROWS_WITH_AS(sample_target(parsed({"a", "--index", "0"})),
                         "--output is required", bev::cli::UsageError);
  }

  TEST_CASE("progress without a terminal is not an error") {
    const auto progress = selection_on_terminal("sample", true);
    progress(0, 0);
    progress(1, 2);
    CHECK(progress != nullptr);
  }
}

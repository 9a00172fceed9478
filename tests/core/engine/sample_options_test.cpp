#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "core/engine/sample_query.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/sample_config.hpp"
#include "tests/support/small_scenes.hpp"

namespace sample_options_test {

// Valid configs, and their section `bevscope`.

using bev::Engine;
using bev::Errc;
using bev::Error;
using bev::ImageForm;
using bev::SampleOptions;
using bev::test::run;
using bev::test::SampleConfig;
using bev::test::small_store;
using Floats = std::vector<float>;

namespace {

SampleOptions options_of(const std::string& config) {
  SampleOptions options;
  options.config = config;
  options.image = ImageForm::none;
  return options;
}

Errc code_of(const std::string& config) {
  Engine engine;
  try {
    engine.samples(options_of(config));
  } catch (const Error& error) {
    return error.code();
  }
  return Errc::internal;  // nothing thrown
}

/// Returns the default config with one text replaced by another.
std::string with(const std::string& text, const std::string& by) {
  auto config = SampleConfig().json();
  const auto at = config.find(text);
  REQUIRE(at != std::string::npos);
  return config.replace(at, text.size(), by);
}

Floats values(const SampleConfig& config, std::int64_t frame, std::string_view name) {
  const auto store = small_store();
  Engine engine;
  const auto query = engine.samples(options_of(config.json()));
  query->at_frame(frame);
  return run(engine, *query, store).values<float>(name);
}

}  // namespace

TEST_SUITE("engine/sample_options") {
  TEST_CASE("frames_per_step strides history and future") {
    const SampleConfig config{.more = R"(, "bevscope": {"frames_per_step": 2})"};
    CHECK(values(config, 2, "history_positions") == Floats{0, 0, -4, 0, 0, 0});
    CHECK(values(config, 2, "target_positions") == Floats{4, 0, 0, 0, 0, 0});
    CHECK(values(config, 2, "target_availabilities") == Floats{1, 0, 0});
    CHECK(values(config, 2, "curr_speed") == Floats{8});
    // Frame 1 is one step from the start: its stride begins before the scene.
    CHECK(values(config, 1, "history_availabilities") == Floats{1, 0, 0});
  }

  TEST_CASE("velocities at gaps are differences to 0, or 0 by option") {
    const SampleConfig plain;
    const SampleConfig zero{.more = R"(, "bevscope": {"velocities_at_gaps": "zero"})"};
    CHECK(values(plain, 3, "target_velocities") == Floats{4, 0, -4, 0, 0, 0});
    CHECK(values(zero, 3, "target_velocities") == Floats{4, 0, 0, 0, 0, 0});
    CHECK(values(plain, 1, "history_velocities") == Floats{4, 0, -4, 0});
    CHECK(values(zero, 1, "history_velocities") == Floats{4, 0, 0, 0});
    CHECK(values({.more = R"(, "bevscope": {"velocities_at_gaps": "difference"})"}, 1,
                 "history_velocities") == Floats{4, 0, -4, 0});
  }

  TEST_CASE("an invalid config is refused before anything is read") {
    CHECK(code_of("") == Errc::invalid_argument);
    CHECK(code_of("[1]") == Errc::invalid_argument);
    CHECK(code_of("{}") == Errc::missing_key);
    CHECK(code_of(with("\"step_time\": 0.5, ", "")) == Errc::missing_key);
    CHECK(code_of(with("\"step_time\": 0.5", "\"step_time\": null")) ==
          Errc::missing_key);
    CHECK(code_of(with("\"step_time\": 0.5", "\"step_time\": 0")) ==
          Errc::invalid_argument);
    CHECK(code_of(with("\"step_time\": 0.5", "\"step_time\": \"0.5\"")) ==
          Errc::invalid_argument);
    CHECK(code_of(with("frames\": 2", "frames\": -1")) == Errc::invalid_argument);
    CHECK(code_of(with("frames\": 2", "frames\": 2.5")) == Errc::invalid_argument);
    CHECK(code_of(with("frames\": 2", "frames\": 18446744073709551615")) ==
          Errc::invalid_argument);
    CHECK(code_of(with("frames\": 3", "frames\": 10001")) == Errc::invalid_argument);
    CHECK(code_of(with("[20, 10]", "[20, 100000]")) == Errc::invalid_argument);
    CHECK(code_of(with("[20, 10]", "[0, 10]")) == Errc::invalid_argument);
    CHECK(code_of(with("[20, 10]", "[20]")) == Errc::invalid_argument);
    CHECK(code_of(with("[0.5, 0.5]", "[0.5, 0.25]")) == Errc::unsupported);
    CHECK(code_of(with("[0.5, 0.5]", "[-0.5, -0.5]")) == Errc::invalid_argument);
    CHECK(code_of(with("[0.25, 0.5]", "[0.25, 1e999]")) == Errc::invalid_argument);
    CHECK(code_of(with("_faces\": false", "_faces\": 0")) == Errc::invalid_argument);
    CHECK(code_of(with("_bottom\": true", "_bottom\": {}")) == Errc::invalid_argument);
  }

  TEST_CASE("the section bevscope is validated too") {
    const auto code = [](const std::string& section) {
      return code_of(SampleConfig{.more = ", \"bevscope\": " + section}.json());
    };
    CHECK(code(R"({"frames_per_step": 0})") == Errc::invalid_argument);
    CHECK(code(R"({"frames_per_step": "2"})") == Errc::invalid_argument);
    CHECK(code(R"({"frames_per_step": 10001})") == Errc::invalid_argument);
    CHECK(code(R"({"velocities_at_gaps": "none"})") == Errc::invalid_argument);
    CHECK(code(R"({"velocities_at_gaps": true})") == Errc::invalid_argument);
    CHECK(code("{}") == Errc::internal);  // nothing thrown
  }
}

}  // namespace sample_options_test

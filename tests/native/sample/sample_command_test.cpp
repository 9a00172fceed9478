#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "core/base/error.hpp"
#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"
#include "tests/support/small_folder.hpp"

using bev::Errc;
using bev::Error;
using bev::cli::UsageError;
using bev::native::sample_main;
using bev::test::file_text;
using bev::test::SmallFolder;
namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

int sample(const SmallFolder& small, const Words& more, const std::string& config) {
  Words words{small.dataset(), "--config", config, "--quiet", "-o", small.at("out")};
  words.insert(words.end(), more.begin(), more.end());
  return sample_main(words);
}

int sample(const SmallFolder& small, const Words& more) {
  return sample(small, more, small.config());
}

Errc code_of(const SmallFolder& small, const Words& more, const std::string& config) {
  try {
    sample(small, more, config);
  } catch (const Error& error) {
    return error.code();
  }
  return Errc::internal;
}

Errc code_of(const SmallFolder& small, const Words& more) {
  return code_of(small, more, small.config());
}

/// Returns the names in a folder, sorted.
Words names_in(const std::string& folder) {
  Words names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// Returns the bytes after the header of an .npy.
std::string values_in(const std::string& path) {
  const auto text = file_text(path);
  return text.substr(text.find('\n') + 1);
}

}  // namespace

TEST_SUITE("native/sample/sample_command") {
  TEST_CASE("an item is a folder with a file for each key") {
    const SmallFolder small;
    REQUIRE(sample(small, {"--index=0,-1"}) == 0);
    CHECK(names_in(small.at("out")) == Words{"00000", "00009"});
    const auto files = names_in(small.at("out/00009"));
    CHECK(files.size() >= 24);
    for (const char* const key : {"target_positions.npy", "yaw.npy", "host_id.npy"}) {
      CHECK(std::count(files.begin(), files.end(), key) == 1);
    }
    CHECK(values_in(small.at("out/00009/frame_index.npy")) ==
          std::string("\4\0\0\0\0\0\0\0", 8));
  }

  TEST_CASE("an agent's items are those of the mask, computed or stored or given") {
    const SmallFolder small;
    const Words agents{"--kind=agent", "--min-history=3", "--index=-1"};
    REQUIRE(sample(small, agents) == 0);
    // Two scenes of five frames with three agents: each track is long enough in one
    // frame.
    CHECK(names_in(small.at("out")) == Words{"00005"});
    CHECK(values_in(small.at("out/00005/track_id.npy")) ==
          std::string("\3\0\0\0\0\0\0\0", 8));
    CHECK(code_of(small, {"--kind=agent", "--min-history=3", "--index=6"}) ==
          Errc::out_of_range);
    CHECK(code_of(small, {"--kind=agent", "--mask", small.at("none.npy"),
                          "--index=0"}) == Errc::not_found);
  }

  TEST_CASE("an empty slice writes nothing") {
    const SmallFolder small;
    REQUIRE(sample(small, {"--index", "5:2"}) == 0);
    CHECK_FALSE(fs::exists(small.at("out")));
  }

  TEST_CASE("errors of config and data are typed") {
    const SmallFolder small;
    const auto code_of_config = [&](const std::string& text) {
      return code_of(small, {"--index=0"}, small.folder().write("c.yaml", text));
    };
    CHECK(code_of_config("raster_params: {}\n") == Errc::missing_key);
    CHECK(code_of_config("[1, 2]") == Errc::invalid_argument);
    CHECK(code_of_config("a: [") == Errc::invalid_argument);
    CHECK(code_of(small, {"--index=0"}, "nope.yaml") == Errc::not_found);
    CHECK(code_of(small, {"--index=10"}) == Errc::out_of_range);
    CHECK(code_of(small, {"--index=-11"}) == Errc::invalid_argument);
  }

  TEST_CASE("usage errors are distinguished from data errors") {
    const SmallFolder small;
    CHECK_THROWS_AS(sample(small, {}), UsageError);
    CHECK_THROWS_AS(sample(small, {"--index=x"}), UsageError);
    CHECK_THROWS_AS(sample(small, {"--index=0", "--kind=car"}), UsageError);
    CHECK_THROWS_AS(sample(small, {"--index=0", "--eval"}), UsageError);
    CHECK_THROWS_AS(sample(small, {"--index=0", "--min-history=-1"}), UsageError);
    CHECK_THROWS_AS(sample(small, {"--index=0", "more.zarr"}), UsageError);
    CHECK_THROWS_AS(sample_main(Words{small.dataset(), "--index=0", "-o=x"}),
                    UsageError);
  }
}

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"
#include "native/copy/copy.hpp"
#include "native/eval/chopped.hpp"
#include "tests/support/goldens.hpp"
#include "tests/support/small_folder.hpp"
#include "tests/support/temp_folder.hpp"

using bev::Error;
using bev::cli::UsageError;
using bev::native::chop_main;
using bev::native::concat_main;
using bev::native::split_main;
using bev::test::SmallFolder;
using bev::test::TempFolder;
namespace fs = std::filesystem;
using Words = std::vector<std::string>;

namespace {

int quiet(int (*command)(std::span<const std::string>), Words words) {
  words.push_back("--quiet");
  return command(words);
}

/// Returns the contents of all files below a folder.
std::map<std::string, std::string> files_in(const std::string& folder) {
  std::map<std::string, std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    out[entry.path().lexically_relative(folder).string()] =
        bev::test::file_text(entry.path().string());
  }
  return out;
}

std::size_t entries_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
}

/// Runs `work` in a process that is killed at the first written scene.
void interrupt(int signal,
               const std::function<void(const bev::native::CopyProgress&)>& work) {
  const auto child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    std::signal(signal, SIG_DFL);
    work([&](std::uint64_t) { ::kill(::getpid(), signal); });
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(WIFSIGNALED(status));
}

}  // namespace

TEST_SUITE("native/copy/copy_command") {
  TEST_CASE("the commands write what the library writes, from the reference's data") {
    BEV_REQUIRE_GOLDENS();
    const auto inputs = bev::test::goldens() + "/inputs/";
    const auto multi = inputs + "multi_scene.zarr";
    const TempFolder folder;
    CHECK(quiet(concat_main, {folder.at("c.zarr"), multi, inputs + "single_scene.zarr",
                              multi}) == 0);
    bev::native::concat({multi, inputs + "single_scene.zarr", multi},
                        folder.at("c2.zarr"));
    CHECK(files_in(folder.at("c.zarr")) == files_in(folder.at("c2.zarr")));

    CHECK(quiet(chop_main, {multi, folder.at("s.zarr"), "--frames", "25"}) == 0);
    bev::native::chop(multi, folder.at("s2.zarr"), 25);
    CHECK(files_in(folder.at("s.zarr")) == files_in(folder.at("s2.zarr")));
  }

  TEST_CASE("the test set of chop --future is the reference's") {
    BEV_REQUIRE_GOLDENS();
    const TempFolder folder;
    fs::copy(bev::test::goldens() + "/inputs/multi_scene.zarr",
             folder.at("multi_scene.zarr"), fs::copy_options::recursive);
    CHECK(quiet(chop_main,
                {folder.at("multi_scene.zarr"), "--frames", "40", "--future=12"}) == 0);
    CHECK(bev::test::file_text(folder.at("multi_scene_chopped_40/gt.csv")) ==
          bev::test::file_text(bev::test::goldens() + "/outputs/eval/gt.csv"));
  }

  TEST_CASE("split writes the parts, which concat joins") {
    const SmallFolder small;
    const auto parts = small.at("parts");
    CHECK(quiet(concat_main,
                {small.at("four.zarr"), small.dataset(), small.dataset()}) == 0);
    double bytes = 0;
    for (const auto& [name, text] : files_in(small.at("four.zarr"))) {
      bytes += static_cast<double>(text.size());
    }
    char part[64];
    std::snprintf(part, sizeof part, "a.zarr=%.17g",
                  bytes / 2 / 1024 / 1024 / 1024 * 1.01);
    CHECK(quiet(split_main, {small.at("four.zarr"), parts, part, "b.zarr"}) == 0);
    CHECK(quiet(concat_main,
                {small.at("again.zarr"), parts + "/a.zarr", parts + "/b.zarr"}) == 0);
    CHECK(files_in(small.at("again.zarr")) == files_in(small.at("four.zarr")));
  }

  TEST_CASE("existing outputs are not replaced") {
    const SmallFolder small;
    small.folder().write("out.zarr/mine", "mine");
    small.folder().write("parts/a.zarr/mine", "mine");
    const auto out = small.at("out.zarr");
    CHECK_THROWS_WITH_AS(quiet(concat_main, {out, small.dataset()}),
                         (out + ": already exists").c_str(), Error);
    CHECK_THROWS_WITH_AS(quiet(chop_main, {small.dataset(), out, "--frames", "2"}),
                         (out + ": already exists").c_str(), Error);
    CHECK_THROWS_AS(
        quiet(split_main, {small.dataset(), small.at("parts"), "b.zarr=0", "a.zarr"}),
        Error);
    CHECK(files_in(out).size() == 1);
    CHECK(entries_in(small.at("parts")) == 1);
  }

  TEST_CASE("inputs that are not data sets are errors unless skipped") {
    const SmallFolder small;
    const auto out = small.at("out.zarr");
    const Words words{out, small.at("nothing.zarr"), small.dataset()};
    CHECK_THROWS_AS(quiet(concat_main, words), Error);
    CHECK_FALSE(fs::exists(out));
    auto skipping = words;
    skipping.push_back("--skip-invalid");
    CHECK(quiet(concat_main, skipping) == 0);
    CHECK(fs::exists(out + "/.zgroup"));
  }

  TEST_CASE("a damaged input leaves nothing") {
    const SmallFolder small;
    const auto before = entries_in(small.folder().path());
    small.folder().write("small.zarr/agents/3", "short");
    for (const auto& run : std::vector<std::function<int()>>{
             [&] {
               return quiet(concat_main, {small.at("o.zarr"), small.dataset()});
             },
             [&] {
               return quiet(chop_main,
                            {small.dataset(), small.at("o.zarr"), "--frames", "4"});
             },
             [&] {
               return quiet(chop_main, {small.dataset(), "--frames=4", "--future=1"});
             }}) {
      CHECK_THROWS_AS(run(), Error);
      CHECK(entries_in(small.folder().path()) == before);
    }
  }

  TEST_CASE("a killed copy has no output, and the next one succeeds") {
    const SmallFolder small;
    const auto out = small.at("out.zarr");
    for (const int signal : {SIGKILL, SIGINT}) {
      CAPTURE(signal);
      interrupt(signal, [&](const bev::native::CopyProgress& progress) {
        bev::native::concat({small.dataset()}, out, {.progress = progress});
      });
      CHECK_FALSE(fs::exists(out));
    }
    CHECK(quiet(concat_main, {out, small.dataset()}) == 0);
    CHECK(entries_in(small.folder().path()) == 2);  // no partial folder remains

    interrupt(SIGINT, [&](const bev::native::CopyProgress& progress) {
      bev::native::create_chopped_dataset(
          small.dataset(), {.frames_to_copy = 3, .steps_gt = 2, .progress = progress});
    });
    CHECK_FALSE(fs::exists(small.at("small_chopped_3")));
    CHECK(quiet(chop_main, {small.dataset(), "--frames=3", "--future=2"}) == 0);
    CHECK(entries_in(small.folder().path()) == 3);
  }

  TEST_CASE("an output that cannot be written is named, with the system's reason") {
    const SmallFolder small;
    small.folder().write("file", "x");
    const auto out = small.at("file/out.zarr");
    CHECK_THROWS_WITH_AS(quiet(concat_main, {out, small.dataset()}),
                         doctest::Contains("Not a directory"), Error);
  }

  TEST_CASE("invalid arguments are usage errors") {
    for (const auto& words : std::vector<Words>{{}, {"out.zarr"}}) {
      CHECK_THROWS_AS(quiet(concat_main, words), UsageError);
    }
    for (const auto& words : std::vector<Words>{{"in", "out"},
                                                {"in", "out", "a", "b"},
                                                {"in", "out", "a=x", "b"},
                                                {"in", "out", "a=-1", "b"},
                                                {"in", "out", "a=nan", "b"},
                                                {"in", "out", "a=1", "b=2"}}) {
      CHECK_THROWS_AS(quiet(split_main, words), UsageError);
    }
    for (const auto& words :
         std::vector<Words>{{"in", "out"},
                            {"in", "--frames=2"},
                            {"in", "out", "--frames=0"},
                            {"in", "out", "--frames=2", "--future=3"},
                            {"in", "out", "--frames=2", "--threshold=0.5"},
                            {"in", "--frames=2", "--future=0"},
                            {"in", "--frames=2", "--future=3", "--threshold=x"}}) {
      CHECK_THROWS_AS(quiet(chop_main, words), UsageError);
    }
    const auto url = "https://127.0.0.1:1/a.zarr";
    CHECK_THROWS_WITH_AS(quiet(chop_main, {url, "--frames=2", "--future=3"}),
                         doctest::Contains("a URL (expected a folder or .zip)"), Error);
  }
}

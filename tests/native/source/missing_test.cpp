#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "native/cli/command.hpp"
#include "native/cli/commands.hpp"
#include "native/source/source.hpp"
#include "tests/support/small_folder.hpp"

using bev::Errc;
using bev::Error;
using bev::test::SmallFolder;

namespace {

using Words = std::vector<std::string>;

/// Returns a command's exit status, or the error that it throws.
std::string run(int (*command)(std::span<const std::string>), Words words) {
  try {
    return std::to_string(command(words));
  } catch (const Error& error) {
    return std::string(bev::to_string(error.code())) + ": " + bev::cli::text_of(error);
  }
}

/// Returns what `action` writes to standard error.
std::string errors_of(const std::function<void()>& action) {
  const bev::test::TempFolder folder;
  const auto path = folder.at("stderr");
  std::fflush(stderr);
  const int kept = ::dup(STDERR_FILENO);
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT, 0600);
  ::dup2(file, STDERR_FILENO);
  action();
  std::fflush(stderr);
  ::dup2(kept, STDERR_FILENO);
  ::close(file);
  ::close(kept);
  return bev::test::file_text(path);
}

/// Every command that reads records, with arguments for the small data set.
struct Reading {
  std::string name;
  int (*command)(std::span<const std::string>);
  Words words;
};

std::vector<Reading> readings(const SmallFolder& small) {
  const auto data = small.dataset();
  const Words sampling = {data, "--config", small.config(), "--root",
                          small.folder().path().string()};
  const auto with = [](Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  return {
      {"cat", &bev::native::cat_main, {data + "/agents", "-o", small.at("a.npy")}},
      {"select",
       &bev::native::cat_main,
       {data + "/agents", "--select", "0:1", "-o", small.at("a.npy")}},
      {"mask",
       &bev::native::mask_main,
       {data, "--threshold", "0.5", "--quiet", "-o", small.at("m.npy")}},
      {"sample", &bev::native::sample_main,
       with(sampling, {"--index", "0", "--quiet", "-o", small.at("samples")})},
      {"render", &bev::native::render_main,
       with(sampling, {"--index", "0", "--quiet", "-o", small.at("r.png")})},
  };
}

}  // namespace

TEST_SUITE("native/source/missing") {
  TEST_CASE("a missing chunk fails a command unless allowed") {
    const SmallFolder small;
    std::filesystem::remove(small.at("small.zarr/agents/0"));
    for (auto& reading : readings(small)) {
      CAPTURE(reading.name);
      // A sample that draws no agents does not read them.
      if (reading.name == "sample" || reading.name == "render") continue;
      const auto said = run(reading.command, reading.words);
      CHECK(said.starts_with("missing_key: "));
      CHECK(said.find("agents/0") != std::string::npos);
      CHECK(said.ends_with("; --allow-missing reads its fill value"));
      reading.words.emplace_back("--allow-missing");
      const auto warning =
          errors_of([&] { CHECK(run(reading.command, reading.words) == "0"); });
      CHECK(warning ==
            "bevscope: warning: agents: 1 chunk is not stored, read as fill values "
            "(agents/0)\n");
    }
    CHECK(run(&bev::native::info_main, {small.dataset()}) == "1");
    CHECK(run(&bev::native::info_main, {small.dataset(), "--allow-missing"}) == "0");
    std::filesystem::remove(small.at("small.zarr/frames/0"));
    CHECK(run(&bev::native::info_main, {small.dataset()}).starts_with("missing_key: "));
    CHECK(run(&bev::native::info_main, {small.dataset(), "--allow-missing"}) == "0");
  }

  TEST_CASE("a scene that is left out is not said to have fill values") {
    const SmallFolder small;
    std::filesystem::remove(small.at("small.zarr/agents/0"));
    const Words words = {small.dataset(), "--on-damage", "skip", "-o",
                         small.at("a.csv")};
    const auto warning =
        errors_of([&] { CHECK(run(&bev::native::scan_main, words) == "0"); });
    CHECK(warning ==
          "bevscope: warning: block 0 left out: agents/0: missing from the store "
          "(expected every chunk of agents)\n");
  }

  TEST_CASE("a command that fails leaves no result") {
    const SmallFolder small;
    std::filesystem::remove(small.at("small.zarr/agents/0"));
    std::filesystem::remove(small.at("small.zarr/frames/0"));
    for (const auto& reading : readings(small)) {
      CAPTURE(reading.name);
      CHECK(run(reading.command, reading.words).starts_with("missing_key: "));
    }
    for (const auto* result : {"a.npy", "m.npy", "r.png", "samples"}) {
      CAPTURE(result);
      CHECK_FALSE(std::filesystem::exists(small.at(result)));
    }
  }

  TEST_CASE("other arrays than L5Kit's may be sparse; absent chunks are recorded") {
    const bev::test::TempFolder folder;
    folder.write("a.zarr/.zgroup", R"({"zarr_format": 2})");
    folder.write("a.zarr/x/.zarray",
                 R"({"zarr_format": 2, "shape": [6], "chunks": [2], "dtype": "|u1",
                     "order": "C", "compressor": null, "fill_value": 57,
                     "filters": null})");
    folder.write("a.zarr/x/0", "12");
    const auto out = folder.at("out.csv");
    CHECK(run(&bev::native::cat_main,
              {folder.at("a.zarr/x"), "--format", "csv", "-o", out}) == "0");
    CHECK(bev::test::file_text(out) == "x\n49\n50\n57\n57\n57\n57\n");
    CHECK(run(&bev::native::info_main, {folder.at("a.zarr")}) == "0");
  }

  TEST_CASE("a data set that is replaced while it is read is an error") {
    const SmallFolder small;
    const auto source = bev::native::open_source(small.dataset());
    REQUIRE(source->read("agents/.zarray", std::nullopt));
    REQUIRE(source->read("agents/0", bev::ByteRange{0, 1}));
    CHECK_NOTHROW(source->check_unchanged());
    const auto text = bev::test::file_text(small.at("small.zarr/agents/.zarray"));
    const auto replaced = [&](const std::string& key, const std::string& content) {
      small.folder().write("small.zarr/" + key, content);
    };
    replaced("agents/.zarray", text + " ");
    CHECK_THROWS_WITH_AS(
        source->check_unchanged(),
        "agents/.zarray: changed while the data set was read; read it again", Error);
    replaced("agents/0", "another");
    CHECK_THROWS_WITH_AS(source->read("agents/0", bev::ByteRange{1, 2}),
                         "agents/0: changed while the data set was read; read it again",
                         Error);
    std::filesystem::remove(small.at("small.zarr/agents/.zarray"));
    CHECK_THROWS_AS(source->check_unchanged(), Error);
  }
}

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"
#include "tests/support/files.hpp"
#include "tests/support/object_server.hpp"
#include "tests/support/patches.hpp"
#include "tests/support/small_folder.hpp"

namespace copy_dataset_command_test {

using bev::Error;
using bev::cli::UsageError;
using bev::native::copy_main;
using bev::test::ObjectServer;
using bev::test::SmallFolder;
namespace fs = std::filesystem;
using Words = std::vector<std::string>;

namespace {

int quiet(Words words) {
  words.emplace_back("--quiet");
  return copy_main(words);
}

ObjectServer::Objects served(const bev::test::MemoryStore& store) {
  ObjectServer::Objects out;
  for (const auto& [key, bytes] : store.objects) {
    out["/a.zarr/" + key].bytes.assign(reinterpret_cast<const char*>(bytes.data()),
                                       bytes.size());
  }
  return out;
}

std::ptrdiff_t entries_in(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), {});
}

}  // namespace

TEST_SUITE("native/copy/copy_dataset_command") {
  TEST_CASE("the options choose scenes, fields, chunks and codec") {
    const SmallFolder small({.scenes = 3});
    const auto out = small.at("out.zarr");
    CHECK(quiet({small.dataset(), out, "--scenes", "1:", "--chunk",
                 "agents=10,frames=5", "--codec=zstd", "--level=1", "--fields",
                 "agents.centroid,agents.track_id"}) == 0);
    const auto meta = bev::test::read_text(out + "/agents/.zarray");
    CHECK(meta.find("\"shape\": [\n        30\n") != std::string::npos);
    CHECK(meta.find("\"chunks\": [\n        10\n") != std::string::npos);
    CHECK(meta.find("zstd") != std::string::npos);
    CHECK(meta.find("track_id") != std::string::npos);
    CHECK(meta.find("yaw") == std::string::npos);
    CHECK(fs::exists(out + "/frames/1"));
    CHECK_FALSE(fs::exists(out + "/.bevscope"));
    CHECK(quiet({small.dataset(), small.at("one.zarr"), "--scenes=2"}) == 0);
  }

  TEST_CASE("a copy for viewing has small chunks and statistics") {
    const SmallFolder small;
    const auto out = small.at("out.zarr");
    CHECK(quiet({small.dataset(), out, "--for", "viewing", "--chunk=agents=9"}) == 0);
    CHECK(fs::exists(out + "/.bevscope/statistics.json"));
    CHECK(bev::test::read_text(out + "/frames/.zarray").find("lz4hc") !=
          std::string::npos);
    CHECK(fs::exists(out + "/agents/3"));
  }

  TEST_CASE("a columnar copy has one array per field") {
    const SmallFolder small;
    const auto out = small.at("out.zarr");
    CHECK(quiet({small.dataset(), out, "--columnar"}) == 0);
    CHECK(fs::exists(out + "/agents/centroid/0.0"));
    CHECK(fs::exists(out + "/scenes/host/.zarray"));
    const auto version3 = small.at("v3.zarr");
    CHECK(quiet({small.dataset(), version3, "--columnar", "--zarr-format=3",
                 "--shard=4"}) == 0);
    CHECK(fs::exists(version3 + "/agents/centroid/c/0/0"));
    CHECK(bev::test::read_text(version3 + "/agents/centroid/zarr.json")
              .find("sharding_indexed") != std::string::npos);
  }

  TEST_CASE("a patch edits the scenes that are copied; an empty one changes nothing") {
    const SmallFolder small({.scenes = 3});
    const auto plain = small.at("plain.zarr"), out = small.at("out.zarr");
    CHECK(quiet({small.dataset(), plain}) == 0);
    const auto empty = small.folder().write("empty.json", bev::test::patch_json(""));
    CHECK(quiet({small.dataset(), out, "--patch", empty}) == 0);
    for (const auto& entry : fs::recursive_directory_iterator(plain)) {
      if (!entry.is_regular_file()) continue;
      const auto path = fs::relative(entry.path(), plain);
      CHECK(bev::test::read_text(out / path) == bev::test::read_text(entry.path()));
    }
    const auto patch = small.folder().write("patch.json", bev::test::patch_json(R"(
        {"op": "remove", "scene": 1, "track": 2},
        {"op": "add", "scene": 2, "track": 9, "label": "CAR", "extent": [4, 2, 1],
         "path": [[0, 1, 2, 3]]})"));
    CHECK(quiet({small.dataset(), out, "--patch", patch, "--force"}) == 0);
    const auto meta = bev::test::read_text(out + "/agents/.zarray");
    CHECK(meta.find("\"shape\": [\n        45\n") != std::string::npos);
    CHECK(quiet({small.dataset(), out, "--patch", patch, "--force", "--scenes=:2",
                 "--columnar"}) == 0);
    const auto ids = bev::test::read_text(out + "/agents/track_id/.zarray");
    CHECK(ids.find("\"shape\": [\n        25\n") != std::string::npos);
    const auto wrong = small.folder().write("wrong.json", "{}");
    CHECK_THROWS_WITH_AS(quiet({small.dataset(), out, "--patch", wrong, "--force"}),
                         (wrong + ": format: missing").c_str(), Error);
    CHECK_THROWS_AS(quiet({small.dataset(), out, "--patch", "none.json", "--force"}),
                    Error);
  }

  TEST_CASE("an existing output is replaced only with --force") {
    const SmallFolder small;
    const auto out = small.at("out.zarr");
    CHECK(quiet({small.dataset(), out}) == 0);
    CHECK_THROWS_WITH_AS(quiet({small.dataset(), out, "--columnar"}),
                         (out + ": already exists").c_str(), Error);
    CHECK(fs::exists(out + "/agents/0"));
    CHECK(quiet({small.dataset(), out, "--columnar", "--force"}) == 0);
    CHECK_FALSE(fs::exists(out + "/agents/0"));
  }

  TEST_CASE("a data set may be replaced by a copy of itself") {
    const SmallFolder small;
    CHECK(quiet({small.dataset(), small.dataset(), "--force", "--scenes=0"}) == 0);
    CHECK(bev::test::read_text(small.dataset() + "/scenes/.zarray")
              .find("\"shape\": [\n        1\n") != std::string::npos);
  }

  TEST_CASE("a copy within the data set that is copied is refused") {
    const SmallFolder small;
    const auto in = small.dataset();
    for (const auto& out : {in + "/b.zarr", in + "/agents/b", in + "/x/../c.zarr"}) {
      CAPTURE(out);
      CHECK_THROWS_AS(quiet({in, out}), UsageError);
      CHECK_FALSE(fs::exists(out));
    }
    CHECK(quiet({in, in + "-copy"}) == 0);  // beside it, with its name in front
    CHECK(quiet({in + "/", in, "--force"}) == 0);
  }

  TEST_CASE("control-C leaves nothing and ends the process by the signal") {
    const bev::test::TempFolder folder;
    const auto out = folder.at("out.zarr");
    const auto objects = served(bev::test::small_store());
    for (const int signal : {SIGINT, SIGTERM}) {
      CAPTURE(signal);
      // The process forks before the server has threads, which may hold locks, and is
      // then told the origin.
      std::array<int, 2> pipe{};
      REQUIRE(::pipe(pipe.data()) == 0);
      const pid_t child = ::fork();
      REQUIRE(child >= 0);
      if (child == 0) {
        std::array<char, 64> origin{};
        const auto size = ::read(pipe[0], origin.data(), origin.size());
        if (size <= 0) ::_exit(3);
        const std::string text(origin.data(), static_cast<std::size_t>(size));
        ::_exit(quiet({text + "/a.zarr", out}));
      }
      std::atomic<bool> sent = false;
      ObjectServer server(objects);
      // Sent while the copy waits for its data, after it has created the new store.
      server.set_delay([&, signal, child] {
        if (fs::exists(out + ".partial") && !sent.exchange(true)) {
          ::kill(child, signal);
        }
        return std::chrono::milliseconds(0);
      });
      const auto origin = server.origin();
      CHECK(::write(pipe[1], origin.data(), origin.size()) ==
            static_cast<ssize_t>(origin.size()));
      int status = 0;
      ::waitpid(child, &status, 0);
      ::close(pipe[0]);
      ::close(pipe[1]);
      CHECK(sent);
      REQUIRE(WIFSIGNALED(status));
      CHECK(WTERMSIG(status) == signal);
      CHECK(entries_in(folder.path()) == 0);
    }
    ObjectServer server(objects);
    CHECK(quiet({server.origin() + "/a.zarr", out}) == 0);
  }

  TEST_CASE("invalid arguments are usage errors") {
    const SmallFolder small;
    const auto in = small.dataset();
    const auto out = small.at("out.zarr");
    for (const auto& words :
         std::vector<Words>{{},
                            {in},
                            {in, out, "third"},
                            {in, out, "--scenes=x"},
                            {in, out, "--scenes=::0"},
                            {in, out, "--scenes=1,2"},
                            {in, out, "--chunk=agents"},
                            {in, out, "--chunk=agents=0"},
                            {in, out, "--fields="},
                            {in, out, "--level=99"},
                            {in, out, "--for=fun"},
                            {in, out, "--zarr-format=4"},
                            {in, out, "--shard=0"},
                            {in, out, "--for=viewing", "--columnar"}}) {
      CHECK_THROWS_AS(quiet(words), UsageError);
    }
    CHECK_THROWS_AS(quiet({in, out, "--chunk=agent=3"}), Error);
    CHECK_THROWS_AS(quiet({in, out, "--codec=rar"}), Error);
    CHECK_THROWS_AS(quiet({in, out, "--zarr-format=3"}), Error);
    CHECK_THROWS_AS(quiet({in, out, "--columnar", "--shard=2"}), Error);
    CHECK_THROWS_AS(quiet({in, out, "--split-vectors"}), Error);
    CHECK_FALSE(fs::exists(out));
  }
}

}  // namespace copy_dataset_command_test

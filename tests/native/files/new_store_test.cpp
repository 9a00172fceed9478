#include "native/files/new_store.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "native/cli/commands.hpp"
#include "native/copy/copy.hpp"
#include "native/eval/chopped.hpp"
#include "native/source/source.hpp"
#include "native/town/town_files.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/file_size_limit.hpp"
#include "tests/support/small_folder.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/traced.hpp"

namespace new_store_test {

using bev::Errc;
using bev::native::create_store;
using bev::native::Existing;
using bev::test::Content;
using bev::test::content_of;
using bev::test::error_code;
using bev::test::file_text;
using bev::test::FileSizeLimit;
using bev::test::SmallFolder;
using bev::test::TempFolder;
namespace fs = std::filesystem;

namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

std::ptrdiff_t count_in(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), {});
}

/// Writes a store of one group and one object.
void write_store(const std::string& path, Existing existing, std::string_view text) {
  const auto store = create_store(path, existing);
  store->put(".zgroup", bytes_of("{}"));
  store->put("agents/0", bytes_of(text));
  store->commit();
}

/// Returns an object of a store, be it a folder or a .zip.
std::string object_in(const std::string& path, const std::string& key) {
  const auto bytes = bev::native::open_source(path)->read(key, std::nullopt);
  if (!bytes) return "absent";
  return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
}

int run(int (*command)(std::span<const std::string>), std::vector<std::string> words) {
  words.push_back("--quiet");
  return command(words);
}

/// A command that writes `output`, a path below the folder.
struct Writer {
  std::string name;
  std::string output;
  std::function<void(const SmallFolder&)> write;
  bool replaces = false;
};

void make_town(const SmallFolder& at, const std::vector<std::string>& more) {
  std::vector<std::string> words = {at.at("town"), "--scenes=1", "--frames=2",
                                    "--no-aerial"};
  words.insert(words.end(), more.begin(), more.end());
  run(bev::town::town_main, words);
}

std::vector<Writer> writers() {
  using bev::native::chop_main;
  using bev::native::concat_main;
  using bev::native::index_main;
  using bev::native::mask_main;
  using bev::native::split_main;
  return {
      {"concat", "o.zarr",
       [](const auto& at) {
         run(concat_main, {at.at("o.zarr"), at.dataset()});
       }},
      {"concat to a .zip", "o.zip",
       [](const auto& at) {
         run(concat_main, {at.at("o.zip"), at.dataset()});
       }},
      {"concat --force", "o.zarr",
       [](const auto& at) {
         run(concat_main, {at.at("o.zarr"), at.dataset(), "--force"});
       },
       true},
      {"concat --force to a .zip", "o.zip",
       [](const auto& at) {
         run(concat_main, {at.at("o.zip"), at.dataset(), "--force"});
       },
       true},
      {"split", "p/a.zarr",
       [](const auto& at) {
         run(split_main, {at.dataset(), at.at("p"), "a.zarr"});
       }},
      {"chop", "o.zarr",
       [](const auto& at) {
         run(chop_main, {at.dataset(), at.at("o.zarr"), "--frames=2"});
       }},
      {"chop --future", "small_chopped_2",
       [](const auto& at) {
         run(chop_main, {at.dataset(), "--frames=2", "--future=1", "--min-future=1"});
       }},
      {"mask of a new store", "m.zarr",
       [](const auto& at) {
         run(mask_main, {at.dataset(), "--threshold=0.5", "-o", at.at("m.zarr")});
       }},
      {"mask in a data set", "small.zarr/agents_mask/0.5",
       [](const auto& at) {
         run(mask_main, {at.dataset(), "--threshold=0.5", "-o", at.dataset()});
       }},
      {"mask.npy", "m.npy",
       [](const auto& at) {
         run(mask_main, {at.dataset(), "--threshold=0.5", "-o", at.at("m.npy")});
       },
       true},
      {"index", "small.zarr/.bevscope/statistics.json",
       [](const auto& at) { run(index_main, {at.dataset()}); }},
      {"town", "town", [](const auto& at) { make_town(at, {}); }},
      {"town --zip", "town", [](const auto& at) { make_town(at, {"--zip"}); }},
  };
}

/// Makes a previous output for writers that replace. Gives the data set's files one
/// time of modification, which statistics contain.
void prepare(const Writer& writer, const SmallFolder& at) {
  for (const auto& entry : fs::recursive_directory_iterator(at.dataset())) {
    fs::last_write_time(entry.path(), fs::file_time_type());
  }
  if (!writer.replaces) return;
  const auto path = at.at(writer.output);
  if (path.ends_with(".npy")) {
    at.folder().write(writer.output, "old");
  } else {
    write_store(path, Existing::refuse, "old");
  }
}

}  // namespace

TEST_SUITE("native/files/new_store") {
  TEST_CASE("a store appears when it is complete, as a folder or .zip") {
    const TempFolder at;
    for (const std::string name : {"a/b/new.zarr", "a/new.zarr.zip", "c.zarr/"}) {
      CAPTURE(name);
      const auto path = at.at(name);
      const auto store = create_store(path);
      store->put(".zgroup", bytes_of("{\"zarr_format\": 2}"));
      store->put("agents/0", bytes_of("rows"));
      CHECK_FALSE(fs::exists(at.path() / name));
      store->commit();
      CHECK(object_in(path, "agents/0") == "rows");
      CHECK(object_in(path, "agents/1") == "absent");
    }
    CHECK(count_in(at.path() / "a") == 2);
    CHECK(count_in(at.path()) == 2);
  }

  TEST_CASE("a file becomes an object; writing the object again leaves the file") {
    const TempFolder at;
    const auto file = at.write("file", "of the caller");
    for (const std::string name : {"s.zarr", "s.zip"}) {
      CAPTURE(name);
      const auto store = create_store(at.at(name));
      store->put(".zgroup", bytes_of("{}"));
      for (const auto* key : {"a/0", "a/1", "a/2"}) store->put_file(key, file);
      store->put("a/1", bytes_of("other"));
      store->put("a/2", bytes_of("other"));
      store->put_file("a/2", file);
      CHECK_THROWS_AS(store->put_file("a/3", at.path() / "none"), bev::Error);
      store->commit();
      CHECK(file_text(file) == "of the caller");
      CHECK(object_in(at.at(name), "a/0") == "of the caller");
      CHECK(object_in(at.at(name), "a/1") == "other");
      CHECK(object_in(at.at(name), "a/2") == "of the caller");
    }
  }

  TEST_CASE("an uncommitted store leaves nothing, not even of the parent folder") {
    const TempFolder at;
    for (const auto* name : {"new.zarr", "new.zip"}) {
      const auto store = create_store(at.at(name));
      store->put(".zgroup", bytes_of("{}"));
    }
    CHECK(count_in(at.path()) == 0);
  }

  TEST_CASE("an existing output is refused, or replaced as a whole") {
    const TempFolder at;
    for (const std::string name : {"s.zarr", "s.zip"}) {
      CAPTURE(name);
      const auto path = at.at(name);
      const auto old = create_store(path);
      old->put(".zgroup", bytes_of("{}"));
      old->put("agents/7", bytes_of("old"));
      old->commit();
      CHECK_THROWS_WITH_AS(create_store(path), (path + ": already exists").c_str(),
                           bev::Error);
      const auto next = create_store(path, Existing::replace);
      next->put(".zgroup", bytes_of("{}"));
      CHECK(object_in(path, "agents/7") == "old");
      next->commit();
      CHECK(object_in(path, "agents/7") == "absent");
      CHECK(object_in(path, ".zgroup") == "{}");
    }
    CHECK(count_in(at.path()) == 2);
  }

  TEST_CASE("something else than a store is never replaced") {
    const TempFolder at;
    at.write("photos/1.jpg", "x");
    at.write("file", "x");
    fs::create_directory(at.path() / "folder.zip");
    for (const auto* name : {"photos", "file", "folder.zip"}) {
      CAPTURE(name);
      CHECK_THROWS_WITH_AS(create_store(at.at(name), Existing::replace),
                           doctest::Contains("only a store is replaced"), bev::Error);
    }
    CHECK(file_text(at.at("photos/1.jpg")) == "x");
    CHECK(count_in(at.path()) == 3);
  }

  TEST_CASE("of two writers that must not replace, one wins and one is refused") {
    const TempFolder at;
    const auto first = create_store(at.at("s.zip"));
    first->put(".zgroup", bytes_of("{\"zarr_format\": 2}"));
    {
      const auto second = create_store(at.at("t.zip"));
      second->put(".zgroup", bytes_of("{}"));
      second->commit();
      fs::rename(at.at("t.zip"), at.at("s.zip"));
    }
    CHECK_THROWS_WITH_AS(first->commit(), doctest::Contains("already exists"),
                         bev::Error);
    CHECK(object_in(at.at("s.zip"), ".zgroup") == "{}");
    const auto folder = create_store(at.at("s.zarr"));
    CHECK_THROWS_WITH_AS(create_store(at.at("s.zarr")),
                         doctest::Contains("locked by another process"), bev::Error);
  }

  TEST_CASE("a key that leaves the store is an error") {
    const TempFolder at;
    for (const auto* name : {"s.zarr", "s.zip"}) {
      const auto store = create_store(at.at(name));
      for (const auto* key : {"../x", "/x", "", "a//b"}) {
        CAPTURE(key);
        CHECK(error_code([&] { store->put(key, {}); }) == Errc::invalid_argument);
      }
    }
  }

  TEST_CASE("a path that cannot be written is an error with its name") {
    const TempFolder at;
    at.write("file", "x");
    for (const auto* name : {"file/s.zarr", "file/s.zip"}) {
      CAPTURE(name);
      CHECK_THROWS_WITH_AS(create_store(at.at(name)),
                           doctest::Contains("write failed: Not a directory"),
                           bev::Error);
    }
    // An account without permission to write, which root always has.
    ::chmod(at.path().c_str(), 0555);
    const auto child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      constexpr uid_t kNobody = 65534;
      if (::geteuid() == 0 && ::setuid(kNobody) != 0) ::_exit(2);
      int refused = 0;
      for (const auto* name : {"s.zarr", "s.zip"}) {
        try {
          create_store(at.at(name));
        } catch (const bev::Error& error) {
          const std::string_view text = error.what();
          if (error.code() == Errc::io && text.ends_with("Permission denied"))
            ++refused;
        }
      }
      ::_exit(refused == 2 ? 0 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    ::chmod(at.path().c_str(), 0700);
    CHECK(WEXITSTATUS(status) == 0);
    CHECK(count_in(at.path()) == 1);
  }

  TEST_CASE("every writer that is killed leaves the old output or the new one") {
    for (const auto& writer : writers()) {
      CAPTURE(writer.name);
      Content expected;
      std::size_t changes = 0;
      {
        const SmallFolder at;
        prepare(writer, at);
        const auto traced = bev::test::run_killed_at(0, [&] { writer.write(at); });
        REQUIRE(traced.exit_code == 0);
        changes = traced.changes;
        expected = content_of(at.at(writer.output));
        REQUIRE_FALSE(expected.empty());
      }
      for (const auto point : bev::test::kill_points(changes, 4)) {
        CAPTURE(point);
        const SmallFolder at;
        prepare(writer, at);
        const auto before = content_of(at.at(writer.output));
        const auto traced = bev::test::run_killed_at(point, [&] { writer.write(at); });
        CHECK(traced.killed);
        const auto after = content_of(at.at(writer.output));
        const bool is_new = after == expected;
        CHECK((is_new || after == before));
        if (is_new && !writer.replaces) continue;
        CHECK(bev::test::run_killed_at(0, [&] { writer.write(at); }).exit_code == 0);
        CHECK(content_of(at.at(writer.output)) == expected);
        const fs::path output = at.at(writer.output);
        for (const auto& entry : fs::directory_iterator(output.parent_path())) {
          CAPTURE(entry.path().string());
          CHECK(entry.path().string().find(output.string() + ".partial") ==
                std::string::npos);
        }
      }
    }
  }

  TEST_CASE("every writer reports a full disk and leaves the old output") {
    for (const auto& writer : writers()) {
      CAPTURE(writer.name);
      const SmallFolder at;
      prepare(writer, at);
      const auto before = content_of(at.at(writer.output));
      std::optional<Errc> code;
      {
        const FileSizeLimit limit(20);
        code = error_code([&] { writer.write(at); });
      }
      CHECK(code == Errc::io);
      CHECK(content_of(at.at(writer.output)) == before);
    }
  }
}

}  // namespace new_store_test

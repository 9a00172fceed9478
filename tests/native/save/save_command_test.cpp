#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"
#include "native/export/npy.hpp"
#include "tests/support/saved_rows.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/traced.hpp"

namespace save_command_test {

using bev::cli::UsageError;
using bev::test::content_of;
using bev::test::read_saved;
using bev::test::TempFolder;
namespace fs = std::filesystem;
using Words = std::vector<std::string>;

namespace {

int save(Words words) {
  words.push_back("--quiet");
  return bev::native::save_main(words);
}

/// Writes rows of three bytes: (first, 1, 2), (first + 1, 1, 2) and so on.
std::string write_npy(const TempFolder& at, const std::string& name, int first,
                      int rows) {
  bev::zarr::DType type;
  type.kind = bev::zarr::Kind::unsigned_int;
  type.item_size = 1;
  type.shape = {3};
  auto text = bev::native::npy_head(
      {.row = type, .name = "x", .count = static_cast<std::uint64_t>(rows)});
  for (int row = first; row < first + rows; ++row) {
    text += {static_cast<char>(row), 1, 2};
  }
  return at.write(name, text);
}

std::vector<std::byte> expected(int rows) {
  std::vector<std::byte> out;
  for (int row = 0; row < rows; ++row) {
    out.insert(out.end(), {static_cast<std::byte>(row), std::byte{1}, std::byte{2}});
  }
  return out;
}

}  // namespace

TEST_SUITE("native/save/save_command") {
  TEST_CASE("files become arrays, named as told or as the files") {
    const TempFolder at;
    const auto a = write_npy(at, "a.npy", 0, 2000);
    const auto store = at.at("d.zarr");
    CHECK(save({a, "b=" + a, "-o", store, "--max-object-size=1024", "--codec=none",
                "--name=digits"}) == 0);
    for (const auto* name : {"a", "b"}) {
      const auto array = read_saved(store, name);
      CHECK((array.rows == expected(2000)));
      CHECK(array.meta.chunks == std::vector<std::uint64_t>{341, 3});
      CHECK(array.object_sizes.size() == 6);
    }
    const auto source = bev::native::open_source(store);
    CHECK(bev::test::saved_text(*source, ".zattrs").find("\"name\": \"digits\"") !=
          std::string::npos);
  }

  TEST_CASE("append adds rows, replace begins anew, neither is an error") {
    const TempFolder at;
    const auto store = at.at("d.zarr");
    CHECK(save({"x=" + write_npy(at, "a.npy", 0, 10), "-o", store}) == 0);
    CHECK(save({"x=" + write_npy(at, "b.npy", 10, 5), "-o", store, "--append"}) == 0);
    CHECK((read_saved(store, "x").rows == expected(15)));
    CHECK_THROWS_WITH_AS(save({"x=" + at.at("a.npy"), "-o", store}),
                         doctest::Contains("already exists"), bev::Error);
    CHECK(save({"x=" + at.at("a.npy"), "-o", store, "--replace"}) == 0);
    CHECK((read_saved(store, "x").rows == expected(10)));
  }

  TEST_CASE("parts of several savers are joined in the order of their numbers") {
    const TempFolder at;
    const auto store = at.at("d.zarr");
    const auto a = write_npy(at, "a.npy", 0, 10);
    const auto b = write_npy(at, "b.npy", 10, 20);
    CHECK(save({"x=" + b, "-o", store, "--saver=7", "--no-commit"}) == 0);
    CHECK(save({"x=" + a, "-o", store, "--saver=3", "--no-commit"}) == 0);
    CHECK_FALSE(fs::exists(store));
    CHECK(save({"-o", store}) == 0);
    CHECK((read_saved(store, "x").rows == expected(30)));
    CHECK_FALSE(fs::exists(store + ".parts"));
  }

  TEST_CASE("a killed run continues when it is repeated") {
    const TempFolder at;
    const auto a = write_npy(at, "a.npy", 0, 5000);
    const Words words = {"x=" + a, "-o", at.at("d.zarr"), "--max-object-size=1024"};
    const auto traced = bev::test::run_killed_at(0, [&] { save(words); });
    REQUIRE(traced.exit_code == 0);
    const auto whole = content_of(at.at("d.zarr"));
    for (const auto point : bev::test::kill_points(traced.changes, 6)) {
      CAPTURE(point);
      fs::remove_all(at.at("d.zarr"));
      bev::test::run_killed_at(point, [&] { save(words); });
      if (!fs::exists(at.at("d.zarr"))) CHECK(save(words) == 0);
      CHECK((content_of(at.at("d.zarr")) == whole));
      bev::native::gc_main(Words{at.at("d.zarr")});
    }
  }

  TEST_CASE("gc removes parts and leaves the store") {
    const TempFolder at;
    const auto store = at.at("d.zarr");
    const auto a = write_npy(at, "a.npy", 0, 10);
    CHECK(save({"x=" + a, "-o", store}) == 0);
    const auto before = content_of(store);
    CHECK(save({"x=" + a, "-o", store, "--append", "--no-commit"}) == 0);
    CHECK(fs::exists(store + ".parts"));
    CHECK(bev::native::gc_main(Words{store, store}) == 0);
    CHECK_FALSE(fs::exists(store + ".parts"));
    CHECK(content_of(store) == before);
  }

  TEST_CASE("inputs that do not fit together are errors that name the file") {
    const TempFolder at;
    const auto a = write_npy(at, "a.npy", 0, 10);
    const auto b = write_npy(at, "b.npy", 0, 11);
    const auto store = at.at("d.zarr");
    CHECK_THROWS_WITH_AS(save({a, b, "-o", store}),
                         doctest::Contains("b.npy: wrong number of rows (found 11"),
                         bev::Error);
    CHECK_THROWS_WITH_AS(save({at.at("none.npy"), "-o", store}),
                         doctest::Contains("none.npy: not found"), bev::Error);
    auto text = bev::test::file_text(a);
    const auto cut = at.write("cut.npy", text.substr(0, text.size() - 1));
    CHECK_THROWS_WITH_AS(save({cut, "-o", store}), doctest::Contains("truncated"),
                         bev::Error);
    CHECK_FALSE(fs::exists(store));
  }

  TEST_CASE("a command line that means nothing says what it lacks") {
    CHECK_THROWS_WITH_AS(save({"a.npy"}), "--output is required", UsageError);
    CHECK_THROWS_AS(save({"-o", "s", "--no-commit"}), UsageError);
    CHECK_THROWS_AS(bev::native::gc_main(Words{}), UsageError);
    const TempFolder at;
    const auto a = write_npy(at, "a.npy", 0, 10);
    CHECK_THROWS_AS(save({a, "-o", at.at("s"), "--append", "--replace"}), UsageError);
    CHECK_THROWS_AS(save({a, "-o", at.at("s"), "--codec=snappy"}), bev::Error);
    CHECK_THROWS_AS(save({a, "-o", at.at("s"), "--max-object-size=5"}), bev::Error);
  }
}

}  // namespace save_command_test

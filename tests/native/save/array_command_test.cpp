#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/save/writable_array.hpp"
#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"
#include "native/export/npy.hpp"
#include "native/save/array_stores.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/temp_folder.hpp"

namespace array_command_test {

using bev::Errc;
using bev::cli::UsageError;
using bev::test::error_code;
using bev::test::TempFolder;
using Words = std::vector<std::string>;

namespace {

int array(Words words) {
  words.push_back("--quiet");
  return bev::native::array_main(words);
}

/// Writes rows of `columns` floats that count up from `first`.
std::string write_npy(const TempFolder& at, const std::string& name, float first,
                      std::uint64_t rows, std::size_t columns) {
  bev::zarr::DType type;
  type.kind = bev::zarr::Kind::real;
  type.order = bev::zarr::ByteOrder::little;
  type.item_size = 4;
  type.shape = {columns};
  auto text = bev::native::npy_head({.row = type, .name = "x", .count = rows});
  for (std::size_t i = 0; i < rows * columns; ++i) {
    const float value = first + static_cast<float>(i);
    text.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  return at.write(name, text);
}

std::vector<float> values(const std::string& path) {
  const auto place = bev::native::array_place(path);
  bev::save::WritableArray found(*place.store, place.array);
  const auto bytes = found.read({bev::zarr::whole_box(found.meta())});
  std::vector<float> out(bytes.size() / 4);
  if (!bytes.empty()) std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

}  // namespace

TEST_SUITE("native/save/array_command") {
  TEST_CASE("an array is created, grows, changes and shrinks") {
    const TempFolder at;
    const auto path = at.at("d.zarr");
    array({"create", path, "--shape", "0,2", "--dtype", "<f4", "--chunks", "2,2",
           "--codec", "zlib", "--level", "3", "--fill", "\"NaN\""});
    array({"append", path, write_npy(at, "a.npy", 1, 3, 2)});
    CHECK(values(path) == std::vector<float>{1, 2, 3, 4, 5, 6});
    array({"assign", path, write_npy(at, "b.npy", 10, 2, 1), "--at", "::-2,1:"});
    CHECK(values(path) == std::vector<float>{1, 11, 3, 4, 5, 10});
    array({"assign", path, "--value", "7", "--at", "1"});
    array({"resize", path, "2,1"});
    CHECK(values(path) == std::vector<float>{1, 7});
    array({"create", path, "--shape", "1", "--dtype", "<f4", "--replace"});
    CHECK(values(path) == std::vector<float>{0});
  }

  TEST_CASE("an array of version 3 is created, and grows") {
    const TempFolder at;
    const auto path = at.at("d.zarr/x");
    array({"create", path, "--shape", "0,2", "--dtype", "<f4", "--chunks", "2,2",
           "--codec", "zstd", "--zarr-format", "3"});
    array({"append", path, write_npy(at, "a.npy", 1, 3, 2)});
    CHECK(values(path) == std::vector<float>{1, 2, 3, 4, 5, 6});
    const auto create = [&](Words more) {
      Words words{"create", at.at("d.zarr/y"), "--shape", "2", "--dtype", "<f4"};
      words.insert(words.end(), more.begin(), more.end());
      return error_code([&] { array(words); });
    };
    CHECK(create({"--zarr-format", "3", "--codec", "zlib"}) == Errc::unsupported);
    CHECK(create({"--zarr-format", "3"}) == std::nullopt);
  }

  TEST_CASE("one field of records is assigned") {
    const TempFolder at;
    const auto path = at.at("d.zarr/agents");
    array({"create", path, "--shape", "3", "--dtype",
           R"([["id", "<f4"], ["centroid", "<f4", [2]]])"});
    array({"assign", path, write_npy(at, "c.npy", 1, 2, 2), "--at", "1:", "--field",
           "centroid"});
    array({"assign", path, "--value", "9", "--field", "id"});
    CHECK(values(path) == std::vector<float>{9, 0, 0, 9, 1, 2, 9, 3, 4});
  }

  TEST_CASE("values that do not fit are refused with both shapes or dtypes") {
    const TempFolder at;
    const auto path = at.at("d.zarr");
    array({"create", path, "--shape", "4,2", "--dtype", "<f4"});
    const auto file = write_npy(at, "a.npy", 1, 3, 2);
    CHECK_THROWS_WITH_AS(
        array({"assign", path, file, "--at", "0:2"}),
        (file + ": wrong shape (found (3, 2), expected (2, 2))").c_str(), bev::Error);
    array({"create", at.at("e.zarr"), "--shape", "3,2", "--dtype", "<f8"});
    CHECK_THROWS_WITH_AS(array({"append", at.at("e.zarr"), file}),
                         (file + ": wrong dtype (found <f4, expected <f8)").c_str(),
                         bev::Error);
    CHECK(error_code([&] {
            array({"create", path, "--shape", "1", "--dtype", "<f4"});
          }) == Errc::invalid_argument);
    CHECK(error_code([&] {
            array({"append", at.at("none"), file});
          }) == Errc::not_found);
    CHECK(error_code([&] {
            array({"append", path, at.at("none.npy")});
          }) == Errc::not_found);
    CHECK(values(path) == std::vector<float>(8, 0));
  }

  TEST_CASE("what is not understood is a usage error") {
    for (const Words& words :
         std::vector<Words>{{},
                            {"create"},
                            {"create", "d"},
                            {"create", "d", "--shape", "3"},
                            {"create", "d", "--shape", "x", "--dtype", "<f4"},
                            {"create", "d", "x.npy", "--shape", "3", "--dtype", "<f4"},
                            {"assign", "d"},
                            {"append", "d"},
                            {"append", "d", "x.npy", "--at", "0"},
                            {"resize", "d"},
                            {"resize", "d", "3", "4"},
                            {"change", "d"}}) {
      CHECK_THROWS_AS(array(words), UsageError);
    }
  }
}

}  // namespace array_command_test

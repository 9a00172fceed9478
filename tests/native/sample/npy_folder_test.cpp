#include "native/sample/npy_folder.hpp"

#include <doctest/doctest.h>

#include <array>

#include "core/base/error.hpp"
#include "native/export/npy.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/traced.hpp"

using bev::Error;
using bev::ResultArray;
using bev::native::item_name;
using bev::native::read_npy_head;
using bev::native::write_npy_folder;
using bev::test::file_text;
using bev::test::TempFolder;

TEST_SUITE("native/sample/npy_folder") {
  TEST_CASE("an item has five digits or more") {
    CHECK(item_name(7) == "00007");
    CHECK(item_name(12'345) == "12345");
    CHECK(item_name(1'234'567) == "1234567");
  }

  TEST_CASE("an array keeps dtype, shape and bytes; a number has no axes") {
    const TempFolder folder;
    const std::array<float, 4> positions{1, 2, 3, 4};
    const std::int64_t track = -1;
    const std::array<ResultArray, 2> arrays{
        ResultArray{"positions", "<f4", {2, 2}, std::as_bytes(std::span(positions))},
        ResultArray{"track_id", "<i8", {}, std::as_bytes(std::span(&track, 1))}};
    write_npy_folder(folder.path() / "out", 5, arrays);

    const auto text = file_text(folder.at("out/00005/positions.npy"));
    const auto head = read_npy_head(std::as_bytes(std::span(text)), "positions");
    CHECK(bev::zarr::to_string(head.type) == "<f4");
    CHECK(head.shape == std::vector<std::uint64_t>{2, 2});
    CHECK(text.size() == head.data_offset + sizeof positions);
    CHECK(text.substr(head.data_offset, 4) == std::string("\0\0\x80\x3f", 4));

    const auto single = file_text(folder.at("out/00005/track_id.npy"));
    CHECK(single.find("'shape': ()") != single.npos);
    CHECK(single.ends_with(std::string(8, '\xff')));
  }

  TEST_CASE("a process killed at any time leaves an item's old folder or the new one") {
    const std::vector<float> values(1000, 1);
    const auto bytes = std::as_bytes(std::span(values));
    const std::vector<ResultArray> old = {{"image", "<f4", {10}, bytes.first(40)},
                                          {"extra", "<f4", {1}, bytes.first(4)}};
    const std::vector<ResultArray> made = {{"image", "<f4", {1000}, bytes},
                                           {"yaw", "<f4", {2}, bytes.first(8)}};
    const auto written = [](const std::vector<ResultArray>& arrays) {
      const TempFolder folder;
      write_npy_folder(folder.path(), 5, arrays);
      return bev::test::content_of(folder.at("00005"));
    };
    const auto before = written(old);
    const auto after = written(made);
    CHECK(after.size() == 2);
    std::size_t kept = 0;
    for (std::size_t point = 1;; ++point) {
      const TempFolder folder;
      write_npy_folder(folder.path(), 5, old);
      const auto traced = bev::test::run_killed_at(
          point, [&] { write_npy_folder(folder.path(), 5, made); });
      const auto found = bev::test::content_of(folder.at("00005"));
      const bool is_either = found == before || found == after;
      CHECK(is_either);
      if (found == before) ++kept;
      write_npy_folder(folder.path(), 5, made);
      CHECK((bev::test::content_of(folder.at("00005")) == after));
      const auto names = std::filesystem::directory_iterator(folder.path());
      CHECK(std::distance(begin(names), end(names)) == 1);
      if (!traced.killed) break;
    }
    CHECK(kept > 3);
  }

  TEST_CASE("a folder that cannot be created is an error") {
    const TempFolder folder;
    folder.write("file", "x");
    CHECK_THROWS_AS(write_npy_folder(folder.path() / "file", 0, {}), Error);
  }
}

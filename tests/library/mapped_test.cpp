#include <doctest/doctest.h>

#include <algorithm>
#include <bevscope/dataset.hpp>
#include <bevscope/error.hpp>
#include <bevscope/mapped.hpp>
#include <bevscope/native.hpp>
#include <filesystem>
#include <memory>
#include <optional>

#include "tests/library/memory_source.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/small_folder.hpp"

namespace mapped_test {

using bev::Errc;
using bev::test::error_code;
using bev::test::SmallFolder;

TEST_SUITE("library/mapped") {
  TEST_CASE("a mapped chunk has the bytes of its rows, and outlives the data set") {
    const SmallFolder folder;
    std::optional<bev::MappedChunk> last;
    {
      auto dataset = bev::open(folder.dataset());
      for (std::uint64_t i = 0; i < 4; ++i) {
        const auto chunk = dataset.map_chunk("agents", i);
        CHECK(chunk.first_row == 8 * i);
        CHECK(chunk.rows == std::min<std::uint64_t>(8, 30 - 8 * i));
        const auto begin = static_cast<std::int64_t>(chunk.first_row);
        const auto read = dataset.records(
            "agents",
            bev::RowRange{begin, begin + static_cast<std::int64_t>(chunk.rows)});
        const auto expected = read.all()[0].bytes();
        REQUIRE(std::equal(chunk.bytes.begin(), chunk.bytes.end(), expected.begin(),
                           expected.end()));
        CHECK(chunk.row(1).data() == chunk.bytes.data() + chunk.row_bytes);
        last = chunk;
      }
    }
    CHECK(last->bytes.size() == 6 * last->row_bytes);
    CHECK(last->bytes.back() == last->row(5).back());
  }

  TEST_CASE("a mapping shows the file that it was made of, after that was replaced") {
    const SmallFolder folder;
    auto dataset = bev::open(folder.dataset());
    const auto chunk = dataset.map_chunk("agents", 0);
    const std::vector<std::byte> before(chunk.bytes.begin(), chunk.bytes.end());
    const auto path = std::filesystem::path(folder.dataset()) / "agents/0";
    folder.folder().write("other", std::string(chunk.bytes.size(), 'x'));
    std::filesystem::rename(folder.at("other"), path);
    CHECK(std::equal(before.begin(), before.end(), chunk.bytes.begin()));
    CHECK(error_code([&] { dataset.map_chunk("agents", 0); }) == Errc::changed);
  }

  TEST_CASE(
      "an array that opening did not read is mapped, with its other axes as rows") {
    const SmallFolder folder;
    const auto at = [](const char* name) {
      return std::string("small.zarr/grid/") + name;
    };
    folder.folder().write(
        at(".zarray"),
        R"({"zarr_format": 2, "shape": [3, 2], "chunks": [2, 2], "dtype": "|u1",
            "compressor": null, "filters": null, "fill_value": 0, "order": "C"})");
    folder.folder().write(at("1.0"), "abcd");
    auto dataset = bev::open(folder.dataset());
    const auto chunk = dataset.map_chunk("grid", 1);
    CHECK(chunk.rows == 1);
    CHECK(chunk.row_bytes == 2);
    CHECK(chunk.bytes[1] == std::byte{'b'});
    CHECK(error_code([&] { dataset.map_chunk("grid", 0); }) == Errc::not_found);
  }

  TEST_CASE("a file that was cut is an error") {
    const SmallFolder folder;
    auto dataset = bev::open(folder.dataset());
    const auto path = std::filesystem::path(folder.dataset()) / "agents/1";
    std::filesystem::resize_file(path, 100);
    CHECK(error_code([&] { dataset.map_chunk("agents", 1); }) == Errc::corrupt_chunk);
    dataset.map_chunk("agents", 0);
    std::filesystem::resize_file(path.parent_path() / "0", 0);
    CHECK(error_code([&] { dataset.map_chunk("agents", 0); }) == Errc::changed);
  }

  TEST_CASE("what cannot be mapped is refused") {
    const SmallFolder folder;
    auto dataset = bev::open(folder.dataset());
    CHECK(error_code([&] { dataset.map_chunk("none", 0); }) == Errc::not_found);
    CHECK(error_code([&] { dataset.map_chunk("agents", 4); }) == Errc::out_of_range);
    std::filesystem::remove(std::filesystem::path(folder.dataset()) / "agents/2");
    CHECK(error_code([&] { dataset.map_chunk("agents", 2); }) == Errc::not_found);
    const SmallFolder compressed({.codec = "zstd"});
    auto encoded = bev::open(compressed.dataset());
    CHECK(error_code([&] { encoded.map_chunk("agents", 0); }) == Errc::unsupported);
    bev::Dataset memory(
        std::make_shared<bev::test::MemorySource>(bev::test::small_store()));
    CHECK(error_code([&] { memory.map_chunk("agents", 0); }) == Errc::unsupported);
  }
}

}  // namespace mapped_test

#include <doctest/doctest.h>

#include <bevscope/error.hpp>
#include <bevscope/loader.hpp>
#include <bevscope/native.hpp>
#include <bevscope/saver.hpp>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/error_code.hpp"
#include "tests/support/rounds.hpp"
#include "tests/support/saved_rows.hpp"
#include "tests/support/temp_folder.hpp"

namespace loader_test {

using bev::DataBatches;
using bev::DataLoader;
using bev::Errc;
using bev::test::error_code;
using bev::test::lz4_config;
using bev::test::MadeBatch;
using bev::test::save_all;
using bev::test::TempFolder;
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kRows = 250;

/// A folder that counts its reads by key.
class CountingSource final : public bev::Source {
 public:
  explicit CountingSource(const std::string& store) : folder_(store) {}

  std::optional<std::vector<std::byte>> read(
      const std::string& key, const std::optional<bev::ByteRange>& range) override {
    ++reads[key];
    if (key == failing) throw bev::Error(Errc::network, key + ": unreachable");
    return folder_.read(key, range);
  }
  void check_unchanged() override { folder_.check_unchanged(); }

  /// Returns the reads of chunks.
  int chunk_reads() const {
    int out = 0;
    for (const auto& [key, count] : reads) {
      if (key.find("/.z") == key.npos && !key.starts_with(".z")) out += count;
    }
    return out;
  }

  std::map<std::string, int> reads;
  std::string failing;

 private:
  bev::DirectorySource folder_;
};

/// A data set of 250 rows, and its loader.
struct Saved {
  Saved() : store(at.at("d.zarr")) {
    save_all(store, lz4_config());
    source = std::make_shared<CountingSource>(store);
  }

  TempFolder at;
  std::string store;
  std::shared_ptr<CountingSource> source;
};

/// Compares arrays with rows as they were made.
void check_rows(const bev::Arrays& found, const std::vector<std::uint64_t>& rows) {
  const auto config = lz4_config();
  MadeBatch made(config, 0, kRows, 3);
  for (std::size_t i = 0; i < config.attributes().size(); ++i) {
    const auto& attribute = config.attributes()[i];
    const auto& array = found[attribute.name];
    const auto size = attribute.row_bytes();
    REQUIRE(array.bytes().size() == rows.size() * size);
    for (std::size_t j = 0; j < rows.size(); ++j) {
      const auto row = std::span(made.bytes(i)).subspan(rows[j] * size, size);
      const auto same = array.bytes().subspan(j * size, size);
      CHECK(std::equal(row.begin(), row.end(), same.begin(), same.end()));
    }
  }
}

std::vector<std::uint64_t> range(std::uint64_t begin, std::uint64_t end) {
  std::vector<std::uint64_t> out;
  for (auto row = begin; row < end; ++row) out.push_back(row);
  return out;
}

}  // namespace

TEST_SUITE("library/loader") {
  TEST_CASE("the first batch needs metadata and one object per attribute") {
    const Saved saved;
    DataLoader loader(saved.source);
    CHECK(loader.size() == kRows);
    CHECK(loader.config_json() == lz4_config().to_json());
    REQUIRE(loader.attributes().size() == 2);
    CHECK(loader.attributes()[0].name == "image");
    CHECK(loader.attributes()[0].dtype == "|u1");
    CHECK(loader.attributes()[0].shape == std::vector<std::uint64_t>{7, 9});
    CHECK(saved.source->chunk_reads() == 0);
    DataBatches batches(loader, 4);
    const auto first = batches.next();
    CHECK(saved.source->chunk_reads() == 2);
    check_rows(*first, range(0, 4));
    CHECK((*first)["image"].shape()[0] == 4);
    CHECK(first->array<std::int32_t>("label").size() == 4);
  }

  TEST_CASE("of attributes that are not chosen, nothing is read") {
    const Saved saved;
    DataLoader loader(saved.source, {.attributes = {{"label"}}});
    CHECK(loader.size() == kRows);
    REQUIRE(loader.attributes().size() == 1);
    CHECK(loader.attributes()[0].name == "label");
    const auto rows = loader.rows(0, kRows);
    CHECK(rows.array<std::int32_t>("label").size() == kRows);
    for (const auto& read : saved.source->reads) {
      CHECK_MESSAGE(!read.first.starts_with("image/0"), read.first);
    }
    const auto open = [&](std::vector<std::string> names) {
      return error_code([&] { DataLoader(saved.source, {.attributes = names}); });
    };
    CHECK(open({}) == Errc::invalid_argument);
    CHECK(open({"label", "label"}) == Errc::invalid_argument);
    CHECK(open({"lable"}) == Errc::not_found);
  }

  TEST_CASE("batches have all rows in order; each chunk is read once") {
    const Saved saved;
    for (const std::size_t budget : {5'000U, 20'000U, 1'000'000U}) {
      for (const std::uint64_t batch : {1U, 7U, 32U, 100U, 1000U}) {
        saved.source->reads.clear();
        DataLoader loader(saved.source, {.byte_budget = budget});
        DataBatches batches(loader, batch);
        std::uint64_t row = 0;
        while (const auto found = batches.next()) {
          const auto end = std::min(kRows, row + batch);
          check_rows(*found, range(row, end));
          row = end;
        }
        CHECK(row == kRows);
        CHECK(batches.position() == kRows);
        for (const auto& read : saved.source->reads) CHECK(read.second == 1);
        CHECK(loader.counters().chunks ==
              static_cast<std::uint64_t>(saved.source->chunk_reads()));
      }
    }
  }

  TEST_CASE("many reads within one chunk read it once") {
    const Saved saved;
    DataLoader loader(saved.source);
    const auto length = loader.attributes()[0].chunk_rows;
    for (std::uint64_t i = 0; i < bev::test::rounds(1000U); ++i) {
      const auto row = i * 7919 % length;
      const auto item = loader.item(static_cast<std::int64_t>(row));
      REQUIRE(item["image"].shape().size() == 2);
      check_rows(item, {row});
    }
    CHECK(saved.source->chunk_reads() == 2);
    CHECK(loader.counters().held_bytes > 0);
    loader.clear();
    CHECK(loader.counters().held_bytes == 0);
    check_rows(loader.item(0), {0});
    CHECK(loader.counters().chunks == 4);
    CHECK(saved.source->chunk_reads() == 4);
  }

  TEST_CASE("indices are Python's; results outlive the loader") {
    const Saved saved;
    bev::Arrays item;
    {
      DataLoader loader(saved.source);
      item = loader.item(-1);
      const std::vector<std::int64_t> indices = {-250, 249, 3, 3};
      check_rows(loader.items(indices), {0, 249, 3, 3});
      CHECK(error_code([&] { loader.item(250); }) == Errc::out_of_range);
      CHECK(error_code([&] { loader.item(-251); }) == Errc::out_of_range);
      CHECK(error_code([&] { loader.rows(3, 251); }) == Errc::out_of_range);
      CHECK(error_code([&] { DataBatches(loader, 0); }) == Errc::invalid_argument);
    }
    check_rows(item, {249});
  }

  TEST_CASE("a failed, absent or damaged chunk is an error, of that chunk only") {
    const Saved saved;
    DataLoader loader(saved.source);
    saved.source->failing = "image/0.0.0";
    CHECK(error_code([&] { loader.item(0); }) == Errc::network);
    check_rows(loader.item(-1), {249});
    saved.source->failing.clear();
    check_rows(loader.item(0), {0});

    fs::rename(saved.store + "/image/1.0.0", saved.store + "/aside");
    const auto row = static_cast<std::int64_t>(loader.attributes()[0].chunk_rows);
    CHECK(error_code([&] { loader.item(row); }) == Errc::missing_key);
    fs::rename(saved.store + "/aside", saved.store + "/image/1.0.0");
    CHECK(error_code([&] { loader.item(row); }) == Errc::missing_key);
    loader.clear();
    check_rows(loader.item(row), {static_cast<std::uint64_t>(row)});
    fs::resize_file(saved.store + "/image/2.0.0", 20);
    CHECK(error_code([&] { loader.item(2 * row); }) == Errc::corrupt_chunk);
    check_rows(loader.item(row), {static_cast<std::uint64_t>(row)});
  }

  TEST_CASE("rows of a data set that was replaced meanwhile are not returned") {
    const Saved saved;
    DataLoader loader(saved.source);
    check_rows(loader.item(0), {0});
    bev::DataSaver saver(saved.store, lz4_config().to_json(),
                         {.mode = bev::SaveMode::replace});
    MadeBatch other(lz4_config(), 5'000, 300, 3);
    std::vector<bev::SavedArray> batch;
    for (const auto& array : other.arrays()) {
      batch.push_back({array.name, array.dtype, array.shape, array.bytes});
    }
    saver.save(batch);
    saver.commit();
    check_rows(loader.item(1), {1});  // in memory
    CHECK(error_code([&] { loader.item(-1); }) == Errc::changed);
    loader.clear();
    CHECK(error_code([&] { loader.item(1); }) == Errc::changed);
    CHECK(error_code([&] { loader.item(1); }) == Errc::changed);
    DataLoader again(std::make_shared<CountingSource>(saved.store));
    CHECK(again.size() == 300);
  }

  TEST_CASE("a budget without room for an object, and other stores, are errors") {
    const Saved saved;
    DataLoader small(saved.source, {.byte_budget = 100});
    CHECK(error_code([&] { small.item(0); }) == Errc::out_of_memory);
    CHECK(error_code([&] { DataLoader(nullptr); }) == Errc::invalid_argument);
    fs::remove(saved.store + "/.zattrs");
    fs::remove(saved.store + "/.zmetadata");
    CHECK(error_code([&] {
            DataLoader(std::make_shared<CountingSource>(saved.store));
          }) == Errc::invalid_argument);
  }

  TEST_CASE("strings, records and a .zip load as they were saved") {
    const TempFolder at;
    const auto store = at.at("d.zarr.zip");
    const std::string config =
        R"({"name": "n", "attributes": [{"name": "s", "dtype": "<U3"},
            {"name": "r", "dtype": [["a", ">i2"], ["b", "<f4", [2]]], "shape": [2]}]})";
    std::string strings, records;
    for (int i = 0; i < 12 * 20; ++i)
      strings.push_back(static_cast<char>(i % 4 ? 0 : 65));
    for (int i = 0; i < 20 * 20; ++i) records.push_back(static_cast<char>(i % 60));
    bev::DataSaver saver(store, config);
    const std::vector<bev::SavedArray> batch = {
        {"s", "<U3", {20}, std::as_bytes(std::span(strings))},
        {"r",
         R"([["a", ">i2"], ["b", "<f4", [2]]])",
         {20, 2},
         std::as_bytes(std::span(records))}};
    saver.save(batch);
    saver.commit();
    DataLoader loader(bev::open_source(store));
    const auto rows = loader.rows(0, 20);
    const auto text_of = [&](const char* name) {
      const auto bytes = rows[name].bytes();
      return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    };
    CHECK(text_of("s") == strings);
    CHECK(text_of("r") == records);
    CHECK(rows["s"].dtype() == "<U3");
  }
}

}  // namespace loader_test

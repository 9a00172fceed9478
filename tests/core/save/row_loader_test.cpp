#include "core/save/row_loader.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <map>
#include <random>

#include "core/base/error.hpp"
#include "tests/support/error_code.hpp"

using bev::Errc;
using bev::RawBytes;
using bev::save::ChunkId;
using bev::save::ChunkRequest;
using bev::save::RowLayout;
using bev::save::RowLoader;
using bev::test::error_code;

namespace {

constexpr std::uint64_t kRows = 103;

/// Two attributes: 8 bytes in chunks of 10 rows, 12 bytes in chunks of 25.
std::vector<RowLayout> layouts() {
  return {{8, 10}, {12, 25}};
}

/// Returns the bytes of a row, which differ from those of all other rows.
RawBytes row_of(std::size_t attribute, std::uint64_t row) {
  RawBytes out(layouts()[attribute].row_bytes, std::byte{7});
  const std::uint64_t value = row * 2 + attribute;
  std::memcpy(out.data(), &value, sizeof value);
  return out;
}

/// Answers a loader's requests and counts them by chunk.
struct Host {
  /// Returns the size of each round.
  std::vector<std::size_t> run(RowLoader& loader) {
    std::vector<std::size_t> rounds;
    for (auto round = loader.missing(); !round.empty(); round = loader.missing()) {
      rounds.push_back(round.size());
      for (const auto& request : round) {
        ++reads[request.id];
        loader.supply(request, chunk_of(request));
      }
    }
    return rounds;
  }

  static bev::save::DecodedChunk chunk_of(const ChunkRequest& request) {
    const auto owner = std::make_shared<RawBytes>();
    for (auto row = request.begin; row < request.end; ++row) {
      const auto bytes = row_of(request.id.attribute, row);
      owner->insert(owner->end(), bytes.begin(), bytes.end());
    }
    return {*owner, owner};
  }

  std::map<ChunkId, int> reads;
};

std::vector<RawBytes> expected_of(const std::vector<std::uint64_t>& rows) {
  std::vector<RawBytes> out(2);
  for (const auto row : rows) {
    for (std::size_t i = 0; i < 2; ++i) {
      const auto bytes = row_of(i, row);
      out[i].insert(out[i].end(), bytes.begin(), bytes.end());
    }
  }
  return out;
}

/// Reads all rows in batches of random sizes.
void read_in_order(RowLoader& loader, Host& host, std::mt19937_64& random) {
  for (std::uint64_t row = 0; row < kRows;) {
    const auto end = std::min(kRows, row + random() % 40);
    std::vector<std::uint64_t> rows;
    for (auto one = row; one < end; ++one) rows.push_back(one);
    loader.ask(row, end);
    host.run(loader);
    REQUIRE(loader.take() == expected_of(rows));
    row = end;
  }
}

}  // namespace

TEST_SUITE("save/row_loader") {
  TEST_CASE("rows in order read each chunk once, at any budget and concurrency") {
    std::mt19937_64 random(3);
    for (const std::size_t budget : {0U, 90U, 200U, 700U, 100'000U}) {
      for (const std::size_t chunks : {1U, 2U, 5U, 16U}) {
        CAPTURE(budget);
        CAPTURE(chunks);
        RowLoader loader(layouts(), kRows, {budget, chunks});
        Host host;
        read_in_order(loader, host, random);
        CHECK(host.reads.size() == 11 + 5);
        for (const auto& [id, count] : host.reads) CHECK(count == 1);
        CHECK(loader.chunks_supplied() == 16);
        CHECK(loader.bytes_held() <= std::max<std::size_t>(budget, 80 + 300));
      }
    }
  }

  TEST_CASE("the first row needs one chunk per attribute, later ones read ahead") {
    RowLoader loader(layouts(), kRows, {1'000'000, 16});
    Host host;
    loader.ask(0, 1);
    CHECK(host.run(loader) == std::vector<std::size_t>{2});
    loader.ask(1, 10);
    CHECK(host.run(loader).empty());
    loader.ask(10, 11);
    CHECK(host.run(loader) == std::vector<std::size_t>{2});
    loader.ask(11, 31);
    CHECK(host.run(loader) == std::vector<std::size_t>{1 + 2 + 1 + 2});
    loader.ask(90, 91);
    CHECK(host.run(loader) == std::vector<std::size_t>{1});
  }

  TEST_CASE("indices are Python's, in any order and repeated") {
    RowLoader loader(layouts(), kRows, {100'000, 16});
    Host host;
    const std::vector<std::int64_t> indices = {5, -1, 50, 5, -103, 102, 0};
    loader.ask(indices);
    host.run(loader);
    CHECK(loader.take() == expected_of({5, 102, 50, 5, 0, 102, 0}));
    for (const auto& [id, count] : host.reads) CHECK(count == 1);
    const auto error_of = [&](std::int64_t index) {
      return error_code([&] { loader.ask({&index, 1}); });
    };
    CHECK(error_of(103) == Errc::out_of_range);
    CHECK(error_of(-104) == Errc::out_of_range);
    CHECK(error_of(INT64_MIN) == Errc::out_of_range);
    CHECK(error_of(INT64_MAX) == Errc::out_of_range);
    CHECK(error_code([&] { loader.ask(3, 2); }) == Errc::out_of_range);
    CHECK(error_code([&] { loader.ask(0, 104); }) == Errc::out_of_range);
    loader.ask({});
    CHECK(host.run(loader).empty());
    CHECK(loader.take() == expected_of({}));
  }

  TEST_CASE("random lists have the rows asked for, at any budget") {
    std::mt19937_64 random(5);
    for (const std::size_t budget : {0U, 200U, 1000U}) {
      RowLoader loader(layouts(), kRows, {budget, 3});
      Host host;
      for (int question = 0; question < 50; ++question) {
        std::vector<std::int64_t> indices(random() % 30);
        std::vector<std::uint64_t> rows;
        for (auto& index : indices) {
          rows.push_back(random() % kRows);
          index = static_cast<std::int64_t>(rows.back());
        }
        loader.ask(indices);
        host.run(loader);
        REQUIRE(loader.take() == expected_of(rows));
      }
    }
  }

  TEST_CASE("a chunk in memory is not requested until clear() or eviction") {
    RowLoader loader(layouts(), kRows, {100'000, 16});
    Host host;
    for (int i = 0; i < 1000; ++i) {
      const std::int64_t index = i % 10;
      loader.ask({&index, 1});
      host.run(loader);
    }
    CHECK(loader.chunks_supplied() == 2);
    loader.clear();
    CHECK(loader.bytes_held() == 0);
    loader.ask(0, 1);
    host.run(loader);
    CHECK(loader.chunks_supplied() == 4);
  }

  TEST_CASE("a question that ended in an error does not change the next") {
    RowLoader loader(layouts(), kRows, {100'000, 16});
    Host host;
    loader.ask(0, 60);
    auto round = loader.missing();
    CHECK(round.size() > 2);
    loader.supply(round[0], Host::chunk_of(round[0]));  // the host stops here
    loader.ask(30, 31);
    host.run(loader);
    CHECK(loader.take() == expected_of({30}));
    const auto short_chunk = Host::chunk_of({{0, 5}, 50, 55});
    CHECK(error_code([&] {
            loader.supply({{0, 5}, 50, 60}, short_chunk);
          }) == Errc::internal);
  }

  TEST_CASE("chunks without rows or above the address space are refused") {
    const auto error_of = [](RowLayout layout, std::uint64_t rows) {
      return error_code([&] { RowLoader({layout}, rows, {1000, 1}); });
    };
    CHECK(error_of({8, 0}, 10) == Errc::limit_exceeded);
    CHECK(error_of({SIZE_MAX / 2, UINT64_MAX}, UINT64_MAX) == Errc::limit_exceeded);
    RowLoader loader({{8, UINT64_MAX}}, 10, {1000, 1});
    loader.ask(9, 10);
    CHECK(loader.missing() == std::vector<ChunkRequest>{{{0, 0}, 0, 10}});
  }
}

#include "native/source/workers.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/parallel.hpp"
#include "core/engine/host_loop.hpp"
#include "native/source/directory_source.hpp"
#include "tests/support/records.hpp"
#include "tests/support/temp_folder.hpp"

namespace workers_test {

using bev::native::DirectorySource;
using bev::native::on_threads;
using bev::test::TempFolder;

namespace {

constexpr std::size_t kRows = 10000;  // per chunk: more than are cached decoded
constexpr std::size_t kChunks = 40;   // more than are read concurrently

/// Lets the core decode on threads.
struct LentThreads {
  LentThreads() { bev::set_workers(on_threads); }
  ~LentThreads() { bev::set_workers(nullptr); }
};

std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Writes an array of many chunks; returns its content.
std::string write_array(const TempFolder& folder) {
  folder.write(".zarray",
               R"({"zarr_format": 2, "shape": [400000], "chunks": [10000],
                   "dtype": "|u1", "order": "C", "compressor": null,
                   "fill_value": 0, "filters": null})");
  bev::test::Random random(1);
  std::string all;
  for (std::size_t i = 0; i < kChunks; ++i) {
    const auto chunk = text_of(random.bytes(kRows));
    folder.write(std::to_string(i), chunk);
    all += chunk;
  }
  return all;
}

std::string read_all(bev::Engine& engine, DirectorySource& source) {
  const auto query = engine.rows({""});
  bev::run(engine, *query, source);
  const auto bytes = query->build()[0].bytes;
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

TEST_SUITE("native/source/workers") {
  TEST_CASE("every index is processed once") {
    for (const std::size_t count : {0u, 1u, 2u, 1000u}) {
      std::vector<std::atomic<int>> times(count);
      on_threads(count, [&](std::size_t i) { ++times[i]; });
      for (const auto& done : times) REQUIRE(done == 1);
    }
  }

  TEST_CASE("two tasks run concurrently on two processors") {
    if (std::thread::hardware_concurrency() < 2) return;
    std::atomic<int> begun{0};
    on_threads(2, [&](std::size_t) {
      ++begun;
      while (begun < 2) std::this_thread::yield();
    });
    CHECK(begun == 2);
  }

  TEST_CASE("the lowest failure is thrown after all tasks have run") {
    std::atomic<int> done{0};
    const auto work = [&](std::size_t i) {
      if (i % 3 == 1) throw std::runtime_error(std::to_string(i));
      ++done;
    };
    CHECK_THROWS_WITH(on_threads(10, work), "1");
    CHECK(done == 7);
  }

  TEST_CASE("chunks of an array are decoded concurrently") {
    const TempFolder folder;
    const auto expected = write_array(folder);
    DirectorySource source(folder.path().string());
    const LentThreads threads;
    bev::Engine engine;
    CHECK(read_all(engine, source) == expected);
  }

  TEST_CASE("a damaged chunk is named, and read again once it is forgotten") {
    const LentThreads threads;
    const TempFolder folder;
    const auto expected = write_array(folder);
    const auto sound = expected.substr(7 * kRows, kRows);
    folder.write("7", "short");
    folder.write("23", "also short");
    DirectorySource source(folder.path().string());
    bev::Engine engine;
    CHECK_THROWS_WITH_AS(read_all(engine, source),
                         "7: wrong length (found 5 bytes, expected 10000)", bev::Error);
    folder.write("7", sound);
    folder.write("23", expected.substr(23 * kRows, kRows));
    CHECK_THROWS_AS(read_all(engine, source), bev::Error);
    engine.forget_failures();
    // The old source would report a change
    DirectorySource mended(folder.path().string());
    CHECK(read_all(engine, mended) == expected);
  }

  TEST_CASE("a folder answers in the order of the requests") {
    const TempFolder folder;
    write_array(folder);
    DirectorySource source(folder.path().string());
    std::vector<bev::ReadRequest> requests;
    for (std::size_t i = kChunks + 3; i-- > 0;) requests.push_back({std::to_string(i)});
    std::vector<std::string> absent;
    std::vector<std::string> order;
    source.read_all(requests, [&](const bev::ReadRequest& request, auto bytes) {
      order.push_back(request.key);
      if (!bytes) absent.push_back(request.key);
    });
    REQUIRE(order.size() == requests.size());
    for (std::size_t i = 0; i < order.size(); ++i) CHECK(order[i] == requests[i].key);
    CHECK(absent == std::vector<std::string>{"42", "41", "40"});
  }
}

}  // namespace workers_test

#include "native/save/array_stores.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/base/error.hpp"
#include "core/save/array_spec.hpp"
#include "core/save/writable_array.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/fake_s3.hpp"
#include "tests/support/fake_s3_service.hpp"
#include "tests/support/records.hpp"
#include "tests/support/temp_folder.hpp"

namespace array_stores_test {

using bev::Errc;
using bev::native::array_place;
using bev::native::folder_array_store;
using bev::native::HttpSettings;
using bev::native::s3_array_store;
using bev::save::ArrayStore;
using bev::save::WritableArray;
using bev::test::error_code;
using bev::test::FakeS3;
using bev::test::FakeS3Service;
using bev::test::Random;
using bev::test::TempFolder;
using Access = ArrayStore::Access;
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kRows = 400;
constexpr std::uint64_t kChunk = 20;
constexpr int kWriters = 4;
const HttpSettings kQuick{.retries = 4, .first_delay_ms = 1};

bev::zarr::ArrayMeta numbers(std::uint64_t rows = kRows) {
  return bev::save::array_spec({rows}, "<u4", {kChunk}, "zlib", std::nullopt, "0", 'C');
}

std::vector<std::uint32_t> read_all(WritableArray& array) {
  const auto bytes = array.read({bev::zarr::whole_box(array.refresh())});
  std::vector<std::uint32_t> out(bytes.size() / 4);
  std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

void put(WritableArray& array, std::uint64_t first, std::uint64_t step,
         const std::vector<std::uint32_t>& values) {
  array.assign({{{{first, values.size(), step}}},
                {{{0, 4}, std::as_bytes(std::span(values)), {}}}});
}

/// Assigns every kWriters-th row, and in between the rows that all writers assign.
void write_rows(ArrayStore& store, std::uint32_t writer, int rounds) {
  WritableArray array(store, "a");
  Random random(writer);
  for (int round = 1; round <= rounds; ++round) {
    const auto value = writer * 1000 + static_cast<std::uint32_t>(round);
    put(array, writer, kWriters + 1, std::vector<std::uint32_t>(kRows / 5, value));
    // Rows 4, 9, .. of one chunk, which overlap with those of others
    const auto chunk = random.below(kRows / kChunk);
    put(array, chunk * kChunk + 4, 5, std::vector<std::uint32_t>(4, value));
  }
}

/// Checks what a reader sees: every row of a writer's chunk from one assignment.
void check_rows(const std::vector<std::uint32_t>& rows) {
  for (std::size_t begin = 0; begin < rows.size(); begin += kChunk) {
    for (std::size_t i = 0; i < kChunk; ++i) {
      const auto writer = i % 5;
      const auto value = rows[begin + i];
      if (writer < kWriters && value != 0) CHECK(value / 1000 == writer);
      CHECK(value == rows[begin + writer]);
    }
  }
}

}  // namespace

TEST_SUITE("native/save/array_stores") {
  TEST_CASE("threads that assign and read at once lose nothing and see whole chunks") {
    const TempFolder at;
    WritableArray::create(*folder_array_store(at.at("d")), "a", numbers());
    constexpr int kRounds = 12;
    std::atomic<int> running = kWriters;
    std::vector<std::thread> threads;
    for (std::uint32_t writer = 0; writer < kWriters; ++writer) {
      threads.emplace_back([&, writer] {
        write_rows(*folder_array_store(at.at("d")), writer, kRounds);
        --running;
      });
    }
    const auto store = folder_array_store(at.at("d"));
    WritableArray array(*store, "a");
    while (running > 0) check_rows(read_all(array));
    for (auto& thread : threads) thread.join();
    const auto rows = read_all(array);
    check_rows(rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i % 5 < kWriters) CHECK(rows[i] == i % 5 * 1000 + kRounds);
    }
    // Nothing is left but the array
    for (const auto& entry : fs::recursive_directory_iterator(at.at("d"))) {
      CHECK(entry.path().extension() != ".partial");
    }
  }

  TEST_CASE("processes that append and are killed leave whole rows of each other") {
    const TempFolder at;
    WritableArray::create(*folder_array_store(at.at("d")), "a", numbers(0));
    constexpr int kEach = 30;
    std::vector<pid_t> children;
    for (std::uint32_t writer = 1; writer <= 3; ++writer) {
      const pid_t child = ::fork();
      if (child == 0) {
        const auto store = folder_array_store(at.at("d"));
        WritableArray array(*store, "a");
        for (std::uint32_t n = 0; n < kEach; ++n) {
          const std::vector<std::uint32_t> rows(7, writer * 1000 + n);
          array.append(std::as_bytes(std::span(rows)));
        }
        ::_exit(0);
      }
      children.push_back(child);
    }
    const auto store = folder_array_store(at.at("d"));
    WritableArray array(*store, "a");
    while (array.refresh().shape[0] < 7 * kEach) std::this_thread::yield();
    ::kill(children[0], SIGKILL);
    for (const auto child : children) {
      int status = 0;
      CHECK(::waitpid(child, &status, 0) == child);
    }
    const auto rows = read_all(array);
    REQUIRE(rows.size() % 7 == 0);
    std::vector<std::uint32_t> next(4);
    for (std::size_t i = 0; i < rows.size(); i += 7) {
      const auto writer = rows[i] / 1000;
      CHECK(rows[i] % 1000 == next[writer]++);
      CHECK(std::count(rows.begin() + static_cast<std::ptrdiff_t>(i),
                       rows.begin() + static_cast<std::ptrdiff_t>(i) + 7,
                       rows[i]) == 7);
    }
    CHECK(next[2] == kEach);
    CHECK(next[3] == kEach);
  }

  TEST_CASE("locks exclude by name, and shared ones only exclusive ones") {
    const TempFolder at;
    const auto store = folder_array_store(at.at("d"));
    const auto excludes = [&](const char* name, Access held, Access wanted) {
      auto lock = store->lock("a", name, held);
      std::atomic<bool> got = false;
      std::thread other([&] {
        const auto own = folder_array_store(at.at("d"))->lock("a", name, wanted);
        got = true;
      });
      // Long enough to get a lock that is free; one that is not free is never got
      for (int i = 0; i < 200 && !got; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      const bool excluded = !got;
      lock.reset();
      other.join();
      return excluded;
    };
    CHECK(excludes("", Access::exclusive, Access::exclusive));
    CHECK(excludes("3", Access::exclusive, Access::exclusive));
    CHECK(excludes("", Access::exclusive, Access::shared));
    CHECK(excludes("", Access::exclusive, Access::reading));
    CHECK(excludes("", Access::reading, Access::exclusive));
    const auto two = store->lock("a", "", Access::shared);
    const auto three = store->lock("a", "", Access::reading);
    const auto four = store->lock("a", "3", Access::exclusive);
    const auto five = store->lock("b", "3", Access::exclusive);
    CHECK(three->held());
  }

  TEST_CASE(
      "reading makes no file, and is repeated if a first writer comes meanwhile") {
    const TempFolder at;
    const auto store = folder_array_store(at.at("d"));
    const auto lock = store->lock("a", "", Access::reading);
    CHECK(lock->held());
    CHECK_FALSE(fs::exists(at.at("d")));
    store->lock("a", "", Access::shared).reset();
    CHECK_FALSE(lock->held());
  }

  TEST_CASE("a replaced object has another time, however quickly it is replaced") {
    const TempFolder at;
    const auto store = folder_array_store(at.at("d"));
    std::set<fs::file_time_type> times;
    for (int i = 0; i < 50; ++i) {
      store->replace("a/0", {}, std::nullopt);
      times.insert(fs::last_write_time(at.at("d/a/0")));
    }
    CHECK(times.size() == 50);
  }

  TEST_CASE("a partial file of a killed writer is overwritten, and is no chunk") {
    const TempFolder at;
    const auto store = folder_array_store(at.at("d"));
    WritableArray::create(*store, "a", numbers());
    at.write("d/a/0.partial", "half a chunk");
    WritableArray array(*store, "a");
    CHECK(array.use().stored == 0);
    put(array, 0, 1, {1, 2});
    CHECK_FALSE(fs::exists(at.at("d/a/0.partial")));
    CHECK(array.use().stored == 1);
  }

  TEST_CASE("writers to S3 lose nothing, whatever is lost or repeated on the way") {
    FakeS3 s3;
    const auto open = [&] {
      return s3_array_store("s3://bucket/d", s3.settings(), kQuick);
    };
    WritableArray::create(*open(), "a", numbers());
    constexpr int kRounds = 3;
    std::vector<std::thread> threads;
    for (std::uint32_t writer = 0; writer < kWriters; ++writer) {
      threads.emplace_back([&, writer] { write_rows(*open(), writer, kRounds); });
    }
    s3.lose_answer("PUT /bucket/d/a/3");
    for (auto& thread : threads) thread.join();
    const auto store = open();
    WritableArray array(*store, "a");
    const auto rows = read_all(array);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i % 5 < kWriters) CHECK(rows[i] == i % 5 * 1000 + kRounds);
    }
    // Only the array's objects are left
    for (const auto& object : s3.objects()) {
      const auto& key = object.first;
      const bool known = key == "d/.zgroup" || key.starts_with("d/a/");
      CHECK_MESSAGE(known, key);
    }
  }

  TEST_CASE("services without conditional writes are refused before rows are written") {
    for (const bool silent : {true, false}) {
      FakeS3 s3;
      const auto store = s3_array_store("s3://bucket/d", s3.settings(), kQuick);
      WritableArray::create(*store, "a", numbers());
      const auto before = s3.objects().size();
      if (silent) {
        s3.ignore_conditions();
      } else {
        s3.fail_once("PUT /bucket/d/.bevscope", "501 Not Implemented");
        s3.fail_once("PUT /bucket/d/.bevscope/", "501 Not Implemented");
      }
      const auto again = s3_array_store("s3://bucket/d", s3.settings(), kQuick);
      WritableArray array(*again, "a");
      CHECK(error_code([&] { put(array, 1, 1, {1}); }) == Errc::unsupported);
      CHECK(s3.objects().size() == before);
    }
  }

  TEST_CASE("an array's place is its path in the topmost group around it") {
    const TempFolder at;
    at.write("d.zarr/.zgroup", "{}");
    at.write("d.zarr/g/.zgroup", "{}");
    const auto inner = array_place(at.at("d.zarr/g/a/"));
    CHECK(inner.array == "g/a");
    CHECK(array_place(at.at("d.zarr"), "g/a").array == "g/a");
    CHECK(array_place(at.at("d.zarr/g"), "a").array == "g/a");
    CHECK(array_place(at.at("e.zarr")).array.empty());
    CHECK(error_code([&] { array_place("http://127.0.0.1/d.zarr/a"); }) ==
          Errc::unsupported);
    CHECK(error_code([&] { array_place(at.at("d.zip")); }) == Errc::unsupported);
    const FakeS3Service service;
    WritableArray::create(*array_place("s3://bucket/x.zarr", "g/a").store, "g/a",
                          numbers());
    CHECK(array_place("s3://bucket/x.zarr/g/a").array == "g/a");
    CHECK(array_place("s3://bucket/y.zarr/g/a").array.empty());
  }
}

}  // namespace array_stores_test

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "native/cache/cache_ledger.hpp"
#include "native/source/cache_source.hpp"
#include "native/source/http_source.hpp"
#include "tests/support/object_server.hpp"
#include "tests/support/temp_folder.hpp"

namespace cache_shared_test {

using bev::ByteRange;
using bev::CacheCounters;
using bev::ReadRequest;
using bev::native::CacheLedger;
using bev::native::CacheSource;
using bev::native::HttpSettings;
using bev::native::HttpSource;
using bev::test::ObjectServer;
using bev::test::TempFolder;

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kObjects = 30;

/// Returns the bytes of an object: between 400 and 2,400, different for each.
std::string body_of(std::size_t index) {
  std::string body(400 + index * 2'000 / kObjects, '\0');
  for (std::size_t i = 0; i < body.size(); ++i) {
    body[i] = static_cast<char>(i * (index + 3) + i / 256);
  }
  return body;
}

ObjectServer::Objects objects() {
  ObjectServer::Objects all;
  for (std::size_t i = 0; i < kObjects; ++i) {
    const auto name = std::to_string(i);
    all["/a/x/" + name] = {body_of(i), "ETag: \"" + name + "\"\r\n"};
  }
  return all;
}

std::unique_ptr<CacheSource> reader(const std::string& origin, const TempFolder& folder,
                                    std::uint64_t limit = 1 << 20) {
  const HttpSettings settings{.silence_timeout_s = 30, .retries = 0};
  return std::make_unique<CacheSource>(
      std::make_unique<HttpSource>(origin + "/a", settings),
      bev::CacheOptions{.folder = folder.path().string(), .limit = limit});
}

/// Requests for all objects in an order of the reader's own.
std::vector<ReadRequest> all_requests(std::size_t first) {
  std::vector<ReadRequest> requests;
  for (std::size_t i = 0; i < kObjects; ++i) {
    requests.push_back({"x/" + std::to_string((i * 7 + first * 5) % kObjects)});
  }
  return requests;
}

bool is_right(const ReadRequest& request,
              const std::optional<std::vector<std::byte>>& bytes) {
  const auto body = body_of(std::stoul(request.key.substr(2)));
  const auto range = request.range.value_or(ByteRange{0, body.size()});
  const auto expected = body.substr(range.begin, range.size());
  return bytes && std::string(reinterpret_cast<const char*>(bytes->data()),
                              bytes->size()) == expected;
}

std::uint64_t bytes_in(const fs::path& folder) {
  std::uint64_t sum = 0;
  for (const auto& one : fs::recursive_directory_iterator(folder)) {
    if (one.is_regular_file()) sum += one.file_size();
  }
  return sum;
}

/// Reads 200 random ranges and objects. Returns 0 if all bytes are right.
int read_randomly(CacheSource& source, std::uint32_t seed) {
  const auto below = [&](std::size_t end) {
    seed = seed * 1'664'525 + 1'013'904'223;
    return (seed >> 8) % end;
  };
  for (int i = 0; i < 200; ++i) {
    const auto index = below(kObjects);
    ReadRequest request{"x/" + std::to_string(index)};
    const auto size = body_of(index).size();
    const auto begin = below(size);
    if (i % 3 != 0) request.range = {begin, begin + 1 + below(size - begin)};
    if (!is_right(request, source.read(request.key, request.range))) return 1;
  }
  return 0;
}

pid_t start(const std::string& origin, const TempFolder& folder, std::uint64_t limit,
            std::uint32_t seed) {
  const auto child = ::fork();
  if (child == 0) ::_exit(read_randomly(*reader(origin, folder, limit), seed));
  return child;
}

int status_of(pid_t child) {
  int status = -1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_SUITE("native/source/cache_source shared") {
  TEST_CASE("readers of one process that start together fetch each object once") {
    ObjectServer server(objects());
    const TempFolder folder;
    constexpr std::size_t kReaders = 6;
    std::atomic<int> wrong = 0;
    std::vector<CacheCounters> counters(kReaders);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < kReaders; ++i) {
      threads.emplace_back([&, i] {
        const auto source = reader(server.origin(), folder);
        source->read_all(all_requests(i), [&](const auto& request, auto bytes) {
          if (!is_right(request, bytes)) ++wrong;
        });
        counters[i] = *source->cache_counters();
      });
    }
    for (auto& thread : threads) thread.join();
    CHECK(wrong == 0);
    const auto served = server.taken();
    CHECK(served.gets == kObjects);
    CacheCounters sum;
    for (const auto& one : counters) {
      sum.misses += one.misses;
      sum.hits += one.hits + one.misses + one.shared;
      sum.validations += one.validations;
      sum.fetched_bytes += one.fetched_bytes;
    }
    CHECK(sum.misses == kObjects);
    CHECK(sum.hits == kObjects * kReaders);
    CHECK(sum.validations == static_cast<std::uint64_t>(served.heads));
    CHECK(sum.fetched_bytes == served.bytes);
  }

  TEST_CASE("a range that is requested twice in a round is fetched once") {
    ObjectServer server(objects());
    const TempFolder folder;
    const std::vector<ReadRequest> requests{{"x/0"}, {"x/1"}, {"x/0"}};
    int answers = 0;
    reader(server.origin(), folder)
        ->read_all(requests, [&](const auto& request, auto bytes) {
          CHECK(is_right(request, bytes));
          ++answers;
        });
    CHECK(answers == 3);
    CHECK(server.taken().gets == 2);
  }

  TEST_CASE("a reader that is cancelled does not cancel another one's requests") {
    ObjectServer server(objects());
    const TempFolder folder;
    std::atomic<int> cancelled = 0;
    std::atomic<int> right = 0;
    std::thread impatient([&] {
      try {
        reader(server.origin(), folder)->read_all(all_requests(0), [](auto&, auto) {
          throw std::runtime_error("cancelled");
        });
      } catch (const std::runtime_error&) {
        ++cancelled;
      }
    });
    std::thread patient([&] {
      reader(server.origin(), folder)
          ->read_all(all_requests(0), [&](const auto& request, auto bytes) {
            if (is_right(request, bytes)) ++right;
          });
    });
    impatient.join();
    patient.join();
    CHECK(cancelled == 1);
    CHECK(right == kObjects);
  }

  TEST_CASE("two processes share a folder, their bytes are right and the limit holds") {
    ObjectServer server(objects());
    const TempFolder folder;
    constexpr std::uint64_t kLimit = 12'000;
    const auto origin = server.origin();
    const auto first = start(origin, folder, kLimit, 1);
    const auto second = start(origin, folder, kLimit, 2);
    fs::create_directories(folder.path() / "bevscope-1");
    for (int i = 0; i < 100; ++i) {
      const CacheLedger lock(folder.path() / "bevscope-1");  // no writer meanwhile
      CHECK(lock.is_locked());
      CHECK(bytes_in(folder.path()) <= kLimit);
    }
    CHECK(status_of(first) == 0);
    CHECK(status_of(second) == 0);
    CHECK(bytes_in(folder.path()) <= kLimit);
    CHECK(server.taken().gets < 400);
  }
}

}  // namespace cache_shared_test

#include "native/cache/cache_folder.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "native/cache/cache_ledger.hpp"
#include "native/files/file.hpp"
#include "tests/support/rounds.hpp"
#include "tests/support/temp_folder.hpp"

using bev::ByteRange;
using bev::native::CacheFolder;
using bev::native::CacheLedger;
using bev::native::EntryHead;
using bev::native::Stored;
using bev::test::TempFolder;

namespace {

namespace fs = std::filesystem;

/// Reproducible numbers.
class Random {
 public:
  explicit Random(std::uint32_t seed) : state_(seed) {}
  std::uint32_t below(std::uint32_t end) {
    state_ = state_ * 1'664'525 + 1'013'904'223;
    return (state_ >> 8) % end;
  }

 private:
  std::uint32_t state_;
};

EntryHead head_of(const std::string& url, std::uint64_t size) {
  return {url, {0, size}, {"\"e\"", "", size}, std::nullopt};
}

/// Bytes that depend on the URL.
std::vector<std::byte> bytes_for(const std::string& url, std::size_t size) {
  Random random(static_cast<std::uint32_t>(std::hash<std::string>()(url)));
  std::vector<std::byte> bytes(size);
  for (auto& byte : bytes) byte = static_cast<std::byte>(random.below(256));
  return bytes;
}

Stored store(CacheFolder& folder, const std::string& url, std::size_t size) {
  return folder.store(head_of(url, size), bytes_for(url, size));
}

/// Whether the entry is stored; a damaged one fails the test.
bool has(const CacheFolder& folder, const std::string& url, std::size_t size) {
  std::vector<std::byte> bytes(size);
  if (!folder.read(entry_name(head_of(url, size)), {0, size}, bytes)) return false;
  CHECK(bytes == bytes_for(url, size));
  return true;
}

/// Returns the sizes of all files below a folder.
std::uint64_t bytes_in(const fs::path& folder) {
  std::uint64_t sum = 0;
  for (const auto& one : fs::recursive_directory_iterator(folder)) {
    if (one.is_regular_file()) sum += one.file_size();
  }
  return sum;
}

/// Runs `work` in a child process and returns its exit status.
pid_t start(const std::function<int()>& work) {
  const auto child = ::fork();
  if (child == 0) ::_exit(work());
  return child;
}

int status_of(pid_t child) {
  int status = -1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_SUITE("native/cache/cache_folder") {
  TEST_CASE("stores, finds and reads entries") {
    const TempFolder temp;
    CacheFolder folder(temp.path(), 1 << 20);
    CHECK(folder.ranges_of("u", 0).empty());
    CHECK(folder.totals().entries == 0);
    CHECK(store(folder, "u", 100) == Stored::yes);
    CHECK(store(folder, "u", 100) == Stored::yes);  // exists
    const auto found = folder.ranges_of("u", 0);
    REQUIRE(found.size() == 1);
    CHECK(found[0].range == ByteRange{0, 100});
    CHECK(folder.head_of(found[0].name)->url == "u");
    CHECK(has(folder, "u", 100));
    std::vector<std::byte> part(10);
    CHECK(folder.read(found[0].name, {20, 30}, part));
    const auto all = bytes_for("u", 100);
    CHECK(std::equal(part.begin(), part.end(), all.begin() + 20));
    CHECK_FALSE(folder.read(found[0].name, {95, 105}, part));
    CHECK(folder.totals().entries == 1);
    CHECK(folder.totals().bytes == bytes_in(temp.path()));
    folder.remove(found[0].name);
    CHECK_FALSE(has(folder, "u", 100));
  }

  TEST_CASE("an entry that fills the limit is stored, one byte more is refused") {
    const TempFolder temp;
    CacheFolder wide(temp.path(), 1 << 20);
    CHECK(store(wide, "u", 1'000) == Stored::yes);
    const auto size = wide.totals().bytes;
    CHECK(size == bytes_in(temp.path()));
    const TempFolder tight;
    CacheFolder less(tight.path(), size - 1);
    CHECK(store(less, "u", 1'000) == Stored::too_large);
    CHECK(less.totals().bytes == 0);
    CacheFolder exact(tight.path(), size);
    CHECK(store(exact, "u", 1'000) == Stored::yes);
    CHECK(bytes_in(tight.path()) == size);
    CHECK(store(exact, "v", 1'000) == Stored::yes);
    CHECK(bytes_in(tight.path()) == size);
    CHECK_FALSE(has(exact, "u", 1'000));
    CHECK(exact.evictions() == 1);
  }

  TEST_CASE("the limit holds after each random insert") {
    const TempFolder temp;
    constexpr std::uint64_t kLimit = 20'000;
    CacheFolder folder(temp.path(), kLimit);
    Random random(3);
    int stored = 0;
    for (int i = 0; i < bev::test::rounds(1'000); ++i) {
      const auto url = std::to_string(random.below(300));
      const auto size = 1 + random.below(i % 10 == 0 ? 25'000 : 2'000);
      const auto outcome = store(folder, url, size);
      if (outcome == Stored::yes) {
        ++stored;
        CHECK(has(folder, url, size));
      } else {
        CHECK(outcome == Stored::too_large);
        CHECK(size > kLimit - 200);
      }
      CHECK(bytes_in(temp.path()) <= kLimit);
      CHECK(folder.totals().bytes == bytes_in(temp.path()));
    }
    CHECK(stored > bev::test::rounds(900));
    CHECK(folder.evictions() > bev::test::rounds(100U));
  }

  TEST_CASE("the least recently used entries are evicted first") {
    const TempFolder temp;
    CacheFolder folder(temp.path(), 12'000);
    for (const auto* url : {"a", "b", "c", "d", "e"}) {
      CHECK(store(folder, url, 2'000) == Stored::yes);
    }
    CHECK(has(folder, "a", 2'000));
    CHECK(has(folder, "c", 2'000));
    CHECK(store(folder, "f", 2'000) == Stored::yes);
    std::string left;
    for (const auto* url : {"a", "b", "c", "d", "e", "f"}) {
      if (has(folder, url, 2'000)) left += url;
    }
    CHECK(left == "acdef");
  }

  TEST_CASE("an entry that is being read survives its eviction") {
    const TempFolder temp;
    CacheFolder folder(temp.path(), 4'000);
    CHECK(store(folder, "a", 2'000) == Stored::yes);
    const auto path = temp.path() / "bevscope-1" / entry_name(head_of("a", 2'000));
    const auto file = bev::native::File::open(path.string(), "a");
    REQUIRE(file);
    CHECK(store(folder, "b", 3'000) == Stored::yes);
    CHECK_FALSE(fs::exists(path));
    std::vector<std::byte> bytes(file->size());
    CHECK(file->read_at(0, bytes) == bytes.size());
    CHECK(std::equal(bytes.end() - 2'000, bytes.end(), bytes_for("a", 2'000).begin()));
  }

  TEST_CASE("a lost or damaged ledger is counted again") {
    const TempFolder temp;
    const auto ledger = temp.path() / "bevscope-1" / "ledger";
    for (const std::string content :
         {"", "BEVLgarbage of that size", "BEVL0123456789ab"}) {
      CacheFolder folder(temp.path(), 5'000);
      CHECK(store(folder, "a" + content, 3'000) == Stored::yes);
      std::FILE* out = std::fopen(ledger.c_str(), "wb");
      std::fwrite(content.data(), 1, content.size(), out);
      std::fclose(out);
      CHECK(store(folder, "b" + content, 3'000) == Stored::yes);
      CHECK(bytes_in(temp.path()) <= 5'000 + content.size());
      CHECK_FALSE(has(folder, "a" + content, 3'000));
    }
  }

  TEST_CASE("the partial file of a killed process is replaced and counted") {
    const TempFolder temp;
    CacheFolder folder(temp.path(), 5'000);
    CHECK(store(folder, "a", 1'000) == Stored::yes);
    temp.write("bevscope-1/partial", std::string(2'000, 'x'));
    {
      CacheLedger ledger(temp.path() / "bevscope-1");
      REQUIRE(ledger.is_locked());
      CHECK(ledger.set(*ledger.bytes() + 2'000));
    }
    CHECK(store(folder, "b", 3'000) == Stored::yes);
    CHECK(bytes_in(temp.path()) <= 5'000);
    CHECK_FALSE(fs::exists(temp.at("bevscope-1/partial")));
    CHECK(has(folder, "a", 1'000));
    CHECK(has(folder, "b", 3'000));
  }

  TEST_CASE("a failed write leaves nothing behind") {
    const TempFolder temp;
    const auto child = start([&] {
      std::signal(SIGXFSZ, SIG_IGN);
      const rlimit small{2'000, 2'000};
      if (::setrlimit(RLIMIT_FSIZE, &small) != 0) return 2;
      CacheFolder folder(temp.path(), 1 << 20);
      if (store(folder, "a", 500) != Stored::yes) return 3;
      const auto before = folder.totals().bytes;
      if (store(folder, "b", 5'000) != Stored::failed) return 4;
      if (folder.last_error() != EFBIG) return 5;
      const CacheLedger ledger(temp.path() / "bevscope-1");
      return ledger.bytes() == before && bytes_in(temp.path()) == before ? 0 : 6;
    });
    CHECK(status_of(child) == 0);
  }

  TEST_CASE("clear removes the entries and nothing else") {
    const TempFolder temp;
    CacheFolder folder(temp.path(), 1 << 20);
    CHECK(folder.clear()->entries == 0);
    CHECK(store(folder, "a", 100) == Stored::yes);
    CHECK(store(folder, "b", 100) == Stored::yes);
    temp.write("bevscope-1/notes.txt", "mine");
    temp.write("bevscope-1/ab/notes.txt", "mine");
    temp.write("other", "mine");
    const auto removed = folder.clear();
    REQUIRE(removed);
    CHECK(removed->entries == 2);
    CHECK(folder.totals().entries == 0);
    CHECK(fs::exists(temp.at("bevscope-1/notes.txt")));
    CHECK(fs::exists(temp.at("bevscope-1/ab/notes.txt")));
    CHECK(fs::exists(temp.at("other")));
    CHECK(store(folder, "a", 100) == Stored::yes);
    CHECK(has(folder, "a", 100));
  }

  TEST_CASE("readers and writers in threads never see other bytes") {
    const TempFolder temp;
    std::atomic<bool> ended = false;
    std::atomic<int> wrong = 0;
    std::vector<std::thread> readers;
    for (int i = 0; i < 2; ++i) {
      readers.emplace_back([&, i] {
        const CacheFolder folder(temp.path(), 10'000);
        Random random(static_cast<std::uint32_t>(i));
        std::vector<std::byte> bytes(1'500);
        while (!ended) {
          const auto url = std::to_string(random.below(12));
          const auto name = entry_name(head_of(url, bytes.size()));
          if (!folder.read(name, {0, bytes.size()}, bytes)) continue;
          if (bytes != bytes_for(url, bytes.size())) ++wrong;
        }
      });
    }
    CacheFolder folder(temp.path(), 10'000);
    for (int i = 0; i < 400; ++i) store(folder, std::to_string(i % 12), 1'500);
    ended = true;
    for (auto& reader : readers) reader.join();
    CHECK(wrong == 0);
    CHECK(folder.evictions() > 50);
  }

  TEST_CASE("two processes share a folder and its limit") {
    const TempFolder temp;
    constexpr std::uint64_t kLimit = 15'000;
    const auto work = [&](std::uint32_t seed) {
      CacheFolder folder(temp.path(), kLimit);
      Random random(seed);
      for (int i = 0; i < 300; ++i) {
        const auto url = std::to_string(random.below(30));
        const auto size = 500 + 10 * std::stoul(url);
        std::vector<std::byte> bytes(size);
        const auto name = entry_name(head_of(url, size));
        if (folder.read(name, {0, size}, bytes)) {
          if (bytes != bytes_for(url, size)) return 1;
        } else if (store(folder, url, size) != Stored::yes) {
          return 2;
        }
      }
      return folder.evictions() > 0 ? 0 : 3;
    };
    const auto first = start([&] { return work(1); });
    const auto second = start([&] { return work(2); });
    fs::create_directories(temp.path() / "bevscope-1");
    for (int i = 0; i < 100; ++i) {
      const CacheLedger lock(temp.path() / "bevscope-1");  // no writer meanwhile
      CHECK(lock.is_locked());
      CHECK(bytes_in(temp.path()) <= kLimit);
    }
    CHECK(status_of(first) == 0);
    CHECK(status_of(second) == 0);
    CHECK(bytes_in(temp.path()) <= kLimit);
  }

  TEST_CASE("a lock that another process holds is reported as busy") {
    const TempFolder temp;
    const CacheLedger held(temp.path());
    REQUIRE(held.is_locked());
    const CacheLedger other(temp.path(), std::chrono::milliseconds(0));
    CHECK_FALSE(other.is_locked());
    CHECK(other.error() == EWOULDBLOCK);
  }
}

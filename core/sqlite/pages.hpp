#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

// Pages of a SQLite file, read by ranges.
// Reference  SQLite, "Database File Format"; only reading, of rollback-journal files.

namespace bev::sqlite {

/// Fills a buffer with a file's bytes from an offset on, as many as there are; returns
/// their number. A host that reads asynchronously throws Missing and asks again when it
/// has the bytes.
using ReadAt = std::function<std::size_t(std::uint64_t, std::span<std::byte>)>;

/// Bytes that a host does not have yet.
struct Missing {
  std::uint64_t offset = 0, size = 0;
};

/// A page's bytes, which it keeps alive.
struct Page {
  std::shared_ptr<const std::vector<std::byte>> owner;
  std::span<const std::byte> bytes;
  std::size_t start = 0;  ///< of the b-tree header: 100 in the first page
};

/// Called with the ranges that are read next, before the first is: a host that reads
/// asynchronously throws those that it does not have, to read them at the same time.
using Announce = std::function<void(std::span<const Missing>)>;

struct PagesOptions {
  std::size_t max_cached = std::size_t{8} << 20U;  ///< bytes
  std::size_t max_read = std::size_t{256} << 10U;  ///< bytes of a read-ahead
  Announce announce{};
};

/// The pages of a file, within a byte budget. Reads blocks of at least 8 KiB; sequential
/// misses read ahead.
///
/// Throws         The constructor and page() throw corrupt_chunk for a file that is not
///                of SQLite, is truncated, or has a page outside; unsupported for text
///                that is not UTF-8; exceptions of `read_at`.
/// Thread safety  Pages belong to one thread.
class Pages {
 public:
  Pages(ReadAt read_at, std::uint64_t file_size, const PagesOptions& options = {});

  /// Returns page `number`, from 1 on.
  Page page(std::uint32_t number);

  /// Reads pages that are visited next, those that are near each other with what lies
  /// between: as many as max_prefetch(). Numbers outside the file are ignored.
  void prefetch(std::span<const std::uint32_t> numbers);

  /// Maximum pages that are read ahead at once: those of a quarter of the cache.
  std::size_t max_prefetch() const noexcept { return max_blocks_ / 4; }

  /// Maximum pages that a sequential reader reads ahead.
  std::size_t max_run() const noexcept;

  /// Returns whether a page is in memory.
  bool holds(std::uint32_t number) const;

  std::uint32_t count() const noexcept { return count_; }
  std::uint32_t page_size() const noexcept { return page_size_; }

  /// Bytes of a page that b-trees use.
  std::uint32_t usable_size() const noexcept { return usable_; }

  /// Whether the file was last written with a write-ahead log, of which parts may be in
  /// another file.
  bool has_log() const noexcept { return has_log_; }

  std::uint64_t bytes_read() const noexcept { return bytes_read_; }
  std::uint64_t reads() const noexcept { return reads_; }

 private:
  using Bytes = std::shared_ptr<const std::vector<std::byte>>;
  struct Block {
    Bytes bytes;
    std::list<std::uint64_t>::iterator used;
  };

  void read_header();
  Bytes block(std::uint64_t index);
  void fetch(std::uint64_t index);
  bool is_near(std::uint64_t before, std::uint64_t next) const;
  Missing range_of(std::uint64_t index, std::size_t blocks) const;
  void read(std::uint64_t index, std::size_t blocks);
  std::uint64_t block_of(std::uint32_t number) const noexcept;
  void keep(std::uint64_t index, Bytes bytes);

  ReadAt read_at_;
  std::uint64_t file_size_;
  PagesOptions options_;
  std::uint32_t page_size_ = 0, usable_ = 0, count_ = 0;
  bool has_log_ = false;
  std::size_t block_size_ = 0, max_blocks_ = 0;
  std::unordered_map<std::uint64_t, Block> blocks_;
  std::list<std::uint64_t> used_;  // latest first
  std::uint64_t next_ = 0;         // block that a sequential read asks for
  std::size_t run_ = 1;            // blocks of the last read, with those that were kept
  std::uint64_t bytes_read_ = 0, reads_ = 0;
};

}  // namespace bev::sqlite

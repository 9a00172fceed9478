#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/convert/nuplan.hpp"
#include "core/convert/nuplan_map.hpp"
#include "core/ops/operation.hpp"

namespace bev::ops {

/// Bytes of logs that are kept: those of a scene, which is read again from its start
/// whenever bytes are missing.
inline constexpr std::size_t kLogCache = std::size_t{48} << 20U;

/// Bytes that are read at a time, at most.
inline constexpr std::size_t kLargestRead = std::size_t{1} << 20U;

/// Names of the files in requests.
inline constexpr const char *kLogFile = "", *kMapFile = "map";

/// Ranges that a file misses.
struct MissingInFile {
  const char* file;
  std::vector<sqlite::Missing> ranges;
};

/// A file of which the bytes that were supplied last are known: those that a run does not
/// read until it misses others are known to the next one, too.
struct SuppliedFile {
  struct Part {
    std::uint64_t offset;
    RawBytes bytes;
    bool is_old = false;
  };

  const char* name;
  std::uint64_t size;
  std::vector<Part> held{};

  Part* find(std::uint64_t at, std::uint64_t count) {
    for (auto& part : held) {
      const auto end = part.offset + part.bytes.size();
      if (part.offset <= at && at + count <= end) return &part;
    }
    return nullptr;
  }

  std::size_t read_at(std::uint64_t at, std::span<std::byte> out) {
    const auto count = std::min<std::uint64_t>(out.size(), size - std::min(size, at));
    auto* part = find(at, count);
    if (part == nullptr) throw MissingInFile{name, {{at, count}}};
    part->is_old = true;
    const auto from = static_cast<std::ptrdiff_t>(at - part->offset);
    std::copy_n(part->bytes.begin() + from, static_cast<std::size_t>(count),
                out.begin());
    return static_cast<std::size_t>(count);
  }

  void announce(std::span<const sqlite::Missing> ranges) {
    MissingInFile missing{name, {}};
    for (const auto& range : ranges) {
      if (find(range.offset, range.size) == nullptr) missing.ranges.push_back(range);
    }
    if (!missing.ranges.empty()) throw missing;
  }

  /// Frees what was read, and what was not read for two runs.
  void release() {
    std::erase_if(held, [](const auto& part) { return part.is_old; });
    for (auto& part : held) part.is_old = true;
  }

  std::unique_ptr<sqlite::Pages> pages(std::size_t max_cached) {
    return std::make_unique<sqlite::Pages>(
        [this](std::uint64_t at, std::span<std::byte> out) { return read_at(at, out); },
        size, sqlite::PagesOptions{max_cached, kLargestRead, [this](auto ranges) {
                                     announce(ranges);
                                   }});
  }
};

/// A city's map that is being read.
struct LogMap {
  explicit LogMap(std::uint64_t size) : file{kMapFile, size} {}

  /// Reads on, until there is the map.
  const convert::NuplanMap& read(std::int64_t epsg) {
    if (map) return *map;
    if (!pages) pages = file.pages(sqlite::PagesOptions().max_cached);
    if (!database) database.emplace(*pages);
    if (!reader) reader.emplace(*database, epsg, convert::nuplan_tables());
    map.emplace(reader->read());
    reader.reset();
    return *map;
  }

  SuppliedFile file;
  std::unique_ptr<sqlite::Pages> pages{};
  std::optional<sqlite::Database> database{};
  std::optional<convert::NuplanMapReader> reader{};
  std::optional<convert::NuplanMap> map{};
};

/// A log of nuPlan, and its city's map.
struct LogFile {
  LogFile(std::string log_name, std::uint64_t size)
      : name(std::move(log_name)),
        file{kLogFile, size},
        max_asked(size + 4 * std::uint64_t{kLogCache}) {}

  /// Runs `work`. Returns the ranges that it misses, after which it runs again. Throws
  /// limit_exceeded if it does not come to an end: each run reads a scene from its start,
  /// for which its rows must fit the pages that are kept.
  template <class Work>
  std::vector<store::Request> run(Work work) {
    try {
      if (!pages) {
        pages = file.pages(kLogCache);
        log.emplace(*pages);
      }
      work();
      file.held.clear();
      if (map) map->file.held.clear();
      asked = 0;
      return {};
    } catch (const MissingInFile& missing) {
      file.release();
      if (map) map->file.release();
      std::vector<store::Request> out;
      for (const auto& [offset, size] : missing.ranges) {
        out.push_back({missing.file, ByteRange{offset, offset + size}});
        if (missing.file == file.name) asked += size;
      }
      if (asked <= max_asked) return out;
      asked = 0;
      fail(Errc::limit_exceeded,
           {"rows of a scene are spread over more than ", kLogCache >> 20U,
            " MB of the log (expected rows in the order of time; bevscope convert "
            "nuplan "
            "reads any)"});
    }
  }

  std::string name;
  SuppliedFile file;
  std::unique_ptr<sqlite::Pages> pages{};
  std::optional<convert::nuplan::Log> log{};
  std::unique_ptr<LogMap> map{};
  std::uint64_t asked = 0;      // bytes of the log, since a run came to its end
  std::uint64_t max_asked = 0;  // those of all rows, and of a scene's a few times
  std::vector<std::string> scanned{};            // tables, of which all rows are read
  std::vector<std::vector<std::string>> tags{};  // by scene
};

}  // namespace bev::ops

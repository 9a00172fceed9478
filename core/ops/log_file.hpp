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

#include "core/convert/nuplan.hpp"
#include "core/convert/nuplan_map.hpp"
#include "core/ops/operation.hpp"

namespace bev::ops {

/// Bytes of logs that are kept: those of a scene, which is read again from its start
/// whenever bytes are missing.
inline constexpr std::size_t kLogCache = std::size_t{48} << 20U;

/// Bytes that are read at a time of a map, which is read in order.
inline constexpr std::size_t kMapRead = std::size_t{1} << 20U;

/// Names of the files in requests.
inline constexpr const char *kLogFile = "", *kMapFile = "map";

/// Bytes that a file misses.
struct MissingInFile : sqlite::Missing {
  const char* file;
};

/// A file of which the bytes that were supplied last are known.
struct SuppliedFile {
  const char* name;
  std::uint64_t size;
  RawBytes held{};
  std::uint64_t held_at = 0;

  std::size_t read_at(std::uint64_t at, std::span<std::byte> out) const {
    const auto count = std::min<std::uint64_t>(out.size(), size - std::min(size, at));
    if (at < held_at || at + count > held_at + held.size()) {
      throw MissingInFile{{at, count}, name};
    }
    std::copy_n(held.begin() + static_cast<std::ptrdiff_t>(at - held_at),
                static_cast<std::size_t>(count), out.begin());
    return static_cast<std::size_t>(count);
  }

  sqlite::ReadAt reader() const {
    return
        [this](std::uint64_t at, std::span<std::byte> out) { return read_at(at, out); };
  }
};

/// A city's map that is being read.
struct LogMap {
  explicit LogMap(std::uint64_t size) : file{kMapFile, size} {}

  /// Reads on, until there is the map.
  const convert::NuplanMap& read(std::int64_t epsg) {
    if (map) return *map;
    if (!pages) {
      pages.emplace(file.reader(), file.size,
                    sqlite::PagesOptions{.max_read = kMapRead});
    }
    if (!database) database.emplace(*pages);
    if (!reader) reader.emplace(*database, epsg, convert::nuplan_tables());
    map.emplace(reader->read());
    reader.reset();
    return *map;
  }

  SuppliedFile file;
  std::optional<sqlite::Pages> pages{};
  std::optional<sqlite::Database> database{};
  std::optional<convert::NuplanMapReader> reader{};
  std::optional<convert::NuplanMap> map{};
};

/// A log of nuPlan, and its city's map.
struct LogFile {
  LogFile(std::string log_name, std::uint64_t size)
      : name(std::move(log_name)), file{kLogFile, size} {}

  /// Runs `work`. Returns the range that it misses, after which it runs again.
  template <class Work>
  std::vector<store::Request> run(Work work) {
    try {
      if (!pages) {
        pages.emplace(file.reader(), file.size, sqlite::PagesOptions{kLogCache});
        log.emplace(*pages);
      }
      work();
      return {};
    } catch (const MissingInFile& missing) {
      return {{missing.file, ByteRange{missing.offset, missing.offset + missing.size}}};
    }
  }

  std::string name;
  SuppliedFile file;
  std::optional<sqlite::Pages> pages{};
  std::optional<convert::nuplan::Log> log{};
  std::unique_ptr<LogMap> map{};
  std::vector<std::string> scanned{};            // tables, of which all rows are read
  std::vector<std::vector<std::string>> tags{};  // by scene
};

}  // namespace bev::ops

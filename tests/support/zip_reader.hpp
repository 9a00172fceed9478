#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/zip/member_read.hpp"

namespace bev::test {

/// Supplies the ranges of an archive in memory that directory and reads request.
class ZipReader {
 public:
  /// @param hole  virtual bytes before the archive, which must not be requested
  explicit ZipReader(std::vector<std::byte> archive, std::uint64_t hole = 0)
      : archive_(std::move(archive)),
        hole_(hole),
        directory("town.zip", hole + archive_.size()) {
    while (const auto range = directory.missing()) directory.supply(bytes(*range));
  }

  /// Returns a member or a range of it; nullopt if there is none.
  std::optional<std::string> read(std::string_view name,
                                  std::optional<ByteRange> range = std::nullopt) {
    auto* member = directory.find(name);
    if (!member) return std::nullopt;
    zip::MemberRead read(directory, *member, range);
    while (const auto wanted = read.missing()) read.supply(bytes(*wanted));
    whole = read.is_whole();
    const auto out = read.take();
    return std::string(reinterpret_cast<const char*>(out.data()), out.size());
  }

 private:
  std::span<const std::byte> bytes(ByteRange range) {
    rounds.push_back(range);
    if (range.begin < hole_) throw std::logic_error("bytes of the hole");
    return std::span(archive_).subspan(static_cast<std::size_t>(range.begin - hole_),
                                       static_cast<std::size_t>(range.size()));
  }

  std::vector<std::byte> archive_;
  std::uint64_t hole_;

 public:
  std::vector<ByteRange> rounds;
  zip::Directory directory;
  bool whole = false;
};

}  // namespace bev::test

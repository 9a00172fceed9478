#include "core/zip/end_record.hpp"

#include <string>

#include "core/base/bytes.hpp"
#include "core/base/checked.hpp"
#include "core/base/error.hpp"

namespace bev::zip {
namespace {

constexpr std::uint32_t kEnd = 0x06054b50;
constexpr std::uint32_t kEnd64 = 0x06064b50;
constexpr std::uint32_t kLocator64 = 0x07064b50;
constexpr std::size_t kEndBytes = 22;
constexpr std::size_t kEnd64Bytes = 56;
constexpr std::size_t kLocator64Bytes = 20;
constexpr std::size_t kMinEntryBytes = 46;

/// The end of an archive, addressed by offsets in the whole archive.
class Tail {
 public:
  Tail(std::string_view archive, std::uint64_t size, std::span<const std::byte> bytes)
      : archive_(archive), size_(size), bytes_(bytes) {}

  EndRecord read() const {
    const auto end = find_end();
    const auto* record = bytes_.data() + end;
    const auto at = begin() + end;
    EndRecord out;
    out.count = load_le<std::uint16_t>(record + 10);
    const auto size = load_le<std::uint32_t>(record + 12);
    const auto place = load_le<std::uint32_t>(record + 16);
    const bool many = out.count == 0xffff || size == 0xffffffff || place == 0xffffffff;
    if (many && end >= kLocator64Bytes &&
        load_le<std::uint32_t>(record - kLocator64Bytes) == kLocator64) {
      return read_64(at - kLocator64Bytes, record - kLocator64Bytes);
    }
    check_disks(load_le<std::uint16_t>(record + 4), load_le<std::uint16_t>(record + 6));
    out.entries = entries(place, size, at, out.count);
    out.shift = at - out.entries.end;
    return out;
  }

 private:
  std::uint64_t begin() const { return size_ - bytes_.size(); }

  // Returns the last record whose comment ends at the archive's end.
  std::size_t find_end() const {
    for (auto left = kEndBytes; left <= bytes_.size(); ++left) {
      const auto at = bytes_.size() - left;
      const auto* record = bytes_.data() + at;
      if (load_le<std::uint32_t>(record) != kEnd) continue;
      if (load_le<std::uint16_t>(record + 20) == left - kEndBytes) return at;
    }
    fail_at(Errc::corrupt_chunk, archive_,
            {"not a zip archive (no end record in ", size_, " bytes)"});
  }

  EndRecord read_64(std::uint64_t locator_at, const std::byte* locator) const {
    const auto stated = load_le<std::uint64_t>(locator + 8);
    if (stated > locator_at || locator_at - stated < kEnd64Bytes) {
      fail_at(Errc::corrupt_chunk, archive_,
              {"zip64 end record at ", stated, " is not before its locator at ",
               locator_at});
    }
    const auto at = end64_at(stated, locator_at - kEnd64Bytes);
    EndRecord out;
    if (at < begin()) {
      if (locator_at - at > kTailBytes) {
        fail_at(Errc::corrupt_chunk, archive_, {"zip64 end record too long"});
      }
      out.read_from = at;
      return out;
    }
    const auto* record = bytes_.data() + static_cast<std::size_t>(at - begin());
    if (load_le<std::uint32_t>(record) != kEnd64) {
      fail_at(Errc::corrupt_chunk, archive_, {"zip64 end record not found at ", at});
    }
    check_disks(load_le<std::uint32_t>(record + 16),
                load_le<std::uint32_t>(record + 20));
    out.count = load_le<std::uint64_t>(record + 32);
    out.shift = at - stated;
    out.entries = entries(load_le<std::uint64_t>(record + 48),
                          load_le<std::uint64_t>(record + 40), stated, out.count);
    return out;
  }

  // Returns the position of the zip64 end record: `stated`, unless bytes precede the
  // archive. In that case the record right before the locator says that its directory
  // ends at `stated`.
  std::uint64_t end64_at(std::uint64_t stated, std::uint64_t adjacent) const {
    if (adjacent == stated || adjacent < begin()) return stated;
    const auto* record = bytes_.data() + static_cast<std::size_t>(adjacent - begin());
    const auto size = load_le<std::uint64_t>(record + 40);
    const auto end = checked_add(load_le<std::uint64_t>(record + 48), size);
    return load_le<std::uint32_t>(record) == kEnd64 && end == stated ? adjacent
                                                                     : stated;
  }

  void check_disks(std::uint32_t own, std::uint32_t first) const {
    if (own == 0 && first == 0) return;
    fail_at(Errc::unsupported, archive_, {"multi-disk zip archives are not supported"});
  }

  ByteRange entries(std::uint64_t place, std::uint64_t size, std::uint64_t before,
                    std::uint64_t count) const {
    const auto end = checked_add(place, size);
    if (!end || *end > before) {
      fail_at(Errc::corrupt_chunk, archive_,
              {"directory of ", size, " bytes at ", place, " does not end before ",
               before});
    }
    if (count > size / kMinEntryBytes) {
      fail_at(Errc::corrupt_chunk, archive_,
              {"directory too small for ", count, " members (found ", size, " bytes)"});
    }
    return {place, *end};
  }

  std::string_view archive_;
  std::uint64_t size_;
  std::span<const std::byte> bytes_;
};

}  // namespace

EndRecord read_end_record(std::string_view archive, std::uint64_t size,
                          std::span<const std::byte> tail) {
  return Tail(archive, size, tail).read();
}

}  // namespace bev::zip

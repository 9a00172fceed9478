#include "native/files/zip_entry.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

namespace bev::native {
namespace {

using Bytes = std::vector<std::byte>;

constexpr std::uint32_t kIn64Bits = 0xffffffff;
constexpr std::size_t kEndSize = 22;
constexpr std::size_t kEntrySize = 46;
constexpr std::size_t kLocalSize = 30;

/// What the central directory says of an entry.
struct Entry {
  std::uint16_t method = 0;
  std::uint32_t checksum = 0;
  std::uint64_t packed = 0;
  std::uint64_t size = 0;
  std::uint64_t offset = 0;
};

/// Reads pieces of the .zip, each checked to be there.
class Archive {
 public:
  Archive(const File& file, const std::string& name) : file_(file), name_(name) {}

  Bytes piece(std::uint64_t offset, std::uint64_t size) const {
    if (offset > file_.size() || size > file_.size() - offset) fail("cut short");
    Bytes bytes(size);
    if (file_.read_at(offset, bytes) != size) fail("cut short");
    return bytes;
  }

  [[noreturn]] void fail(const std::string& why) const {
    throw Error(Errc::corrupt_chunk, name_ + ": " + why);
  }

  /// The central directory, from the record at the end, which a comment may follow.
  Bytes directory() const {
    const auto tail_size = std::min<std::uint64_t>(file_.size(), kEndSize + 0xffff);
    const auto tail = piece(file_.size() - tail_size, tail_size);
    for (std::size_t at = tail.size(); at-- > 0;) {
      if (tail.size() - at < kEndSize) continue;
      if (load_le<std::uint32_t>(tail.data() + at) != 0x06054b50) continue;
      return directory_of(tail, at, file_.size() - tail_size + at);
    }
    fail("not a zip file: no end of a central directory");
  }

 private:
  Bytes directory_of(const Bytes& tail, std::size_t at, std::uint64_t end) const {
    const std::uint64_t size = load_le<std::uint32_t>(tail.data() + at + 12);
    const std::uint64_t offset = load_le<std::uint32_t>(tail.data() + at + 16);
    if (size != kIn64Bits && offset != kIn64Bits) return piece(offset, size);
    constexpr std::uint64_t kLocator = 20;
    if (end < kLocator) fail("cut short");
    const auto locator = piece(end - kLocator, kLocator);
    const auto far = piece(load_le<std::uint64_t>(locator.data() + 8), 56);
    return piece(load_le<std::uint64_t>(far.data() + 48),
                 load_le<std::uint64_t>(far.data() + 40));
  }

  const File& file_;
  const std::string& name_;
};

/// Takes the fields that do not fit 32 bits from the extra field of zip64.
void widen(Entry& entry, std::span<const std::byte> extra, const Archive& archive) {
  while (extra.size() >= 4) {
    const auto id = load_le<std::uint16_t>(extra.data());
    const std::size_t size = load_le<std::uint16_t>(extra.data() + 2);
    if (size > extra.size() - 4) archive.fail("cut short in an extra field");
    auto values = extra.subspan(4, size);
    extra = extra.subspan(4 + size);
    if (id != 1) continue;
    for (auto* const field : {&entry.size, &entry.packed, &entry.offset}) {
      if (*field != kIn64Bits) continue;
      if (values.size() < 8) archive.fail("cut short in an extra field");
      *field = load_le<std::uint64_t>(values.data());
      values = values.subspan(8);
    }
  }
}

std::optional<Entry> find(const Bytes& directory, std::string_view wanted,
                          const Archive& archive) {
  std::span<const std::byte> rest(directory);
  while (rest.size() >= kEntrySize) {
    const auto* const at = rest.data();
    if (load_le<std::uint32_t>(at) != 0x02014b50) archive.fail("a damaged directory");
    const std::size_t name = load_le<std::uint16_t>(at + 28);
    const std::size_t extra = load_le<std::uint16_t>(at + 30);
    const std::size_t whole =
        kEntrySize + name + extra + load_le<std::uint16_t>(at + 32);
    if (whole > rest.size()) archive.fail("cut short in its directory");
    const std::string_view called(reinterpret_cast<const char*>(at) + kEntrySize, name);
    if (called == wanted) {
      Entry entry{load_le<std::uint16_t>(at + 10), load_le<std::uint32_t>(at + 16),
                  load_le<std::uint32_t>(at + 20), load_le<std::uint32_t>(at + 24),
                  load_le<std::uint32_t>(at + 42)};
      const bool encrypted = (load_le<std::uint16_t>(at + 8) & 1) != 0;
      if (encrypted) entry.method = 0xffff;
      widen(entry, rest.subspan(kEntrySize + name, extra), archive);
      return entry;
    }
    rest = rest.subspan(whole);
  }
  return std::nullopt;
}

Bytes inflated(const Bytes& packed, const Entry& entry, const Archive& archive) {
  constexpr std::uint64_t kDensest = 1032;  // deflate cannot pack better
  constexpr std::uint64_t kMost = std::numeric_limits<uInt>::max();
  if (packed.size() > kMost || entry.size > kMost ||
      entry.size / kDensest > packed.size()) {
    archive.fail("a size that cannot be");
  }
  Bytes out(entry.size);
  z_stream stream{};
  // zlib only reads what next_in points at, but its type is from before const.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) {
    throw Error(Errc::out_of_memory, "zlib has no memory to inflate");
  }
  const int done = inflate(&stream, Z_FINISH);
  inflateEnd(&stream);
  if (done != Z_STREAM_END || stream.avail_out != 0) archive.fail("does not inflate");
  return out;
}

}  // namespace

Bytes read_zip_entry(const File& file, const std::string& name,
                     std::string_view wanted) {
  const Archive archive(file, name);
  const auto entry = find(archive.directory(), wanted, archive);
  if (!entry) throw Error(Errc::not_found, name + ": no " + std::string(wanted));
  if (entry->method != 0 && entry->method != 8) {
    throw Error(Errc::unsupported,
                name + ": neither stored nor deflated, or encrypted");
  }
  const auto local = archive.piece(entry->offset, kLocalSize);
  const std::uint64_t begin = entry->offset + kLocalSize +
                              load_le<std::uint16_t>(local.data() + 26) +
                              load_le<std::uint16_t>(local.data() + 28);
  auto bytes = archive.piece(begin, entry->packed);
  if (entry->method == 8) bytes = inflated(bytes, *entry, archive);
  const auto sum =
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  if (sum != entry->checksum) archive.fail("a wrong checksum");
  return bytes;
}

}  // namespace bev::native

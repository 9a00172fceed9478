#include "core/zip/directory.hpp"

#include <algorithm>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/checked.hpp"
#include "core/base/error.hpp"
#include "core/zip/end_record.hpp"

namespace bev::zip {
namespace {

constexpr std::uint32_t kEntry = 0x02014b50;
constexpr std::size_t kEntryBytes = 46;
constexpr std::uint64_t kHeaderBytes = 30;
constexpr std::uint32_t kIn64 = 0xffffffff;  // the value is in the extra field

// Maximum number of bytes that deflate encodes in a byte: 258 bytes from two bits.
constexpr std::uint64_t kMaxRatio = 1032;

/// The 64-bit values in an entry's zip64 extra field.
class Extra64 {
 public:
  explicit Extra64(std::span<const std::byte> extra) {
    while (extra.size() >= 4) {
      const auto id = load_le<std::uint16_t>(extra.data());
      const auto size = std::size_t{load_le<std::uint16_t>(extra.data() + 2)};
      if (size > extra.size() - 4) return;
      if (id == 1) values_ = extra.subspan(4, size);
      extra = extra.subspan(4 + size);
    }
  }

  /// Replaces `value` by the next of them if it is marked so; returns false if that is
  /// missing.
  bool widen(std::uint64_t& value) {
    if (value != kIn64) return true;
    if (values_.size() < sizeof value) return false;
    value = load_le<std::uint64_t>(values_.data());
    values_ = values_.subspan(sizeof value);
    return true;
  }

 private:
  std::span<const std::byte> values_;
};

bool starts_with_entry(std::span<const std::byte> entries) {
  return entries.size() >= 4 && load_le<std::uint32_t>(entries.data()) == kEntry;
}

}  // namespace

Directory::Directory(std::string name, std::uint64_t size)
    : name_(std::move(name)), size_(size) {
  missing_ = {size - std::min(size, kTailBytes), size};
  if (size == 0)
    fail_at(Errc::corrupt_chunk, name_, {"not a zip archive (found 0 bytes)"});
}

std::optional<ByteRange> Directory::missing() const {
  return missing_.size() == 0 ? std::nullopt : std::optional(missing_);
}

void Directory::supply(std::span<const std::byte> bytes) {
  if (bytes.size() != missing_.size()) {
    fail_at(Errc::corrupt_chunk, name_,
            {"wrong length (found ", bytes.size(), " bytes, expected ", missing_.size(),
             ")"});
  }
  if (bytes.empty()) return;
  tail_.insert(tail_.begin(), bytes.begin(), bytes.end());
  missing_ = {};
  if (entries_ == ByteRange{}) {
    const auto end = read_end_record(name_, size_, tail_);
    if (end.read_from) {
      missing_ = {*end.read_from, size_ - tail_.size()};
      return;
    }
    count_ = end.count;
    shift_ = end.shift;
    entries_ = {end.entries.begin + shift_, end.entries.end + shift_};
  }
  if (request_entries()) return;
  const bool is_shifted = count_ == 0 || starts_with_entry(entries());
  if (shift_ > 0 && !is_shifted) {  // other records follow the directory
    entries_ = {entries_.begin - shift_, entries_.end - shift_};
    shift_ = 0;
    if (request_entries()) return;
  }
  read_entries(entries());
  tail_ = {};
}

// Requests the entries if they are not in memory; returns whether they are requested.
bool Directory::request_entries() {
  const auto begin = size_ - tail_.size();
  if (entries_.size() == 0) return false;
  if (entries_.size() > kMaxBytes || size_ - entries_.begin > kMaxBytes + kTailBytes) {
    const auto most =
        entries_.size() > kMaxBytes ? entries_.size() : size_ - entries_.begin;
    fail_at(Errc::unsupported, name_,
            {"directory too large (found ", most, " bytes, expected at most ",
             kMaxBytes, ")"});
  }
  if (entries_.begin >= begin) return false;
  missing_ = {entries_.begin, begin};
  return true;
}

std::span<const std::byte> Directory::entries() const {
  if (entries_.size() == 0) return {};
  const auto skip = entries_.begin - (size_ - tail_.size());
  return std::span(tail_).subspan(static_cast<std::size_t>(skip),
                                  static_cast<std::size_t>(entries_.size()));
}

void Directory::read_entries(std::span<const std::byte> entries) {
  members_.reserve(static_cast<std::size_t>(count_));
  for (std::uint64_t i = 0; i < count_; ++i) members_.push_back(read_entry(entries));
  if (starts_with_entry(entries)) {
    fail_at(Errc::corrupt_chunk, name_,
            {"directory has more entries than stated (", count_, ")"});
  }
  set_limits();
  std::erase_if(members_, [&](const Member& member) {
    return name_of(member).ends_with('/') || member.name_size == 0;
  });
  sort_by_name();
}

// Parses and removes the first entry.
Member Directory::read_entry(std::span<const std::byte>& entries) {
  const auto number = members_.size();
  if (entries.size() < kEntryBytes ||
      load_le<std::uint32_t>(entries.data()) != kEntry) {
    fail_at(Errc::corrupt_chunk, name_, {"directory entry ", number, " is invalid"});
  }
  const auto* entry = entries.data();
  Member member;
  member.flags = load_le<std::uint16_t>(entry + 8);
  member.method = load_le<std::uint16_t>(entry + 10);
  member.crc = load_le<std::uint32_t>(entry + 16);
  member.stored = load_le<std::uint32_t>(entry + 20);
  member.size = load_le<std::uint32_t>(entry + 24);
  member.name_size = load_le<std::uint16_t>(entry + 28);
  member.extra_size = load_le<std::uint16_t>(entry + 30);
  member.header = load_le<std::uint32_t>(entry + 42);
  const std::size_t name = member.name_size;
  const std::size_t extra = member.extra_size;
  const auto length = kEntryBytes + name + extra + load_le<std::uint16_t>(entry + 32);
  if (length > entries.size()) {
    fail_at(Errc::corrupt_chunk, name_, {"directory entry ", number, " is truncated"});
  }
  Extra64 wide(entries.subspan(kEntryBytes + name, extra));
  const bool complete =
      wide.widen(member.size) && wide.widen(member.stored) && wide.widen(member.header);
  member.name_at = static_cast<std::uint32_t>(names_.size());
  names_.append(reinterpret_cast<const char*>(entry + kEntryBytes), name);
  if (!complete)
    fail_at(Errc::corrupt_chunk, describe(member), {"zip64 sizes are missing"});
  const auto header = checked_add(member.header, shift_);
  if (!header)
    fail_at(Errc::corrupt_chunk, describe(member),
            {"local header is outside the archive"});
  member.header = *header;
  check_entry(member);
  entries = entries.subspan(length);
  return member;
}

void Directory::check_entry(const Member& member) const {
  if (member.method == Member::kStored && member.size != member.stored &&
      (member.flags & 1) == 0) {
    fail_at(Errc::corrupt_chunk, describe(member),
            {"sizes of a stored member differ (found ", member.size, " and ",
             member.stored, ")"});
  }
  if (member.method == Member::kDeflated && member.size / kMaxRatio > member.stored) {
    fail_at(Errc::corrupt_chunk, describe(member),
            {"size too large for deflate (found ", member.size, " from ", member.stored,
             " bytes)"});
  }
}

// Limits each member by the next one's header and rejects overlaps: members that share
// bytes could decompress to more than the archive could hold.
void Directory::set_limits() {
  std::sort(members_.begin(), members_.end(),
            [](const Member& a, const Member& b) { return a.header < b.header; });
  auto limit = entries_.begin;
  for (auto member = members_.rbegin(); member != members_.rend(); ++member) {
    const auto least = kHeaderBytes + member->name_size;
    const bool inside = member->header < limit && limit - member->header >= least &&
                        limit - member->header - least >= member->stored;
    if (!inside) {
      fail_at(Errc::corrupt_chunk, describe(*member),
              {member->stored, " bytes at ", member->header,
               " overlap the next member or the directory at ", limit});
    }
    member->limit = limit;
    limit = member->header;
  }
}

void Directory::sort_by_name() {
  // Members of the same name stay in archive order, so that the last one is kept.
  std::stable_sort(
      members_.begin(), members_.end(),
      [&](const Member& a, const Member& b) { return name_of(a) < name_of(b); });
  const auto same = [&](const Member& a, const Member& b) {
    return name_of(a) == name_of(b);
  };
  const auto kept = std::unique(members_.rbegin(), members_.rend(), same);
  members_.erase(members_.begin(), kept.base());
}

Member* Directory::find(std::string_view name) {
  const auto found = std::lower_bound(members_.begin(), members_.end(), name,
                                      [&](const Member& member, std::string_view key) {
                                        return name_of(member) < key;
                                      });
  if (found == members_.end() || name_of(*found) != name) return nullptr;
  return &*found;
}

std::string_view Directory::name_of(const Member& member) const noexcept {
  return std::string_view(names_).substr(member.name_at, member.name_size);
}

std::string Directory::describe(const Member& member) const {
  return name_ + ": " + std::string(name_of(member));
}

}  // namespace bev::zip

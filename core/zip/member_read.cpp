#include "core/zip/member_read.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/zarr/inflate.hpp"

namespace bev::zip {
namespace {

constexpr std::uint32_t kHeader = 0x04034b50;
constexpr std::uint64_t kHeaderBytes = 30;
// A local header may have fields that its entry lacks: zip64 sizes, times.
constexpr std::uint64_t kMoreExtra = 64;
// Unneeded bytes that are read to avoid another round.
constexpr std::uint64_t kNearBytes = std::uint64_t{16} << 10;

// Returns the latest expected offset of the data, according to the entry.
std::uint64_t expected_data(const Member& member) {
  return member.header + kHeaderBytes + member.name_size + member.extra_size +
         kMoreExtra;
}

// A metadata document has kilobytes; one that decompresses to more than this is a zip
// bomb.
constexpr std::uint64_t kMaxDocumentBytes = std::uint64_t{64} << 20;
constexpr std::string_view kDocuments[] = {".zarray", ".zattrs", ".zgroup",
                                           ".zmetadata", "zarr.json"};

bool is_document(std::string_view name) {
  const auto own = name.substr(name.rfind('/') + 1);
  return std::any_of(std::begin(kDocuments), std::end(kDocuments),
                     [&](std::string_view each) { return own.ends_with(each); });
}

std::uint32_t crc_of(std::span<const std::byte> bytes) {
  uLong crc = 0;
  while (!bytes.empty()) {
    const auto part = std::min<std::size_t>(bytes.size(), std::size_t{1} << 30);
    crc = crc32(crc, reinterpret_cast<const Bytef*>(bytes.data()),
                static_cast<uInt>(part));
    bytes = bytes.subspan(part);
  }
  return static_cast<std::uint32_t>(crc);
}

}  // namespace

MemberRead::MemberRead(const Directory& directory, Member& member,
                       std::optional<Range> range)
    : directory_(directory), member_(member), range_{0, member.stored} {
  const bool deflated = member.method == Member::kDeflated;
  if ((member.flags & 1) != 0 || (!deflated && member.method != Member::kStored)) {
    throw Error(Errc::unsupported,
                directory.describe(member) + ": " +
                    ((member.flags & 1) != 0
                         ? std::string("encrypted")
                         : "packed by method " + std::to_string(member.method)) +
                    ", expected stored or deflated");
  }
  if (member.size > std::numeric_limits<std::size_t>::max() / 2) {
    throw Error(Errc::out_of_memory, directory.describe(member) + ": " +
                                         std::to_string(member.size) + " bytes");
  }
  if (member.size > kMaxDocumentBytes && is_document(directory.describe(member))) {
    throw Error(Errc::out_of_memory, directory.describe(member) + ": metadata of " +
                                         std::to_string(member.size) +
                                         " bytes, at most " +
                                         std::to_string(kMaxDocumentBytes));
  }
  if (range && !deflated) {
    range_.end = std::min(range->end, member.stored);
    range_.begin = std::min(range->begin, range_.end);
  }
  whole_ = range_ == Range{0, member.stored};
  const auto data = member.data != 0 ? member.data : expected_data(member);
  if (member.data != 0) {
    wanted_ = {data + range_.begin, data + range_.end};
    if (range_.size() == 0) keep({});
  } else if (range_.begin <= kNearBytes) {
    wanted_ = {member.header, std::min(data + range_.end, member.limit)};
  } else {
    wanted_ = {member.header, std::min(data, member.limit)};
  }
}

std::optional<Range> MemberRead::missing() const {
  return wanted_.size() == 0 ? std::nullopt : std::optional(wanted_);
}

void MemberRead::supply(std::span<const std::byte> bytes) {
  if (bytes.size() != wanted_.size()) {
    corrupt(std::to_string(bytes.size()) + " bytes of the archive read, expected " +
            std::to_string(wanted_.size()));
  }
  const auto begin = wanted_.begin;
  if (begin == member_.header) read_header(bytes);
  const auto from = member_.data + range_.begin;
  const auto until = member_.data + range_.end;
  wanted_ = {};
  if (range_.size() == 0) return keep({});
  if (from < begin || until - begin > bytes.size()) {
    wanted_ = {from, until};
    return;
  }
  keep(bytes.subspan(static_cast<std::size_t>(from - begin),
                     static_cast<std::size_t>(until - from)));
}

void MemberRead::read_header(std::span<const std::byte> bytes) {
  if (bytes.size() < kHeaderBytes || load_le<std::uint32_t>(bytes.data()) != kHeader) {
    corrupt("no local header at " + std::to_string(member_.header));
  }
  const std::size_t name = load_le<std::uint16_t>(bytes.data() + 26);
  const std::size_t extra = load_le<std::uint16_t>(bytes.data() + 28);
  const auto expected = directory_.name_of(member_);
  const bool same =
      name == expected.size() && bytes.size() >= kHeaderBytes + name &&
      std::memcmp(bytes.data() + kHeaderBytes, expected.data(), name) == 0;
  if (!same) corrupt("the local header names another member");
  const auto data = member_.header + kHeaderBytes + name + extra;
  if (data > member_.limit || member_.limit - data < member_.stored) {
    corrupt("data at " + std::to_string(data) + " reaches past " +
            std::to_string(member_.limit));
  }
  member_.data = data;
}

void MemberRead::keep(std::span<const std::byte> data) {
  if (member_.method == Member::kDeflated) {
    out_.resize(static_cast<std::size_t>(member_.size));
    zarr::inflate_exactly(zarr::Deflate::raw, data, out_,
                          [&](const std::string& what) { corrupt(what); });
  } else {
    out_.assign(data.begin(), data.end());
  }
  if (whole_ && crc_of(out_) != member_.crc)
    corrupt("another CRC-32 than it should have");
}

void MemberRead::corrupt(const std::string& what) const {
  throw Error(Errc::corrupt_chunk, directory_.describe(member_) + ": " + what);
}

}  // namespace bev::zip

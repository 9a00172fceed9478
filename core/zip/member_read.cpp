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
constexpr std::uint64_t kLocalHeaderBytes = 30;
// A local header may have fields that its entry lacks: zip64 sizes, times.
constexpr std::uint64_t kMoreExtra = 64;
// Unneeded bytes that are read to avoid another round.
constexpr std::uint64_t kNearBytes = std::uint64_t{16} << 10;

// Returns the latest expected offset of the data, according to the entry.
std::uint64_t expected_data(const Member& member) {
  return member.header + kLocalHeaderBytes + member.name_size + member.extra_size +
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

}  // namespace

std::uint32_t crc32_of(std::span<const std::byte> bytes) noexcept {
  uLong crc = 0;
  while (!bytes.empty()) {
    const auto part = std::min<std::size_t>(bytes.size(), std::size_t{1} << 30);
    crc = crc32(crc, reinterpret_cast<const Bytef*>(bytes.data()),
                static_cast<uInt>(part));
    bytes = bytes.subspan(part);
  }
  return static_cast<std::uint32_t>(crc);
}

MemberRead::MemberRead(const Directory& directory, Member& member,
                       std::optional<ByteRange> range)
    : directory_(directory), member_(member), range_{0, member.stored} {
  const bool deflated = member.method == Member::kDeflated;
  if ((member.flags & 1) != 0 || (!deflated && member.method != Member::kStored)) {
    if ((member.flags & 1) != 0) {
      fail_at(Errc::unsupported, directory.describe(member),
              {"encryption is not supported"});
    }
    fail_at(Errc::unsupported, directory.describe(member),
            {"compression method ", member.method, " is not supported"});
  }
  if (member.size > std::numeric_limits<std::size_t>::max() / 2) {
    fail_at(Errc::limit_exceeded, directory.describe(member),
            {"too large (found ", member.size, " bytes)"});
  }
  if (member.size > kMaxDocumentBytes && is_document(directory.describe(member))) {
    fail_at(Errc::limit_exceeded, directory.describe(member),
            {"metadata too large (found ", member.size, " bytes, expected at most ",
             kMaxDocumentBytes, ")"});
  }
  if (range && !deflated) {
    range_.end = std::min(range->end, member.stored);
    range_.begin = std::min(range->begin, range_.end);
  }
  whole_ = range_ == ByteRange{0, member.stored};
  const auto data = member.data != 0 ? member.data : expected_data(member);
  if (member.data != 0) {
    missing_ = {data + range_.begin, data + range_.end};
    if (range_.size() == 0) finish({});
  } else if (range_.begin <= kNearBytes) {
    missing_ = {member.header, std::min(data + range_.end, member.limit)};
  } else {
    missing_ = {member.header, std::min(data, member.limit)};
  }
}

std::optional<ByteRange> MemberRead::missing() const {
  return missing_.size() == 0 ? std::nullopt : std::optional(missing_);
}

void MemberRead::supply(std::span<const std::byte> bytes) {
  if (bytes.size() != missing_.size()) {
    corrupt({"wrong length (found ", bytes.size(), " bytes, expected ", missing_.size(),
             ")"});
  }
  const auto begin = missing_.begin;
  if (begin == member_.header) read_header(bytes);
  const auto from = member_.data + range_.begin;
  const auto until = member_.data + range_.end;
  missing_ = {};
  if (range_.size() == 0) return finish({});
  if (from < begin || until - begin > bytes.size()) {
    missing_ = {from, until};
    return;
  }
  finish(bytes.subspan(static_cast<std::size_t>(from - begin),
                       static_cast<std::size_t>(until - from)));
}

void MemberRead::read_header(std::span<const std::byte> bytes) {
  if (bytes.size() < kLocalHeaderBytes ||
      load_le<std::uint32_t>(bytes.data()) != kHeader) {
    corrupt({"local header not found at ", member_.header});
  }
  const std::size_t name = load_le<std::uint16_t>(bytes.data() + 26);
  const std::size_t extra = load_le<std::uint16_t>(bytes.data() + 28);
  const auto expected = directory_.name_of(member_);
  const bool same =
      name == expected.size() && bytes.size() >= kLocalHeaderBytes + name &&
      std::memcmp(bytes.data() + kLocalHeaderBytes, expected.data(), name) == 0;
  if (!same) corrupt({"local header has another name"});
  const auto data = member_.header + kLocalHeaderBytes + name + extra;
  if (data > member_.limit || member_.limit - data < member_.stored) {
    corrupt({"data at ", data, " overlaps the next member at ", member_.limit});
  }
  member_.data = data;
}

void MemberRead::finish(std::span<const std::byte> data) {
  if (member_.method == Member::kDeflated) {
    out_.resize(static_cast<std::size_t>(member_.size));
    zarr::inflate_exactly(zarr::Deflate::raw, data, out_,
                          [&](const std::string& what) { corrupt({what}); });
  } else {
    out_.assign(data.begin(), data.end());
  }
  if (whole_ && crc32_of(out_) != member_.crc) corrupt({"wrong CRC-32"});
}

void MemberRead::corrupt(Message problem) const {
  fail_at(Errc::corrupt_chunk, directory_.describe(member_), problem);
}

}  // namespace bev::zip

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/ops/operation.hpp"
#include "core/ops/tables.hpp"
#include "core/zip/member_read.hpp"
#include "core/zip/store_folder.hpp"

// Data sets in zip archives. Requests are ranges of the archive, without a key.

namespace bev::ops {

namespace {

struct Archive {
  std::shared_ptr<zip::Directory> directory;
};

/// A read of a member; keeps the directory alive.
struct ArchiveRead {
  std::shared_ptr<zip::Directory> directory;
  zip::MemberRead member;
};

}  // namespace

template <>
inline constexpr const char* kObjectName<Archive> = "Archive";
template <>
inline constexpr const char* kObjectName<ArchiveRead> = "ArchiveRead";

namespace {

std::vector<store::Request> request_of(const std::optional<ByteRange>& range) {
  std::vector<store::Request> requests;
  if (range) requests.push_back({"", range});
  return requests;
}

std::unique_ptr<Archive> make_archive(std::string name, Index size) {
  return std::make_unique<Archive>(
      Archive{std::make_shared<zip::Directory>(std::move(name), size)});
}

std::vector<store::Request> archive_missing(Archive& archive) {
  return request_of(archive.directory->missing());
}

void archive_supply(Archive& archive, const RawBytes& bytes) {
  archive.directory->supply(bytes);
}

std::string archive_store(Archive& archive, const std::string& name) {
  const auto folder = zip::find_store_folder(*archive.directory);
  if (folder) return *folder;
  fail_at(Errc::missing_key, name,
          {"no zarr store (expected .zgroup, .zarray or zarr.json)"});
}

std::vector<std::string> archive_stores(Archive& archive) {
  return zip::find_store_folders(*archive.directory);
}

/// Returns nothing if there is no such member.
std::unique_ptr<ArchiveRead> archive_read(Archive& archive, const std::string& name,
                                          std::optional<Index> begin,
                                          std::optional<Index> end) {
  auto* const member = archive.directory->find(name);
  if (member == nullptr) return nullptr;
  std::optional<ByteRange> range;
  if (begin && end) range = {*begin, *end};
  return std::make_unique<ArchiveRead>(
      ArchiveRead{archive.directory, {*archive.directory, *member, range}});
}

/// Returns a member's size in bytes; -1 if there is none.
double archive_size(Archive& archive, const std::string& name) {
  const auto* const member = archive.directory->find(name);
  return member == nullptr ? -1 : static_cast<double>(member->size);
}

/// Returns a member's CRC-32; -1 if there is none.
double archive_crc(Archive& archive, const std::string& name) {
  const auto* const member = archive.directory->find(name);
  return member == nullptr ? -1 : static_cast<double>(member->crc);
}

std::vector<store::Request> read_missing(ArchiveRead& read) {
  return request_of(read.member.missing());
}

void read_supply(ArchiveRead& read, const RawBytes& bytes) {
  read.member.supply(bytes);
}

bool read_is_whole(ArchiveRead& read) {
  return read.member.is_whole();
}

std::vector<std::byte> read_take(ArchiveRead& read) {
  return read.member.take();
}

constexpr std::array kArchiveOperations{
    operation<&make_archive, "name", "size">("archive", "", "a zip archive"),
    operation<&archive_missing, "archive">("archive_missing", "",
                                           "the next range of its directory"),
    operation<&archive_supply, "archive", "bytes">("archive_supply", "",
                                                   "supplies the range"),
    operation<&archive_store, "archive", "name">(
        "archive_store", "", "path of the zarr store in it, with a slash"),
    operation<&archive_stores, "archive">("archive_stores", "",
                                          "paths of all zarr stores, shortest first"),
    operation<&archive_read, "archive", "name", "begin", "end">(
        "archive_read", "", "reads a member, or a range of it; nothing if absent"),
    operation<&archive_size, "archive", "name">("archive_size", "",
                                                "bytes of a member; -1 if absent"),
    operation<&archive_crc, "archive", "name">("archive_crc", "",
                                               "CRC-32 of a member; -1 if absent"),
    operation<&read_missing, "read">("read_missing", "", "the next range to read"),
    operation<&read_supply, "read", "bytes">("read_supply", "", "supplies the range"),
    operation<&read_is_whole, "read">(
        "read_is_whole", "", "whether the whole member is read instead of the range"),
    operation<&read_take, "read">("read_take", "", "the bytes that were read"),
};

}  // namespace

std::span<const Operation> archive_operations() {
  return kArchiveOperations;
}

}  // namespace bev::ops

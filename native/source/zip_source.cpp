#include "native/source/zip_source.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "core/base/error.hpp"
#include "core/zip/member_read.hpp"
#include "core/zip/store_folder.hpp"

namespace bev::native {
namespace {

using Bytes = std::vector<std::byte>;

/// A request and the read that answers it.
struct Reading {
  const ReadRequest* request;
  zip::MemberRead member;
};

/// Returns the requested bytes; `reading` may hold more.
Bytes result_of(Reading& reading) {
  auto bytes = reading.member.take();
  const auto& range = reading.request->range;
  if (!range || !reading.member.is_whole()) return bytes;
  const auto end = std::min<std::uint64_t>(range->end, bytes.size());
  const auto begin = std::min(range->begin, end);
  return {bytes.begin() + static_cast<std::ptrdiff_t>(begin),
          bytes.begin() + static_cast<std::ptrdiff_t>(end)};
}

}  // namespace

ZipSource::ZipSource(std::unique_ptr<Source> holder, std::string key)
    : holder_(std::move(holder)),
      key_(std::move(key)),
      directory_(open()),
      prefix_(find_store()) {}

zip::Directory ZipSource::open() {
  const auto size = holder_->size(key_);
  if (!size) throw Error(Errc::not_found, key_ + ": not found (expected a .zip)");
  zip::Directory directory(key_, *size);
  while (const auto range = directory.missing()) {
    directory.supply(archive_bytes(*range));
  }
  return directory;
}

std::string ZipSource::find_store() const {
  if (auto found = zip::find_store_folder(directory_)) return *found;
  fail_at(Errc::missing_key, key_,
          {"no zarr store (expected .zgroup, .zarray or zarr.json)"});
}

Bytes ZipSource::archive_bytes(ByteRange range) {
  auto bytes = holder_->read(key_, range);
  if (bytes) return std::move(*bytes);
  throw Error(Errc::changed, key_ + ": removed while it was read");
}

void ZipSource::read_all(std::span<const ReadRequest> requests, const OnAnswer& take) {
  std::vector<Reading> readings;
  for (const auto& request : requests) {
    auto* const member = directory_.find(prefix_ + request.key);
    if (member == nullptr) {
      take(request, std::nullopt);
      continue;
    }
    readings.push_back({&request, zip::MemberRead(directory_, *member, request.range)});
  }
  while (!readings.empty()) {
    std::vector<ReadRequest> ranges;
    std::vector<Reading> open;
    for (auto& reading : readings) {
      if (const auto range = reading.member.missing()) {
        ranges.push_back({key_, *range});
        open.push_back(std::move(reading));
      } else {
        take(*reading.request, result_of(reading));
      }
    }
    readings = std::move(open);
    if (ranges.empty()) break;
    holder_->read_all(ranges, [&](const ReadRequest& range, auto bytes) {
      if (!bytes) throw Error(Errc::changed, key_ + ": removed while it was read");
      readings[static_cast<std::size_t>(&range - ranges.data())].member.supply(*bytes);
    });
  }
}

std::optional<std::vector<Listed>> ZipSource::list(const std::string& prefix) {
  std::vector<Listed> found;
  const auto whole = prefix_ + prefix;
  for (const auto& member : directory_.members()) {
    const auto name = directory_.name_of(member);
    if (!name.starts_with(whole)) continue;
    found.push_back({std::string(name.substr(prefix_.size())), member.size});
  }
  return found;
}

/// size() makes the archive's source compare the archive with its first read.
void ZipSource::check_unchanged() {
  if (holder_->size(key_)) return;
  throw Error(Errc::changed, key_ + ": removed while the data set was read");
}

void ZipSource::forget(const std::string&) {
  holder_->forget(key_);
}

std::optional<std::uint32_t> ZipSource::checksum(const std::string& key) {
  const auto* const member = directory_.find(prefix_ + key);
  return member == nullptr ? std::nullopt : std::optional(member->crc);
}

std::string ZipSource::address() const {
  const auto above = holder_->address();
  return above.empty() ? above : above + key_;
}

std::optional<std::uint64_t> ZipSource::size(const std::string& key) {
  const auto* const member = directory_.find(prefix_ + key);
  return member == nullptr ? std::nullopt : std::optional(member->size);
}

}  // namespace bev::native

#include "native/files/zip_entry.hpp"

#include "core/base/error.hpp"
#include "core/zip/member_read.hpp"

namespace bev::native {
namespace {

/// Returns fewer bytes if the file was truncated; the consumer detects that.
std::vector<std::byte> bytes_of(const File& file, ByteRange range) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(range.size()));
  bytes.resize(file.read_at(range.begin, bytes));
  return bytes;
}

}  // namespace

std::vector<std::byte> read_zip_entry(const File& file, const std::string& name,
                                      std::string_view entry) {
  zip::Directory directory(name, file.size());
  while (const auto range = directory.missing()) {
    directory.supply(bytes_of(file, *range));
  }
  auto* const member = directory.find(entry);
  if (member == nullptr) {
    throw Error(Errc::not_found, name + ": no " + std::string(entry));
  }
  zip::MemberRead read(directory, *member);
  while (const auto range = read.missing()) read.supply(bytes_of(file, *range));
  return read.take();
}

}  // namespace bev::native

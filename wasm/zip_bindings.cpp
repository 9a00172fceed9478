#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/engine/numbers.hpp"
#include "core/zip/member_read.hpp"
#include "core/zip/store_folder.hpp"
#include "wasm/guard.hpp"
#include "wasm/values.hpp"

// Only names, type conversions and error translation, as in bindings.cpp.

namespace bev::wasm {
namespace {

using emscripten::val;

struct Zip {
  std::shared_ptr<zip::Directory> directory;
};

/// A read of an archive member; keeps the directory alive.
struct ZipRead {
  std::shared_ptr<zip::Directory> directory;
  zip::MemberRead member;
};

/// Returns the archive range to read, in the form of Query::missing(); empty for none.
val request_of(const std::optional<ByteRange>& range) {
  std::vector<store::Request> requests;
  if (range) requests.push_back({"", range});
  return to_js(requests);
}

Zip* make_zip(std::string name, double size) {
  return new Zip{
      std::make_shared<zip::Directory>(std::move(name), index_from(size, "size"))};
}

val missing(Zip& zip) {
  return request_of(zip.directory->missing());
}

void supply(Zip& zip, val bytes) {
  zip.directory->supply(bytes_from(bytes));
}

std::string store_folder(Zip& zip, std::string name) {
  const auto folder = zip::find_store_folder(*zip.directory);
  if (folder) return *folder;
  fail_at(Errc::missing_key, name,
          {"no zarr store (expected .zgroup, .zarray or zarr.json)"});
}

val store_folders(Zip& zip) {
  val out = val::array();
  for (const auto& folder : zip::find_store_folders(*zip.directory)) {
    out.call<void>("push", folder);
  }
  return out;
}

/// Returns null if `name` is not in the archive; `begin` is -1 for the whole member.
ZipRead* read(Zip& zip, std::string name, double begin, double end) {
  auto* const member = zip.directory->find(name);
  if (member == nullptr) return nullptr;
  std::optional<ByteRange> range;
  if (begin >= 0) range = {index_from(begin, "begin"), index_from(end, "end")};
  return new ZipRead{zip.directory, {*zip.directory, *member, range}};
}

/// Returns a member's size in bytes, or -1 if `name` is not in the archive.
double size(Zip& zip, std::string name) {
  const auto* const member = zip.directory->find(name);
  return member == nullptr ? -1 : static_cast<double>(member->size);
}

val read_missing(ZipRead& read) {
  return request_of(read.member.missing());
}

void read_supply(ZipRead& read, val bytes) {
  read.member.supply(bytes_from(bytes));
}

bool read_is_whole(ZipRead& read) {
  return read.member.is_whole();
}

/// Returns a copy of the member's bytes.
val read_take(ZipRead& read) {
  const auto bytes = read.member.take();
  const val view{emscripten::typed_memory_view(
      bytes.size(), reinterpret_cast<const unsigned char*>(bytes.data()))};
  return view.call<val>("slice");
}

}  // namespace

EMSCRIPTEN_BINDINGS(bev_zip) {
  using emscripten::allow_raw_pointers;
  emscripten::class_<ZipRead>("ZipRead")
      .function("missing", &Guarded<&read_missing>::call)
      .function("supply", &Guarded<&read_supply>::call)
      .function("isWhole", &Guarded<&read_is_whole>::call)
      .function("take", &Guarded<&read_take>::call);
  emscripten::class_<Zip>("Zip")
      .function("missing", &Guarded<&missing>::call)
      .function("supply", &Guarded<&supply>::call)
      .function("storeFolder", &Guarded<&store_folder>::call)
      .function("storeFolders", &Guarded<&store_folders>::call)
      .function("size", &Guarded<&size>::call)
      .function("read", &Guarded<&read>::call, allow_raw_pointers());
  emscripten::function("makeZip", &Guarded<&make_zip>::call, allow_raw_pointers());
}

}  // namespace bev::wasm

#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/reader.hpp"
#include "tests/support/files.hpp"
#include "tests/support/zip_reader.hpp"

namespace bev::test {

/// The objects of an archive of tests/fixtures, supplied to a store as by a host.
class Fixture {
 public:
  explicit Fixture(const std::string& archive) {
    ZipReader zip(read_file(test_path("fixtures/" + archive)));
    for (const auto& member : zip.directory.members()) {
      const std::string key(zip.directory.name_of(member));
      const auto content = *zip.read(key);
      const auto bytes = std::as_bytes(std::span(content));
      objects[key].assign(bytes.begin(), bytes.end());
    }
  }

  /// Returns the arrays with expected values in the archive.
  std::vector<std::string> arrays() const {
    constexpr std::string_view kFolder = "expected/";
    std::vector<std::string> out;
    for (const auto& [key, bytes] : objects) {
      if (key.starts_with(kFolder)) out.push_back(key.substr(kFolder.size()));
    }
    return out;
  }

  const std::vector<std::byte>& expected(const std::string& array) const {
    return objects.at("expected/" + array);
  }

  /// Supplies the documents that opening requests.
  void supply_documents(store::Store& store) {
    for (const auto* key :
         {".zgroup", ".zarray", ".zattrs", ".zmetadata", "zarr.json"}) {
      answer(store, {key});
    }
  }

  /// Reads elements [begin, end) of the array's first axis, as stored.
  std::vector<std::byte> read(store::Store& store, const std::string& path,
                              std::int64_t begin = 0,
                              std::int64_t end = store::kToEnd) {
    store::Plan plan(store, path);
    rounds = 0;
    for (;;) {
      plan.begin();
      store::Reader reader(store, plan);
      std::vector<std::byte> out;
      const bool done = pass(reader, path, begin, end, out);
      const auto wanted = plan.finish();
      if (done) return out;
      ++rounds;
      for (const auto& request : wanted) answer(store, request);
    }
  }

  std::map<std::string, std::vector<std::byte>> objects;
  bool reads_tails = true;    ///< otherwise suffix requests get the whole object
  std::size_t rounds = 0;     ///< of the last read
  std::uint64_t fetched = 0;  ///< bytes of data

 private:
  static bool pass(store::Reader& reader, const std::string& path, std::int64_t begin,
                   std::int64_t end, std::vector<std::byte>& out) {
    const auto found = reader.array(path);
    if (!found) return false;
    const auto& array = **found;
    const auto rows = store::RowSelection::range(path, array.length(), begin, end);
    auto size = rows.count * array.meta.dtype.size();
    for (std::size_t axis = 1; axis < array.meta.shape.size(); ++axis) {
      size *= static_cast<std::size_t>(array.meta.shape[axis]);
    }
    out.resize(size);
    const std::array slots{zarr::ColumnSlot{0, array.meta.dtype.size(), out}};
    return reader.read(array, rows, slots);
  }

  void answer(store::Store& store, const store::Request& request) {
    const auto found = objects.find(request.key);
    if (found == objects.end()) return store.supply_absent(request.key);
    const auto& object = found->second;
    auto answered = request;
    if (request.tail > 0 && reads_tails) {
      answered.range = store::tail_range(object.size(), request.tail);
    }
    const auto range = answered.range.value_or(ByteRange{0, object.size()});
    const auto end = std::min<std::uint64_t>(range.end, object.size());
    const auto from = static_cast<std::ptrdiff_t>(std::min(range.begin, end));
    std::vector<std::byte> bytes(object.begin() + from,
                                 object.begin() + static_cast<std::ptrdiff_t>(end));
    if (!store::Catalogue::is_document(request.key)) fetched += bytes.size();
    store.supply(answered, std::move(bytes));
  }
};

}  // namespace bev::test

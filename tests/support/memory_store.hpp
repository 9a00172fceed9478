#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/sink.hpp"
#include "core/engine/engine.hpp"
#include "tests/support/files.hpp"

namespace bev::test {

/// Returns the bytes of a range, clamped at the object's end.
inline std::vector<std::byte> part_of(const std::vector<std::byte>& object,
                                      const std::optional<ByteRange>& range) {
  if (!range) return object;
  const auto end = std::min<std::uint64_t>(range->end, object.size());
  const auto begin = std::min(range->begin, end);
  return {object.begin() + static_cast<std::ptrdiff_t>(begin),
          object.begin() + static_cast<std::ptrdiff_t>(end)};
}

/// A store in memory that keeps written objects.
class MemoryStore : public Sink {
 public:
  void put(std::string_view key, std::span<const std::byte> bytes) override {
    objects[std::string(key)].assign(bytes.begin(), bytes.end());
  }

  void text(const std::string& key, std::string_view text) {
    put(key, std::as_bytes(std::span(text.data(), text.size())));
  }

  /// The object as text.
  std::string text(const std::string& key) const {
    const auto& bytes = objects.at(key);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  /// Answers one request.
  void answer(Engine& engine, const store::Request& request) const {
    const auto found = objects.find(request.key);
    if (found == objects.end()) {
      engine.supply_absent(request.key);
    } else {
      engine.supply(request, part_of(found->second, request.range));
    }
  }

  std::map<std::string, std::vector<std::byte>> objects;
};

/// A store in a folder.
class FolderStore {
 public:
  explicit FolderStore(std::string root) : root_(std::move(root)) {}

  void answer(Engine& engine, const store::Request& request) const {
    auto bytes = find_file(root_ + "/" + request.key);
    if (bytes) {
      engine.supply(request, part_of(*bytes, request.range));
    } else {
      engine.supply_absent(request.key);
    }
  }

 private:
  std::string root_;
};

/// What a host's loop observed.
struct Run {
  std::size_t rounds = 0;
  std::set<std::string> keys;
  std::span<const ResultArray> arrays;

  /// Returns the array with that name; throws if there is none.
  const ResultArray& operator[](std::string_view name) const {
    for (const auto& array : arrays) {
      if (array.name == name) return array;
    }
    throw Error(Errc::internal, "no array " + std::string(name));
  }

  template <class T>
  std::vector<T> values(std::string_view name) const {
    const auto& bytes = (*this)[name].bytes;
    std::vector<T> out(bytes.size() / sizeof(T));
    if (!out.empty()) std::memcpy(out.data(), bytes.data(), out.size() * sizeof(T));
    return out;
  }

  std::string text(std::string_view name) const {
    const auto& bytes = (*this)[name].bytes;
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
};

/// Runs the host's loop.
template <class Store>
Run run(Engine& engine, Query& query, const Store& store) {
  Run out;
  for (auto wanted = query.missing(); !wanted.empty(); wanted = query.missing()) {
    ++out.rounds;
    for (const auto& request : wanted) {
      out.keys.insert(request.key);
      store.answer(engine, request);
    }
  }
  out.arrays = query.build();
  return out;
}

}  // namespace bev::test

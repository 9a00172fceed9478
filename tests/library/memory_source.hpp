#pragma once

#include <bevscope/source.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/memory_store.hpp"

namespace bev::test {

/// A store in memory as source of the C++ interface; records the keys that are read.
class MemorySource final : public Source {
 public:
  explicit MemorySource(MemoryStore store) : store_(std::move(store)) {}

  std::optional<std::vector<std::byte>> read(
      const std::string& key, const std::optional<ByteRange>& range) override {
    keys.push_back(key);
    const auto found = store_.objects.find(key);
    if (found == store_.objects.end()) return std::nullopt;
    if (!range) return found->second;
    return part_of(found->second, range);
  }

  std::optional<std::uint64_t> size(const std::string& key) override {
    const auto found = store_.objects.find(key);
    if (found == store_.objects.end()) return std::nullopt;
    return found->second.size();
  }

  std::vector<std::string> keys;

 private:
  MemoryStore store_;
};

}  // namespace bev::test

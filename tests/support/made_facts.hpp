#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/scan/make_fact_file.hpp"
#include "core/scan/object_state.hpp"
#include "core/scan/statistics_query.hpp"
#include "core/zip/zip_sink.hpp"
#include "tests/support/memory_store.hpp"

namespace bev::test {

/// Serves a store, and counts what is read of it.
class CountedSource final : public Source {
 public:
  explicit CountedSource(const MemoryStore& store) : store_(store) {}

  std::optional<std::vector<std::byte>> read(
      const std::string& key, const std::optional<ByteRange>& range) override {
    const auto found = store_.objects.find(key);
    if (found == store_.objects.end()) return std::nullopt;
    auto out = part_of(found->second, range);
    read_bytes[key] += out.size();
    return out;
  }

  std::optional<std::uint64_t> size(const std::string& key) override {
    ++size_count;
    const auto found = store_.objects.find(key);
    if (found == store_.objects.end()) return std::nullopt;
    return found->second.size();
  }

  /// Tells checksums if it `is_archive`.
  std::optional<std::uint32_t> checksum(const std::string& key) override {
    const auto found = store_.objects.find(key);
    if (!is_archive || found == store_.objects.end()) return std::nullopt;
    return state_of(found->second).zip_crc;
  }

  std::string address() const override { return at; }

  /// Bytes read of objects of agents.
  std::size_t agent_bytes() const {
    std::size_t out = 0;
    for (const auto& [key, bytes] : read_bytes) {
      if (key.rfind("agents/", 0) == 0 && key[7] != '.') out += bytes;
    }
    return out;
  }

  std::map<std::string, std::size_t> read_bytes;
  std::size_t size_count = 0;  ///< of sizes that were asked for
  bool is_archive = false;
  std::string at = {};  ///< address

 private:
  const MemoryStore& store_;
};

inline reader::Statistics statistics_of(Engine& engine, CountedSource& source) {
  const auto query = engine.statistics({});
  while (query->next()) {
    bev::run(engine, *query, source);
    query->build();
  }
  return query->statistics();
}

/// Writes the facts of a store into it.
inline FactFileMade make_facts(MemoryStore& store, const std::string& map = {}) {
  CountedSource source(store);
  Engine engine;
  const auto statistics = statistics_of(engine, source);
  std::vector<std::byte> bytes;
  zip::ZipSink sink([&](std::span<const std::byte> part) {
    bytes.insert(bytes.end(), part.begin(), part.end());
  });
  FactFileOptions options;
  options.map = map;
  options.statistics = &statistics;
  const auto made = make_fact_file(engine, source, sink, options);
  sink.finish();
  store.put(FactArchive::kKey, bytes);
  return made;
}

}  // namespace bev::test

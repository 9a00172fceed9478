#pragma once

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tests/support/blosc_by_hand.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/records.hpp"

/// Chunks large enough to be read in parts, and counters of a host's reads.
namespace bev::test::big_chunks {

using Bytes = std::vector<std::byte>;

inline constexpr std::size_t kRecord = 100;
inline constexpr std::size_t kRows = 12000;  // per chunk, in 20 blocks of 600

/// The records of a chunk; generated once, because that takes longer than reading them.
inline const Bytes& records() {
  static const Bytes made = test::Random(7).bytes(kRecord * kRows);
  return made;
}

inline constexpr auto* kBlosc = R"({"id": "blosc", "cname": "lz4"})";

inline Bytes chunk_for(const char* compressor) {
  return compressor[0] == 'n' ? records()
                              : test::blosc_by_hand(records(), kRecord, 600);
}

/// A host's traffic: rounds with data requests, and bytes supplied.
struct Traffic {
  std::size_t rounds = 0;
  std::size_t bytes = 0;
  std::vector<store::Request> requests;
};

inline std::span<const ResultArray> run(Engine& engine, const MemoryStore& store,
                                        Query& query, Traffic& traffic) {
  for (auto wanted = query.missing(); !wanted.empty(); wanted = query.missing()) {
    REQUIRE(query.missing() == wanted);  // idempotent
    REQUIRE(++traffic.rounds < 1000);
    for (const auto& request : wanted) {
      store.answer(engine, request);
      traffic.requests.push_back(request);
      const auto found = store.objects.find(request.key);
      if (found == store.objects.end()) continue;
      traffic.bytes += part_of(found->second, request.range).size();
    }
  }
  return query.build();
}

inline Bytes read(Engine& engine, const MemoryStore& store, const Rows& rows,
                  Traffic& traffic) {
  const auto query = engine.rows(rows);
  const auto arrays = run(engine, store, *query, traffic);
  return {arrays[0].bytes.begin(), arrays[0].bytes.end()};
}

/// Returns the rows of an array whose chunks are all equal.
inline Bytes expected(std::size_t begin, std::size_t end) {
  const Bytes& all = records();
  Bytes out;
  for (auto row = begin; row < end; ++row) {
    const auto at = static_cast<std::ptrdiff_t>(row % kRows * kRecord);
    out.insert(out.end(), all.begin() + at, all.begin() + at + kRecord);
  }
  return out;
}

/// Returns an engine that has read the metadata.
inline Engine opened(const MemoryStore& store,
                     std::size_t budget = Engine::kByteBudget) {
  Engine engine(budget);
  Traffic metadata;
  if (store.objects.contains("zarr.json")) {
    run(engine, store, *engine.open(), metadata);
  }
  read(engine, store, {"x", 0, 0}, metadata);
  return engine;
}

}  // namespace bev::test::big_chunks

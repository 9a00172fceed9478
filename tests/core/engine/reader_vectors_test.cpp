#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "core/engine/engine.hpp"
#include "core/engine/reader_query.hpp"
#include "tests/support/files.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/tiny_scenes.hpp"

using bev::Engine;
using namespace bev::test;
using nlohmann::json;

namespace {

constexpr std::uint64_t kOffset = 0xcbf29ce484222325, kPrime = 0x100000001b3;

std::uint64_t fnv1a(std::span<const std::byte> bytes, std::uint64_t hash) {
  for (const auto byte : bytes) {
    hash = (hash ^ static_cast<std::uint8_t>(byte)) * kPrime;
  }
  return hash;
}

/// Returns the number of items and the hash of each column's bytes.
json stream_of(const MemoryStore& store, const json& plan) {
  std::map<std::string, std::uint64_t> hashes;
  std::size_t items = 0;
  Engine engine;
  const auto query = engine.reader(plan.dump());
  while (true) {
    query->advance();
    const auto batch = run(engine, *query, store);
    if (query->at_end()) break;
    items += query->batch_size();
    for (const auto& array : batch.arrays) {
      auto& hash = hashes.try_emplace(array.name, kOffset).first->second;
      hash = fnv1a(array.bytes, hash);
    }
  }
  json columns = json::object();
  for (const auto& [name, hash] : hashes) {
    char hex[17] = {};
    std::snprintf(hex, sizeof hex, "%llx", static_cast<unsigned long long>(hash));
    columns[name] = hex;
  }
  return {{"items", items}, {"columns", columns}};
}

}  // namespace

TEST_SUITE("engine/reader_vectors") {
  TEST_CASE("streams are those of other hosts, with batches of any size") {
    const auto store = tiny_scenes();
    const auto bytes = read_file(BEV_FIXTURES "/../vectors/reader.json");
    const auto* const text = reinterpret_cast<const char*>(bytes.data());
    const auto file = json::parse(text, text + bytes.size());
    REQUIRE(file["vectors"].size() == 12);
    for (const auto& vector : file["vectors"]) {
      auto plan = vector["plan"];
      for (const int size : {1, 5, 256}) {
        plan["batch"] = {{"size", size}};
        CAPTURE(plan.dump());
        const json expected{{"items", vector["items"]}, {"columns", vector["columns"]}};
        CHECK(stream_of(store, plan) == expected);
      }
    }
  }
}

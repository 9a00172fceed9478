#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>

#include "tests/support/files.hpp"

namespace bev::test {

/// The number of items of a reader's stream, and the FNV-1a hash of each column's bytes, as
/// in tests/vectors/reader.json.
class StreamHash {
 public:
  void add_items(std::size_t count) { items_ += count; }

  void add(const std::string& column, std::span<const std::byte> bytes) {
    auto& hash = hashes_.try_emplace(column, kOffset).first->second;
    for (const auto byte : bytes) {
      hash = (hash ^ static_cast<std::uint8_t>(byte)) * kPrime;
    }
  }

  /// Returns {items, columns: {name: hash}}.
  nlohmann::json json() const {
    auto columns = nlohmann::json::object();
    for (const auto& [name, hash] : hashes_) {
      char hex[17] = {};
      std::snprintf(hex, sizeof hex, "%llx", static_cast<unsigned long long>(hash));
      columns[name] = hex;
    }
    return {{"items", items_}, {"columns", std::move(columns)}};
  }

 private:
  static constexpr std::uint64_t kOffset = 0xcbf29ce484222325, kPrime = 0x100000001b3;

  std::size_t items_ = 0;
  std::map<std::string, std::uint64_t> hashes_;
};

/// Returns the vectors of a file in tests/vectors: items and columns each, and the
/// question.
inline nlohmann::json vectors_of(const std::string& name) {
  const auto bytes = read_file(test_path("vectors/" + name));
  const auto* const text = reinterpret_cast<const char*>(bytes.data());
  return nlohmann::json::parse(text, text + bytes.size())["vectors"];
}

inline nlohmann::json reader_vectors() {
  return vectors_of("reader.json");
}

/// Returns what a vector expects, in the form of StreamHash::json().
inline nlohmann::json expected_stream(const nlohmann::json& vector) {
  return {{"items", vector["items"]}, {"columns", vector["columns"]}};
}

}  // namespace bev::test

#pragma once

#include <cstddef>
#include <cstdio>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace bev::test {

/// Returns a file's bytes, or nullopt if it cannot be opened.
inline std::optional<std::vector<std::byte>> find_file(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
      std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) return std::nullopt;
  std::vector<std::byte> bytes;
  std::byte part[1 << 14];
  while (const std::size_t got = std::fread(part, 1, sizeof part, file.get())) {
    bytes.insert(bytes.end(), part, part + got);
  }
  return bytes;
}

inline std::vector<std::byte> read_file(const std::string& path) {
  auto bytes = find_file(path);
  if (!bytes) throw std::runtime_error("cannot read " + path);
  return *std::move(bytes);
}

inline std::string read_text(const std::string& path) {
  const auto bytes = read_file(path);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Returns the path of a file in tests/: "fixtures/version3.zip".
std::string test_path(const std::string& name);

}  // namespace bev::test

#pragma once

#include <cstring>
#include <nlohmann/json.hpp>

#include "core/zarr/crc32c.hpp"
#include "tests/support/files.hpp"
#include "tests/support/save_host.hpp"

namespace bev::test {

/// Returns tests/vectors/save.json: compressors, and the objects of the data set of
/// vector_rows() with each.
inline nlohmann::json save_vectors() {
  const auto bytes = read_file(test_path("vectors/save.json"));
  const auto* const text = reinterpret_cast<const char*>(bytes.data());
  return nlohmann::json::parse(text, text + bytes.size());
}

inline constexpr std::uint64_t kVectorRows = 1500;

/// Returns the columns of the data set; web/test/saving/vectors.test.ts makes the same.
inline std::vector<std::vector<std::byte>> vector_rows() {
  std::uint32_t state = 1;
  const auto random = [&] {
    state ^= state << 13U;
    state ^= state >> 17U;
    state ^= state << 5U;
    return state;
  };
  std::vector<std::vector<std::byte>> out(3);
  const auto append = [](std::vector<std::byte>& to, auto value) {
    const auto at = to.size();
    to.resize(at + sizeof value);
    std::memcpy(to.data() + at, &value, sizeof value);
  };
  for (std::uint32_t row = 0; row < kVectorRows; ++row) {
    for (int i = 0; i < 28 * 28; ++i) {
      const auto value = random();
      out[0].push_back(
          static_cast<std::byte>((value & 3U) == 0 ? value >> 8U & 255U : row % 7));
    }
    for (int i = 0; i < 60; ++i)
      append(out[1], row * 0.25 + (random() & 1023U) / 1024.0);
    append(out[2], static_cast<std::int32_t>(row / 3));
  }
  return out;
}

/// Returns the objects of a data set: [bytes, CRC-32C] by key.
inline nlohmann::json object_sums(const SavedObjects& objects) {
  auto out = nlohmann::json::object();
  for (const auto& [key, bytes] : objects) {
    out[key] = nlohmann::json::array({bytes.size(), zarr::crc32c(bytes)});
  }
  return out;
}

/// Saves vector_rows() by the config.
inline SavedObjects saved_vector(const nlohmann::json& config_json) {
  const auto config = save::DataConfig::parse(config_json.dump());
  const auto columns = vector_rows();
  std::vector<save::BatchArray> arrays;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    arrays.push_back(
        save::array_of(config, config.attributes()[i].name, "", columns[i]));
  }
  SavedObjects part;
  save::PartSession session(config, 0);
  session.save(arrays);
  flush_to(part, session, true);
  return committed(config, part);
}

}  // namespace bev::test

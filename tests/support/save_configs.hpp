#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "core/save/batch.hpp"
#include "core/save/config.hpp"

namespace bev::test {

/// Returns a config of two attributes, "image" of bytes and "label".
inline save::DataConfig small_config(std::uint64_t max_object_size = 4096,
                                     const nlohmann::json& compressor = nullptr) {
  const nlohmann::json config = {
      {"name", "digits"},
      {"additional", {{"source", "made"}}},
      {"attributes",
       {{{"name", "image"}, {"dtype", "|u1"}, {"shape", {7U, 9U}}},
        {{"name", "label"}, {"dtype", "<i4"}, {"shape", nlohmann::json::array()}}}},
      {"compressor", compressor},
      {"max_object_size", max_object_size}};
  return save::DataConfig::parse(config.dump());
}

/// Returns a config with other members.
inline save::DataConfig with(const save::DataConfig& config,
                             const nlohmann::json& members) {
  auto all = nlohmann::json::parse(config.to_json());
  all.update(members);
  return save::DataConfig::parse(all.dump());
}

/// A batch in memory of rows that depend on their numbers alone.
class MadeBatch {
 public:
  /// Makes rows [first, first + rows) of every attribute of the config.
  ///
  /// @param noise  one of so many bytes is random; 0: none
  MadeBatch(const save::DataConfig& config, std::uint64_t first, std::uint64_t rows,
            unsigned noise = 2) {
    for (const auto& attribute : config.attributes()) {
      auto& bytes = bytes_.emplace_back();
      for (auto row = first; row < first + rows; ++row) {
        std::mt19937_64 random(row * 31 + bytes_.size());
        for (std::size_t i = 0; i < attribute.row_bytes(); ++i) {
          const auto value = random();
          const bool is_noise = noise > 0 && value % noise == 0;
          bytes.push_back(static_cast<std::byte>(is_noise ? value >> 8 : row % 7));
        }
      }
      auto shape = attribute.shape;
      shape.insert(shape.begin(), rows);
      const auto dtype = zarr::to_json(attribute.dtype);
      arrays_.push_back({attribute.name,
                         dtype.is_string() ? dtype.get<std::string>() : dtype.dump(),
                         std::move(shape),
                         {}});
    }
    for (std::size_t i = 0; i < arrays_.size(); ++i) arrays_[i].bytes = bytes_[i];
  }
  MadeBatch(const MadeBatch&) = delete;
  MadeBatch& operator=(const MadeBatch&) = delete;

  std::vector<save::BatchArray>& arrays() { return arrays_; }
  const std::vector<save::BatchArray>& arrays() const { return arrays_; }
  const std::vector<std::byte>& bytes(std::size_t attribute) const {
    return bytes_[attribute];
  }

 private:
  std::vector<std::vector<std::byte>> bytes_;
  std::vector<save::BatchArray> arrays_;
};

/// Compressors that this build can encode with.
inline std::vector<nlohmann::json> save_compressors() {
  std::vector<nlohmann::json> out = {nullptr};
#ifndef __EMSCRIPTEN__
  out.push_back({{"id", "blosc"}, {"cname", "lz4"}, {"clevel", 5}, {"shuffle", 1}});
  out.push_back({{"id", "zlib"}, {"level", 1}});
  out.push_back({{"id", "zstd"}, {"level", 1}});
  out.push_back({{"id", "lz4"}, {"acceleration", 1}});
  out.push_back({{"id", "blosc"}, {"cname", "zstd"}, {"clevel", 1}, {"shuffle", 2}});
#endif
  return out;
}

}  // namespace bev::test

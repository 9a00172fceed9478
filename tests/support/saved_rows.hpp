#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/save/stored_rows.hpp"
#include "core/zarr/decode.hpp"
#include "core/zarr/metadata.hpp"
#include "core/zarr/metadata_v3.hpp"
#include "native/save/data_saver.hpp"
#include "native/source/source.hpp"
#include "tests/support/save_configs.hpp"

namespace bev::test {

/// An array of a store, read chunk by chunk as a zarr reader does.
struct SavedArray {
  zarr::ArrayMeta meta;
  std::vector<std::byte> rows;
  std::vector<std::size_t> object_sizes;  ///< of chunks, or of shards
};

inline std::string saved_text(native::Source& source, const std::string& key) {
  const auto bytes = source.read(key, std::nullopt);
  if (!bytes) return {};
  return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
}

inline SavedArray read_saved(const std::string& store, const std::string& name) {
  const auto source = native::open_source(store);
  SavedArray out;
  const auto v3 = saved_text(*source, name + "/zarr.json");
  const auto key = name + "/.zarray";
  out.meta = v3.empty() ? zarr::parse_array_meta(saved_text(*source, key), key)
                        : *zarr::parse_array_v3(v3, name + "/zarr.json");
  std::string last;
  const auto chunks = (out.meta.shape[0] + out.meta.chunks[0] - 1) / out.meta.chunks[0];
  for (std::uint64_t i = 0; i < chunks; ++i) {
    const auto chunk_key = name + "/" + save::chunk_object(out.meta, i);
    const auto object = source->read(chunk_key, std::nullopt);
    if (!object) throw Error(Errc::missing_key, chunk_key);
    if (chunk_key != last) out.object_sizes.push_back(object->size());
    last = chunk_key;
    std::vector<std::byte> chunk(out.meta.chunk_bytes());
    const auto encoded = save::chunk_in(out.meta, {chunk_key, *object}, i);
    zarr::decode_chunk(out.meta, {chunk_key, encoded}, chunk);
    out.rows.insert(out.rows.end(), chunk.begin(), chunk.end());
  }
  const auto row =
      out.meta.chunk_bytes() / static_cast<std::size_t>(out.meta.chunks[0]);
  out.rows.resize(static_cast<std::size_t>(out.meta.shape[0]) * row);
  return out;
}

inline constexpr std::uint64_t kBatchRows = 10;

/// Returns a config of version 3 with three chunks per object.
inline save::DataConfig sharded_config() {
  return with(small_config(4096, {{"id", "blosc"}, {"cname", "lz4"}, {"clevel", 5}}),
              {{"zarr_format", 3}, {"chunks_per_shard", 3}});
}

inline save::DataConfig lz4_config() {
  return small_config(2048, {{"id", "blosc"}, {"cname", "lz4"}, {"clevel", 5}});
}

/// Saves batches [saver.batches(), count), flushing after every third.
inline void save_batches(native::DataSaver& saver, const save::DataConfig& config,
                         std::uint64_t count) {
  while (saver.batches() < count) {
    MadeBatch batch(config, saver.batches() * kBatchRows, kBatchRows, 3);
    saver.save(batch.arrays());
    if (saver.batches() % 3 == 0) saver.flush();
  }
}

/// Saves a data set of 250 rows in one process.
inline void save_all(const std::string& store, const save::DataConfig& config) {
  native::DataSaver saver(store, config);
  save_batches(saver, config, 25);
  saver.commit();
}

/// Compares all arrays with rows [0, rows) as they were made.
inline void check_rows(const std::string& store, const save::DataConfig& config,
                       std::uint64_t rows) {
  MadeBatch expected(config, 0, rows, 3);
  for (std::size_t i = 0; i < config.attributes().size(); ++i) {
    const auto found = read_saved(store, config.attributes()[i].name);
    CHECK(found.meta.shape[0] == rows);
    CHECK((found.rows == expected.bytes(i)));
    for (const auto size : found.object_sizes) CHECK(size <= config.max_object_size());
  }
}

}  // namespace bev::test

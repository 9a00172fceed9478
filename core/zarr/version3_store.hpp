#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/sink.hpp"

namespace bev::zarr {

/// Encoded chunks of a shard, by slot.
using Shard = std::map<std::size_t, std::vector<std::byte>>;

/// Returns the object of a shard: the chunks in the order of slots, then the index.
///
/// @param slots  of which those without a chunk are absent
/// Reference  Zarr v3 specification, codec sharding_indexed.
std::vector<std::byte> encode_shard(const Shard& chunks, std::size_t slots);

/// Turns the objects of a version 2 store into those of a version 3 store with the same
/// values: documents become zarr.json, with consolidated metadata at the root; chunks are
/// stored as they are, under new names or in shards along the first axis. Keys below
/// ".bevscope/" are kept. A full shard is written at once; all others, and metadata, that
/// of the root last, by commit().
///
/// Memory         Documents, and one shard per array whose chunks arrive in order; more
///                if they do not.
/// Throws         Errors of the store that it writes. put(): invalid_argument, with
///                shards, for a chunk that is put twice. commit(): errors of
///                array_v3_json().
/// Thread safety  None.
class Version3Store final : public NewStore {
 public:
  /// @param chunks_per_shard  0: each chunk is an object
  /// @throws Error  invalid_argument for more than kMaxChunks per shard
  Version3Store(std::unique_ptr<NewStore> store, std::uint64_t chunks_per_shard);
  ~Version3Store() override;

  /// Keeps the index of a shard, and so what its readers request first, below 1 MiB.
  static constexpr std::uint64_t kMaxChunks = 65'535;

  void put(std::string_view key, std::span<const std::byte> bytes) override;

  void commit() override;

 private:
  void put_chunk(std::string_view array, std::string_view name,
                 std::span<const std::byte> bytes);
  void write_metadata();

  std::unique_ptr<NewStore> store_;
  std::size_t per_shard_;
  std::map<std::string, std::string> documents_;  // of version 2, by key
  std::map<std::string, Shard> open_;             // by key
  std::set<std::string> written_;                 // keys of full shards
};

}  // namespace bev::zarr

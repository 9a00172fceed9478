#include "native/save/commit_parts.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/save/array_join.hpp"
#include "core/save/documents.hpp"
#include "core/zarr/version3_store.hpp"
#include "native/files/new_store.hpp"
#include "native/s3/s3_store.hpp"
#include "native/save/part_writer.hpp"
#include "native/save/parts_folder.hpp"
#include "native/save/remote_parts.hpp"
#include "native/source/source.hpp"
#include "native/source/workers.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;
using save::DataConfig;
using save::Manifest;
using save::Slice;
using Bytes = std::vector<std::byte>;

constexpr std::size_t kBatch = 8;  // chunks encoded concurrently

/// The data set to which rows are appended.
class BaseStore {
 public:
  BaseStore(const std::string& store, const DataConfig& config, std::uint64_t rows)
      : store_(store), source_(open_store(store)), base_(config, rows) {
    for (const auto& key : base_.missing()) {
      const auto text = read(key);
      base_.supply({reinterpret_cast<const char*>(text.data()), text.size()},
                   store + "/" + key);
    }
  }

  const save::Base& base() const noexcept { return base_; }

  Bytes read(const std::string& key) const {
    const std::lock_guard lock(mutex_);  // a .zip is read by one thread at a time
    if (key == key_) return object_;     // the chunks of a shard are read together
    auto bytes = source_->read(key, std::nullopt);
    if (!bytes) fail_at(Errc::missing_key, store_ + "/" + key, {"not found"});
    object_ = std::move(*bytes);
    key_ = key;
    return object_;
  }

  /// Returns the object's file; nullopt in a .zip.
  std::optional<fs::path> file(const std::string& key) const {
    if (!fs::is_directory(store_)) return std::nullopt;
    return fs::path(store_) / key;
  }

 private:
  std::string store_;
  mutable std::mutex mutex_;
  std::unique_ptr<Source> source_;
  mutable std::string key_;  // of the object read last
  mutable Bytes object_;
  save::Base base_;
};

/// Joins one attribute of all parts into an array of the new store.
class ArrayWriter {
 public:
  struct Inputs {
    const PartsFolder& folder;
    const DataConfig& config;
    std::span<const Manifest> parts;
    const BaseStore* base;  ///< is parts[0]; null: none
  };

  ArrayWriter(const Inputs& from, std::size_t attribute)
      : from_(from),
        join_({from.config, from.parts, from.base ? &from.base->base() : nullptr},
              attribute) {}

  /// Writes the chunks and returns the rows, and those per chunk. If a chunk exceeds the limit, all
  /// are written again with fewer rows.
  save::ArrayRows write(LocalStore& store) {
    auto rows = join_.limited(first_length());
    while (const auto too_large = write(store, rows)) {
      rows = save::ChunkLength::shortened(from_.config, rows, *too_large);
    }
    return {join_.plan().rows(), rows};
  }

 private:
  /// Returns the length that the parts have, or finds one.
  std::uint64_t first_length() {
    if (const auto rows = join_.plan().chunk_rows()) return *rows;
    save::ChunkLength length(from_.config, join_.schema());
    auto found = length.rows();
    while (!found) {
      found = join_.tried(length, join_.decoded(join_.sample(length), reader()));
    }
    return *found;
  }

  /// Writes chunks of so many rows. Returns the encoded size of one above the limit, at
  /// which it stops.
  std::optional<std::uint64_t> write(LocalStore& store, std::uint64_t chunk_rows) {
    const auto count = (join_.plan().rows() + chunk_rows - 1) / chunk_rows;
    const auto per_shard = from_.config.chunks_per_shard();
    const auto step = per_shard == 0 ? kBatch : per_shard;
    for (std::uint64_t begin = 0; begin < count; begin += step) {
      if (link_shard(store, begin, chunk_rows)) continue;
      std::vector<Bytes> encoded(
          static_cast<std::size_t>(std::min<std::uint64_t>(step, count - begin)));
      on_threads(encoded.size(), [&](std::size_t i) {
        encoded[i] = encode(join_.chunk(begin + i, chunk_rows), chunk_rows);
      });
      for (const auto& bytes : encoded) {
        if (bytes.size() > from_.config.max_chunk_size()) return bytes.size();
      }
      if (per_shard == 0) {
        put_chunks(store, encoded, begin, chunk_rows);
      } else {
        put_shard(store, encoded, begin, chunk_rows);
      }
    }
    return std::nullopt;
  }

  /// Returns the encoded chunk; without bytes, one that is linked.
  Bytes encode(const save::PlannedChunk& chunk, std::uint64_t chunk_rows) const {
    if (!is_link(chunk)) return join_.encoded(chunk, chunk_rows, reader());
    if (join_.is_base(chunk.slices[0])) return {};
    auto bytes = read(chunk.slices[0]);  // checks what may be linked
    return from_.config.chunks_per_shard() > 0 ? std::move(bytes) : Bytes();
  }

  void put_chunks(LocalStore& store, const std::vector<Bytes>& encoded,
                  std::uint64_t begin, std::uint64_t chunk_rows) const {
    for (std::size_t i = 0; i < encoded.size(); ++i) {
      const auto key = join_.key(begin + i, chunk_rows);
      const auto chunk = join_.chunk(begin + i, chunk_rows);
      if (is_link(chunk)) {
        store.put_file(key, *file_of(chunk.slices[0]));
      } else {
        store.put(key, encoded[i]);
      }
    }
  }

  void put_shard(LocalStore& store, std::vector<Bytes>& encoded, std::uint64_t begin,
                 std::uint64_t chunk_rows) const {
    zarr::Shard shard;
    for (std::size_t i = 0; i < encoded.size(); ++i) shard[i] = std::move(encoded[i]);
    const auto slots = static_cast<std::size_t>(from_.config.chunks_per_shard());
    store.put(join_.key(begin, chunk_rows), zarr::encode_shard(shard, slots));
  }

  /// Links a full shard of the base. Returns whether it is one.
  bool link_shard(LocalStore& store, std::uint64_t begin,
                  std::uint64_t chunk_rows) const {
    if (!join_.is_base_shard(begin, chunk_rows)) return false;
    const auto key = join_.key(begin, chunk_rows);
    const auto file = from_.base->file(key);
    if (file) store.put_file(key, *file);
    return file.has_value();
  }

  /// Whether a file is the chunk as it is.
  bool is_link(const save::PlannedChunk& chunk) const {
    return chunk.is_copy && file_of(chunk.slices[0]);
  }

  Bytes read(const Slice& slice) const {
    if (join_.is_base(slice)) return from_.base->read(join_.source_key(slice));
    return read_object(part_of(slice), join_.schema(), join_.plan().object(slice));
  }

  /// Returns a reader for one thread.
  save::ArrayJoin::Read reader() const {
    return [this, held = Bytes()](const Slice& slice) mutable {
      held = read(slice);
      return std::span<const std::byte>(held);
    };
  }

  fs::path part_of(const Slice& slice) const {
    return from_.folder.part(from_.parts[slice.part].saver);
  }

  std::optional<fs::path> file_of(const Slice& slice) const {
    const auto key = join_.source_key(slice);
    if (join_.is_base(slice)) return from_.base->file(key);
    return part_of(slice) / key;
  }

  Inputs from_;
  save::ArrayJoin join_;
};

/// Writes the attachments of all parts. Returns their list.
std::vector<save::Attachment> write_attachments(const ArrayWriter::Inputs& from,
                                                LocalStore& store) {
  std::vector<save::Attachment> out;
  for (const auto& part : from.parts) join_attachments(out, part.attachments);
  std::set<std::string> written;
  for (const auto& part : from.parts) {
    const bool is_base = from.base != nullptr && &part == from.parts.data();
    for (const auto& each : part.attachments) {
      const auto key = attachment_key(each);
      if (!written.insert(key).second) continue;
      const auto file = is_base
                            ? from.base->file(key)
                            : from.folder.part(part.saver) / attachment_part_key(each);
      if (file) {
        check_attachment_file(*file, each);
        store.put_file(key, *file);
      } else {
        const auto bytes = from.base->read(key);
        check_attachment_bytes(each, bytes, key);
        store.put(key, bytes);
      }
    }
  }
  return out;
}

}  // namespace

std::uint64_t commit_parts(const std::string& store) {
  auto folder = PartsFolder::open(store, PartsFolder::Lock::exclusive);
  if (!folder) fail_at(Errc::not_found, store, {"no saved parts"});
  const auto& settings = folder->settings();
  auto parts = save::ordered(folder->manifests());
  const auto id =
      save::fingerprint_of(settings.base + save::commit_id(settings.config, parts));
  const auto id_of = [](const auto& known) {
    return known ? known->id : std::string();
  };
  const auto known = committed_at(store);
  if (known && known->id == id) {  // a commit that was killed before it had cleaned up
    folder->remove();
    return known->rows;
  }
  check_base(settings, id_of(known), store);
  const auto target =
      create_store(store, settings.mode == save::SaveMode::create ? Existing::refuse
                                                                  : Existing::replace);
  // The target is locked, or knows the object's ETag: what is read from here on cannot be
  // replaced by another writer without an error.
  const auto found = committed_at(store);
  check_base(settings, id_of(found), store);
  std::optional<BaseStore> base;
  if (settings.mode == save::SaveMode::append && found) {
    base.emplace(store, settings.config, found->rows);
    parts.insert(parts.begin(), base->base().manifest());
    parts.front().attachments = found->attachments;
  }
  std::vector<save::ArrayRows> arrays;
  save::Committed committed{settings.config, 0, id};
  for (const auto& part : parts) committed.rows += part.rows;
  const ArrayWriter::Inputs inputs{*folder, settings.config, parts,
                                   base ? &*base : nullptr};
  for (std::size_t i = 0; i < settings.config.attributes().size(); ++i) {
    arrays.push_back(ArrayWriter(inputs, i).write(*target));
  }
  committed.attachments = write_attachments(inputs, *target);
  for (const auto& [key, text] : documents_of(committed, arrays)) {
    target->put(key, std::as_bytes(std::span(text)));
  }
  target->commit();
  folder->remove();
  return committed.rows;
}

std::uint64_t commit_parts(const std::string& store, std::uint64_t savers) {
  if (!is_s3(store)) {
    fail_at(Errc::invalid_argument, store,
            {"only parts of data sets in S3 are uploaded"});
  }
  const auto joined = fetch_parts(store, savers);
  const auto rows = commit_parts(store);
  remove_remote_parts(store, joined);
  return rows;
}

bool discard_parts(const std::string& store) {
  auto folder = PartsFolder::open(store, PartsFolder::Lock::exclusive);
  if (folder) folder->remove();
  PartsFolder::remove_leftovers(store);
  if (!is_s3(store)) return folder.has_value();
  const bool had_upload = remove_s3_upload(store, s3_settings());
  return remove_remote_parts(store) || had_upload || folder.has_value();
}

}  // namespace bev::native

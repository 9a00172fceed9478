#include "native/save/commit_parts.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/save/chunk_length.hpp"
#include "core/save/commit_plan.hpp"
#include "core/save/documents.hpp"
#include "core/save/stored_rows.hpp"
#include "native/files/new_store.hpp"
#include "native/s3/s3_store.hpp"
#include "native/save/part_writer.hpp"
#include "native/save/parts_folder.hpp"
#include "native/source/source.hpp"
#include "native/source/workers.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;
using save::Attribute;
using save::DataConfig;
using save::JoinPlan;
using save::Manifest;
using save::Slice;
using Bytes = std::vector<std::byte>;

constexpr std::size_t kBatch = 8;  // chunks encoded concurrently

/// The data set to which rows are appended, as if it were the first part. Its objects
/// are zarr chunks: the last one is padded to the length of the others.
class Base {
 public:
  Base(const std::string& store, const DataConfig& config, std::uint64_t rows)
      : store_(store), source_(open_source(store)) {
    manifest_.rows = rows;
    manifest_.complete = true;
    for (const auto& attribute : config.attributes()) {
      const auto key = attribute.name + "/.zarray";
      const auto text = source_->read(key, std::nullopt);
      if (!text) fail_at(Errc::missing_key, store + "/" + key, {"not found"});
      metas_.push_back(zarr::parse_array_meta(
          {reinterpret_cast<const char*>(text->data()), text->size()}, key));
      const auto& meta = metas_.back();
      const auto expected = config.array_meta(attribute, rows, meta.chunk_rows());
      if (meta.shape != expected.shape || meta.chunks != expected.chunks ||
          meta.dtype != expected.dtype || meta.compressor != expected.compressor) {
        fail_at(Errc::invalid_metadata, store + "/" + key,
                {"is not that of the config"});
      }
      manifest_.arrays.push_back(objects_of(rows, meta.chunk_rows()));
    }
  }

  const Manifest& manifest() const noexcept { return manifest_; }

  std::uint64_t chunk_rows(std::size_t attribute) const {
    return metas_[attribute].chunk_rows();
  }

  std::string key(std::size_t attribute, const Attribute& schema,
                  std::size_t object) const {
    std::vector<std::uint64_t> index(metas_[attribute].shape.size());
    index[0] = object;
    return schema.name + "/" + zarr::chunk_key(metas_[attribute], index);
  }

  Bytes read(const std::string& key) const {
    const std::lock_guard lock(mutex_);  // a .zip is read by one thread at a time
    auto bytes = source_->read(key, std::nullopt);
    if (!bytes) fail_at(Errc::missing_key, store_ + "/" + key, {"not found"});
    return std::move(*bytes);
  }

  /// Returns the object's file; nullopt in a .zip.
  std::optional<fs::path> file(const std::string& key) const {
    if (!fs::is_directory(store_)) return std::nullopt;
    return fs::path(store_) / key;
  }

 private:
  static save::PartArray objects_of(std::uint64_t rows, std::uint64_t chunk_rows) {
    save::PartArray out;
    // The length of an only chunk is that of the data, not one that fits the limit
    if (rows > chunk_rows) out.chunk_rows = chunk_rows;
    for (std::uint64_t first = 0; first < rows; first += chunk_rows) {
      out.objects.push_back({first, std::min(chunk_rows, rows - first), 0, 0});
    }
    return out;
  }

  std::string store_;
  mutable std::mutex mutex_;
  std::unique_ptr<Source> source_;
  std::vector<zarr::ArrayMeta> metas_;
  Manifest manifest_;
};

/// Joins one attribute of all parts into an array of the new store.
class ArrayJoin {
 public:
  struct Inputs {
    const PartsFolder& folder;
    const DataConfig& config;
    std::span<const Manifest> parts;
    const Base* base;  ///< is parts[0]; null: none
  };

  ArrayJoin(const Inputs& from, std::size_t attribute)
      : from_(from),
        attribute_(attribute),
        schema_(from.config.attributes()[attribute]),
        plan_(from.parts, attribute) {}

  /// Writes the chunks and returns the rows per chunk. If a chunk exceeds the limit, all
  /// are written again with fewer rows.
  std::uint64_t write(LocalStore& store) {
    // An only chunk is not padded
    auto rows = std::min(first_length(), std::max<std::uint64_t>(plan_.rows(), 1));
    while (const auto too_large = write(store, rows)) {
      rows = save::ChunkLength::shortened(from_.config, rows, *too_large);
    }
    return rows;
  }

 private:
  /// Returns the length that the parts have, or finds one.
  std::uint64_t first_length() {
    if (const auto rows = plan_.chunk_rows()) return *rows;
    save::ChunkLength length(from_.config, schema_);
    while (!length.rows() && length.needed() <= plan_.rows()) {
      length.search(decoded(plan_.slices(0, length.needed())));
    }
    return length.rows() ? *length.rows()
                         : length.finish(decoded(plan_.slices(0, plan_.rows())));
  }

  /// Writes chunks of so many rows. Returns the encoded size of one above the limit, at
  /// which it stops.
  std::optional<std::uint64_t> write(LocalStore& store, std::uint64_t chunk_rows) {
    const auto count = (plan_.rows() + chunk_rows - 1) / chunk_rows;
    for (std::uint64_t begin = 0; begin < count; begin += kBatch) {
      const auto size =
          static_cast<std::size_t>(std::min<std::uint64_t>(kBatch, count - begin));
      std::vector<Bytes> encoded(size);
      on_threads(size, [&](std::size_t i) {
        const auto chunk = plan_.chunk(begin + i, chunk_rows);
        if (!is_link(chunk, chunk_rows)) {
          encoded[i] = encode(chunk, chunk_rows);
        } else if (!is_base(chunk.slices[0])) {
          read_part(chunk.slices[0]);  // checks what is linked
        }
      });
      for (const auto& bytes : encoded) {
        if (bytes.size() > from_.config.max_object_size()) return bytes.size();
      }
      for (std::size_t i = 0; i < size; ++i) {
        const auto key = key_of(begin + i, chunk_rows);
        const auto chunk = plan_.chunk(begin + i, chunk_rows);
        if (is_link(chunk, chunk_rows)) {
          store.put_file(key, *file_of(chunk.slices[0]));
        } else {
          store.put(key, encoded[i]);
        }
      }
    }
    return std::nullopt;
  }

  /// Whether a file is the chunk as it is. The last chunk of the base is padded.
  bool is_link(const save::PlannedChunk& chunk, std::uint64_t chunk_rows) const {
    if (!chunk.is_copy || !file_of(chunk.slices[0])) return false;
    return !is_base(chunk.slices[0]) ||
           from_.base->chunk_rows(attribute_) == chunk_rows;
  }

  Bytes read_part(const Slice& slice) const {
    return read_object(part_of(slice), schema_, plan_.object(slice));
  }

  bool is_base(const Slice& slice) const {
    return from_.base != nullptr && slice.part == 0;
  }

  fs::path part_of(const Slice& slice) const {
    return from_.folder.part(from_.parts[slice.part].saver);
  }

  std::optional<fs::path> file_of(const Slice& slice) const {
    if (is_base(slice)) {
      return from_.base->file(from_.base->key(attribute_, schema_, slice.object));
    }
    return part_of(slice) / object_key(schema_, plan_.object(slice));
  }

  std::string key_of(std::uint64_t index, std::uint64_t chunk_rows) const {
    const auto meta = from_.config.array_meta(schema_, plan_.rows(), chunk_rows);
    std::vector<std::uint64_t> place(meta.shape.size());
    place[0] = index;
    return schema_.name + "/" + zarr::chunk_key(meta, place);
  }

  /// Returns the rows of slices.
  Bytes decoded(const std::vector<Slice>& slices) const {
    const auto row = schema_.row_bytes();
    Bytes out;
    for (const auto& slice : slices) {
      const auto& object = plan_.object(slice);
      const auto all =
          is_base(slice)
              ? save::decode_rows(from_.config, schema_,
                                  from_.base->chunk_rows(attribute_),
                                  from_.base->read(from_.base->key(attribute_, schema_,
                                                                   slice.object)))
              : save::decode_rows(from_.config, schema_, object.rows, read_part(slice));
      const auto rows = std::span(all).subspan(
          static_cast<std::size_t>(slice.begin) * row,
          static_cast<std::size_t>(slice.end - slice.begin) * row);
      out.insert(out.end(), rows.begin(), rows.end());
    }
    return out;
  }

  Bytes encode(const save::PlannedChunk& chunk, std::uint64_t chunk_rows) const {
    auto rows = decoded(chunk.slices);
    rows.resize(static_cast<std::size_t>(chunk_rows) * schema_.row_bytes());
    return encode_rows(from_.config, schema_, rows);
  }

  Inputs from_;
  std::size_t attribute_;
  const Attribute& schema_;
  JoinPlan plan_;
};

/// Checks that the store is as it was when the savers began.
void check_base(const std::string& store, const PartsFolder::Settings& settings,
                const std::optional<save::Committed>& found) {
  if ((found ? found->id : std::string()) == settings.base) return;
  fail_at(Errc::changed, store, {"was replaced since the savers began"});
}

}  // namespace

std::uint64_t commit_parts(const std::string& store) {
  auto folder = PartsFolder::open(store, PartsFolder::Lock::exclusive);
  if (!folder) fail_at(Errc::not_found, store, {"no saved parts"});
  const auto& settings = folder->settings();
  auto parts = save::ordered(folder->manifests());
  const auto id =
      save::fingerprint_of(settings.base + save::commit_id(settings.config, parts));
  const auto found = committed_at(store);
  if (found && found->id == id) {  // a commit that was killed before it had cleaned up
    folder->remove();
    return found->rows;
  }
  check_base(store, settings, found);
  std::optional<Base> base;
  if (settings.mode == SaveMode::append && found) {
    base.emplace(store, settings.config, found->rows);
    parts.insert(parts.begin(), base->manifest());
  }
  const auto target = create_store(
      store, settings.mode == SaveMode::create ? Existing::refuse : Existing::replace);
  std::vector<std::uint64_t> chunk_rows;
  save::Committed committed{settings.config, 0, id};
  for (const auto& part : parts) committed.rows += part.rows;
  for (std::size_t i = 0; i < settings.config.attributes().size(); ++i) {
    const ArrayJoin::Inputs inputs{*folder, settings.config, parts,
                                   base ? &*base : nullptr};
    chunk_rows.push_back(ArrayJoin(inputs, i).write(*target));
  }
  for (const auto& [key, text] : documents_of(committed, chunk_rows)) {
    target->put(key, std::as_bytes(std::span(text)));
  }
  target->commit();
  folder->remove();
  return committed.rows;
}

bool discard_parts(const std::string& store) {
  auto folder = PartsFolder::open(store, PartsFolder::Lock::exclusive);
  if (folder) folder->remove();
  PartsFolder::remove_leftovers(store);
  const bool uploaded = is_s3(store) && remove_s3_upload(store, s3_settings());
  return uploaded || folder.has_value();
}

}  // namespace bev::native

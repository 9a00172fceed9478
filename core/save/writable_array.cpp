#include "core/save/writable_array.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "core/base/checked.hpp"
#include "core/base/error.hpp"
#include "core/zarr/encode.hpp"
#include "core/zarr/metadata_v3.hpp"

namespace bev::save {
namespace {

using Access = ArrayStore::Access;
using Shape = std::vector<std::uint64_t>;

// Writers that replace the same object without locks
constexpr int kMaxAttempts = 200;

std::span<const std::byte> view_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

std::string as_text(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Repeats `attempt` until it returns true.
template <class Attempt>
void until_done(const std::string& key, const Attempt& attempt) {
  for (int i = 0; i < kMaxAttempts; ++i) {
    if (attempt()) return;
  }
  fail_at(Errc::changed, key,
          {"replaced by others ", kMaxAttempts, " times while it was written"});
}

std::uint64_t chunk_count(const zarr::ArrayMeta& meta) {
  std::uint64_t count = 1;
  for (std::size_t i = 0; i < meta.shape.size(); ++i) {
    const auto along =
        meta.shape[i] / meta.chunks[i] + (meta.shape[i] % meta.chunks[i] == 0 ? 0 : 1);
    count = mul_or_throw(count, along, "chunks", Errc::limit_exceeded);
  }
  return count;
}

/// Creates a group of an array's version, if there is none.
void create_group(ArrayStore& store, const std::string& prefix, bool is_version3) {
  const auto has = [&](const char* name) {
    return store.read(prefix + name).bytes.has_value();
  };
  const auto refuse = [&](const char* name, const char* found) {
    fail_at(Errc::invalid_argument, prefix + name, {found, " (expected a group)"});
  };
  if (has(".zarray")) refuse(".zarray", "an array");
  const std::string document(is_version3 ? "zarr.json" : ".zgroup");
  const char* const other = is_version3 ? ".zgroup" : "zarr.json";
  if (has(other)) {
    fail_at(Errc::unsupported, prefix + other,
            {"a group of version ", is_version3 ? "2" : "3",
             " (expected the array's version, ", is_version3 ? "3)" : "2)"});
  }
  const auto found = store.read(prefix + document);
  if (!found.bytes) {
    const std::string group = is_version3 ? R"({
    "zarr_format": 3,
    "node_type": "group",
    "attributes": {}
})"
                                          : "{\n    \"zarr_format\": 2\n}";
    static_cast<void>(store.replace(prefix + document, view_of(group), found.tag));
  } else if (is_version3 && zarr::parse_array_v3(as_text(*found.bytes), document)) {
    refuse("zarr.json", "an array");
  }
}

/// Creates the groups around an array, where they do not exist.
void create_groups(ArrayStore& store, const std::string& path, bool is_version3) {
  const auto own = path.empty() ? ".zgroup" : path + "/.zgroup";
  if (store.read(own).bytes) {
    fail_at(Errc::invalid_argument, own, {"a group (expected an array, or nothing)"});
  }
  for (std::size_t end = path.empty() ? path.npos : 0; end != path.npos;
       end = path.find('/', end + 1)) {
    create_group(store, end == 0 ? "" : path.substr(0, end) + "/", is_version3);
  }
}

/// Returns the metadata with a shape of whole chunks. Without locks, another writer may
/// have made the array larger and written elements beyond the known shape.
zarr::ArrayMeta whole_chunks(zarr::ArrayMeta meta) {
  for (std::size_t i = 0; i < meta.shape.size(); ++i) {
    const auto rest = meta.shape[i] % meta.chunks[i];
    if (rest == 0) continue;
    const auto whole = checked_add(meta.shape[i], meta.chunks[i] - rest);
    if (whole) meta.shape[i] = *whole;
  }
  return meta;
}

/// Removes an array, its document first.
void remove_array(ArrayStore& store, const std::string& path) {
  const WritableArray array(store, path);
  for (const auto& key : document_keys(path)) store.remove(key);
  const auto prefix = path.empty() ? 0 : path.size() + 1;
  const auto objects = [&] { return store.list(path); };
  store.for_each(objects, [&](const ListedObject& object) {
    const auto name = std::string_view(object.key).substr(prefix);
    if (chunk_of_key(array.meta(), name)) store.remove(object.key);
  });
}

bool is_within(const zarr::ChunkIndex& chunk, const zarr::ArrayMeta& meta,
               const Shape& shape) {
  for (std::size_t i = 0; i < chunk.size(); ++i) {
    if (shape[i] == 0 || chunk[i] > (shape[i] - 1) / meta.chunks[i]) return false;
  }
  return true;
}

bool reaches_beyond(const zarr::ChunkIndex& chunk, const zarr::ArrayMeta& meta,
                    const Shape& shape) {
  for (std::size_t i = 0; i < chunk.size(); ++i) {
    const auto begin = chunk[i] * meta.chunks[i];
    if (shape[i] <= begin || shape[i] - begin < meta.chunks[i]) return true;
  }
  return false;
}

}  // namespace

WritableArray::WritableArray(ArrayStore& store, std::string path)
    : store_(store), path_(std::move(path)) {
  load();
}

bool WritableArray::create(ArrayStore& store, const std::string& path,
                           const zarr::ArrayMeta& meta, Existing existing) {
  const auto lock = store.lock(path, "", Access::exclusive);
  const auto keys = document_keys(path);
  const auto document = new_document(path, meta);
  const bool exists = std::any_of(keys.begin(), keys.end(), [&](const auto& key) {
    return store.read(key).bytes.has_value();
  });
  if (exists && existing == Existing::keep) return false;
  if (exists) remove_array(store, path);
  create_groups(store, path, meta.prefixed_keys);
  const auto tag = store.read(document.key).tag;
  if (!store.replace(document.key, view_of(document.text), tag)) return false;
  store.sync(path);
  WritableArray(store, path).store_consolidated();
  return !exists;
}

void WritableArray::load() {
  for (auto& key : document_keys(path_)) {
    auto object = store_.read(key);
    if (!object.bytes) continue;
    auto text = as_text(*object.bytes);
    if (text != document_.text)
      document_ = parse_document(std::move(key), std::move(text));
    tag_ = std::move(object.tag);
    return;
  }
  fail_at(Errc::not_found, store_.name_of(path_),
          {"array not found (no .zarray, no zarr.json)"});
}

const zarr::ArrayMeta& WritableArray::refresh() {
  load();
  return meta();
}

std::string WritableArray::key_of(const Chunk& chunk) const {
  const auto name = zarr::chunk_key(meta(), chunk);
  return path_.empty() ? name : path_ + "/" + name;
}

std::vector<std::byte> WritableArray::read(const zarr::Target& target) {
  std::vector<std::byte> out;
  until_done(document_.key, [&] {
    const auto lock = store_.lock(path_, "", Access::reading);  // the shape stays
    refresh();
    const auto parts = parts_of(meta(), zarr::chunks_of(meta(), target));
    std::vector<std::string> keys;
    for (const auto& part : parts) keys.push_back(key_of(part.object));
    store_.prefetch(keys);
    const auto size = mul_or_throw<std::uint64_t>(
        zarr::count_of(target), meta().dtype.size(), "selection", Errc::limit_exceeded);
    out.resize(static_cast<std::size_t>(size));
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const auto stored = store_.read(keys[i]);
      const ArrayObject object(document_, keys[i], stored.bytes);
      for (const auto& chunk : parts[i].chunks) {
        zarr::copy_target(meta(), chunk, object.decoded(chunk), target, out);
      }
    }
    return !lock || lock->held();
  });
  return out;
}

void WritableArray::change(const ObjectPart& part, const Change& change) {
  const auto key = key_of(part.object);
  const auto lock =
      store_.lock(path_, zarr::chunk_key(meta(), part.object), Access::exclusive);
  const bool reads = part.chunks.size() < chunks_per_object(meta()) ||
                     std::any_of(part.chunks.begin(), part.chunks.end(), change.keeps);
  until_done(key, [&] {
    const auto stored = reads ? store_.read(key) : StoredObject{};
    const auto content = [&] {
      ArrayObject object(document_, key, stored.bytes);
      for (const auto& chunk : part.chunks) {
        if (change.only_stored && meta().sharding && !object.has(chunk)) continue;
        auto elements =
            change.keeps(chunk) ? object.decoded(chunk) : zarr::fill_chunk(meta());
        change.edit(chunk, elements);
        object.put(chunk, elements);
      }
      return std::move(object).encoded();
    };
    return store_.replace_with(key, content,
                               reads ? std::optional(stored.tag) : std::nullopt);
  });
}

void WritableArray::assign(const zarr::Assignment& assignment) {
  const auto lock = store_.lock(path_, "", Access::shared);
  refresh();
  const auto extent = lock ? meta() : whole_chunks(meta());
  const Change assigned{
      [&](const Chunk& chunk) { return !assignment.replaces(extent, chunk); },
      [&](const Chunk& chunk, std::span<std::byte> elements) {
        assignment.apply(meta(), chunk, elements);
      }};
  store_.for_each([&] { return parts_of(meta(), assignment.chunks(meta())); },
                  [&](const ObjectPart& part) { change(part, assigned); });
  store_.sync(path_);
}

/// Gives elements of a chunk outside the shape the fill value: they may be left of a
/// larger shape, or of a writer that was killed.
void WritableArray::cut(const Chunk& chunk, std::span<std::byte> decoded,
                        const Shape& shape) const {
  auto old = meta();
  old.shape = shape;
  auto kept = zarr::fill_chunk(meta());
  if (is_within(chunk, meta(), shape)) {
    zarr::Box box;
    for (std::size_t i = 0; i < chunk.size(); ++i) {
      const auto begin = chunk[i] * old.chunks[i];
      box.push_back({begin, std::min(old.chunks[i], shape[i] - begin)});
    }
    std::vector<std::byte> values(static_cast<std::size_t>(zarr::count_of(box)) *
                                  old.dtype.size());
    zarr::copy_box(old, chunk, decoded, box, values);
    zarr::assign_box(old, chunk, box, {{0, old.dtype.size()}, values, {}}, kept);
  }
  std::memcpy(decoded.data(), kept.data(), kept.size());
}

void WritableArray::append(std::span<const std::byte> rows) {
  const auto lock = store_.lock(path_, "", Access::exclusive);
  refresh();
  if (meta().shape.empty()) {
    fail_at(Errc::invalid_argument, store_.name_of(path_),
            {"append: an array without axes"});
  }
  const auto row = zarr::row_bytes(meta());
  if (row == 0 ? !rows.empty() : rows.size() % row != 0) {
    fail_at(Errc::invalid_argument, store_.name_of(path_),
            {"append: wrong length (found ", rows.size(),
             " bytes, expected a multiple of ", row, ")"});
  }
  if (rows.empty()) return;
  append_rows(rows, rows.size() / row, lock != nullptr);
}

/// With locks, the rows are written before the shape says that they exist; without, the
/// new shape reserves their place first.
void WritableArray::append_rows(std::span<const std::byte> rows, std::uint64_t count,
                                bool has_locks) {
  Shape old, shape;
  until_done(document_.key, [&] {
    old = shape = meta().shape;
    const auto length = checked_add(old.front(), count);
    if (!length)
      fail_at(Errc::limit_exceeded, store_.name_of(path_), {"append: too many rows"});
    shape.front() = *length;
    return has_locks || store_shape(shape);
  });
  auto grown = meta();
  grown.shape = shape;
  auto box = zarr::whole_box(grown);
  box.front() = {old.front(), count};
  const zarr::Assignment assignment({box}, {{{0, meta().dtype.size()}, rows, {}}});
  const auto extent = whole_chunks(grown);
  const Change appended{[&](const Chunk& chunk) {
                          return has_locks ? is_within(chunk, meta(), old)
                                           : !assignment.replaces(extent, chunk);
                        },
                        [&](const Chunk& chunk, std::span<std::byte> elements) {
                          if (has_locks) cut(chunk, elements, old);
                          assignment.apply(grown, chunk, elements);
                        }};
  store_.for_each([&] { return parts_of(grown, assignment.chunks(grown)); },
                  [&](const ObjectPart& part) { change(part, appended); });
  if (has_locks) {
    store_.sync(path_);
    static_cast<void>(store_shape(shape));
  }
  store_consolidated();
}

/// Returns whether nobody else has changed the document.
bool WritableArray::store_shape(const Shape& shape) {
  const auto text = with_shape(document_, shape);
  const bool stored = store_.replace(document_.key, view_of(text), tag_);
  load();
  return stored;
}

/// Other arrays of the store may be resized at the same time.
void WritableArray::store_consolidated() {
  if (path_.empty()) return;
  const auto lock = store_.lock("", "", Access::exclusive);
  const bool is_version3 = document_.key.ends_with("zarr.json");
  const std::string key = is_version3 ? "zarr.json" : ".zmetadata";
  until_done(key, [&] {
    const auto object = store_.read(key);
    if (!object.bytes) return true;
    refresh();
    const auto text = consolidated_with(as_text(*object.bytes), key, path_, document_);
    return !text.has_value() || store_.replace(key, view_of(*text), object.tag);
  });
  store_.sync("");
}

void WritableArray::resize(Shape shape) {
  const auto lock = store_.lock(path_, "", Access::exclusive);
  refresh();
  check_shape(shape);
  until_done(document_.key, [&] {
    const auto old = meta().shape;
    bool grows = false, shrinks = false;
    for (std::size_t i = 0; i < shape.size(); ++i) {
      grows = grows || shape[i] > old[i];
      shrinks = shrinks || shape[i] < old[i];
    }
    if (shrinks && !lock) {
      fail_at(Errc::unsupported, store_.name_of(path_),
              {"resize: a store without locks cannot make arrays smaller"});
    }
    if (grows && lock) clear_outside(old);
    if ((grows || shrinks) && !store_shape(shape)) return false;
    if (shrinks) clear_outside(shape);
    return true;
  });
  store_consolidated();
  store_.sync(path_);
}

void WritableArray::check_shape(const Shape& shape) const {
  if (shape.size() != meta().shape.size()) {
    fail_at(Errc::invalid_argument, store_.name_of(path_),
            {"resize: wrong number of axes (found ", shape.size(), ", expected ",
             meta().shape.size(), ")"});
  }
  auto wanted = meta();
  wanted.shape = shape;
  static_cast<void>(zarr::row_bytes(wanted));
  static_cast<void>(chunk_count(wanted));
}

/// Removes objects outside the shape, and cuts chunks that reach beyond it.
void WritableArray::clear_outside(const Shape& shape) {
  const auto grid = object_grid(meta());
  const Change cuts{[](const Chunk&) { return true; },
                    [&](const Chunk& chunk, std::span<std::byte> elements) {
                      cut(chunk, elements, shape);
                    },
                    true};
  const auto objects = [&] { return store_.list(path_); };
  store_.for_each(objects, [&](const ListedObject& object) {
    const auto index = chunk_of_key(meta(), name_in(object.key));
    if (!index) return;
    if (!is_within(*index, grid, shape)) {
      store_.remove(object.key);
      return;
    }
    auto part = whole_object(meta(), *index);
    std::erase_if(part.chunks, [&](const Chunk& chunk) {
      return !reaches_beyond(chunk, meta(), shape);
    });
    if (!part.chunks.empty()) change(part, cuts);
  });
}

/// Returns an object's key within the array.
std::string_view WritableArray::name_in(std::string_view key) const {
  return key.substr(path_.empty() ? 0 : path_.size() + 1);
}

ArrayUse WritableArray::use() {
  refresh();
  const auto grid = object_grid(meta());
  ArrayUse out{.chunks = chunk_count(grid)};
  for (const auto& object : store_.list(path_)) {
    const auto index = chunk_of_key(meta(), name_in(object.key));
    const bool counts = index && is_within(*index, grid, meta().shape);
    if (counts) ++out.stored;
    if (counts || object.key == document_.key) out.stored_bytes += object.size;
  }
  return out;
}

}  // namespace bev::save

#include "core/reader/statistics.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/json_tree.hpp"
#include "core/reader/value_runs.hpp"

namespace bev::reader {
namespace {

std::uint64_t chunks_in(const Statistics::Array& array) {
  return array.length / array.chunk_rows + (array.length % array.chunk_rows != 0);
}

std::size_t count_of(const zarr::DType& type) {
  std::size_t count = 1;
  for (const auto length : type.shape) count *= length;
  return count;
}

}  // namespace

bool Statistics::covers(const zarr::DType& type) noexcept {
  switch (type.kind) {
    case zarr::Kind::boolean:
    case zarr::Kind::signed_int:
    case zarr::Kind::unsigned_int:
    case zarr::Kind::real:
    case zarr::Kind::unicode: break;
    default: return false;
  }
  const auto count = count_of(type);
  return count > 0 && count <= kMaxElements && type.item_size > 0;
}

void Statistics::set_array(std::string_view path, const Array& array) {
  // In the file, the dtype is in three objects.
  bool too_deep = false;
  const bool is_json =
      parse_json_tree(joined({"[[[", array.dtype, "]]]"}), too_deep).has_value();
  if (array.chunk_rows == 0 || !is_json) {
    fail(Errc::invalid_argument,
         {"statistics of ", path, ": invalid array (expected rows and a dtype)"});
  }
  const auto valid = valid_chunks(path, array);
  auto found = arrays_.find(path);
  if (found == arrays_.end()) {
    if (arrays_.size() == kMaxArrays) {
      fail(Errc::limit_exceeded,
           {"statistics of ", path, ": too many arrays (limit ", kMaxArrays, ")"});
    }
    found = arrays_.emplace(std::string(path), Entry{}).first;
  }
  auto& one = found->second;
  one.array = array;
  for (auto it = one.chunks.lower_bound(valid); it != one.chunks.end();) {
    value_count_ -= it->second.value_count();
    it = one.chunks.erase(it);
  }
  if (one.chunks.empty()) one.fields.clear();
}

void Statistics::set_fields(std::string_view path, std::span<const std::string> names) {
  const auto found = arrays_.find(path);
  if (found == arrays_.end()) return;
  auto& one = found->second;
  const bool same =
      std::equal(one.fields.begin(), one.fields.end(), names.begin(), names.end(),
                 [](const FieldInfo& field, const std::string& name) {
                   return field.name == name;
                 });
  if (same) return;
  for (const auto& [number, chunk] : one.chunks) value_count_ -= chunk.value_count();
  one.chunks.clear();
  one.fields.clear();
}

bool Statistics::can_be_key(const zarr::DType& type) noexcept {
  switch (type.kind) {
    case zarr::Kind::signed_int:
    case zarr::Kind::unsigned_int:
    case zarr::Kind::unicode: return count_of(type) == 1 && type.item_size > 0;
    default: return false;
  }
}

bool Statistics::Entry::is_key(std::string_view field) const {
  return std::binary_search(keys.begin(), keys.end(), field);
}

void Statistics::set_keys(std::string_view path, std::vector<std::string> names) {
  const auto found = arrays_.find(path);
  std::sort(names.begin(), names.end());
  if (found == arrays_.end() || found->second.keys == names) return;
  auto& one = found->second;
  for (const auto& [number, chunk] : one.chunks) value_count_ -= chunk.value_count();
  one.chunks.clear();
  one.keys = std::move(names);
}

std::span<const std::string> Statistics::keys(std::string_view path) const {
  const auto* one = entry(path);
  return one == nullptr ? std::span<const std::string>() : one->keys;
}

std::uint64_t Statistics::valid_chunks(std::string_view path, const Array& now) const {
  const auto* one = entry(path);
  if (one == nullptr) return 0;
  const auto& then = one->array;
  if (then.dtype != now.dtype || then.chunk_rows != now.chunk_rows) return 0;
  if (then.length == now.length) return chunks_in(now);
  return then.length < now.length ? then.length / then.chunk_rows : 0;
}

std::size_t Statistics::Chunk::value_count() const {
  std::size_t count = 1;
  for (const auto& field : fields) {
    count += 1 + field.elements.size() + field.runs.size() +
             (field.texts ? field.texts->size() : 0);
  }
  return count;
}

void Statistics::insert(Entry& one, std::uint64_t number, Chunk chunk) {
  const auto found = one.chunks.find(number);
  const bool replaces = found != one.chunks.end();
  const auto count =
      value_count_ + chunk.value_count() - (replaces ? found->second.value_count() : 0);
  if (count > kMaxValues) {
    fail(Errc::limit_exceeded,
         {"statistics: too many values (limit ", kMaxValues, ")"});
  }
  value_count_ = count;
  one.chunks.insert_or_assign(number, std::move(chunk));
}

void Statistics::add(std::string_view path, std::uint64_t chunk, ChunkIdentity identity,
                     std::span<const Field> fields) {
  const auto found = arrays_.find(path);
  if (found == arrays_.end()) {
    fail(Errc::not_found, {"statistics: unknown array ", path});
  }
  auto& one = found->second;
  const auto where = joined({"statistics of ", path, ", chunk ", chunk});
  if (chunk >= chunks_in(one.array)) {
    fail_at(Errc::out_of_range, where,
            {"out of range (count ", chunks_in(one.array), ")"});
  }
  const auto left = one.array.length - chunk * one.array.chunk_rows;
  const auto rows = std::min(left, one.array.chunk_rows);
  std::vector<FieldInfo> infos;
  Chunk out{std::move(identity), {}};
  for (const auto& [name, field] : fields) {
    const auto row_bytes = field.elements * field.type.item_size;
    if (row_bytes == 0 || field.elements > kMaxElements ||
        field.values.size() % row_bytes != 0 ||
        field.values.size() / row_bytes != rows) {
      fail_at(Errc::invalid_argument, where,
              {"field ", name, " has the wrong size (found ", field.values.size(),
               " bytes, expected ", rows, " rows of ", row_bytes, ")"});
    }
    infos.push_back({name, field.elements});
    auto& limits = out.fields.emplace_back();
    if (field.type.kind == zarr::Kind::unicode) {
      const auto most = one.is_key(name) ? kMaxKeyTexts : kMaxTexts;
      if (field.elements == 1) limits.texts = texts_of(field, most);
      continue;
    }
    if (one.is_key(name) && field.elements == 1 && can_be_key(field.type)) {
      limits.runs = runs_of(field);
    }
    for (std::size_t i = 0; i < field.elements; ++i) {
      limits.elements.push_back(limits_of(field, i));
    }
  }
  if (one.chunks.empty()) one.fields = infos;
  if (infos != one.fields || infos.size() > kMaxFields) {
    fail_at(Errc::invalid_argument, where, {"fields differ from other chunks'"});
  }
  insert(one, chunk, std::move(out));
}

void Statistics::merge(const Statistics& other) {
  for (const auto& [path, given] : other.arrays_) {
    const auto* known = entry(path);
    if (known == nullptr) set_array(path, given.array);
    auto& one = arrays_.find(path)->second;
    const bool has_fields = !one.chunks.empty() && !given.chunks.empty();
    if (known == nullptr) one.keys = given.keys;
    if (one.array != given.array || one.keys != given.keys ||
        (has_fields && one.fields != given.fields)) {
      fail(Errc::invalid_argument,
           {"statistics of ", path, ": parts are of arrays that differ"});
    }
    if (!given.chunks.empty()) one.fields = given.fields;
    for (const auto& [number, chunk] : given.chunks) insert(one, number, chunk);
  }
}

const Statistics::Entry* Statistics::entry(std::string_view path) const {
  const auto found = arrays_.find(path);
  return found == arrays_.end() ? nullptr : &found->second;
}

const Statistics::FieldLimits* Statistics::find(std::string_view path,
                                                std::uint64_t chunk,
                                                std::string_view field) const {
  const auto* one = entry(path);
  if (one == nullptr) return nullptr;
  const auto found = one->chunks.find(chunk);
  if (found == one->chunks.end()) return nullptr;
  for (std::size_t i = 0; i < one->fields.size(); ++i) {
    if (one->fields[i].name == field) return &found->second.fields[i];
  }
  return nullptr;
}

std::optional<Range> Statistics::range(std::string_view path, std::uint64_t chunk,
                                       std::string_view field,
                                       std::size_t element) const {
  const auto* limits = find(path, chunk, field);
  if (limits == nullptr || element >= limits->elements.size()) return std::nullopt;
  auto out = limits->elements[element].range();
  out.values = limits->runs;
  return out;
}

const std::vector<std::string>* Statistics::texts(std::string_view path,
                                                  std::uint64_t chunk,
                                                  std::string_view field) const {
  const auto* limits = find(path, chunk, field);
  return limits != nullptr && limits->texts ? &*limits->texts : nullptr;
}

std::optional<ChunkIdentity> Statistics::identity(std::string_view path,
                                                  std::uint64_t chunk) const {
  const auto* one = entry(path);
  if (one == nullptr) return std::nullopt;
  const auto found = one->chunks.find(chunk);
  if (found == one->chunks.end()) return std::nullopt;
  return found->second.identity;
}

std::vector<std::string> Statistics::arrays() const {
  std::vector<std::string> out;
  for (const auto& [path, one] : arrays_) out.push_back(path);
  return out;
}

std::size_t Statistics::chunk_count(std::string_view path) const {
  const auto* one = entry(path);
  return one == nullptr ? 0 : one->chunks.size();
}

std::size_t Statistics::field_count(std::string_view path) const {
  const auto* one = entry(path);
  return one == nullptr ? 0 : one->fields.size();
}

std::optional<Range> ChunkStatistics::range(std::size_t column,
                                            std::size_t element) const {
  return statistics_.range(path_, chunk_, schema_.columns[column].name, element);
}

const std::vector<std::string>* ChunkStatistics::texts(std::size_t column) const {
  return statistics_.texts(path_, chunk_, schema_.columns[column].name);
}

}  // namespace bev::reader

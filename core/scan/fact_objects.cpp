#include "core/scan/fact_objects.hpp"

#include <cmath>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/scan/chunk_ranges.hpp"

namespace bev {
namespace {

template <class T>
T value_of_object(const std::vector<std::byte>& column, std::uint64_t number) {
  return load_le<T>(column.data() + static_cast<std::size_t>(number) * sizeof(T));
}

}  // namespace

void FactObjects::bind(const FactFileHead& head, const scene::ChunkedDataset& dataset) {
  head_ = &head;
  stored_.clear();
  for (const auto& source : head.sources) {
    stored_.push_back(stored_array(state_.store.catalogue(), dataset, source));
  }
}

bool FactObjects::read(FactArchive& archive) {
  const auto count = head_->object_count();
  bool complete = true;
  const auto column = [&](std::string_view name, std::string_view dtype,
                          std::vector<std::byte>& out) {
    out.clear();
    const auto found = archive.column(joined({kFactObjects, "/", name}), dtype, count);
    complete = archive.read(found, 0, count, out) && complete;
  };
  column("size", "<u8", sizes_);
  column("checksum", "<u4", checksums_);
  column("zip_crc", "<u4", zip_crcs_);
  if (!complete) return false;
  DataIdentity identity;
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < head_->sources.size(); ++i) {
    const auto& source = head_->sources[i];
    for (std::uint64_t object = 0; object < source.object_count(); ++object) {
      identity.add(object_of(*stored_[i], source, object), state_at(number++));
    }
  }
  for (const auto& key : head_->documents) identity.add(key, state_at(number++));
  const auto found = identity.hex();
  if (found == head_->identity) return true;
  fail_at(Errc::invalid_metadata, FactArchive::kKey,
          {"objects of another identity (found ", found, ", expected ", head_->identity,
           ")"});
}

ObjectState FactObjects::state_at(std::uint64_t number) const {
  return {value_of_object<std::uint64_t>(sizes_, number),
          value_of_object<std::uint32_t>(checksums_, number),
          value_of_object<std::uint32_t>(zip_crcs_, number)};
}

std::vector<std::string> FactObjects::keys() const {
  std::vector<std::string> out;
  out.reserve(static_cast<std::size_t>(head_->fact_object_count()));
  for (std::size_t i = 0; i < head_->sources.size(); ++i) {
    const auto& source = head_->sources[i];
    if (source.table == 0) break;
    for (std::uint64_t object = 0; object < source.object_count(); ++object) {
      out.push_back(object_of(*stored_[i], source, object));
    }
  }
  return out;
}

std::optional<ObjectState> FactObjects::known(std::string_view path,
                                              std::uint64_t object) const {
  std::uint64_t before = 0;
  for (const auto& source : head_->sources) {
    if (source.path == path && object < source.object_count()) {
      return state_at(before + object);
    }
    before += source.object_count();
  }
  return std::nullopt;
}

/// Whether an object is the one that the facts are of, as far as what is known of it
/// tells.
///
/// @param number  of the object, among those of all sources
bool FactObjects::is_same(std::uint64_t number, std::size_t at, std::uint64_t object,
                          const ObjectNow& now,
                          const reader::Statistics* statistics) const {
  const auto known = state_at(number);
  const bool is_absent = known.size == ObjectState::kAbsent;
  if (now.size != (is_absent ? -1 : static_cast<double>(known.size))) return false;
  if (now.newer_s > 0) return false;
  if (!std::isnan(now.zip_crc)) return now.zip_crc == known.zip_crc;
  const auto& source = head_->sources[at];
  const auto& stored = *stored_[at];
  // Without compression, the size is the same whatever a chunk holds.
  const bool is_told = is_absent || !std::isnan(now.newer_s) ||
                       stored.meta.compressor.id != zarr::Compressor::Id::none;
  if (is_absent || stored.meta.sharding) return is_told;
  const bool compares = statistics == nullptr && state_.version;
  if (compares && state_.statistics && state_.statistics->found) {
    statistics = &*state_.statistics->found;
  }
  const auto found =
      statistics == nullptr ? std::nullopt : statistics->identity(source.path, object);
  if (!found) return is_told;
  if (compares) {
    const auto version = state_.version(object_of(stored, source, object));
    if (version.empty() || found->validator.empty()) return is_told;
    if (version != found->validator) return false;
  }
  return found->size == known.size && found->checksum == known.checksum;
}

void FactObjects::compare(std::span<const ObjectNow> objects,
                          const reader::Statistics* statistics) {
  changed_before_.assign(1, 0);
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < head_->sources.size(); ++i) {
    if (head_->sources[i].table == 0) break;
    for (std::uint64_t object = 0; object < head_->sources[i].object_count();
         ++object) {
      const auto& now = objects[static_cast<std::size_t>(number)];
      const bool same = is_same(number++, i, object, now, statistics);
      changed_before_.push_back(changed_before_.back() + (same ? 0 : 1));
    }
  }
}

void FactObjects::believe() {
  changed_before_.assign(static_cast<std::size_t>(head_->fact_object_count()) + 1, 0);
}

template <class Visit>
bool FactObjects::visit_objects(const SceneRows& rows, const Visit& visit) const {
  std::uint64_t before = 0;  // objects of earlier sources
  for (const auto& source : head_->sources) {
    if (source.table == 0) break;
    const auto begin = rows[2 * (source.table - 1)];
    const auto end = rows[2 * (source.table - 1) + 1];
    if (end > source.length) return false;
    if (begin < end && !visit(before + begin / source.object_rows,
                              before + (end - 1) / source.object_rows + 1)) {
      return false;
    }
    before += source.object_count();
  }
  return true;
}

bool FactObjects::have_changed(const SceneRows& rows) const {
  return !visit_objects(rows, [&](std::uint64_t first, std::uint64_t end) {
    return changed_before_[static_cast<std::size_t>(end)] ==
           changed_before_[static_cast<std::size_t>(first)];
  });
}

std::string FactObjects::mark_of(const SceneRows& rows) const {
  constexpr std::size_t kDigits = 16;
  DataIdentity identity;
  for (const auto row : rows) identity.add("", {.size = row});
  visit_objects(rows, [&](std::uint64_t first, std::uint64_t end) {
    for (auto number = first; number < end; ++number) {
      identity.add("", state_at(number));
    }
    return true;
  });
  return identity.hex().substr(0, kDigits);
}

}  // namespace bev

#include "core/save/part_journal.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "core/base/error.hpp"

namespace bev::save {

PartJournal::PartJournal(const DataConfig& config, std::uint64_t saver)
    : config_(config),
      full_(config.attributes().size()),
      rest_(config.attributes().size()) {
  written_.config = config.fingerprint();
  written_.saver = saver;
  written_.arrays.resize(config.attributes().size());
  for (std::size_t i = 0; i < written_.arrays.size(); ++i) {
    if (config.attributes()[i].is_values) written_.arrays[i].values = 0;
  }
}

void PartJournal::resume(Manifest found, std::string_view where) {
  if (found.saver != written_.saver) {
    fail_at(Errc::invalid_metadata, where, {"belongs to saver ", found.saver});
  }
  written_ = std::move(found);
  for (std::size_t i = 0; i < written_.arrays.size(); ++i) {
    const auto rows = written_.rows_of(i);
    const auto full = full_rows(written_.arrays[i], rows);
    for (const auto& object : written_.arrays[i].objects) {
      (object.first < full ? full_ : rest_)[i][object.first] = object;
    }
  }
}

std::vector<PartObject> PartJournal::rest(std::size_t attribute) const {
  std::vector<PartObject> out;
  for (const auto& [first, object] : rest_[attribute]) out.push_back(object);
  return out;
}

bool PartJournal::is_written(std::size_t attribute, const PartObject& object) const {
  const auto& named = written_.arrays[attribute].objects;
  const auto known = std::lower_bound(
      named.begin(), named.end(), object.first,
      [](const PartObject& one, std::uint64_t first) { return one.first < first; });
  if (known == named.end() || known->first != object.first ||
      known->rows != object.rows) {
    return false;
  }
  if (*known == object) return true;
  fail_at(Errc::invalid_metadata, object_key(config_.attributes()[attribute], object),
          {"the journal has other bytes for these rows (discard the part)"});
}

void PartJournal::add(std::size_t attribute, const PartObject& object, bool is_rest) {
  (is_rest ? rest_ : full_)[attribute][object.first] = object;
}

void PartJournal::drop_rest() {
  for (auto& objects : rest_) objects.clear();
}

Manifest PartJournal::next(Manifest draft) const {
  for (std::size_t i = 0; i < draft.arrays.size(); ++i) {
    draft.arrays[i].objects.clear();
    for (const auto* objects : {&full_[i], &rest_[i]}) {
      for (const auto& [first, object] : *objects) {
        draft.arrays[i].objects.push_back(object);
      }
    }
  }
  Manifest::parse(draft.to_json(config_), config_, "manifest.json");
  return draft;
}

std::vector<std::string> PartJournal::replace(Manifest stored) {
  std::set<std::string> stale;
  for (std::size_t i = 0; i < stored.arrays.size(); ++i) {
    const auto& attribute = config_.attributes()[i];
    for (const auto& object : written_.arrays[i].objects) {
      stale.insert(object_key(attribute, object));
    }
    for (const auto& object : stored.arrays[i].objects) {
      stale.erase(object_key(attribute, object));
    }
  }
  for (const auto& each : written_.attachments) stale.insert(attachment_part_key(each));
  for (const auto& each : stored.attachments) stale.erase(attachment_part_key(each));
  written_ = std::move(stored);
  return {stale.begin(), stale.end()};
}

}  // namespace bev::save

#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "core/save/batch.hpp"
#include "tests/support/field_store.hpp"
#include "tests/support/save_host.hpp"

namespace bev::test {

/// Returns the config of FieldRow's fields.
inline save::DataConfig field_config(const nlohmann::json& members = {}) {
  auto config = nlohmann::json::parse(R"({"name": "drive", "attributes": [
      {"name": "label", "dtype": "<i8"},
      {"name": "speed", "dtype": "<f4", "nullable": true},
      {"name": "points", "dtype": "<f4", "shape": [null, 2]},
      {"name": "note", "kind": "text", "nullable": true},
      {"name": "front", "kind": "image", "content_type": "image/png"}],
    "max_object_size": 1024})");
  if (members.is_object()) config.update(members);
  return save::DataConfig::parse(config.dump());
}

/// A batch of rows in memory, for savers.
class FieldBatch {
 public:
  explicit FieldBatch(std::span<const FieldRow> rows) : columns_(rows) {
    const std::uint64_t count = rows.size();
    add("label", "<i8", {count}, columns_.labels);
    add("speed", "<f4", {count}, columns_.speeds);
    add("speed.valid", "|b1", {count}, columns_.speed_valid);
    add("points", "<f4", {columns_.points.size() / 2, 2}, columns_.points);
    add("points.offsets", "<u4", {count + 1}, columns_.point_ends);
    add("note", "utf8", {count}, columns_.notes);
    add("note.offsets", "<u4", {count + 1}, columns_.note_ends);
    add("note.valid", "|b1", {count}, columns_.note_valid);
    add("front", "|u1", {columns_.images.size()}, columns_.images);
    add("front.offsets", "<u4", {count + 1}, columns_.image_ends);
  }
  FieldBatch(const FieldBatch&) = delete;  // the arrays refer to it
  FieldBatch& operator=(const FieldBatch&) = delete;

  std::vector<save::BatchArray> arrays;

  save::BatchArray& operator[](const std::string& name) {
    for (auto& array : arrays) {
      if (array.name == name) return array;
    }
    throw Error(Errc::internal, name);
  }

 private:
  template <class Values>
  void add(const char* name, const char* dtype, std::vector<std::uint64_t> shape,
           const Values& values) {
    arrays.push_back({name, dtype, std::move(shape),
                      std::as_bytes(std::span(values.data(), values.size()))});
  }

  FieldColumns columns_;
};

/// Returns the complete part of a saver: rows in batches, with an interruption after
/// each of them if `resumes`.
inline SavedObjects field_part(const save::DataConfig& config, std::uint64_t saver,
                               std::span<const FieldRow> rows, std::size_t per_batch,
                               bool resumes = false) {
  SavedObjects part;
  auto session = std::make_unique<save::PartSession>(config, saver);
  for (auto rest = rows; !rest.empty();) {
    const auto count = std::min(per_batch, rest.size());
    const FieldBatch batch(rest.first(count));
    session->save(batch.arrays);
    rest = rest.subspan(count);
    write_objects(*session, part);
    if (!resumes) continue;
    flush_to(part, *session);
    session = std::make_unique<save::PartSession>(config, saver);
    resume_from(part, *session);
  }
  flush_to(part, *session, true);
  return part;
}

/// Returns the rows of loaded arrays, or of a reader's batch.
template <class ArrayAt>
std::vector<FieldRow> field_rows_of(std::size_t count, const ArrayAt& at) {
  const auto text = [&](const char* name) {
    const auto bytes = at(name);
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  const auto values = [&]<class T>(const std::string& name, T) {
    const auto bytes = at(name);
    std::vector<T> out(bytes.size() / sizeof(T));
    if (!out.empty()) std::memcpy(out.data(), bytes.data(), bytes.size());
    return out;
  };
  const auto labels = values("label", std::int64_t{});
  const auto speeds = values("speed", float{});
  const auto speed_valid = values("speed.valid", std::uint8_t{});
  const auto note_valid = values("note.valid", std::uint8_t{});
  const auto points = values("points", std::array<float, 2>{});
  const auto point_ends = values("points.offsets", std::uint32_t{});
  const auto note_ends = values("note.offsets", std::uint32_t{});
  const auto image_ends = values("front.offsets", std::uint32_t{});
  const auto notes = text("note");
  const auto images = text("front");
  const auto part = [](const std::string& all, const std::vector<std::uint32_t>& ends,
                       std::size_t i) {
    return all.substr(ends.at(i), ends.at(i + 1) - ends.at(i));
  };
  std::vector<FieldRow> out;
  for (std::size_t i = 0; i < count; ++i) {
    FieldRow row;
    row.label = labels.at(i);
    if (speed_valid.at(i) != 0) row.speed = speeds.at(i);
    const auto points_of_row = std::span(points).subspan(
        point_ends.at(i), point_ends.at(i + 1) - point_ends.at(i));
    row.points.assign(points_of_row.begin(), points_of_row.end());
    if (note_valid.at(i) != 0) row.note = part(notes, note_ends, i);
    row.image = part(images, image_ends, i);
    out.push_back(std::move(row));
  }
  return out;
}

}  // namespace bev::test

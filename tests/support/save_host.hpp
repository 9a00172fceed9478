#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/save/part_commit.hpp"
#include "core/save/part_session.hpp"
#include "tests/support/save_configs.hpp"

namespace bev::test {

/// The objects of a part or of a data set, by key.
using SavedObjects = std::map<std::string, std::vector<std::byte>>;

inline std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Writes what a session returns, as a host does.
inline void write_objects(save::PartSession& session, SavedObjects& part) {
  while (auto object = session.take()) {
    part[object->key] = std::move(object->bytes);
  }
}

inline void flush_to(SavedObjects& part, save::PartSession& session,
                     bool complete = false) {
  session.flush();
  write_objects(session, part);
  const auto text = session.journal(complete);
  const auto bytes = std::as_bytes(std::span(text));
  part["manifest.json"].assign(bytes.begin(), bytes.end());
  for (const auto& key : session.confirm()) part.erase(key);
}

/// Continues a session with a part.
inline void resume_from(const SavedObjects& part, save::PartSession& session) {
  session.resume(text_of(part.at("manifest.json")));
  while (const auto key = session.needed()) session.supply(part.at(*key));
}

/// Saves batches of 10 rows up to `count`, as save_batches() does natively.
inline void save_to(SavedObjects& part, save::PartSession& session,
                    std::uint64_t count) {
  while (session.batches() < count) {
    MadeBatch batch(session.config(), session.batches() * 10, 10, 3);
    session.save(batch.arrays());
    write_objects(session, part);
    if (session.batches() % 3 == 0) flush_to(part, session);
  }
}

/// Makes a data set of complete parts. `base` has the objects of the data set that is
/// there; `keys`, if given, receives the order.
inline SavedObjects committed(const save::SaveSettings& settings,
                              const std::vector<SavedObjects>& parts,
                              const SavedObjects& base = {},
                              std::vector<std::string>* keys = nullptr) {
  save::PartCommit::Inputs inputs{settings, {}, std::nullopt};
  SavedObjects stored;
  for (const auto& part : parts) {
    const auto text = text_of(part.at("manifest.json"));
    inputs.manifests.push_back(text);
    const auto saver = save::Manifest::parse(text, settings.config, "part").saver;
    for (const auto& [key, bytes] : part) {
      stored[save::part_name(saver) + "/" + key] = bytes;
    }
  }
  if (settings.mode == save::SaveMode::append && !base.empty()) {
    inputs.base = save::committed_from(text_of(base.at(".zattrs")), "base");
    for (const auto& [key, bytes] : base) stored["base/" + key] = bytes;
  }
  save::PartCommit commit(inputs);
  SavedObjects out;
  while (!commit.is_complete()) {
    for (const auto& key : commit.missing()) commit.supply(key, stored.at(key));
    auto object = commit.next();
    if (!object) continue;
    if (keys != nullptr) keys->push_back(object->key);
    out[object->key] = std::move(object->bytes);
  }
  return out;
}

inline SavedObjects committed(const save::DataConfig& config, const SavedObjects& part,
                              std::vector<std::string>* keys = nullptr) {
  return committed({config, save::SaveMode::create, {}}, {part}, {}, keys);
}

/// Returns the complete part of a saver with rows [first, first + rows), as MadeBatch
/// makes them.
inline SavedObjects complete_part(const save::DataConfig& config, std::uint64_t saver,
                                  std::uint64_t first, std::uint64_t rows) {
  SavedObjects part;
  save::PartSession session(config, saver);
  MadeBatch batch(config, first, rows, 3);
  session.save(batch.arrays());
  flush_to(part, session, true);
  return part;
}

/// Makes a data set of `batches` x 10 rows.
inline SavedObjects saved_objects(const save::DataConfig& config,
                                  std::uint64_t batches) {
  SavedObjects part;
  save::PartSession session(config, 0);
  save_to(part, session, batches);
  flush_to(part, session, true);
  return committed(config, part);
}

}  // namespace bev::test

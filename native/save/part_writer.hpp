#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <vector>

#include "core/save/chunk_length.hpp"
#include "core/save/manifest.hpp"
#include "core/save/part_journal.hpp"

namespace bev::native {

/// Reads bytes from a position; returns how many there are.
using ReadAt = std::function<std::size_t(std::uint64_t, std::span<std::byte>)>;

/// A saver's part: a folder with objects and a journal, manifest.json. Objects are
/// durable before the journal names them, and the objects that a journal names are not
/// changed, so that a killed saver resumes from its last journal.
///
/// Throws         invalid_argument if another process writes the part; io with the
///                system's reason; corrupt_chunk for an object that differs from its
///                entry in the journal.
/// Thread safety  Concurrent calls of put() are safe.
class PartWriter {
 public:
  /// Opens or creates the part and removes objects that its journal does not name.
  PartWriter(std::filesystem::path folder, const save::DataConfig& config,
             std::uint64_t saver);
  PartWriter(const PartWriter&) = delete;
  PartWriter& operator=(const PartWriter&) = delete;
  ~PartWriter();

  /// Returns the journal as it is on disk.
  const save::Manifest& journal() const noexcept { return journal_.written(); }

  /// Reads the rows of an attribute that are in no full chunk, which a saver continues
  /// with.
  std::vector<std::byte> read_rest(std::size_t attribute) const;

  /// Writes an object of an attribute, durable by the next write_journal().
  ///
  /// @param is_rest  its rows are replaced by the next journal
  void put(std::size_t attribute, const save::EncodedRows& rows, bool is_rest);

  /// Copies a file's bytes, durable by the next write_journal(), which must name them.
  ///
  /// @param read_at  reads from a position, as File::read_at()
  save::Attachment put_attachment(std::string name, const ReadAt& read_at);

  /// Forgets the objects of rows in no full chunk, before all of them are put again.
  void drop_rest();

  /// Writes the journal of all objects put, and removes replaced ones. `next` has all
  /// but the objects; arrays[i].chunk_rows is set.
  void write_journal(save::Manifest next);

  /// Removes the part.
  void remove();

 private:
  void lock();
  void read_journal();
  void remove_unnamed() const;
  void sync_objects();

  std::filesystem::path folder_;
  const save::DataConfig config_;
  int lock_ = -1;
  save::PartJournal journal_;
  std::mutex mutex_;
  std::vector<std::filesystem::path> unsynced_;
  bool has_attachments_ = false;
};

/// Compares the file of an attachment with its entry.
///
/// Throws  corrupt_chunk if its size or hash differ; missing_key
void check_attachment_file(const std::filesystem::path& path,
                           const save::Attachment& entry);

/// Reads an object of a part.
///
/// Throws  corrupt_chunk if its size or checksum differ
std::vector<std::byte> read_object(const std::filesystem::path& part,
                                   const save::Attribute& attribute,
                                   const save::PartObject& object);

}  // namespace bev::native

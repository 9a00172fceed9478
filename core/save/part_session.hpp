#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/save/batch.hpp"
#include "core/save/chunker.hpp"
#include "core/save/part_journal.hpp"
#include "core/save/stored_rows.hpp"

namespace bev::save {

/// Saves batches as a part of a data set, for hosts without threads: the host writes the
/// objects that take() returns, then the journal.
///
///   session.save(batch);  while (auto object = session.take()) write it;
///   session.flush();      while (auto object = session.take()) write it;
///   write session.journal(false);  remove session.confirm();
///
/// The objects are those of native::DataSaver for the same rows.
///
/// Throws         see the functions. After a failure that is not of a batch, every call
///                throws invalid_argument.
/// Thread safety  A session belongs to one thread.
class PartSession {
 public:
  PartSession(const DataConfig& config, std::uint64_t saver);

  /// Continues with a journal. The objects of needed() must be supplied before anything
  /// else is called.
  ///
  /// Throws  invalid_metadata for a journal of another config or saver
  void resume(std::string_view journal);

  /// Returns the key of the next object whose rows the session continues with; nullopt
  /// if there is none.
  std::optional<std::string> needed() const;

  /// Takes the object of needed().
  ///
  /// Throws  corrupt_chunk if it differs from its entry in the journal
  void supply(std::span<const std::byte> bytes);

  /// Appends a batch. See checked_batch(); nothing of an invalid batch is saved.
  void save(std::span<const BatchArray> arrays);

  /// Attaches bytes, in place of those attached under this name before.
  ///
  /// Throws  as check_attachment()
  void attach(std::string name, std::vector<std::byte> bytes);

  /// Adds the rows in no full chunk to the objects to be written.
  void flush();

  /// Encodes and returns the next object to be written; nullopt if there is none.
  std::optional<NewObject> take();

  /// Returns the journal, after flush() and when the objects are written.
  ///
  /// @param complete  no rows will follow
  /// Throws  invalid_argument while there are objects to take
  std::string journal(bool complete);

  /// Takes the last journal() as written. Returns the keys that are no longer used.
  std::vector<std::string> confirm();

  std::uint64_t rows() const noexcept { return next_.rows; }
  std::uint64_t batches() const noexcept { return next_.batches; }
  const DataConfig& config() const noexcept { return config_; }

 private:
  struct Block {
    std::size_t attribute;
    RowBlock rows;
    bool is_rest;
  };

  struct Needed {
    std::size_t attribute;
    PartObject object;
  };

  void check_open() const;
  void collect();
  void encode(const Block& block);

  DataConfig config_;
  std::vector<Chunker> chunkers_;
  PartJournal journal_;
  Manifest next_;
  std::deque<Needed> needed_;
  std::deque<Block> blocks_;
  std::deque<NewObject> objects_;
  bool flushed_ = true;  // no rows were saved after flush()
  bool broken_ = false;
};

}  // namespace bev::save

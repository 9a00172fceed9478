#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/save/batch.hpp"
#include "native/save/parts_folder.hpp"

namespace bev::native {

/// Parameters of a saver.
struct SaverOptions {
  std::uint64_t saver = 0;  ///< number among several: rows are in the order of these
  SaveMode mode = SaveMode::create;
  std::size_t threads = 4;                           ///< to encode and write
  std::size_t queue_bytes = std::size_t{256} << 20;  ///< of rows that wait for them
  /// Of a store in S3: finish() uploads the part, so that savers of several machines
  /// are joined by commit_parts(store, savers). commit() is then an error.
  bool upload = false;
};

/// Saves batches of rows into a data set: a zarr group with an array per attribute,
/// each object of which is at most config.max_object_size() bytes.
///
/// Rows are collected in STORE.parts and become visible at STORE by commit(), all at
/// once; until then readers see the previous data set, or none. flush() makes the rows
/// saved so far durable: a saver that is killed afterwards continues with them, if one
/// with the same number is constructed again; batches() then tells which batch is next.
///
/// Several processes may save, each with a number of its own. The rows are in the order
/// of numbers, then of batches, independent of timing. All call finish(); one calls
/// commit() or commit_parts().
///
/// Lifetime       The destructor discards rows saved after the last flush().
/// Throws         invalid_argument for another config or mode than other savers', for
///                a number in use, and after finish(), commit() or abort(); io with the
///                system's reason if writing fails. A failed saver throws the same
///                error at every further call.
/// Thread safety  A saver belongs to one thread.
class DataSaver {
 public:
  DataSaver(const std::string& store, const save::DataConfig& config,
            const SaverOptions& options = {});
  DataSaver(const DataSaver&) = delete;
  DataSaver& operator=(const DataSaver&) = delete;
  ~DataSaver();

  /// Appends a batch: one array per attribute, with equal numbers of rows.
  ///
  /// Throws  see save::checked_batch; nothing of the batch is then saved
  void save(std::span<const save::BatchArray> arrays);

  /// Copies a file into the data set, as the object "attachments/NAME", in place of what
  /// this saver attached under that name before. Durable after flush(), visible after
  /// commit(). The file is not changed.
  ///
  /// Throws  see save::check_attachment(); not_found if the file does not exist; io
  void attach_file(std::string name, const std::string& path);

  /// As attach_file(), with the file's bytes.
  void attach(std::string name, std::span<const std::byte> bytes);

  /// Makes the rows saved so far durable.
  void flush();

  /// Flushes and completes the part. The saver cannot be used afterwards.
  void finish();

  /// As finish(), then joins the parts of all savers; see commit_parts().
  void commit();

  /// Removes the part. The saver cannot be used afterwards.
  void abort();

  /// Return what was saved, including what was found when the saver was constructed.
  std::uint64_t rows() const noexcept;
  std::uint64_t batches() const noexcept;

  /// Returns the most bytes of rows that have waited to be written at one time.
  std::size_t peak_queue_bytes() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace bev::native

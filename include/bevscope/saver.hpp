#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "export.hpp"

// Needs the CMake target bevscope::native (BEV_NATIVE), as native.hpp does.

namespace bev {

/// What happens to a data set that is at the store's path when rows are saved.
enum class SaveMode {
  create,   ///< nothing may be there
  append,   ///< the new rows follow its rows
  replace,  ///< commit replaces it
};

/// Parameters of a saver.
struct SaverOptions {
  std::uint64_t saver = 0;  ///< number among several: rows are in the order of these
  SaveMode mode = SaveMode::create;                  ///< see SaveMode
  std::size_t threads = 4;                           ///< to encode and write
  std::size_t queue_bytes = std::size_t{256} << 20;  ///< of rows that wait for them
  /// Of a data set in S3: finish() uploads this saver's rows, so that those of savers on
  /// several machines are joined by commit_parts(store, savers). commit() is an error.
  bool upload = false;
};

/// An array of a batch: rows of one attribute, in C order.
///
/// Lifetime  The bytes are the caller's.
struct SavedArray {
  std::string name;   ///< of the attribute
  std::string dtype;  ///< NumPy's code: "<f4"; fields of a record as JSON
  std::vector<std::uint64_t> shape;  ///< with the rows first
  std::span<const std::byte> bytes;  ///< the elements
};

/// Saves batches of rows into a data set: a zarr group with an array per attribute,
/// each object of which has at most so many bytes as the config says. A shard is one
/// object.
///
/// Rows become visible at the store's path by commit(), all at once. flush() makes the
/// rows saved so far durable: after a crash, a saver constructed again continues with
/// them, and batches() tells which batch is next. Several processes may save, each with
/// a number of its own; all call finish(), and one calls commit_parts().
///
/// Lifetime       The destructor discards rows saved after the last flush().
/// Throws         invalid_argument for another config or mode than other savers', for a
///                number in use, and after finish(), commit() or abort(); io with the
///                system's reason if writing fails.
/// Thread safety  A saver belongs to one thread.
/// Reference      docs/saver.md
class BEV_EXPORT DataSaver {
 public:
  /// Joins the savers of a store, or begins.
  ///
  /// @param store        path of a folder, of a .zip if the name ends so, or s3://bucket/key
  /// @param config_json  {"name": .., "attributes": [{"name", "dtype", "shape"}, ..]},
  ///                     optionally "additional", "compressor", "max_object_size",
  ///                     "zarr_format" (2 or 3), "chunks_per_shard" (of version 3)
  DataSaver(const std::string& store, const std::string& config_json,
            const SaverOptions& options = {});
  ~DataSaver();

  /// Appends a batch: one array per attribute, with equal numbers of rows.
  ///
  /// Throws  invalid_argument for a batch that does not match the config, of which
  ///         nothing is then saved
  void save(std::span<const SavedArray> arrays);

  /// Copies a file into the data set as it is, in place of what this saver attached under
  /// that name before; see DataLoader::attachment(). Durable after flush(), visible after
  /// commit(). The file is not changed.
  ///
  /// @param name  a file name without slashes that begins with no dot
  /// Throws  also not_found if the file does not exist; limit_exceeded above 1 GiB
  void attach_file(const std::string& name, const std::string& path);

  /// As attach_file(), with the file's bytes.
  void attach(const std::string& name, std::span<const std::byte> bytes);

  /// Makes the rows saved so far durable.
  void flush();

  /// Flushes and completes this saver's part. The saver cannot be used afterwards.
  void finish();

  /// As finish(), then commit_parts().
  void commit();

  /// Removes this saver's part. The saver cannot be used afterwards.
  void abort();

  /// Returns the rows saved, with those found when the saver was constructed.
  std::uint64_t rows() const noexcept;

  /// Returns the batches saved, with those found when the saver was constructed.
  std::uint64_t batches() const noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Joins what savers have collected for a store, in the order of their numbers, and
/// publishes the data set by one rename. If the process is killed, repeat the call.
///
/// Returns  the rows of the data set
/// Throws   not_found if there is nothing to commit; invalid_argument for a saver that
///          runs or has not finished; changed if another data set was published since
///          the savers began; corrupt_chunk for damaged objects; io with the system's
///          reason
BEV_EXPORT std::uint64_t commit_parts(const std::string& store);

/// As commit_parts(), for a data set in S3 whose savers have uploaded their rows (see
/// SaverOptions::upload), from any machine: they are fetched, joined and removed.
///
/// @param savers  how many savers there must be
/// Throws   also invalid_argument for another number of savers, and for an upload that is
///          not complete
BEV_EXPORT std::uint64_t commit_parts(const std::string& store, std::uint64_t savers);

/// Removes what savers have collected and not committed, also what they have uploaded.
///
/// Returns  whether there was anything
/// Throws   invalid_argument while savers are running
BEV_EXPORT bool discard_parts(const std::string& store);

/// Returns a config with all members, sorted: equal configs have equal text.
///
/// Throws  invalid_argument for an invalid config; limit_exceeded for rows that do not
///         fit into an object
BEV_EXPORT std::string complete_config(const std::string& config_json);

/// Returns 16 hexadecimal digits, equal for equal configs wherever data is stored.
///
/// Throws  as complete_config()
BEV_EXPORT std::string config_fingerprint(const std::string& config_json);

/// A data set written by savers.
struct SavedDataset {
  std::string path;           ///< of the store
  std::string name;           ///< from the config
  std::string config_json;    ///< as given to the savers, with all members
  std::uint64_t rows = 0;     ///< of each attribute
  std::uint64_t objects = 0;  ///< files or members, with metadata
  std::uint64_t bytes = 0;    ///< of these, as stored
  bool has_parts = false;     ///< rows were saved that are not committed
};

/// Returns the data set at `path`, or those directly below this folder, sorted by path.
///
/// Throws  not_found if `path` does not exist; invalid_metadata for a damaged data set
BEV_EXPORT std::vector<SavedDataset> list_datasets(const std::string& path);

}  // namespace bev

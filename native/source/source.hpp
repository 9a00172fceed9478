#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/catalogue.hpp"
#include "core/store/request.hpp"
#include "native/http/http_client.hpp"

namespace bev::native {

/// An object of a store, as a listing shows it.
struct Listed {
  std::string key;         ///< "agents/3"
  std::uint64_t size = 0;  ///< bytes as stored
};

/// Which chunks may be absent from a store and read as fill values.
enum class Missing {
  allowed,           ///< those of any array, which is zarr's rule
  records_required,  ///< not those of L5Kit's arrays, whose rows are named by intervals
  all_required,      ///< none
};

/// Where bytes come from: what turns the keys that the core asks for into bytes.
class Source {
 public:
  virtual ~Source() = default;

  /// The object under `key`, or what there is of a range of it; nullopt if there is no
  /// such object. Every other failure throws Error: a failed read is never an absence.
  virtual std::optional<std::vector<std::byte>> read(
      const std::string& key, const std::optional<store::ByteRange>& range) = 0;

  using Take = std::function<void(const store::Request& request,
                                  std::optional<std::vector<std::byte>> bytes)>;

  /// Reads all of them, several at a time where that pays, and calls `take` with each
  /// answer as it comes.
  virtual void read_all(std::span<const store::Request> requests, const Take& take);

  /// Every object below `prefix` ("agents/", "" all), sorted by key; nullopt where
  /// there is no knowing.
  virtual std::optional<std::vector<Listed>> list(const std::string& prefix) = 0;

  /// How long the object is; nullopt if there is no such object.
  virtual std::optional<std::uint64_t> size(const std::string& key) = 0;

  /// The same of several, asked for at once where that pays.
  virtual std::vector<std::optional<std::uint64_t>> sizes(
      std::span<const std::string> keys);

  /// Checks, after the last read, that the metadata documents read so far are those of
  /// the first read: that the data set was not replaced meanwhile.
  ///
  /// @throws Error  network if one differs; what read() throws
  virtual void check_unchanged() {}

  /// Says that a chunk is absent; throws missing_key if it must be stored.
  void note_absent_chunk(const std::string& key);

  /// Chunks that were absent, and read as fill values.
  const std::set<std::string>& absent_chunks() const noexcept { return absent_; }

  void set_missing(Missing missing) noexcept { missing_ = missing; }

  /// The same rule for an engine that reads this source; nullopt: the engine's default.
  std::optional<store::Missing> engine_rule() const noexcept {
    if (missing_ == Missing::records_required) return std::nullopt;
    return missing_ == Missing::allowed ? store::Missing::fill : store::Missing::error;
  }

 private:
  Missing missing_ = Missing::records_required;
  std::set<std::string> absent_;
};

/// Whether the key is that of a metadata document, which is small: ".zmetadata",
/// "agents/.zarray", "zarr.json".
bool is_document(std::string_view key);

/// How a data set is read.
struct ReadOptions {
  HttpSettings http = {};
  bool allow_missing = false;  ///< absent chunks of any array read as fill values
};

/// The source that a DATASET of the command line names: a folder, a .zip, or the
/// http(s) address of either.
///
/// @throws Error  not_found if nothing is there; what the source throws
std::unique_ptr<Source> open_source(const std::string& dataset,
                                    const ReadOptions& options = {});

/// What is read before an array: the store it belongs to, and its path in there.
struct ArrayAddress {
  std::string dataset;  ///< the topmost group around the array, or the array itself
  std::string array;    ///< path below it; "" if the array is the store
};

/// Takes DATASET/ARRAY of the command line apart, by looking at what is there.
///
/// @throws Error  not_found if there is no array at that path; a group says which
///                arrays it has, where that can be known
ArrayAddress find_array(const std::string& path, const ReadOptions& options = {});

}  // namespace bev::native

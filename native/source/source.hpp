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
#include "native/cache/cache_settings.hpp"
#include "native/http/http_client.hpp"

namespace bev::native {

/// An object in a store's listing.
struct Listed {
  std::string key;         ///< "agents/3"
  std::uint64_t size = 0;  ///< bytes as stored
};

/// Which chunks may be absent from a store and read as fill values.
enum class Missing {
  allowed,           ///< chunks of any array, as in zarr
  records_required,  ///< all but L5Kit's arrays, whose rows intervals refer to
  all_required,      ///< none
};

/// A source of bytes: reads the keys that the core requests.
class Source {
 public:
  virtual ~Source() = default;

  /// Returns the object under `key`, or the existing part of a range of it; nullopt if
  /// there is no such object. Every other failure throws Error: a failed read is never
  /// reported as absence.
  virtual std::optional<std::vector<std::byte>> read(
      const std::string& key, const std::optional<ByteRange>& range) = 0;

  using OnAnswer = std::function<void(const store::Request& request,
                                      std::optional<std::vector<std::byte>> bytes)>;

  /// Reads all requests, concurrently if that helps, and calls `take` with each answer
  /// as it arrives.
  virtual void read_all(std::span<const store::Request> requests, const OnAnswer& take);

  /// Returns all objects below `prefix` ("agents/"; "" for all), sorted by key; nullopt
  /// if listing is not possible.
  virtual std::optional<std::vector<Listed>> list(const std::string& prefix) = 0;

  /// Returns the object's size; nullopt if there is no such object.
  virtual std::optional<std::uint64_t> size(const std::string& key) = 0;

  /// Returns a mark that differs if the object has changed, was made or removed; "" if
  /// the source has none.
  virtual std::string version(const std::string&) { return {}; }

  /// As size() for several keys, concurrently if that helps.
  virtual std::vector<std::optional<std::uint64_t>> sizes(
      std::span<const std::string> keys);

  /// Checks after the last read that the metadata documents have not changed since
  /// their first read: that the data set was not replaced meanwhile.
  ///
  /// Throws  changed if one differs; errors of read()
  virtual void check_unchanged() {}

  /// Removes an object whose bytes turned out to be damaged from the persistent cache.
  virtual void forget(const std::string&) {}

  /// Returns what the persistent cache did; nullopt without one.
  virtual std::optional<CacheCounters> cache_counters() const { return std::nullopt; }

  /// Records an absent chunk; throws missing_key if it must be stored.
  void note_absent_chunk(const std::string& key);

  /// Absent chunks that were read as fill values.
  const std::set<std::string>& absent_chunks() const noexcept { return absent_; }

  void set_missing(Missing missing) noexcept { missing_ = missing; }

  /// The same rule for an engine that reads this source; nullopt: the engine's default.
  std::optional<store::Missing> engine_rule() const noexcept {
    if (missing_ == Missing::records_required) return std::nullopt;
    return missing_ == Missing::allowed ? store::Missing::fill : store::Missing::error;
  }

 protected:
  /// Implements read() for a source that implements read_all().
  std::optional<std::vector<std::byte>> read_one(const std::string& key,
                                                 const std::optional<ByteRange>& range);

 private:
  Missing missing_ = Missing::records_required;
  std::set<std::string> absent_;
};

/// Returns whether a key is that of a chunk: no document, and no file below a folder whose
/// name begins with a dot, such as .bevscope/statistics.json.
bool is_chunk(std::string_view key);

/// Options for reading a data set.
struct ReadOptions {
  HttpSettings http = {};
  CacheSettings cache = {};    ///< of data sets read over HTTP or from S3
  bool allow_missing = false;  ///< absent chunks of any array read as fill values
};

/// Opens the source that the command line's DATASET names: a folder, a .zip, or the
/// http(s) URL or S3 address of either.
///
/// Throws  not_found if nothing is there; errors of the source
std::unique_ptr<Source> open_source(const std::string& dataset,
                                    const ReadOptions& options = {});

/// Opens the store at a URL or an S3 address, even if that ends in ".zip".
std::unique_ptr<Source> open_http_source(const std::string& url,
                                         const ReadOptions& options);

/// An array's store and its path within.
struct ArrayAddress {
  std::string dataset;  ///< the topmost group around the array, or the array itself
  std::string array;    ///< path below it; "" if the array is the store
};

/// Splits the command line's DATASET/ARRAY by examining the store.
///
/// Throws  not_found if there is no array at that path; for a group, the error lists
///         its arrays if possible
ArrayAddress find_array(const std::string& path, const ReadOptions& options = {});

}  // namespace bev::native

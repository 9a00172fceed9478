#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/catalogue.hpp"
#include "include/bevscope/cache.hpp"
#include "include/bevscope/source.hpp"
#include "native/http/http_client.hpp"

namespace bev::native {

/// An object in a store's listing.
struct Listed {
  std::string key;         ///< "agents/3"
  std::uint64_t size = 0;  ///< bytes as stored
};

/// A source of files, archives or servers, which may list its objects.
class Source : public bev::Source {
 public:
  /// Reads by read_all(), of which the default reads by read(): override one of them.
  std::optional<std::vector<std::byte>> read(
      const std::string& key, const std::optional<ByteRange>& range) override;

  /// Returns all objects below `prefix` ("agents/"; "" for all), sorted by key; nullopt
  /// if listing is not possible.
  virtual std::optional<std::vector<Listed>> list(const std::string& prefix) = 0;

  /// Returns the folder of what is kept beside the data set (statistics, facts), if that
  /// is not the data set's own path; "" if nothing is kept.
  virtual std::optional<std::string> beside() const { return std::nullopt; }

  /// Returns what the persistent cache did; nullopt without one.
  virtual std::optional<CacheCounters> cache_counters() const { return std::nullopt; }

  /// Lets engines read absent chunks of any array as fill values.
  void allow_missing() noexcept { missing_ = store::Missing::fill; }

  /// The policy for engines that read this source; nullopt: the engine's default.
  std::optional<store::Missing> missing() const noexcept { return missing_; }

 private:
  std::optional<store::Missing> missing_;
};

/// How scenarios of other data sets are opened.
struct ScenarioOptions {
  bool with_map = false;  ///< as `bevscope convert --map`: several scenarios are moved
  std::string maps = {};  ///< of nuPlan and nuScenes: the folder of maps, or a file
  std::string ego = {};   ///< see InteractionOptions, and ImportOptions of CommonRoad
  std::string index_folder;  ///< of all indices; "": in the user's folder of caches
  /// Called while the index is written, with the scenarios that are done, and all.
  std::function<void(std::uint64_t done, std::uint64_t all)> on_progress = {};
};

/// Options for reading a data set.
struct ReadOptions {
  HttpSettings http = {};
  CacheOptions cache = {};     ///< of data sets read over HTTP or from S3
  bool allow_missing = false;  ///< absent chunks of any array read as fill values
  ScenarioOptions scenarios = {};
};

/// Opens the source that the command line's DATASET names: a folder, a .zip, or the
/// http(s) URL or S3 address of either; or scenarios, see open_scenarios().
///
/// Throws  not_found if nothing is there; invalid_argument for scenarios' options without
///         scenarios; errors of the source
std::unique_ptr<Source> open_source(const std::string& dataset,
                                    const ReadOptions& options = {});

/// The same for stores alone: a folder of scenarios is one without a store.
std::unique_ptr<Source> open_store(const std::string& dataset,
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

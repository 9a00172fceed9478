#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cache.hpp"
#include "convert.hpp"
#include "dataset.hpp"
#include "export.hpp"
#include "map.hpp"
#include "samples.hpp"
#include "source.hpp"

// Needs the CMake target bevscope::native (BEV_NATIVE), unlike the other headers.

namespace bev {

/// Options of HTTP requests.
struct HttpOptions {
  long connect_timeout_ms = 10'000;  ///< for connecting to a server
  long silence_timeout_s = 30;       ///< a response without data for this long is lost
  unsigned retries = 4;              ///< further attempts after a transient failure
  bool forbidden_is_absent = false;  ///< 403 means "not found", as on object stores
  CacheOptions cache;                ///< of what is read
};

/// An object in a store's listing.
struct ListedObject {
  std::string key;         ///< the object's name in the store: "agents/3"
  std::uint64_t size = 0;  ///< bytes as stored
};

/// A source that reads files or HTTP. Also gives the core its threads.
///
/// Thread safety  None: use one source from one thread.
class BEV_EXPORT NativeSource : public Source {
 public:
  ~NativeSource() override;

  std::optional<std::vector<std::byte>> read(
      const std::string& key, const std::optional<ByteRange>& range) override;
  void read_all(std::span<const ReadRequest> requests, const OnAnswer& take) override;
  std::optional<std::uint64_t> size(const std::string& key) override;
  std::vector<std::optional<std::uint64_t>> sizes(
      std::span<const std::string> keys) override;
  std::optional<MappedObject> map(const std::string& key) override;
  std::string version(const std::string& key) override;
  std::optional<std::uint32_t> checksum(const std::string& key) override;
  std::string address() const override;
  void check_unchanged() override;
  void forget(const std::string& key) override;

  /// Returns all objects whose keys begin with `prefix` ("agents/"; "" for all), sorted
  /// by key; nullopt if listing is not possible, as by HTTP.
  std::optional<std::vector<ListedObject>> list(const std::string& prefix = "");

  /// Returns the folder of what is kept beside the data set, if that is not its own path:
  /// of scenarios, the index with their map. "" if nothing is kept.
  std::optional<std::string> beside() const;

  /// Returns what the persistent cache did; nullopt without one.
  std::optional<CacheCounters> cache_counters() const;

 protected:
  struct Impl;  ///< private to the library

  /// Created by the classes below.
  explicit NativeSource(std::unique_ptr<Impl> impl);

 private:
  std::unique_ptr<Impl> impl_;
};

/// A store in a directory: one file per object.
///
/// Throws  not_found for a missing directory; invalid_argument for a key that leaves it
class BEV_EXPORT DirectorySource final : public NativeSource {
 public:
  /// Opens the directory `path`.
  explicit DirectorySource(const std::string& path);
};

/// A store in a .zip archive, at its root or in a folder, in a file or at a URL.
///
/// Throws  not_found if there is no archive, or no store in it
class BEV_EXPORT ZipSource final : public NativeSource {
 public:
  /// Opens the archive at a path or URL that ends in ".zip".
  explicit ZipSource(const std::string& path_or_url, const HttpOptions& options = {});
};

/// A store at an http or https URL: "https://host/town.zarr" has the object agents/3 at
/// https://host/town.zarr/agents/3. A query is added to every request.
///
/// Throws  network for failures, with key and URL; changed for objects that changed
class BEV_EXPORT HttpSource final : public NativeSource {
 public:
  /// Opens the store at `url`. Nothing is requested yet.
  explicit HttpSource(const std::string& url, const HttpOptions& options = {});
};

/// Returns the source for a directory, a .zip file, or the http(s) URL or S3 address of
/// either: "s3://bucket/town.zarr". Keys of S3 are those of the environment or of the
/// files of Amazon's tools, see docs/s3.md. Also for scenarios: see open_scenarios().
BEV_EXPORT std::shared_ptr<Source> open_source(const std::string& path_or_url,
                                               const HttpOptions& options = {});

/// How scenarios of other data sets are opened.
struct ScenarioOptions {
  bool with_map = false;  ///< as `bevscope convert --map`: several scenarios are moved
  /// In place of `with_map`: of nuPlan the folder of CITY/*/map.gpkg, or the map of all
  /// logs; of nuScenes the folder `maps`, if it is not beside the version; of INTERACTION
  /// the folder of LOCATION.osm, or the map of all files, if they are elsewhere.
  std::string maps = {};
  /// Of CommonRoad the obstacle, of INTERACTION the track that is the ego vehicle, which
  /// each scenario must have; "": there is none, as without `bevscope convert --ego`.
  std::string ego = {};
  std::string index_folder;  ///< of all indices; "": in the user's folder of caches
  /// Called while the index is written; an exception ends that.
  std::function<void(std::uint64_t done, std::uint64_t all)> progress = {};
};

/// Returns the format of the scenarios at a path or URL, "argoverse2", "commonroad",
/// "interaction", "nuplan", "nuscenes", "scenarionet" or "waymo", by names, of .csv files
/// also by their columns, and of XML files by their start; nullopt if there are none.
///
/// Throws  invalid_argument for a folder with files of several formats
BEV_EXPORT std::optional<std::string> scenario_format(const std::string& path_or_url);

/// Returns scenarios as a store, object by object equal to that of `bevscope convert`: of
/// a TFRecord file of Waymo, a pickle of ScenarioNet, a log of nuPlan, an XML file of
/// CommonRoad, tracks of INTERACTION, their URL, or a folder of them, or the folder of a
/// version of nuScenes. The first opening converts all of them once and writes an index;
/// agents and faces are converted again when they are read. See docs/other-data.md.
///
/// Throws  not_found if there are none; unsupported for Argoverse 2; changed if a file
///         changes; errors of the importers, with file and record as prefix; io; network
BEV_EXPORT std::shared_ptr<Source> open_scenarios(const std::string& path_or_url,
                                                  const ScenarioOptions& options = {},
                                                  const HttpOptions& http = {});

/// Scenarios that the program reads, of a format that the library does not.
struct OwnScenarios {
  std::string format = "argoverse2";  ///< for the attributes
  std::vector<std::string> names;     ///< of the scenarios, which identify the index
  /// Returns a text that differs whenever the scenario's files do; "" if that is not
  /// known: the index is then not kept. A scenario that is read has the state of before,
  /// or is an error (`changed`).
  std::function<std::string(std::size_t index)> state;
  /// Reads a scenario. Is called from several threads.
  std::function<Scenario(std::size_t index, bool with_map)> read;
};

/// The same for scenarios that the program reads.
BEV_EXPORT std::shared_ptr<Source> open_scenarios(OwnScenarios scenarios,
                                                  const ScenarioOptions& options = {});

/// Returns the states of objects without reading them: for each key a text that differs
/// whenever the object does, such as its ETag; "" for an absent object, and if its state
/// is not known. May be called from the thread that reads.
using ObjectStates =
    std::function<std::vector<std::string>(std::span<const std::string> keys)>;

/// Returns a source that keeps encoded chunks of `source` in a folder, as data sets read
/// over HTTP are kept. Objects without a known state are not kept. Each read that goes to
/// the source asks for the state first; a changed one is `changed`.
///
/// @param name   under which the folder keeps the objects: "memory://town.zarr". Sources
///               with other objects need other names.
/// @param cache  a folder that is not ""
/// Throws        invalid_argument for an empty name or folder, and without a function
BEV_EXPORT std::shared_ptr<Source> cached_source(std::shared_ptr<Source> source,
                                                 const std::string& name,
                                                 ObjectStates states,
                                                 const CacheOptions& cache);

/// What a cache folder holds, or held.
struct CacheContents {
  std::uint64_t entries = 0;  ///< kept ranges of objects
  std::uint64_t bytes = 0;    ///< size of all files
};

/// Counts what is kept in a cache folder, of all data sets.
///
/// Throws  not_found if there is no such folder
BEV_EXPORT CacheContents cache_contents(const std::string& folder);

/// Removes what is kept in a cache folder, of all data sets, and nothing else. Readers
/// may use it meanwhile: they fetch again. Returns what was removed.
///
/// Throws  not_found if there is no such folder; io if an entry cannot be removed
BEV_EXPORT CacheContents clear_cache(const std::string& folder);

/// Parameters of download().
struct DownloadOptions {
  std::string commit = {};  ///< DataLoader::commit() that is expected; "": any
  /// Called after each object; an exception ends the download.
  std::function<void(std::uint64_t done, std::uint64_t objects)> progress = {};
};

/// Copies a data set that savers have written into a folder, object by object as stored:
/// metadata, chunks, attachments. The folder gets its name when it is complete. If it
/// holds a download of the same commit, only metadata is read; that of another commit is
/// replaced.
///
/// Returns  the paths of the objects, metadata first
/// Throws   invalid_argument if the folder holds anything else, or another process is
///          downloading into it; changed if the data set is or was replaced; io;
///          missing_key for an absent object; errors of the source
BEV_EXPORT std::vector<std::string> download(Source& source, const std::string& folder,
                                             const DownloadOptions& options = {});

/// Removes a folder that download() has written; does nothing if there is none.
///
/// Throws  invalid_argument if the folder holds anything else; io
BEV_EXPORT void remove_download(const std::string& folder);

/// Parameters of upload().
struct UploadOptions {
  bool replace = false;  ///< an existing .zip is replaced; a prefix never is
  /// Called after each object is passed on; an exception ends the upload.
  std::function<void(std::uint64_t done, std::uint64_t objects)> progress = {};
};

/// Copies a folder, file by file, to "s3://bucket/key", or into a .zip there. Readers see
/// a store when it is complete; see docs/s3.md. A killed upload is repeated.
///
/// Returns  the number of objects
/// Throws   not_found if there is no such folder; invalid_argument if something else is
///          at the address, and for another address; network; io; changed if another
///          process writes there
BEV_EXPORT std::uint64_t upload(const std::string& folder, const std::string& address,
                                const UploadOptions& options = {});

/// Keys that sign requests to S3.
struct S3Credentials {
  std::string access_key;     ///< public part
  std::string secret_key;     ///< never sent
  std::string session_token;  ///< "": none
  /// When they become invalid; nullopt: never
  std::optional<std::chrono::system_clock::time_point> expires;
};

/// Returns the keys for a bucket; nullopt: requests to it are anonymous.
using S3CredentialsCallback =
    std::function<std::optional<S3Credentials>(const std::string& bucket)>;

/// Sets the function that gives the keys for all addresses s3:// of this process, in
/// place of the environment and the files of Amazon's tools; nullptr: these again. It is
/// called by the first request to a bucket, 5 minutes before the keys expire (or after
/// half of the time that remains, if that is later), and when the service has refused
/// them as expired: that request is sent once more. Data sets that are open keep the
/// function with which they were opened.
///
/// Throws         Reads and writes throw a bev::Error of the function as it is. Other
///                exceptions become `network`, nested and without their text; expired or
///                malformed keys `invalid_argument`. No message contains a key.
/// Thread safety  Safe. Threads call the function, one at a time per bucket; it must not
///                read or write that bucket by this library.
BEV_EXPORT void set_s3_credentials(S3CredentialsCallback callback);

/// Returns `text`, an address or a message, with all addresses in it without user name,
/// password, query and fragment, which may be secret. Use it before an address is
/// printed or logged; the library's errors have passed through it.
BEV_EXPORT std::string loggable(std::string_view text);

/// Lets all data sets of the process decode and build batches on the system's threads.
/// Sources for files and HTTP do so; programs with other sources can call it.
BEV_EXPORT void use_threads() noexcept;

/// Opens the data set at a path or URL: `bev::open("town.zarr")`.
BEV_EXPORT Dataset open(const std::string& path_or_url,
                        const DatasetOptions& options = {},
                        const HttpOptions& http = {});

/// A decoded image.
struct DecodedImage {
  std::uint32_t width = 0;           ///< in pixels
  std::uint32_t height = 0;          ///< in pixels
  std::vector<std::uint8_t> pixels;  ///< (height, width, 3): red, green, blue
};

/// Decodes a PNG or JPEG image, such as a row of a saved image attribute. Grey images have
/// three equal channels; alpha is dropped; 16 bits become 8.
///
/// @param name        the image's name in messages
/// @param max_pixels  a larger image is refused before memory is allocated
/// Throws  corrupt_chunk for bytes that do not decode; limit_exceeded; unsupported for
///         other formats, WebP among them, and for CMYK
BEV_EXPORT DecodedImage decode_image(std::span<const std::byte> bytes,
                                     const std::string& name = "image",
                                     std::uint64_t max_pixels = 134'217'728);

/// Returns the content of a config file, JSON or YAML, as JSON.
///
/// Throws  not_found for a missing file; invalid_argument for a file that does not parse
BEV_EXPORT std::string read_config(const std::string& path);

/// Reads a semantic map and its meta.json. Of a map of parts, each is read from the file
/// when it is needed; see SemanticMap::part_count().
BEV_EXPORT std::shared_ptr<const SemanticMap> read_map(const std::string& map_path,
                                                       const std::string& meta_path);

/// The same, given the content of meta.json.
BEV_EXPORT std::shared_ptr<const SemanticMap> read_map_with(const std::string& map_path,
                                                            std::string_view meta_json);

/// Reads the map and the aerial image that `config` needs, if it lacks them.
///
/// @param root  directory against which the config's keys are resolved; by default the
///              environment variable L5KIT_DATA_FOLDER
/// Throws  not_found for a missing file; errors of the files' formats
BEV_EXPORT void load_maps(SampleConfig& config,
                          const std::optional<std::string>& root = std::nullopt);

}  // namespace bev

#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/convert/scenario_index.hpp"
#include "native/convert/scenario_files.hpp"
#include "native/source/directory_source.hpp"
#include "native/source/source.hpp"

namespace bev::native {

/// Scenarios as a store, object by object equal to that of their conversion. Agents and
/// traffic light faces are converted when they are read; all else is in an index, a
/// folder that the first opening writes after it has converted every scenario once. It
/// is bound to the states of the files. If their states are not known or the folder of
/// indices cannot be written, the index is removed with the source.
///
/// Memory         Encoded chunks that are read, kCacheBytes of converted scenarios, and
///                one scenario per thread.
/// Throws         not_found without scenarios; changed if a file changes; errors of the
///                files, with file and record as prefix; io.
/// Thread safety  Calls wait for each other.
class ScenarioSource final : public Source {
 public:
  static constexpr std::size_t kCacheBytes = std::size_t{64} << 20U;

  ScenarioSource(std::unique_ptr<ScenarioFiles> files, const ScenarioOptions& options);
  ~ScenarioSource() override;

  void read_all(std::span<const ReadRequest> requests, const OnAnswer& take) override;

  /// Objects that are made have size 0: they are not stored.
  std::optional<std::vector<Listed>> list(const std::string& prefix) override;
  std::optional<std::uint64_t> size(const std::string& key) override;
  std::string version(const std::string& key) override;
  std::optional<std::string> beside() const override;
  void check_unchanged() override;

 private:
  using Rows = std::shared_ptr<const convert::ChunkRows>;
  struct Cached {
    std::size_t scenario;
    Rows rows;
  };

  bool load(const std::string& folder);
  void build(const std::string& folder, const ScenarioOptions& options);
  std::optional<std::vector<std::byte>> indexed(const std::string& key,
                                                const std::optional<ByteRange>& range);
  std::optional<std::vector<std::byte>> object(const std::string& key);
  std::vector<std::byte> make(const convert::ScenarioChunks::Chunk& chunk);
  Rows cached(std::size_t scenario);
  void keep(std::size_t scenario, Rows rows);

  std::mutex mutex_;
  std::unique_ptr<ScenarioFiles> files_;
  bool with_map_;
  std::string ego_;
  std::vector<std::string> states_;
  std::string mark_;  // of the states
  std::string folder_;
  bool is_temporary_ = false;
  std::vector<ScenarioItem> items_;
  std::optional<convert::ScenarioChunks> chunks_;
  std::unique_ptr<DirectorySource> index_;
  std::unordered_set<std::string> kept_;  // keys of the index when it was opened
  std::list<Cached> cache_;               // the most recently used first
  std::unordered_map<std::size_t, std::list<Cached>::iterator> places_;
  std::size_t cached_bytes_ = 0;
};

/// Opens the scenarios at a path, URL or S3 address; nullptr if there is something else.
///
/// Throws  unsupported for Argoverse 2; errors of ScenarioSource
std::unique_ptr<Source> open_scenarios(const std::string& address,
                                       const ReadOptions& options);

}  // namespace bev::native

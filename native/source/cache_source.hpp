#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "include/bevscope/cache.hpp"
#include "native/cache/cache_folder.hpp"
#include "native/cache/cached_object.hpp"
#include "native/source/validated_source.hpp"

namespace bev::native {

/// Caches encoded chunks in a folder, by the contract of docs/hosting.md ("Persistent
/// cache"), which the browser's CachedSource implements too:
///
/// - Metadata documents are fetched every time and never stored. Neither is absence,
///   nor a failed read, nor an object without validator.
/// - Each object of which something is stored is validated by one HEAD request before
///   its first use: equal ETag, otherwise equal Last-Modified; if the server sends
///   neither, equal length and metadata. An object that is not validated is fetched.
/// - Stored bytes are checked by CRC-32C. Damaged and outdated entries are removed and
///   their bytes fetched again.
/// - A cache that cannot be read or written never fails a read.
///
/// Readers of one process that need the same range at the same time share one fetch. If
/// its reader is cancelled, another one fetches.
///
/// Throws         errors of the source
/// Thread safety  None: use one source from one thread. Sources in any number of threads
///                and processes may share a folder.
class CacheSource final : public Source {
 public:
  CacheSource(std::unique_ptr<ValidatedSource> source, CacheOptions settings);
  ~CacheSource() override;

  void read_all(std::span<const ReadRequest> requests, const OnAnswer& take) override;
  std::optional<std::vector<Listed>> list(const std::string& prefix) override;

  /// Asks the server each time, and so detects a changed object.
  std::optional<std::uint64_t> size(const std::string& key) override;

  /// Asks the server for sizes that are not known yet.
  std::vector<std::optional<std::uint64_t>> sizes(
      std::span<const std::string> keys) override;
  std::string address() const override { return source_->address(); }
  void check_unchanged() override;
  void forget(const std::string& key) override;
  std::optional<CacheCounters> cache_counters() const override;

 private:
  struct Job;

  CachedObject& object_of(const std::string& key);
  void validate(std::span<Job> jobs);
  bool answer_from_cache(Job& job, const OnAnswer& take);
  bool find_range(Job& job);
  bool read_parts(Job& job);
  bool is_current(const CachedObject& object, const EntryHead& head) const;
  void join_fetches(std::vector<Job>& jobs, const OnAnswer& take);
  void fetch(std::vector<Job>& jobs, const OnAnswer& take);
  void settle(Job& job, std::optional<std::vector<std::byte>> bytes,
              const OnAnswer& take);
  void settle_document(const std::string& key,
                       const std::optional<std::vector<std::byte>>& bytes);
  void wait_for_others(std::vector<Job>& jobs, const OnAnswer& take);
  void keep(CachedObject& object, EntryHead head, std::span<const std::byte> bytes);
  void stop_writing(Stored why);
  std::optional<std::uint64_t> metadata() const;

  std::unique_ptr<ValidatedSource> source_;
  CacheOptions settings_;
  CacheFolder folder_;
  std::map<std::string, CachedObject> objects_;
  std::map<std::string, std::uint64_t> documents_;  ///< hashes by key
  CacheCounters counters_;
  bool writes_ = true;
};

}  // namespace bev::native

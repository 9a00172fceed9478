#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "native/cache/cache_folder.hpp"
#include "native/http/http_policy.hpp"

namespace bev::native {

/// Part of an entry that is used for a read.
struct CachedPart {
  std::string name;
  ByteRange range;  ///< of the object
};

/// How stored ranges cover a range.
struct Cover {
  std::vector<CachedPart> parts;  ///< disjoint, in order, within the range
  std::optional<ByteRange> hole;  ///< the smallest range that contains all gaps
};

/// Covers `wanted` with stored ranges, which are sorted by begin.
Cover cover_of(ByteRange wanted, std::span<const StoredRange> stored);

/// One object: its state on the server, and those of its ranges in the cache that have
/// been listed.
class CachedObject {
 public:
  explicit CachedObject(std::string url) : url_(std::move(url)) {}

  /// The object's URL without its query.
  const std::string& url() const noexcept { return url_; }

  /// The object's state on the server; nullopt before it was validated or fetched.
  const std::optional<Validator>& now() const noexcept { return now_; }

  /// Number of changes of the object seen so far.
  std::uint64_t changes() const noexcept { return changes_; }

  /// Records the object's state from a response.
  void saw(const Validator& seen);

  /// Records the length of a stored entry of the current state.
  void saw_length(std::uint64_t length);

  /// Cuts a range at the object's end. Returns nullopt if neither is known.
  std::optional<ByteRange> cut(const std::optional<ByteRange>& range) const;

  /// Returns the stored ranges in the segments of `range`; none if there are too many
  /// segments. Lists a segment when it is first needed.
  std::vector<StoredRange> stored(ByteRange range, const CacheFolder& folder);

  /// Lists the segments of `range` again: other readers add entries.
  void forget_listing(ByteRange range);

  /// Removes an entry from the listing.
  void drop(const CachedPart& part);

  /// Adds an entry to the listing.
  void add(const std::string& name, ByteRange range);

  /// Removes all entries of this object.
  void remove_all(const CacheFolder& folder);

 private:
  std::string url_;
  std::optional<Validator> now_;
  std::uint64_t changes_ = 0;
  std::map<std::uint64_t, std::vector<StoredRange>> segments_;
};

}  // namespace bev::native

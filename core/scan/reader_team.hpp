#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/engine.hpp"
#include "core/engine/host_loop.hpp"
#include "core/scan/reader_query.hpp"

namespace bev {

/// What the members of a team may use, each.
struct TeamShare {
  /// Values of groups that wait for their batches: at least one group.
  std::size_t value_bytes = std::size_t{16} << 20;
  std::size_t cache_bytes = Engine::kByteBudget;  ///< encoded chunks; see Engine
};

/// Runs a reader with several engines: each makes groups of consecutive blocks, which
/// the reader divides into batches. Batches and errors are those of the reader alone, and
/// come in the same order: a group that could not be made is left to the reader.
///
/// Members work in the host's thread pool (see in_parallel), which the calling thread
/// waits for; the source is read by the calling thread alone, and what several members
/// need at once is read once. Rows in order "full" and samples are not divided into
/// groups: the reader makes them without members.
///
/// Lifetime       Reader and source outlive it.
/// Thread safety  As Engine; no thread outlives run().
class ReaderTeam {
 public:
  /// @param members  at least 2 to be of use
  /// @param missing  of the members' engines
  ReaderTeam(ReaderQuery& reader, std::size_t members, const TeamShare& share,
             std::optional<store::Missing> missing);
  ~ReaderTeam();
  ReaderTeam(ReaderTeam&&) noexcept;
  ReaderTeam& operator=(ReaderTeam&&) = delete;

  /// Does what bev::run() does with the reader.
  ///
  /// Throws  errors of the source and of the reader
  void run(Engine& engine, Source& source);

  /// Returns the absent chunks that members have requested, as Engine::absent_chunks().
  std::vector<std::string> absent_chunks() const;

 private:
  class Member;
  void start(Source& source);
  void make(const GroupTask& first, Source& source);
  std::vector<MadeGroup> spares(std::uint64_t count);
  void work(Source& source);
  bool read(Source& source);
  std::uint64_t groups_at_once(std::uint64_t rest) const;

  ReaderQuery& reader_;
  TeamShare share_;
  std::size_t count_;
  std::optional<store::Missing> missing_;
  std::shared_ptr<const std::map<std::string, std::string>> versions_;
  std::vector<std::unique_ptr<Member>> members_;
  std::uint64_t groups_ = 1;  ///< of each member, in the next round
  std::optional<GroupTask> expected_;
};

}  // namespace bev

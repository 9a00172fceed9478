#include "core/scan/reader_team.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/parallel.hpp"

namespace bev {
namespace {

using Bytes = std::optional<std::vector<std::byte>>;

/// Mark of an object whose version was not asked for: differs from all others.
constexpr const char* kUnknownVersion = "?";

// Rounds grow by this factor, up to the members' shares.
constexpr std::uint64_t kGrowth = 4;

std::vector<store::Request> without_repetitions(std::vector<store::Request> requests) {
  std::vector<store::Request> out;
  for (auto& request : requests) {
    if (std::find(out.begin(), out.end(), request) == out.end()) {
      out.push_back(std::move(request));
    }
  }
  return out;
}

}  // namespace

/// An engine and its reader, which makes groups [next, end).
class ReaderTeam::Member {
 public:
  Member(Engine engine, const reader::Plan& plan)
      : engine_(std::move(engine)), query_(engine_.reader(plan)) {}

  /// @param first  of `count` groups
  ///
  /// @param spares  memory to use
  void begin(const GroupTask& first, std::uint64_t count,
             std::vector<MadeGroup> spares) {
    spares_ = std::move(spares);
    task_ = first;
    end_ = first.group + count;
    made_.clear();
    requests_.clear();
    is_requesting_ = task_.group < end_;
    if (is_requesting_) query_->request_groups(task_, count);
  }

  /// Goes on to the groups, after what they need was requested.
  void begin_groups() noexcept {
    is_requesting_ = false;
    try {
      make_next();
    } catch (...) {
      stop();
    }
  }

  /// Requests, or makes groups, as far as the objects in memory suffice. An error ends the
  /// work.
  void work() noexcept {
    requests_.clear();
    try {
      while (task_.group < end_) {
        requests_ = query_->missing();
        if (!requests_.empty()) return;
        if (is_requesting_) return;
        made_.push_back(query_->take_group());
        ++task_.group;
        make_next();
      }
    } catch (...) {
      stop();
    }
  }

  const std::vector<store::Request>& requests() const noexcept { return requests_; }

  bool needs(const std::string& key) const {
    return std::any_of(requests_.begin(), requests_.end(),
                       [&](const store::Request& one) { return one.key == key; });
  }

  void supply(const ReadRequest& request, Bytes bytes) noexcept {
    try {
      if (bytes) {
        engine_.supply({request.key, request.range}, *std::move(bytes));
      } else {
        engine_.supply_absent(request.key);
      }
    } catch (...) {
      stop();
    }
  }

  /// Leaves the rest to the reader.
  void stop() noexcept {
    end_ = task_.group;
    requests_.clear();
  }

  bool is_complete(std::uint64_t count) const noexcept { return made_.size() == count; }
  std::vector<MadeGroup>& made() noexcept { return made_; }
  const Engine& engine() const noexcept { return engine_; }

 private:
  void make_next() {
    if (task_.group >= end_) return;
    MadeGroup spare;
    if (!spares_.empty()) {
      spare = std::move(spares_.back());
      spares_.pop_back();
    }
    query_->make_group(task_, std::move(spare));
  }

  Engine engine_;
  std::unique_ptr<ReaderQuery> query_;
  GroupTask task_;
  std::uint64_t end_ = 0;
  bool is_requesting_ = false;  ///< what all groups need
  std::vector<MadeGroup> made_, spares_;
  std::vector<store::Request> requests_;
};

ReaderTeam::ReaderTeam(ReaderQuery& reader, std::size_t members, const TeamShare& share,
                       std::optional<store::Missing> missing)
    : reader_(reader), share_(share), count_(members), missing_(missing) {
  if (count_ > 1) reader_.await_groups();
}

ReaderTeam::~ReaderTeam() = default;
ReaderTeam::ReaderTeam(ReaderTeam&&) noexcept = default;

void ReaderTeam::run(Engine& engine, Source& source) {
  for (;;) {
    bev::run(engine, reader_, source);
    const auto wanted = reader_.wanted_group();
    if (!wanted) return;
    make(*wanted, source);
  }
}

/// Makes the members, once the reader is open.
void ReaderTeam::start(Source& source) {
  auto versions = std::make_shared<std::map<std::string, std::string>>();
  for (auto& key : reader_.indexed_objects()) {
    auto version = source.version(key);
    versions->emplace(std::move(key), std::move(version));
  }
  versions_ = std::move(versions);
  for (std::size_t i = 0; i < count_; ++i) {
    Engine engine(share_.cache_bytes, missing_);
    engine.set_version([known = versions_](const std::string& key) {
      const auto found = known->find(key);
      return found == known->end() ? std::string(kUnknownVersion) : found->second;
    });
    members_.push_back(std::make_unique<Member>(std::move(engine), reader_.plan()));
  }
}

/// Has groups made from `first` on, each member consecutive ones, and supplies them.
void ReaderTeam::make(const GroupTask& first, Source& source) {
  if (members_.empty()) start(source);
  // After a jump, the first batch must not wait for much.
  const bool continues =
      expected_ && expected_->epoch == first.epoch && expected_->group == first.group;
  const auto rest = reader_.group_count() - first.group;
  if (!continues) groups_ = 1;
  const auto each = std::min(groups_, groups_at_once(rest));
  // Those that made the last groups go on with the next ones: they have the chunk that
  // the two may share.
  if (continues) std::reverse(members_.begin(), members_.end());
  auto task = first;
  for (const auto& member : members_) {
    const auto end = reader_.group_count();
    const auto count = std::min(each, end - std::min(end, task.group));
    member->begin(task, count, spares(count));
    task.group += count;
  }
  // One after the other, so that no member waits for what another one requests while
  // that one decodes.
  work(source);
  for (const auto& member : members_) member->begin_groups();
  work(source);
  std::vector<MadeGroup> made;
  for (const auto& member : members_) {
    auto& groups = member->made();
    std::move(groups.begin(), groups.end(), std::back_inserter(made));
    const bool is_complete = member->is_complete(each);
    groups.clear();
    if (!is_complete) break;
  }
  expected_ = task;
  expected_->group = first.group + std::max<std::uint64_t>(made.size(), 1);
  groups_ = each * kGrowth;
  while (reader_.spare_group()) continue;  // no longer of use
  reader_.supply_groups(std::move(made));
}

/// Returns the groups of a member whose values fit its share.
std::uint64_t ReaderTeam::groups_at_once(std::uint64_t rest) const {
  const auto bytes = std::max<std::uint64_t>(reader_.group_bytes(), 1);
  const auto fit = std::max<std::uint64_t>(share_.value_bytes / bytes, 1);
  return std::min(fit, rest / count_ + (rest % count_ > 0 ? 1 : 0));
}

std::vector<MadeGroup> ReaderTeam::spares(std::uint64_t count) {
  std::vector<MadeGroup> out;
  while (out.size() < count) {
    auto spare = reader_.spare_group();
    if (!spare) break;
    out.push_back(*std::move(spare));
  }
  return out;
}

void ReaderTeam::work(Source& source) {
  do {
    in_parallel(members_.size(), [&](std::size_t i) { members_[i]->work(); });
  } while (read(source));
}

/// Reads what the members need. Returns false if they need nothing.
bool ReaderTeam::read(Source& source) {
  std::vector<store::Request> round;
  for (const auto& member : members_) {
    const auto& own = member->requests();
    round.insert(round.end(), own.begin(), own.end());
  }
  if (round.empty()) return false;
  try {
    read_round(without_repetitions(std::move(round)), source,
               [&](const ReadRequest& request, Bytes bytes) {
                 Member* last = nullptr;
                 for (const auto& member : members_) {
                   if (!member->needs(request.key)) continue;
                   if (last != nullptr) last->supply(request, bytes);
                   last = member.get();
                 }
                 if (last != nullptr) last->supply(request, std::move(bytes));
               });
  } catch (const Error&) {
    // The reader reads these objects for the batch that needs them, and reports that.
    for (const auto& member : members_) {
      if (!member->requests().empty()) member->stop();
    }
    return false;
  }
  return true;
}

std::vector<std::string> ReaderTeam::absent_chunks() const {
  std::vector<std::string> out;
  for (const auto& member : members_) {
    for (auto& key : member->engine().absent_chunks()) out.push_back(std::move(key));
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace bev

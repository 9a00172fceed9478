#include "core/futures/result_zip.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/futures/shard.hpp"
#include "core/zip/directory.hpp"
#include "core/zip/member_read.hpp"

namespace bev::futures {
namespace {

constexpr std::uint64_t kFreeZipBytes = std::uint64_t{16} << 20U;
constexpr std::uint64_t kMaxZipRatio = 200;

/// An inflated file and its scenarios.
struct ZippedFile {
  std::vector<std::byte> bytes;
  SubmissionShard shard;
};

/// The files of an archive; a scenario is read from the one that has it.
class ZippedForm final : public OwnForm {
 public:
  std::vector<ZippedFile> files;
  /// File and scenario by id.
  std::unordered_map<std::string, std::pair<std::size_t, std::size_t>> places;

  FuturesData read(std::string_view /*bytes*/, const ScenarioRange& scenario,
                   const Limits& limits) const override {
    const auto found = places.find(scenario.id);
    if (found == places.end()) fail(Errc::not_found, {"not in the archive"});
    const auto& file = files[found->second.first];
    const auto& own = file.shard.scenarios[found->second.second];
    const std::string_view all(reinterpret_cast<const char*>(file.bytes.data()),
                               file.bytes.size());
    return file.shard.own->read(all.substr(static_cast<std::size_t>(own.bytes.begin),
                                           static_cast<std::size_t>(own.bytes.size())),
                                own, limits);
  }
};

/// Whether a member is read: neither hidden nor what macOS adds.
bool is_result_member(std::string_view name) {
  const auto file = name.substr(name.find_last_of('/') + 1);
  const bool is_hidden = file.starts_with('.') || name.starts_with("__MACOSX/");
  return !is_hidden && (name.ends_with(".csv") || name.ends_with(".json"));
}

SubmissionShard indexed_bytes(const std::string& name,
                              std::span<const std::byte> bytes) {
  ShardIndexer indexer(name, bytes.size());
  while (const auto range = indexer.missing()) {
    indexer.supply(bytes.subspan(static_cast<std::size_t>(range->begin),
                                 static_cast<std::size_t>(range->size())));
  }
  return indexer.take();
}

}  // namespace

std::optional<bool> is_result_zip(std::string_view head) {
  constexpr std::size_t kNameSize = 26, kName = 30;
  if (head.size() < kName) return false;
  const std::size_t size = load_le<std::uint16_t>(
      reinterpret_cast<const std::byte*>(head.data()) + kNameSize);
  if (size > head.size() - kName) return std::nullopt;
  return !head.substr(kName, size).ends_with(".npy");
}

struct ResultZipIndexer::State {
  State(std::string name, std::uint64_t size)
      : directory(name, size), form(std::make_shared<ZippedForm>()) {
    out.name = std::move(name);
  }

  /// Begins the next member, after the last one ends.
  void begin_next() {
    if (next == members.size()) return finish();
    auto& member = *members[next];
    read.emplace(directory, member);
    if (!read->missing()) take_member();
  }

  void list_members() {
    std::uint64_t bytes = 0;
    for (const auto& one : directory.members()) {
      const auto name = directory.name_of(one);
      if (!is_result_member(name)) continue;
      auto* const member = directory.find(name);
      bytes += member->size;
      const bool is_bomb =
          member->size > kFreeZipBytes && member->size / kMaxZipRatio > member->stored;
      if (is_bomb || bytes > kMaxZippedBytes || members.size() == kMaxZippedFiles) {
        fail(Errc::limit_exceeded,
             {directory.describe(*member), ": too large when inflated (found ", bytes,
              " bytes of ", members.size() + 1, " files, expected at most ",
              kMaxZippedBytes, ", of ", kMaxZippedFiles,
              " files, and 200 for each that is stored)"});
      }
      members.push_back(member);
    }
    if (members.empty()) {
      fail_at(Errc::unsupported, out.name,
              {"an archive without results (expected NAME_sub.csv or .json)"});
    }
  }

  void take_member() {
    const std::string name(directory.name_of(*members[next]));
    ZippedFile file{read->take(), {}};
    read.reset();
    try {
      file.shard = indexed_bytes(name, file.bytes);
    } catch (const Error& error) {
      fail_at(error.code(), out.name, {error.what()});
    }
    if (!file.shard.own) {
      fail_at(Errc::unsupported, out.name, {name, ": a form that is not read zipped"});
    }
    const bool is_first = form->files.empty();
    if (!is_first && file.shard.kind != out.kind) {
      fail_at(Errc::invalid_metadata, out.name,
              {"files of several kinds (", form->files.front().shard.name, " is ",
               to_string(out.kind), ", ", name, " ", to_string(file.shard.kind), ")"});
    }
    out.kind = file.shard.kind;
    if (is_first) out.card = file.shard.card;
    for (std::size_t i = 0; i < file.shard.scenarios.size(); ++i) {
      const auto& id = file.shard.scenarios[i].id;
      if (!form->places.emplace(id, std::pair(form->files.size(), i)).second) {
        fail_at(Errc::invalid_metadata, out.name,
                {"scenario ", id, " is in two files (", name, " and another)"});
      }
      out.scenarios.push_back({id, {0, 0}});
    }
    form->files.push_back(std::move(file));
    ++next;
    begin_next();
  }

  void finish() {
    check_scenarios(out, "a submission");
    out.own = form;
    is_complete = true;
  }

  zip::Directory directory;
  std::shared_ptr<ZippedForm> form;
  SubmissionShard out;
  std::vector<zip::Member*> members;
  std::size_t next = 0;
  std::optional<zip::MemberRead> read;
  bool is_complete = false;
};

ResultZipIndexer::ResultZipIndexer(std::string name, std::uint64_t file_size)
    : state_(std::make_unique<State>(std::move(name), file_size)) {}
ResultZipIndexer::ResultZipIndexer(ResultZipIndexer&&) noexcept = default;
ResultZipIndexer& ResultZipIndexer::operator=(ResultZipIndexer&&) noexcept = default;
ResultZipIndexer::~ResultZipIndexer() = default;

std::optional<ByteRange> ResultZipIndexer::missing() const {
  if (state_->is_complete) return std::nullopt;
  return state_->read ? state_->read->missing() : state_->directory.missing();
}

void ResultZipIndexer::supply(std::span<const std::byte> bytes) {
  auto& state = *state_;
  if (!state.read) {
    state.directory.supply(bytes);
    if (state.directory.missing()) return;
    state.list_members();
    state.begin_next();
    return;
  }
  state.read->supply(bytes);
  if (!state.read->missing()) state.take_member();
}

SubmissionShard ResultZipIndexer::take() {
  return std::move(state_->out);
}

}  // namespace bev::futures

#include "core/futures/shard.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"

namespace bev::futures {
namespace {

/// Bytes of a text in which the names of our columns must begin.
constexpr std::uint64_t kLongHead = 4'096;

/// Whether a file that begins so may be CSV of our own form. A message begins with a
/// field's tag; after a tag that is printable, its length follows.
bool is_printable(std::string_view head) {
  return std::all_of(head.begin(), head.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 || byte == '\t' || byte == '\r' || byte == '\n';
  });
}

bool is_ascii(std::string_view head) {
  return std::all_of(head.begin(), head.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

bool has_text(std::string_view head, std::string_view name) {
  return head.find(name) != std::string_view::npos;
}

/// Whether a file is a pickle of protocol 2 to 5.
bool is_pickle(std::string_view head) {
  return head.size() > 1 && head[0] == '\x80' && head[1] >= 2 && head[1] <= 5;
}

/// Whether a text is a list in JSON.
bool is_json_list(std::string_view head) {
  const auto first = head.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && head[first] == '[';
}

/// Refuses what people have, but is not read.
void refuse_other(std::string_view head, std::string_view name) {
  const auto refuse = [&](const char* problem) {
    fail_at(Errc::unsupported, name, {problem});
  };
  if (head.starts_with("\x1f\x8b") || head.starts_with("\xfd"
                                                       "7zXZ")) {
    refuse("a compressed file; unpack it first");
  }
  if (head.starts_with("\x93NUMPY")) {
    refuse("a single array; save futures with ids with bevscope.results.save");
  }
  constexpr std::size_t kTarMark = 257;
  if (head.substr(std::min(head.size(), kTarMark)).starts_with("ustar")) {
    refuse("an archive; unpack it first");
  }
}

}  // namespace

ShardIndexer::ShardIndexer(std::string name, std::uint64_t file_size,
                           const SideFile& side)
    : name_(std::move(name)), size_(file_size), head_{0, std::min(size_, kHeadBytes)} {
  if (size_ == 0) {
    recognise({});
  } else if (side.is_older) {
    ignore_side_file("older than its file");
  } else if (!side.text.empty()) {
    try {
      indexer_.emplace<SideFileIndex>(name_, size_, side.text);
    } catch (const Error& error) {
      ignore_side_file(error.what());
    }
  }
}

void ShardIndexer::ignore_side_file(std::string_view why) {
  notice_ = joined({name_, kSideFileEnd, ": ignored: ", why,
                    "; write it again with bevscope futures --index"});
  indexer_.emplace<std::monostate>();
}

std::optional<ByteRange> ShardIndexer::missing() const {
  return std::visit(
      [&](const auto& indexer) -> std::optional<ByteRange> {
        if constexpr (std::is_same_v<decltype(indexer), const std::monostate&>) {
          return head_;
        } else {
          return indexer.missing();
        }
      },
      indexer_);
}

void ShardIndexer::supply(std::span<const std::byte> bytes) {
  if (auto* const side = std::get_if<SideFileIndex>(&indexer_)) {
    try {
      return side->supply(bytes);
    } catch (const Error& error) {
      return ignore_side_file(error.what());
    }
  }
  std::visit(
      [&](auto& indexer) {
        if constexpr (std::is_same_v<decltype(indexer), std::monostate&>) {
          recognise(bytes);
        } else {
          indexer.supply(bytes);
        }
      },
      indexer_);
}

void ShardIndexer::recognise(std::span<const std::byte> bytes) {
  if (bytes.size() != head_.size()) {
    fail_at(
        Errc::corrupt_chunk, name_,
        {"wrong length (found ", bytes.size(), " bytes, expected ", head_.size(), ")"});
  }
  const std::string_view head(reinterpret_cast<const char*>(bytes.data()),
                              bytes.size());
  refuse_other(head, name_);
  if (head.starts_with("PK\x03\x04")) {
    const auto is_of_files = is_result_zip(head);
    if (!is_of_files && head_.end < std::min(size_, kLongHead)) {
      head_.end = std::min(size_, kLongHead);
    } else if (is_of_files.value_or(false)) {
      indexer_.emplace<ResultZipIndexer>(name_, size_);
    } else {
      indexer_.emplace<NpzIndexer>(name_, size_);
    }
    return;
  }
  if (head.starts_with("PAR1")) {
    indexer_.emplace<ParquetIndexer>(name_, size_);
    return;
  }
  if (is_pickle(head)) {
    indexer_.emplace<PickleIndexer>(name_, size_);
    return;
  }
  // Submissions begin with a scenario: field 1, which is the byte of a line's end.
  if (!head.empty() && head.front() != '\n') {
    const bool is_text = is_printable(head);
    if (is_text && is_json_list(head)) {
      indexer_.emplace<NuscenesIndexer>(name_, size_);
      return;
    }
    if (is_text && has_text(head, "scenario_id")) {
      indexer_.emplace<CsvIndexer>(name_, size_);
      return;
    }
    const auto longer = std::min(size_, kLongHead);
    if (head_.end < longer) {
      head_.end = longer;
      return;
    }
    if (is_text && is_interpret(head)) {
      indexer_.emplace<InterpretIndexer>(name_, size_);
      return;
    }
    if (is_text && has_text(head, "track_id")) {
      indexer_.emplace<CsvIndexer>(name_, size_);
      return;
    }
    if (is_text && is_ascii(head)) {
      fail_at(Errc::unsupported, name_,
              {"a text without the columns scenario_id, track_id, step, x and y"});
    }
  }
  auto& indexer = indexer_.emplace<SubmissionIndexer>(name_, size_);
  if (indexer.missing() == head_) indexer.supply(bytes);
}

SubmissionShard ShardIndexer::take() {
  auto out = std::visit(
      [](auto& indexer) -> SubmissionShard {
        if constexpr (std::is_same_v<decltype(indexer), std::monostate&>) {
          fail(Errc::invalid_argument, {"submission: a file is not indexed yet"});
        } else {
          return indexer.take();
        }
      },
      indexer_);
  out.notice = notice_;
  return out;
}

std::vector<FuturesData> read_shard(std::string_view bytes,
                                    const SubmissionShard& shard,
                                    const ScenarioRange& scenario,
                                    const Limits& limits) {
  if (!shard.own) {
    return read_scenario(bytes, scenario, shard.kind, shard.name, limits);
  }
  try {
    std::vector<FuturesData> out;
    out.push_back(shard.own->read(bytes, scenario, limits));
    return out;
  } catch (const Error& error) {
    fail_at(error.code(), shard.name, {"scenario ", scenario.id, ": ", error.what()});
  }
}

}  // namespace bev::futures

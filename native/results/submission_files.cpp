#include "native/results/submission_files.hpp"

#include <algorithm>
#include <filesystem>
#include <span>
#include <system_error>
#include <utility>

#include "core/base/error.hpp"
#include "native/files/write_file.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> shards_below(const fs::path& folder) {
  std::vector<std::string> out;
  std::error_code error;
  fs::recursive_directory_iterator at(folder, error);
  while (!error && at != fs::recursive_directory_iterator()) {
    const auto name = at->path().filename().string();
    const bool is_named = name.find(".binproto") != std::string::npos &&
                          !name.ends_with(futures::kSideFileEnd);
    if (is_named && at->is_regular_file(error)) out.push_back(at->path().string());
    if (!error) at.increment(error);
  }
  if (error) fail_at(Errc::io, folder.string(), {error.message()});
  if (out.empty()) {
    fail_at(Errc::not_found, folder.string(), {"no files *.binproto* below it"});
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<std::string> shards_of(const std::vector<std::string>& paths) {
  std::vector<std::string> out;
  for (const auto& path : paths) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) {
      const auto found = shards_below(path);
      out.insert(out.end(), found.begin(), found.end());
    } else if (path.ends_with(".gz") || path.ends_with(".tgz")) {
      fail_at(Errc::unsupported, path, {"a compressed archive; unpack it first"});
    } else if (!path.ends_with(futures::kSideFileEnd)) {  // which NAME* also gives
      out.push_back(path);
    }
  }
  return out;
}

/// Reads all bytes of a range.
std::vector<std::byte> bytes_in(const File& file, const std::string& name,
                                ByteRange range) {
  std::vector<std::byte> out(static_cast<std::size_t>(range.size()));
  if (file.read_at(range.begin, out) != out.size()) {
    fail_at(Errc::changed, name, {"shorter than when it was opened"});
  }
  return out;
}

std::string side_file_path(const std::string& path) {
  return path + std::string(futures::kSideFileEnd);
}

futures::SideFile side_file_of(const File& file, const std::string& path) {
  const auto side = File::open(side_file_path(path), side_file_path(path));
  futures::SideFile out;
  if (!side) return out;
  // More than the limit is refused by the index.
  out.text.resize(static_cast<std::size_t>(
      std::min<std::uint64_t>(side->size(), futures::kMaxSideFileBytes + 1)));
  out.text.resize(side->read_at(0, std::as_writable_bytes(std::span(out.text))));
  out.is_older = side->modified_ns() < file.modified_ns();
  return out;
}

futures::SubmissionShard indexed_shard(const File& file, const std::string& path,
                                       const futures::SideFile& side) {
  futures::ShardIndexer indexer(path, file.size(), side);
  while (const auto range = indexer.missing()) {
    indexer.supply(bytes_in(file, path, *range));
  }
  return indexer.take();
}

}  // namespace

SubmissionFiles::SubmissionFiles(const std::vector<std::string>& paths,
                                 SideFiles side_files) {
  std::vector<futures::SubmissionShard> shards;
  for (const auto& path : shards_of(paths)) {
    auto file = File::open(path, path);
    if (!file) fail_at(Errc::not_found, path, {"not found, or not a file"});
    const bool uses = side_files == SideFiles::use;
    const auto side = uses ? side_file_of(*file, path) : futures::SideFile();
    shards.push_back(indexed_shard(*file, path, side));
    files_.push_back(*std::move(file));
  }
  all_ = futures::joined_shards(std::move(shards));
}

std::vector<std::string> SubmissionFiles::write_side_files() const {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    const auto& shard = all_.shards[i];
    const auto size = files_[i].size();
    const auto text = futures::side_file_text(
        shard, size, bytes_in(files_[i], shard.name, futures::hashed_head(size)),
        bytes_in(files_[i], shard.name, futures::hashed_tail(size)));
    auto& path = out.emplace_back(side_file_path(shard.name));
    NewFile file(path);
    file.write(std::as_bytes(std::span(text)));
    // A file that changes meanwhile is newer then, also if its size and ends are the same.
    file.set_modified(files_[i].modified_ns());
    file.commit();
  }
  return out;
}

std::vector<futures::FuturesData> SubmissionFiles::read(
    futures::Submission::Place place) const {
  const auto& shard = all_.shards.at(place.shard);
  const auto& scenario = all_.at(place);
  const auto bytes = bytes_in(files_.at(place.shard), shard.name, scenario.bytes);
  return futures::read_shard(
      {reinterpret_cast<const char*>(bytes.data()), bytes.size()}, shard, scenario);
}

}  // namespace bev::native

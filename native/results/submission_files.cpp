#include "native/results/submission_files.hpp"

#include <algorithm>
#include <filesystem>
#include <span>
#include <system_error>
#include <utility>

#include "core/base/error.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> shards_below(const fs::path& folder) {
  std::vector<std::string> out;
  std::error_code error;
  fs::recursive_directory_iterator at(folder, error);
  while (!error && at != fs::recursive_directory_iterator()) {
    const bool is_named =
        at->path().filename().string().find(".binproto") != std::string::npos;
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
    } else {
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

futures::SubmissionShard indexed_shard(const File& file, const std::string& path) {
  futures::ShardIndexer indexer(path, file.size());
  while (const auto range = indexer.missing()) {
    indexer.supply(bytes_in(file, path, *range));
  }
  return indexer.take();
}

}  // namespace

SubmissionFiles::SubmissionFiles(const std::vector<std::string>& paths) {
  std::vector<futures::SubmissionShard> shards;
  for (const auto& path : shards_of(paths)) {
    auto file = File::open(path, path);
    if (!file) fail_at(Errc::not_found, path, {"not found, or not a file"});
    shards.push_back(indexed_shard(*file, path));
    files_.push_back(*std::move(file));
  }
  all_ = futures::joined_shards(std::move(shards));
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

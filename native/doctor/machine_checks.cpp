#include "native/doctor/machine_checks.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

#include "core/engine/engine.hpp"
#include "native/cache/cache_folder.hpp"
#include "native/serve/server.hpp"

namespace bev::doctor {
namespace {

namespace fs = std::filesystem;

/// The engine's budget of encoded chunks, and as much for what is made of them.
constexpr std::uint64_t kLittleMemory = 2 * std::uint64_t{Engine::kByteBudget};
constexpr std::uint64_t kLittleSpace = std::uint64_t{256} << 20;
/// Files that a process has besides those of connections.
constexpr std::uint64_t kOtherDescriptors = 64;

/// Returns the text of a small file of the system, which reports no size.
std::string system_text(const fs::path& path) {
  std::string text;
  auto* const file = std::fopen(path.c_str(), "re");
  if (file == nullptr) return text;
  std::array<char, 4096> buffer{};
  for (;;) {
    const auto count = std::fread(buffer.data(), 1, buffer.size(), file);
    if (count == 0) break;
    text.append(buffer.data(), count);
  }
  std::fclose(file);
  return text;
}

/// Returns the text of the first of two files that exists: of a control group of version
/// 2, or of 1.
std::string group_text(const fs::path& group, const char* version2,
                       const char* version1) {
  auto text = system_text(group / version2);
  return text.empty() ? system_text(group / version1) : text;
}

/// Returns the number at the front of a text, after spaces; nullopt for none ("max").
std::optional<std::uint64_t> leading_number(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  std::uint64_t value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  return parsed.ec == std::errc{} ? std::optional(value) : std::nullopt;
}

/// Returns a value of /proc/meminfo in bytes.
std::optional<std::uint64_t> meminfo(const std::string& text, std::string_view name) {
  const auto at = text.find(std::string(name) + ":");
  if (at == text.npos) return std::nullopt;
  const auto kib = leading_number(std::string_view(text).substr(at + name.size() + 1));
  return kib ? std::optional(*kib << 10) : std::nullopt;
}

std::optional<std::uint64_t> free_bytes(const fs::path& folder) {
  std::error_code error;
  const auto space = fs::space(folder, error);
  return error ? std::nullopt : std::optional<std::uint64_t>(space.available);
}

bool is_writable(const fs::path& folder) {
  std::error_code error;
  return fs::is_directory(folder, error) && ::access(folder.c_str(), W_OK | X_OK) == 0;
}

/// Returns the nearest folder above a path that exists.
fs::path existing_above(fs::path path) {
  std::error_code error;
  path = fs::absolute(path, error).lexically_normal();
  while (path.has_relative_path() && !fs::exists(path, error))
    path = path.parent_path();
  return path;
}

/// Whether the folder's file system has locks, by one that others may share.
bool has_locks(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool locked =
      ::flock(descriptor, LOCK_SH | LOCK_NB) == 0 || errno == EWOULDBLOCK;
  ::close(descriptor);
  return locked;
}

Finding set_apart(Finding finding, Level level, std::string remedy) {
  finding.level = level;
  finding.remedy = std::move(remedy);
  return finding;
}

nlohmann::ordered_json or_null(const std::optional<std::uint64_t>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

}  // namespace

Finding check_cache(const CacheOptions& options) {
  Finding finding{.name = "cache", .facts = {{"folder", nullptr}}};
  if (options.folder.empty()) {
    finding.found = "none: what is read over HTTP is not kept";
    finding.remedy = "to keep it, set BEVSCOPE_CACHE, or use --cache ~/.cache/bevscope";
    return finding;
  }
  const auto totals = native::CacheFolder(options.folder, options.limit).totals();
  const auto nearest = existing_above(options.folder);
  const auto space = free_bytes(nearest);
  finding.facts = {{"folder", options.folder},
                   {"entries", totals.entries},
                   {"bytes", totals.bytes},
                   {"limit", options.limit},
                   {"free_bytes", or_null(space)}};
  finding.found = options.folder + ": " + std::to_string(totals.entries) +
                  " entries, " + size_text(totals.bytes) + " of " +
                  size_text(options.limit);
  if (space) finding.found += ", " + size_text(*space) + " free";
  if (!is_writable(nearest)) {
    return set_apart(std::move(finding), Level::problem,
                     nearest.string() +
                         " cannot be written: choose another folder, or "
                         "change its permissions; nothing is kept");
  }
  if (!has_locks(nearest)) {
    return set_apart(std::move(finding), Level::problem,
                     "its file system has no locks (flock): choose a folder on a local "
                     "disk; nothing is kept");
  }
  if (space && *space + totals.bytes < options.limit) {
    return set_apart(
        std::move(finding), Level::warning,
        "the disk is full before the limit is reached: free space, or lower "
        "--cache-limit");
  }
  return finding;
}

Finding check_descriptors(std::optional<std::uint64_t> limit) {
  // A connection and the file that it sends.
  constexpr std::uint64_t kNeeded = 2 * serve::kMaxConnections + kOtherDescriptors;
  Finding finding{.name = "open files",
                  .found = limit ? "at most " + std::to_string(*limit) : "no limit",
                  .facts = {{"limit", or_null(limit)}, {"needed", kNeeded}}};
  if (!limit || *limit >= kNeeded) return finding;
  return set_apart(std::move(finding), Level::warning,
                   "ulimit -n " + std::to_string(kNeeded) +
                       " (systemd: LimitNOFILE) lets serve answer " +
                       std::to_string(serve::kMaxConnections) + " clients at a time");
}

Finding check_descriptors() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
    return check_descriptors(std::nullopt);
  }
  return check_descriptors(std::uint64_t{limit.rlim_cur});
}

fs::path control_group() {
  const fs::path root = "/sys/fs/cgroup";
  // "0::/system.slice/bevscope.service"; in a container usually "0::/"
  constexpr std::string_view kBegin = "0::/";
  const auto text = system_text("/proc/self/cgroup");
  if (!text.starts_with(kBegin)) return root;
  const auto path = root / text.substr(kBegin.size(), text.find('\n') - kBegin.size());
  std::error_code error;
  return fs::is_directory(path, error) ? path : root;
}

Finding check_processors(const fs::path& group) {
  const auto count = std::max(1U, std::thread::hardware_concurrency());
  Finding finding{.name = "processors",
                  .found = std::to_string(count),
                  .facts = {{"count", count}, {"group_limit", nullptr}}};
  // "150000 100000": microseconds of each period; version 1 has two files
  const auto text = group_text(group, "cpu.max", "cpu/cpu.cfs_quota_us");
  const auto quota = leading_number(text);
  const auto space = text.find(' ');
  const auto period =
      leading_number(space == text.npos ? system_text(group / "cpu/cpu.cfs_period_us")
                                        : text.substr(space));
  if (!quota || !period || *period == 0) return finding;
  const auto limit = static_cast<double>(*quota) / static_cast<double>(*period);
  finding.facts["group_limit"] = limit;
  if (limit >= count) return finding;
  std::array<char, 32> shown{};
  std::snprintf(shown.data(), shown.size(), "%.1f", limit);
  finding.found += std::string(", of which the control group may use ") + shown.data();
  return set_apart(
      std::move(finding), Level::warning,
      "threads wait for each other: raise the container's limit, or start it "
      "with fewer processors (taskset, docker --cpuset-cpus)");
}

Finding check_memory(const fs::path& group) {
  const auto info = system_text("/proc/meminfo");
  const auto total = meminfo(info, "MemTotal");
  auto available = meminfo(info, "MemAvailable");
  const auto stated =
      leading_number(group_text(group, "memory.max", "memory/memory.limit_in_bytes"));
  const auto used = leading_number(
      group_text(group, "memory.current", "memory/memory.usage_in_bytes"));
  // Version 1 states a number beyond all memory for none.
  const std::uint64_t limit = stated.value_or(0);
  const bool is_limited = limit > 0 && limit < total.value_or(limit + 1);
  if (is_limited) {
    const auto left = limit - std::min(limit, used.value_or(0));
    available = std::min(left, available.value_or(left));
  }
  Finding finding{.name = "memory"};
  finding.facts = {{"total", or_null(total)},
                   {"available", or_null(available)},
                   {"group_limit", is_limited ? or_null(stated) : nullptr}};
  finding.found = available ? size_text(*available) + " available" : "not known";
  if (total) finding.found += " of " + size_text(*total);
  if (is_limited) finding.found += ", control group " + size_text(limit);
  if (!available || *available >= kLittleMemory) return finding;
  return set_apart(
      std::move(finding), Level::warning,
      "reading large chunks may fail with out_of_memory: end other programs, "
      "or raise the container's limit");
}

Finding check_temporary(const fs::path& folder) {
  const auto space = free_bytes(folder);
  Finding finding{
      .name = "temporary",
      .found = folder.string(),
      .facts = {{"folder", folder.string()}, {"free_bytes", or_null(space)}}};
  if (space) finding.found += ", " + size_text(*space) + " free";
  if (!is_writable(folder)) {
    return set_apart(std::move(finding), Level::problem,
                     "cannot be written: set TMPDIR to a folder that can");
  }
  if (space && *space < kLittleSpace) {
    return set_apart(std::move(finding), Level::warning,
                     "almost full: free space, or set TMPDIR to another folder");
  }
  return finding;
}

}  // namespace bev::doctor

#include "native/source/cache_source.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <span>
#include <system_error>
#include <utility>

#include "core/base/secrets.hpp"
#include "core/store/catalogue.hpp"
#include "native/cache/shared_fetch.hpp"

namespace bev::native {
namespace {

using Bytes = std::vector<std::byte>;

// Longer ranges are not joined from cached and fetched parts.
constexpr std::uint64_t kMaxJoined = std::uint64_t{1} << 30;

std::uint64_t hash_of(const std::string& key, std::span<const std::byte> bytes) {
  return stable_hash(bytes, stable_hash(std::as_bytes(std::span(key))));
}

bool has_validator(const Validator& state) {
  return !state.etag.empty() || !state.modified.empty();
}

ByteRange first_of(const std::optional<ByteRange>& range) {
  return range.value_or(ByteRange{0, 1});
}

}  // namespace

struct CacheSource::Job {
  const ReadRequest* request = nullptr;
  CachedObject* object = nullptr;
  std::optional<ByteRange> range{};  ///< the requested range, if known: cut at the end
  std::optional<ByteRange> hole{};   ///< to fetch, if `bytes` holds the rest
  Bytes bytes{};
  std::uint64_t changes = 0;  ///< of the object when `bytes` was read
  bool asked = false;         ///< the server was asked for the object's state
  bool bypasses = false;      ///< fetch all of it
  bool done = false;
  std::unique_ptr<FetchLeader> leader{};
  std::shared_ptr<SharedFetch> fetch{};
};

CacheSource::CacheSource(std::unique_ptr<ValidatedSource> source, CacheOptions settings)
    : source_(std::move(source)),
      settings_(std::move(settings)),
      folder_(settings_.folder, settings_.limit) {}

CacheSource::~CacheSource() = default;

void CacheSource::read_all(std::span<const ReadRequest> requests,
                           const OnAnswer& take) {
  std::vector<Job> jobs;
  std::vector<ReadRequest> documents;
  for (const auto& request : requests) {
    if (store::Catalogue::is_document(request.key)) {
      documents.push_back(request);
    } else {
      jobs.push_back({.request = &request, .object = &object_of(request.key)});
    }
  }
  source_->read_all(documents, [&](const ReadRequest& request, auto bytes) {
    settle_document(request.key, bytes);
    take(request, std::move(bytes));
  });
  while (!jobs.empty()) {
    validate(jobs);
    for (auto& job : jobs) job.done = answer_from_cache(job, take);
    std::erase_if(jobs, [](const Job& job) { return job.done; });
    join_fetches(jobs, take);
    fetch(jobs, take);
    for (auto& job : jobs) job.leader.reset();
    wait_for_others(jobs, take);
    std::erase_if(jobs, [](const Job& job) { return job.done; });
  }
}

CachedObject& CacheSource::object_of(const std::string& key) {
  const auto found = objects_.find(key);
  if (found != objects_.end()) return found->second;
  const auto url = without_secrets(source_->url_of(key));
  return objects_.try_emplace(key, url).first->second;
}

/// Asks the server for the state of objects of which something is stored.
void CacheSource::validate(std::span<Job> jobs) {
  std::vector<std::string> keys;
  std::vector<CachedObject*> asked;
  for (auto& job : jobs) {
    auto& object = *job.object;
    if (object.now() || job.bypasses) continue;
    if (object.stored(first_of(job.request->range), folder_).empty()) continue;
    job.asked = true;
    if (std::find(asked.begin(), asked.end(), &object) != asked.end()) continue;
    keys.push_back(job.request->key);
    asked.push_back(&object);
  }
  if (keys.empty()) return;
  const auto states = source_->states(keys);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (states[i]) asked[i]->saw(*states[i]);
  }
}

bool CacheSource::answer_from_cache(Job& job, const OnAnswer& take) {
  job.hole.reset();
  if (job.bypasses || !read_parts(job) || job.hole) return false;
  ++counters_.hits;
  counters_.cached_bytes += job.bytes.size();
  take(*job.request, std::move(job.bytes));
  return true;
}

/// Determines which bytes of the object the job needs. Returns false if the object is
/// not validated or its length is needed and not known.
bool CacheSource::find_range(Job& job) {
  auto& object = *job.object;
  if (!object.now()) return false;
  if (!object.now()->length) {
    for (const auto& one : object.stored(first_of(job.request->range), folder_)) {
      const auto head = folder_.head_of(one.name);
      if (!head || !is_current(object, *head) || !head->validator.length) continue;
      object.saw_length(*head->validator.length);
      break;
    }
  }
  job.range = object.cut(job.request->range);
  return job.range.has_value();
}

/// Reads what is stored of the job's range, and sets `hole` if that is not all. Returns
/// false if nothing is stored.
bool CacheSource::read_parts(Job& job) {
  if (!find_range(job)) return false;
  auto& object = *job.object;
  for (;;) {
    const auto stored = object.stored(*job.range, folder_);
    const auto cover = cover_of(*job.range, stored);
    if (cover.parts.empty() && cover.hole) return false;
    if (cover.hole && (!object.now()->length || job.range->size() > kMaxJoined ||
                       *cover.hole == *job.range)) {
      return false;
    }
    job.bytes.assign(static_cast<std::size_t>(job.range->size()), std::byte{});
    const CachedPart* lost = nullptr;
    for (const auto& part : cover.parts) {
      const auto out = std::span(job.bytes).subspan(
          static_cast<std::size_t>(part.range.begin - job.range->begin),
          static_cast<std::size_t>(part.range.size()));
      const auto head = folder_.read(part.name, part.range, out);
      if (head && is_current(object, *head)) continue;
      // An entry of another URL has the same name only if their hashes are equal.
      if (!head || head->url == object.url()) folder_.remove(part.name);
      lost = &part;
      break;
    }
    if (lost == nullptr) {
      job.hole = cover.hole;
      job.changes = object.changes();
      return true;
    }
    object.drop(*lost);
  }
}

/// Whether an entry has the object's current state. Without a validator, equal lengths
/// and equal metadata are required.
bool CacheSource::is_current(const CachedObject& object, const EntryHead& head) const {
  if (head.url != object.url() || !object.now()) return false;
  const auto comparison = compare(head.validator, *object.now());
  if (comparison != Comparison::unknown) return comparison == Comparison::same;
  return head.validator.length && object.now()->length && head.metadata &&
         head.metadata == metadata();
}

/// Joins each job to the process's fetch of its range. The first one fetches, unless
/// the bytes have been stored meanwhile.
void CacheSource::join_fetches(std::vector<Job>& jobs, const OnAnswer& take) {
  for (auto& job : jobs) {
    const auto& range = job.request->range;
    auto name = settings_.folder + "\n" + source_->url_of(job.request->key) + "\n";
    if (range) {
      name += std::to_string(range->begin) + "-" + std::to_string(range->end);
    }
    auto place = join_fetch(name);
    job.leader = std::move(place.leader);
    job.fetch = std::move(place.fetch);
    if (job.leader) job.object->forget_listing(job.range.value_or(first_of(range)));
  }
  for (auto& job : jobs) {
    if (!job.leader) continue;
    auto& object = *job.object;
    job.done = answer_from_cache(job, take);
    // Stored since the object was listed: validate it in the next round.
    const bool is_new = !object.now() && !job.asked &&
                        !object.stored(first_of(job.request->range), folder_).empty();
    if (job.done || is_new) job.leader.reset();
  }
}

/// Fetches what the leading jobs lack.
void CacheSource::fetch(std::vector<Job>& jobs, const OnAnswer& take) {
  std::vector<ReadRequest> requests;
  std::vector<Job*> asked;
  for (auto& job : jobs) {
    if (job.done || !job.leader) continue;
    auto request = *job.request;
    if (job.hole) request.range = job.hole;
    requests.push_back(std::move(request));
    asked.push_back(&job);
  }
  if (requests.empty()) return;
  source_->read_all(requests, [&](const ReadRequest& request, auto bytes) {
    auto& job = *asked[static_cast<std::size_t>(&request - requests.data())];
    settle(job, std::move(bytes), take);
  });
}

/// Stores a fetched range and answers the job, if its bytes are of one state.
void CacheSource::settle(Job& job, std::optional<Bytes> bytes, const OnAnswer& take) {
  auto& object = *job.object;
  const auto state = source_->answered_state();
  if (bytes) {
    object.saw(state);
    const auto begin = job.hole ? job.hole->begin : first_of(job.request->range).begin;
    keep(object, {object.url(), {begin, begin + bytes->size()}, state, {}}, *bytes);
  }
  ++counters_.misses;
  if (bytes && job.hole) {
    if (bytes->size() != job.hole->size() || object.changes() != job.changes) {
      job.bypasses = true;  // fetched whole in the next round
      return;
    }
    counters_.cached_bytes += job.bytes.size() - bytes->size();
    std::memcpy(job.bytes.data() + (job.hole->begin - job.range->begin), bytes->data(),
                bytes->size());
    bytes = std::move(job.bytes);
  }
  job.leader->finish([&] { return Fetched{bytes, state}; });
  job.done = true;
  take(*job.request, std::move(bytes));
}

void CacheSource::settle_document(const std::string& key,
                                  const std::optional<Bytes>& bytes) {
  if (bytes) documents_[key] = hash_of(key, *bytes);
}

/// Takes the results of other readers' fetches. Jobs without a result go on.
void CacheSource::wait_for_others(std::vector<Job>& jobs, const OnAnswer& take) {
  const auto pause = [] { HttpClient::wait_until(std::chrono::steady_clock::now()); };
  for (auto& job : jobs) {
    if (job.done || !job.fetch) continue;
    const auto result = job.fetch->wait(pause);
    job.fetch.reset();
    if (!result) continue;
    auto& object = *job.object;
    const bool is_other = object.now() && compare(*object.now(), result->validator) ==
                                              Comparison::changed;
    if (is_other) continue;
    if (result->bytes) object.saw(result->validator);
    ++counters_.shared;
    job.done = true;
    take(*job.request, result->bytes);
  }
}

/// Stores fetched bytes, one entry per segment. `head` describes all of them.
void CacheSource::keep(CachedObject& object, EntryHead head,
                       std::span<const std::byte> bytes) {
  if (!has_validator(head.validator)) {
    head.metadata = metadata();
    if (!head.validator.length || !head.metadata) return;
  }
  const auto [begin, end] = head.range;
  for (auto from = begin; from < end; from = head.range.end) {
    head.range = {from, std::min((from / kCacheSegment + 1) * kCacheSegment, end)};
    const auto part = bytes.subspan(static_cast<std::size_t>(from - begin),
                                    static_cast<std::size_t>(head.range.size()));
    auto stored = Stored::too_large;
    if (!writes_) stored = Stored::failed;
    if (writes_ && bytes.size() <= settings_.limit) stored = folder_.store(head, part);
    if (stored == Stored::yes) {
      object.add(entry_name(head), head.range);
      continue;
    }
    ++counters_.refused;
    if (stored != Stored::too_large) stop_writing(stored);
  }
}

/// Reports once why the cache is no longer written.
void CacheSource::stop_writing(Stored why) {
  if (!std::exchange(writes_, false) || !settings_.on_problem) return;
  const auto reason = why == Stored::busy
                          ? "locked by another process"
                          : std::generic_category().message(folder_.last_error());
  settings_.on_problem("cache " + settings_.folder + ": write failed: " + reason +
                       "; reading without storing");
}

/// Combined hash of the documents read so far, independent of their order; nullopt if
/// there are none, as for an archive.
std::optional<std::uint64_t> CacheSource::metadata() const {
  if (documents_.empty()) return std::nullopt;
  std::uint64_t all = 0;
  for (const auto& [key, hash] : documents_) all ^= hash;
  return all;
}

std::optional<std::vector<Listed>> CacheSource::list(const std::string& prefix) {
  return source_->list(prefix);
}

std::optional<std::uint64_t> CacheSource::size(const std::string& key) {
  const auto state = source_->states(std::span(&key, 1)).front();
  if (state && state->length) {
    object_of(key).saw(*state);
    return state->length;
  }
  return source_->size(key);
}

std::vector<std::optional<std::uint64_t>> CacheSource::sizes(
    std::span<const std::string> keys) {
  std::vector<std::optional<std::uint64_t>> sizes;
  std::vector<std::string> unknown;
  for (const auto& key : keys) {
    const auto& now = object_of(key).now();
    sizes.push_back(now ? now->length : std::nullopt);
    if (!sizes.back()) unknown.push_back(key);
  }
  const auto states = source_->states(unknown);
  std::vector<std::string> untold;
  for (std::size_t i = 0; i < unknown.size(); ++i) {
    if (states[i]) object_of(unknown[i]).saw(*states[i]);
    if (!states[i] || !states[i]->length) untold.push_back(unknown[i]);
  }
  const auto rest = source_->sizes(untold);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i]) continue;
    const auto at = std::find(untold.begin(), untold.end(), keys[i]);
    sizes[i] = at == untold.end() ? object_of(keys[i]).now()->length
                                  : rest[static_cast<std::size_t>(at - untold.begin())];
  }
  return sizes;
}

void CacheSource::check_unchanged() {
  source_->check_unchanged();
}

void CacheSource::forget(const std::string& key) {
  const auto found = objects_.find(key);
  if (found == objects_.end()) return;
  found->second.remove_all(folder_);
  objects_.erase(found);
}

std::optional<CacheCounters> CacheSource::cache_counters() const {
  auto counters = counters_;
  counters.validations = source_->state_requests();
  counters.fetched_bytes = source_->received_bytes();
  counters.evictions = folder_.evictions();
  return counters;
}

}  // namespace bev::native

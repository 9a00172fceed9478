#include "native/source/http_source.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <ctime>
#include <functional>
#include <string_view>
#include <utility>

#include "core/base/error.hpp"
#include "core/store/catalogue.hpp"
#include "native/files/file.hpp"
#include "native/http/http_policy.hpp"
#include "native/http/url_text.hpp"
#include "native/s3/s3_xml.hpp"

namespace bev::native {
namespace {

using Bytes = std::vector<std::byte>;

using Clock = std::chrono::steady_clock;

// Ten times the consolidated metadata of ten thousand arrays.
constexpr std::uint64_t kMaxDocumentBytes = std::uint64_t{64} << 20;

Bytes slice(const Bytes& whole, ByteRange range) {
  const auto end = std::min<std::uint64_t>(range.end, whole.size());
  const auto begin = std::min(range.begin, end);
  return {whole.begin() + static_cast<std::ptrdiff_t>(begin),
          whole.begin() + static_cast<std::ptrdiff_t>(end)};
}

/// Whether the status asks for fewer requests.
bool is_throttling(long status) {
  return status == 429;
}

/// Returns a key's folder with its slash: "agents/" for "agents/.zarray".
std::string parent_of(const std::string& key) {
  return key.substr(0, key.rfind('/') + 1);
}

/// Returns the state in the response to HEAD. The Content-Length of an encoded response
/// is not the object's length.
Validator state_in_head(const HttpAnswer& answer) {
  std::optional<std::uint64_t> length;
  const auto& text = answer.content_length;
  std::uint64_t number = 0;
  const auto* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  const bool is_number = parsed.ec == std::errc{} && parsed.ptr == end;
  if (is_number && answer.content_encoding.empty()) length = number;
  return validator_of(answer, length);
}

bool may_be_absent(const std::string& key) {
  return store::Catalogue::is_document(key) && !key.ends_with(".zattrs");
}

}  // namespace

struct HttpSource::Job {
  const ReadRequest* request = nullptr;
  std::string url;
  bool whole = false;    ///< the range must be cut from the whole object
  std::string reason{};  ///< why the whole object is requested
  bool done = false;
  bool asked = false;      ///< requested in this round
  bool again = false;      ///< retry immediately in another way
  bool denied = false;     ///< 403, which may mean absence
  bool permanent = false;  ///< a retry would fail too
  bool throttled = false;  ///< 429
  std::optional<Bytes> bytes{};
  std::string failure{};
  unsigned failures = 0;
  double wait_ms = 0;  ///< delay requested by the server
  Clock::time_point due{};
};

/// Outcome of a round of requests.
struct HttpSource::Round {
  bool throttled = false;
  bool progressed = false;     ///< at least one object arrived
  std::vector<Job*> failed{};  ///< including requests that were not sent
};

HttpSource::HttpSource(const std::string& address, const HttpSettings& settings)
    : settings_(settings), client_(settings) {
  const auto path =
      address.substr(0, std::min(address.find_first_of("?#"), address.size()));
  const auto query = address.find('?');
  if (!is_url(address) ||
      path.find_first_not_of('/', path.find("//") + 2) == path.npos) {
    fail_at(Errc::invalid_argument, address, {"not an http(s) address"});
  }
  base_ = path.ends_with('/') ? path : path + "/";
  if (query != address.npos) query_ = address.substr(query, address.find('#') - query);
}

std::string HttpSource::url_of(const std::string& key) const {
  check_key(key);
  return base_ + url_encoded(key) + query_;
}

std::optional<std::uint64_t> HttpSource::size(const std::string& key) {
  return sizes(std::span(&key, 1)).front();
}

std::vector<std::optional<std::uint64_t>> HttpSource::sizes(
    std::span<const std::string> keys) {
  std::vector<ReadRequest> firsts;
  for (const auto& key : keys) firsts.push_back({key, ByteRange{0, 1}});
  std::vector<std::optional<std::uint64_t>> sizes(keys.size());
  read_all(firsts, [&](const ReadRequest& first, const auto& bytes) {
    const auto at = static_cast<std::size_t>(&first - firsts.data());
    if (bytes) sizes[at] = states_[first.key].validator.length;
  });
  return sizes;
}

void HttpSource::read_all(std::span<const ReadRequest> requests, const OnAnswer& take) {
  std::vector<Job> jobs;
  jobs.reserve(requests.size());
  for (const auto& request : requests) {
    if (request.range && last_.key == request.key) {
      answered_ = states_[request.key].validator;
      take(request, slice(last_.bytes, *request.range));
    } else {
      jobs.push_back({&request, url_of(request.key)});
    }
  }
  while (!jobs.empty()) {
    const auto first =
        std::min_element(jobs.begin(), jobs.end(),
                         [](const Job& a, const Job& b) { return a.due < b.due; });
    HttpClient::wait_until(first->due);
    attempt(jobs, take);
    std::erase_if(jobs, [](const Job& job) { return job.done; });
  }
}

/// Sends all requests that are due.
void HttpSource::attempt(std::vector<Job>& jobs, const OnAnswer& take) {
  const auto now = Clock::now();
  std::vector<HttpRequest> requests;
  std::vector<Job*> due;
  for (auto& job : jobs) {
    if (job.due > now) continue;
    job.asked = job.again = false;
    const auto& range = job.request->range;
    const bool ranged = range && !job.whole && !ignores_ranges_;
    // A server that encodes ranges costs the object for each of them.
    const bool is_small =
        store::Catalogue::is_document(job.request->key) || !job.reason.empty();
    requests.push_back({.url = job.url,
                        .range = ranged ? range : std::nullopt,
                        .max_bytes = is_small ? kMaxDocumentBytes : std::uint64_t{0}});
    due.push_back(&job);
  }
  Round round;
  client_.get(requests, width_, [&](std::size_t index, HttpAnswer answer) {
    auto& job = *due[index];
    answered_ = {};
    job.asked = true;
    job.failure.clear();
    settle(job, answer);
    round.throttled = round.throttled || job.throttled;
    round.progressed = round.progressed || job.done;
    if (job.done) take(*job.request, std::move(job.bytes));
    return !round.throttled;
  });
  // A server that limits the rate but answers some requests is alive: throttled
  // requests do not count as failures.
  for (auto& job : jobs) {
    if (round.progressed && job.throttled) job.failures = 0;
  }
  for (auto* job : due) {
    if (job->denied) settle_denied(*job, take);
    if (!job->done && !job->again) round.failed.push_back(job);
  }
  schedule(round);
}

/// Schedules the retries of failed requests.
void HttpSource::schedule(const Round& round) {
  width_ = round.throttled ? std::max<std::size_t>(width_ / 2, 1)
                           : std::min(width_ * 2, HttpClient::kWide);
  const auto now = Clock::now();
  for (auto* job : round.failed) {
    const double random = std::uniform_real_distribution<double>()(random_);
    const auto delay =
        delay_ms(job->asked || job->failures == 0 ? job->failures : job->failures - 1,
                 settings_.first_delay_ms, job->wait_ms, random);
    if (job->asked) {
      if (job->permanent || !delay || job->failures++ >= settings_.retries) {
        fail(*job, job->failure);
      }
    }
    using Ms = std::chrono::duration<double, std::milli>;
    job->due = now + std::chrono::duration_cast<Clock::duration>(
                         Ms(delay.value_or(settings_.first_delay_ms)));
  }
}

/// Decides whether a denied document is absent.
void HttpSource::settle_denied(Job& job, const OnAnswer& take) {
  const auto& key = job.request->key;
  if (!is_described(parent_of(key), key)) fail(job, job.failure);
  job.denied = false;
  job.done = true;
  answered_ = {};
  take(*job.request, std::nullopt);
}

/// Whether a document other than `except` identifies the folder's node.
bool HttpSource::is_described(const std::string& folder, const std::string& except) {
  std::vector<HttpRequest> requests;
  std::vector<std::string> keys;
  for (const auto* name : {".zgroup", ".zarray", "zarr.json"}) {
    const auto key = folder + name;
    if (key == except) continue;
    if (states_.contains(key)) return true;
    keys.push_back(key);
    requests.push_back({.url = url_of(key), .max_bytes = kMaxDocumentBytes});
  }
  bool found = false;
  client_.get(requests, width_, [&](std::size_t, const HttpAnswer& answer) {
    found = found || judge(answer, {}).verdict == Verdict::whole;
    return true;
  });
  return found;
}

/// Applies the policy's verdict on a response.
void HttpSource::settle(Job& job, HttpAnswer& answer) {
  const bool asked_part = job.request->range && !job.whole && !ignores_ranges_;
  const auto range = asked_part ? job.request->range : std::nullopt;
  const auto [verdict, problem] = judge(
      answer, {.range = range, .forbidden_is_absent = settings_.forbidden_is_absent});
  job.throttled = is_throttling(answer.status);
  job.failure = problem + (settings_.is_s3 ? s3_reason(answer) : std::string());
  switch (verdict) {
    case Verdict::part:
      answered_ = validator_of(answer);
      received_ += answer.body.size();
      note(job, {answered_, std::nullopt});
      job.done = true;
      job.bytes = std::move(answer.body);
      return;
    case Verdict::whole: return take_whole(job, answer);
    case Verdict::absent:
      if (settings_.is_s3 && s3_code(answer) == "NoSuchBucket") {
        fail(job, "bucket not found (HTTP 404)");
      }
      job.done = true;
      return;
    case Verdict::ask_whole:
      job.whole = job.again = true;
      job.reason = problem;
      return;
    case Verdict::retry:
      job.wait_ms = retry_after_ms(answer.retry_after, std::time(nullptr));
      return;
    case Verdict::denied:
      job.failure +=
          "; if the server returns it for missing objects, use --forbidden-is-absent";
      if (!may_be_absent(job.request->key)) fail(job, job.failure);
      job.denied = true;
      return;
    case Verdict::refused:
      job.permanent = true;
      if (answer.status != 0) fail(job, job.failure);
      return;
    case Verdict::web_page: fail(job, problem);
  }
}

void HttpSource::take_whole(Job& job, HttpAnswer& answer) {
  const auto& range = job.request->range;
  const bool asked_part = range && !job.whole && !ignores_ranges_;
  const auto size = answer.body.size();
  answered_ = validator_of(answer, size);
  received_ += size;
  if (store::Catalogue::is_document(job.request->key)) {
    const std::string_view text(reinterpret_cast<const char*>(answer.body.data()),
                                size);
    note(job, {answered_, std::hash<std::string_view>()(text)});
  } else if (range || states_.contains(job.request->key)) {
    note(job, {answered_, std::nullopt});
  }
  job.done = true;
  if (!range) {
    job.bytes = std::move(answer.body);
    return;
  }
  ignores_ranges_ = ignores_ranges_ || asked_part || !job.reason.empty();
  last_ = {job.request->key, std::move(answer.body)};
  job.bytes = slice(last_.bytes, *range);
}

void HttpSource::note(const Job& job, State seen) {
  const auto [place, added] = states_.try_emplace(job.request->key, seen);
  if (added) return;
  auto& known = place->second;
  if ((known.hash && seen.hash && *known.hash != *seen.hash) ||
      compare(known.validator, seen.validator) == Comparison::changed) {
    fail(job, "changed on the server while the data set was read; read it again",
         Errc::changed);
  }
  if (!known.validator.length) known.validator.length = seen.validator.length;
}

std::vector<std::optional<Validator>> HttpSource::states(
    std::span<const std::string> keys) {
  std::vector<std::optional<Validator>> found(keys.size());
  if (refuses_head_) return found;
  std::vector<HttpRequest> requests;
  for (const auto& key : keys) requests.push_back({.url = url_of(key), .head = true});
  client_.get(requests, width_, [&](std::size_t index, const HttpAnswer& answer) {
    ++heads_;
    refuses_head_ = refuses_head_ || answer.status == 405 || answer.status == 501;
    if (answer.status == 200) found[index] = state_in_head(answer);
    return !refuses_head_;
  });
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const ReadRequest request{keys[i]};
    if (!found[i] || (found[i]->etag.empty() && found[i]->modified.empty())) continue;
    auto seen = *found[i];
    seen.length.reset();  // proves nothing: some servers compute it for HEAD
    note({&request, requests[i].url}, {seen, std::nullopt});
  }
  return found;
}

void HttpSource::check_unchanged() {
  std::vector<ReadRequest> documents;
  for (const auto& [key, state] : states_) {
    if (state.hash) documents.push_back({key});
  }
  read_all(documents, [&](const ReadRequest& request, const auto& bytes) {
    if (bytes) return;
    fail_at(Errc::changed, request.key,
            {"removed from the server while the data set was read (", base_, ")"});
  });
}

void HttpSource::fail(const Job& job, const std::string& said, Errc code) const {
  const bool is_late =
      code == Errc::network && !job.reason.empty() && said != job.reason;
  const auto why = is_late ? job.reason + "; without a range: " + said : said;
  fail_at(code, job.request->key, {why, " (", base_, ")"});
}

}  // namespace bev::native

#include "native/source/http_source.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <string_view>
#include <thread>
#include <utility>

#include "core/base/error.hpp"
#include "native/files/beneath.hpp"
#include "native/http/content_range.hpp"
#include "native/source/read_one.hpp"

namespace bev::native {
namespace {

using Bytes = std::vector<std::byte>;

constexpr unsigned kLongestPauseMs = 30'000;

std::string encoded(std::string_view key) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : key) {
    if (kPlain.find(c) != std::string_view::npos) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += {'%', kDigits[byte >> 4U], kDigits[byte & 15U]};
  }
  return out;
}

Bytes slice(const Bytes& whole, store::ByteRange range) {
  const auto end = std::min<std::uint64_t>(range.end, whole.size());
  const auto begin = std::min(range.begin, end);
  return {whole.begin() + static_cast<std::ptrdiff_t>(begin),
          whole.begin() + static_cast<std::ptrdiff_t>(end)};
}

bool is_transient(long status) {
  return status == 0 || status == 408 || status == 425 || status == 429 ||
         status >= 500;
}

/// Some servers send their start page, or one for errors, with status 200.
bool is_web_page(const HttpAnswer& answer) {
  if (answer.content_type.find("html") == std::string::npos) return false;
  const std::string_view text(reinterpret_cast<const char*>(answer.body.data()),
                              std::min<std::size_t>(answer.body.size(), 256));
  const auto first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '<';
}

unsigned seconds_of(const std::string& text) {
  unsigned seconds = 0;
  std::from_chars(text.data(), text.data() + text.size(), seconds);
  return seconds;
}

}  // namespace

bool is_url(std::string_view dataset) {
  auto scheme = std::string(dataset.substr(0, dataset.find("//")));
  for (char& c : scheme)
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return scheme.size() < dataset.size() && (scheme == "http:" || scheme == "https:");
}

struct HttpSource::Job {
  const store::Request* request = nullptr;
  std::string url;
  bool whole = false;  ///< the range is to be cut out of the whole object
  bool done = false;
  bool again = false;  ///< at once, in another way
  std::optional<Bytes> bytes{};
  std::string failure{};
  unsigned wait_s = 0;  ///< what the server asks for
};

HttpSource::HttpSource(const std::string& address, const HttpSettings& settings)
    : settings_(settings), client_(settings) {
  const auto path =
      address.substr(0, std::min(address.find_first_of("?#"), address.size()));
  const auto query = address.find('?');
  if (!is_url(address) ||
      path.find_first_not_of('/', path.find("//") + 2) == path.npos) {
    throw Error(Errc::invalid_argument, address + ": not an http(s) address");
  }
  base_ = path.ends_with('/') ? path : path + "/";
  if (query != address.npos) query_ = address.substr(query, address.find('#') - query);
}

std::string HttpSource::url_of(const std::string& key) const {
  check_key(key);
  return base_ + encoded(key) + query_;
}

std::optional<Bytes> HttpSource::read(const std::string& key,
                                      const std::optional<store::ByteRange>& range) {
  return read_one(*this, key, range);
}

std::optional<std::uint64_t> HttpSource::size(const std::string& key) {
  return sizes(std::span(&key, 1)).front();
}

std::vector<std::optional<std::uint64_t>> HttpSource::sizes(
    std::span<const std::string> keys) {
  std::vector<store::Request> firsts;
  for (const auto& key : keys) firsts.push_back({key, store::ByteRange{0, 1}});
  std::vector<std::optional<std::uint64_t>> sizes(keys.size());
  read_all(firsts, [&](const store::Request& first, const auto& bytes) {
    const auto at = static_cast<std::size_t>(&first - firsts.data());
    if (bytes) sizes[at] = states_[first.key].size;
  });
  return sizes;
}

void HttpSource::read_all(std::span<const store::Request> requests, const Take& take) {
  std::vector<Job> jobs;
  jobs.reserve(requests.size());
  for (const auto& request : requests) {
    if (request.range && last_.key == request.key) {
      take(request, slice(last_.bytes, *request.range));
    } else {
      jobs.push_back({&request, url_of(request.key)});
    }
  }
  auto pause = std::min(settings_.first_delay_ms, kLongestPauseMs);
  for (unsigned tried = 0; !jobs.empty(); ++tried) {
    attempt(jobs, take);
    std::erase_if(jobs, [](const Job& job) { return job.done; });
    unsigned wait = 0;
    for (const auto& job : jobs) {
      if (job.again) continue;
      if (tried >= settings_.retries || job.wait_s * 1000U > kLongestPauseMs) {
        fail(job, job.failure);
      }
      wait = std::max({wait, pause, job.wait_s * 1000U});
    }
    if (wait == 0) continue;
    std::this_thread::sleep_for(std::chrono::milliseconds(wait));
    pause = std::min(pause * 2, kLongestPauseMs);
  }
}

void HttpSource::attempt(std::vector<Job>& jobs, const Take& take) {
  std::vector<HttpRequest> requests;
  requests.reserve(jobs.size());
  for (auto& job : jobs) {
    job.again = false;
    const bool ranged = job.request->range && !job.whole && !ignores_ranges_;
    requests.push_back({job.url, ranged ? job.request->range : std::nullopt});
  }
  client_.get(requests, [&](std::size_t index, HttpAnswer answer) {
    auto& job = jobs[index];
    judge(job, answer);
    if (job.done) take(*job.request, std::move(job.bytes));
  });
}

void HttpSource::judge(Job& job, HttpAnswer& answer) {
  const auto status = answer.status;
  if (is_transient(status)) {
    job.failure = status == 0 ? answer.failure : "HTTP " + std::to_string(status);
    job.wait_s = seconds_of(answer.retry_after);
    return;
  }
  if (status == 404) {
    job.done = true;
    return;
  }
  if (status == 416 && job.request->range && !job.whole) {
    job.whole = job.again = true;
    return;
  }
  if (status == 206) return judge_part(job, answer);
  if (status != 200) fail(job, "HTTP " + std::to_string(status));
  if (is_web_page(answer))
    fail(job, "the server answered with a web page, expected data");
  judge_whole(job, answer);
}

void HttpSource::judge_whole(Job& job, HttpAnswer& answer) {
  const auto& range = job.request->range;
  const auto& coding = answer.content_encoding;
  const bool asked_part = range && !job.whole && !ignores_ranges_;
  if (asked_part && !coding.empty() && coding != "identity") {
    job.whole = job.again = true;  // and decoded, then
    return;
  }
  job.done = true;
  if (!range) {
    job.bytes = std::move(answer.body);
    return;
  }
  note(job, answer, answer.body.size());
  ignores_ranges_ = ignores_ranges_ || asked_part;
  last_ = {job.request->key, std::move(answer.body)};
  job.bytes = slice(last_.bytes, *range);
}

void HttpSource::judge_part(Job& job, HttpAnswer& answer) {
  const auto& range = job.request->range;
  const auto& coding = answer.content_encoding;
  if (!range || job.whole) fail(job, "HTTP 206, expected the whole object");
  if (!coding.empty() && coding != "identity") {
    fail(job, "a range of a " + coding +
                  " encoding, expected one of the bytes; "
                  "the server must not compress data");
  }
  const auto found = parse_content_range(answer.content_range);
  const auto size = answer.body.size();
  const bool fits = found && found->begin == range->begin &&
                    found->end - found->begin == size &&
                    (found->end == range->end ||
                     (found->end < range->end && found->size == found->end));
  if (!fits) {
    job.failure = "Content-Range \"" + answer.content_range + "\" with " +
                  std::to_string(size) + " bytes, expected bytes " +
                  std::to_string(range->begin) + "-" + std::to_string(range->end - 1);
    return;
  }
  note(job, answer, found->size);
  job.done = true;
  job.bytes = std::move(answer.body);
}

void HttpSource::note(const Job& job, const HttpAnswer& answer,
                      std::optional<std::uint64_t> size) {
  const State seen{answer.etag, answer.last_modified, size};
  const auto [place, added] = states_.try_emplace(job.request->key, seen);
  if (added) return;
  auto& known = place->second;
  const auto differ = [](const std::string& a, const std::string& b) {
    return !a.empty() && !b.empty() && a != b;
  };
  const bool tagged = !known.etag.empty() && !seen.etag.empty();
  if ((known.size && size && *known.size != *size) || differ(known.etag, seen.etag) ||
      (!tagged && differ(known.modified, seen.modified))) {
    fail(job, "changed on the server while it was read");
  }
  if (!known.size) known.size = size;
}

void HttpSource::fail(const Job& job, const std::string& said) const {
  // Without the query, which may be a secret.
  throw Error(Errc::network, job.request->key + ": " + said + " (" + base_ + ")");
}

}  // namespace bev::native

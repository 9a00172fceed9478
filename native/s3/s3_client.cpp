#include "native/s3/s3_client.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <ctime>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/error.hpp"
#include "native/http/http_policy.hpp"
#include "native/http/url_text.hpp"
#include "native/s3/s3_xml.hpp"

namespace bev::native {
namespace {

constexpr std::size_t kMaxListed = 10'000'000;

/// Whether the same request may succeed later. S3 answers 400 to a body that was cut or
/// damaged on the way, or stalled.
bool is_retried(const HttpAnswer& answer) {
  if (is_transient(answer.status)) return !answer.permanent && answer.status != 501;
  constexpr std::array<std::string_view, 5> kCodes = {
      "RequestTimeout", "IncompleteBody", "BadDigest", "XAmzContentSHA256Mismatch",
      "ConditionalRequestConflict"};
  return (answer.status == 400 || answer.status == 409) &&
         std::find(kCodes.begin(), kCodes.end(), s3_code(answer)) != kCodes.end();
}

/// A page of a listing as it was sent.
struct Page {
  S3Listing listed;
  std::optional<std::string> token;  ///< of the next page
  bool encoded = false;              ///< keys are URL-encoded; some servers do not
};

std::uint64_t number_in(const std::string& text, const std::string& name) {
  std::uint64_t value = 0;
  const auto* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (parsed.ec == std::errc{} && parsed.ptr == end) return value;
  fail_at(Errc::invalid_metadata, name, {"invalid size in a listing"});
}

void decode(std::string& key, const std::string& name) {
  auto plain = url_decoded(key);
  if (!plain) fail_at(Errc::invalid_metadata, name, {"invalid key in a listing"});
  key = std::move(*plain);
}

Page page_in(const HttpAnswer& answer, const std::string& name) {
  Page out;
  S3Object object;
  bool truncated = false;
  const std::string_view xml(reinterpret_cast<const char*>(answer.body.data()),
                             answer.body.size());
  for_each_xml_text(xml, name, [&](std::string_view path, const std::string& text) {
    if (path == "Contents/Key") object.key = text;
    if (path == "Contents/Size") object.size = number_in(text, name);
    if (path == "Contents") out.listed.objects.push_back(std::exchange(object, {}));
    if (path == "CommonPrefixes/Prefix") out.listed.prefixes.push_back(text);
    if (path == "NextContinuationToken") out.token = text;
    if (path == "IsTruncated") truncated = text == "true";
    if (path == "EncodingType") out.encoded = text == "url";
  });
  if (truncated && !out.token) {
    fail_at(Errc::invalid_metadata, name, {"a truncated listing without continuation"});
  }
  if (!truncated) out.token.reset();
  if (!out.encoded) return out;
  for (auto& each : out.listed.objects) decode(each.key, name);
  for (auto& each : out.listed.prefixes) decode(each, name);
  return out;
}

}  // namespace

S3Client::S3Client(const S3Settings& settings, const std::string& bucket,
                   const HttpSettings& http)
    : settings_(settings),
      address_{bucket, {}},
      http_(settings.applied_to(http, bucket)),
      client_(http_) {}

std::string S3Client::url(const std::string& object) const {
  return object.empty() ? address_.bucket_url(settings_)
                        : address_.url(settings_, object);
}

HttpAnswer S3Client::send(const HttpRequest& request) {
  for (unsigned failures = 0;; ++failures) {
    HttpAnswer answer;
    client_.get(std::span(&request, 1), 1, [&](std::size_t, HttpAnswer got) {
      answer = std::move(got);
      return true;
    });
    if (!is_retried(answer)) {
      if (answer.status == 0) fail_answer(request, answer);
      return answer;
    }
    const double random = std::uniform_real_distribution<double>()(random_);
    const auto delay =
        delay_ms(failures, http_.first_delay_ms,
                 retry_after_ms(answer.retry_after, std::time(nullptr)), random);
    if (!delay || failures >= http_.retries) fail_answer(request, answer);
    wait(*delay);
    if (is_stopped()) fail_answer(request, answer);
  }
}

void S3Client::wait(double ms) const {
  using Clock = std::chrono::steady_clock;
  using Ms = std::chrono::duration<double, std::milli>;
  constexpr std::chrono::milliseconds kSlice{50};
  const auto due = Clock::now() + std::chrono::duration_cast<Clock::duration>(Ms(ms));
  while (!is_stopped() && Clock::now() < due) {
    HttpClient::wait_until(std::min(due, Clock::now() + kSlice));
  }
}

void S3Client::fail_answer(const HttpRequest& request, const HttpAnswer& answer) {
  const auto what = answer.status == 0
                        ? answer.failure
                        : "HTTP " + std::to_string(answer.status) + s3_reason(answer);
  const auto url = request.url.substr(0, request.url.find('?'));
  fail_at(Errc::network, url,
          {request.method.empty() ? "read" : request.method, " failed: ", what});
}

S3Listing S3Client::list(const std::string& prefix, const std::string& delimiter) {
  S3Listing out;
  std::optional<std::string> token;
  do {
    // Signed queries must be sorted by name
    std::string query;
    if (token) query = "continuation-token=" + url_encoded(*token, "") + "&";
    if (!delimiter.empty()) query += "delimiter=" + url_encoded(delimiter, "") + "&";
    query += "encoding-type=url&list-type=2&prefix=" + url_encoded(prefix, "");
    const HttpRequest request{.url = url() + "?" + query};
    const auto answer = send(request);
    if (answer.status != 200) fail_answer(request, answer);
    auto page = page_in(answer, url());
    token = std::move(page.token);
    auto& [objects, prefixes] = page.listed;
    if (token && objects.empty() && prefixes.empty()) {
      fail_at(Errc::invalid_metadata, url(), {"a listing that does not end"});
    }
    std::move(objects.begin(), objects.end(), std::back_inserter(out.objects));
    std::move(prefixes.begin(), prefixes.end(), std::back_inserter(out.prefixes));
    if (out.objects.size() + out.prefixes.size() > kMaxListed) {
      fail_at(Errc::limit_exceeded, url(), {"too many objects"});
    }
  } while (token);
  const auto is_below = [&](const std::string& key) {
    return key.size() > prefix.size() && key.starts_with(prefix);
  };
  const bool is_right =
      std::all_of(out.objects.begin(), out.objects.end(),
                  [&](const S3Object& each) { return each.key.starts_with(prefix); }) &&
      std::all_of(out.prefixes.begin(), out.prefixes.end(), [&](const auto& each) {
        return is_below(each) && each.ends_with(delimiter);
      });
  if (!is_right) {
    fail_at(Errc::invalid_metadata, url(), {"a listing of another prefix"});
  }
  std::sort(out.objects.begin(), out.objects.end(),
            [](const S3Object& a, const S3Object& b) { return a.key < b.key; });
  std::sort(out.prefixes.begin(), out.prefixes.end());
  return out;
}

}  // namespace bev::native

#include "native/doctor/server_checks.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <optional>
#include <random>
#include <string_view>
#include <utility>

#include "core/base/error.hpp"
#include "native/http/http_policy.hpp"
#include "native/http/url_text.hpp"
#include "native/s3/s3_address.hpp"
#include "native/s3/s3_settings.hpp"

namespace bev::doctor {
namespace {

using native::HttpAnswer;
using native::Judgement;
using native::Verdict;

constexpr ByteRange kStart = {0, 1024};
constexpr ByteRange kPart = {2, 6};
constexpr ByteRange kMuch = {0, std::uint64_t{4} << 20};
constexpr std::string_view kHosting = "see docs/hosting.md, \"Common servers\"";

struct Timed {
  HttpAnswer answer;
  double ms = 0;
};

/// What is requested of an object besides its bytes.
struct Options {
  std::optional<ByteRange> range = std::nullopt;
  bool head = false;
  std::string header = {};
};

std::string in_ms(double ms) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), ms < 10 ? "%.1f ms" : "%.0f ms", ms);
  return text.data();
}

bool is_success(const HttpAnswer& answer) {
  return answer.status == 200 || answer.status == 206;
}

std::string status_text(const HttpAnswer& answer) {
  return answer.status == 0 ? answer.failure : "HTTP " + std::to_string(answer.status);
}

/// A name that no object has.
std::string random_key() {
  std::random_device random;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), ".bevscope-%08x%08x", random(), random());
  return text.data();
}

class Examination {
 public:
  explicit Examination(const ServerQuestion& question) : origin_(question.origin) {
    auto http = question.http;
    const auto address = native::without_host_scheme(question.address);
    if (native::is_s3(address)) {
      const auto s3 = native::S3Address::parse(address);
      const auto settings = native::s3_settings();
      base_ = s3.url(settings, s3.key);
      http = settings.applied_to(http, s3.bucket);
      origin_.clear();  // pages do not sign requests
    } else {
      const auto end = std::min(address.find_first_of("?#"), address.size());
      base_ = address.substr(0, end);
      query_ = address.substr(end, address.find('#') - end);
    }
    while (base_.ends_with('/')) base_.pop_back();
    http.max_bytes = kMuch.end;
    client_.emplace(http);
  }

  std::vector<Finding> run() {
    find_object();
    if (findings_.back().level == Level::problem) return std::move(findings_);
    check_ranges();
    const auto absent = ask(random_key(), {.range = kStart});
    check_absence(absent.answer);
    if (!origin_.empty()) check_origin(absent.answer);
    check_validation();
    check_speed();
    return std::move(findings_);
  }

 private:
  Timed ask(const std::string& key, const Options& options) {
    native::HttpRequest request;
    const bool is_itself = key.empty();
    request.url = base_ + (is_itself ? "" : "/" + key) + query_;
    request.range = options.range;
    request.head = options.head;
    if (!origin_.empty()) request.headers.push_back("Origin: " + origin_);
    if (!options.header.empty()) request.headers.push_back(options.header);
    Timed timed;
    const auto begin = std::chrono::steady_clock::now();
    client_->get(std::span(&request, 1), 1, [&](std::size_t, HttpAnswer answer) {
      timed.answer = std::move(answer);
      return true;
    });
    const std::chrono::duration<double, std::milli> spent =
        std::chrono::steady_clock::now() - begin;
    timed.ms = spent.count();
    return timed;
  }

  Finding& add(std::string name, Level level, std::string found, std::string remedy) {
    findings_.push_back(
        {std::move(name), level, std::move(found), std::move(remedy), {}});
    return findings_.back();
  }

  /// Finds an object to examine: a document of the data set, or the address itself.
  void find_object() {
    std::vector<std::string> keys = {".zgroup", "zarr.json", ".zmetadata", ""};
    if (base_.ends_with(".zip")) keys = {""};
    HttpAnswer last;
    for (const auto& key : keys) {
      auto [answer, ms] = ask(key, {.range = kStart});
      if (findings_.empty()) note_server(answer, ms);
      if (answer.status == 0) return;
      const auto verdict = judge(answer, {.range = kStart}).verdict;
      if (is_success(answer) && verdict != Verdict::web_page) {
        return note_object(key, std::move(answer));
      }
      last = std::move(answer);
    }
    const bool is_page = is_success(last);
    add("data", Level::problem,
        is_page ? "a web page, no data set" : "none (" + status_text(last) + ")",
        is_page
            ? "give the address of a data set: of the folder with .zgroup or zarr.json"
            : "check the address and who may read it; names that begin with a dot "
              "must be served");
  }

  void note_server(const HttpAnswer& answer, double ms) {
    if (answer.status == 0) {
      add("server", Level::problem, base_ + ": " + answer.failure,
          "check host, port, proxy and certificate; is the server running?");
      return;
    }
    add("server", Level::ok, base_ + ": first answer after " + in_ms(ms), "").facts = {
        {"address", base_}, {"first_answer_ms", ms}};
  }

  void note_object(const std::string& key, HttpAnswer answer) {
    key_ = key;
    is_store_ = !key.empty();
    object_ = std::move(answer);
    const bool is_file = key.empty() && !base_.ends_with(".zip");
    auto& finding = add("data", is_file ? Level::warning : Level::ok,
                        is_store_ ? "a store, with " + key : "one file", "");
    if (is_file) {
      finding.found += ", no data set: neither .zgroup nor zarr.json below it";
      finding.remedy = "give the address of a data set to examine more";
    }
    finding.facts = {{"object", key}, {"status", object_.status}};
  }

  void check_ranges() {
    const auto answer = ask(key_, {.range = kPart}).answer;
    const auto [verdict, problem] = judge(answer, {.range = kPart});
    has_ranges_ = verdict == Verdict::part;
    Finding* finding = nullptr;
    if (has_ranges_) {
      finding = &add("ranges", Level::ok, "answered with the range", "");
    } else if (verdict == Verdict::whole || problem.empty()) {
      finding = &add(
          "ranges", Level::warning, "ignored (" + status_text(answer) + ")",
          "objects are read whole: use a server with ranges; " + std::string(kHosting));
    } else {
      const bool encoded = verdict == Verdict::ask_whole;
      finding = &add("ranges", encoded ? Level::warning : Level::problem, problem,
                     encoded ? "objects are read whole; " + std::string(kHosting)
                             : "data cannot be read: correct the server or the proxy");
    }
    finding->facts = {{"status", answer.status},
                      {"content_range", answer.content_range.value_or("")},
                      {"content_encoding", answer.content_encoding}};
  }

  void check_absence(const HttpAnswer& answer) {
    Finding* finding = nullptr;
    if (answer.status == 404) {
      finding = &add("absent files", Level::ok, "HTTP 404", "");
    } else if (answer.status == 403) {
      finding = &add("absent files", Level::warning, "HTTP 403",
                     "allow listing, or read with --forbidden-is-absent");
    } else if (is_success(answer)) {
      finding = &add("absent files", Level::problem, status_text(answer),
                     "answer 404 for files that do not exist, not with another page: "
                     "absent chunks look like damaged ones");
    } else {
      finding = &add("absent files", Level::warning, status_text(answer),
                     "answer 404 for files that do not exist");
    }
    finding->facts = {{"status", answer.status}};
  }

  bool allows(const HttpAnswer& answer) const {
    return answer.allow_origin == "*" || answer.allow_origin == origin_;
  }

  void check_origin(const HttpAnswer& absent) {
    const auto shown = object_.allow_origin.empty() ? "no Access-Control-Allow-Origin"
                                                    : object_.allow_origin;
    Finding* finding = nullptr;
    if (!allows(object_)) {
      finding = &add("other origins", Level::warning, shown + ", asked by " + origin_,
                     "pages of other origins cannot read it: send "
                     "Access-Control-Allow-Origin (bevscope serve --cors)");
    } else if (!allows(absent)) {
      finding =
          &add("other origins", Level::warning, shown + ", but not on absent files",
               "send Access-Control-Allow-Origin with every status (nginx: "
               "add_header .. always)");
    } else {
      finding = &add("other origins", Level::ok, shown, "");
      if (object_.expose_headers.empty()) {
        finding->remedy =
            "Access-Control-Expose-Headers: Content-Range, ETag, Content-Length lets "
            "pages "
            "check ranges and changes";
      }
    }
    finding->facts = {{"allow_origin", object_.allow_origin},
                      {"allow_origin_absent", absent.allow_origin},
                      {"expose_headers", object_.expose_headers}};
  }

  /// Whether the object is reported as unchanged.
  bool is_revalidated() {
    const auto& tag = object_.etag;
    const auto header = tag.empty() ? "If-Modified-Since: " + object_.last_modified
                                    : "If-None-Match: " + tag;
    return ask(key_, {.header = header}).answer.status == 304;
  }

  void check_validation() {
    const bool has_tag = !object_.etag.empty();
    const bool has_state = has_tag || !object_.last_modified.empty();
    const bool head = is_success(ask(key_, {.head = true}).answer);
    const bool unchanged = has_state && is_revalidated();
    const auto control =
        object_.cache_control.empty() ? "no Cache-Control" : object_.cache_control;
    const std::string state = has_tag     ? "ETag"
                              : has_state ? "Last-Modified"
                                          : "no ETag, no Last-Modified";
    auto& finding = add("caching", Level::ok, state + ", " + control, "");
    finding.facts = {{"etag", has_tag},
                     {"last_modified", !object_.last_modified.empty()},
                     {"head", head},
                     {"not_modified", unchanged},
                     {"cache_control", object_.cache_control}};
    if (!has_state) {
      finding.level = Level::warning;
      finding.remedy = "send ETag or Last-Modified: changes are not noticed otherwise";
    } else if (!head) {
      finding.level = Level::warning;
      finding.found += ", HEAD fails";
      finding.remedy =
          "answer HEAD: what is kept of the data is fetched again otherwise";
    } else if (!unchanged) {
      finding.level = Level::warning;
      finding.found += ", never 304";
      finding.remedy = "answer If-None-Match with 304: browsers fetch again otherwise";
    }
  }

  /// Reads part of a chunk, or of the object if there is none, on the open connection.
  void check_speed() {
    if (!has_ranges_) return;
    const auto small = ask(key_, {.range = kPart});
    std::vector<std::string> keys = {key_};
    if (is_store_) keys = {"agents/0", "agents/c/0", key_};
    for (const auto& key : keys) {
      const auto [answer, ms] = ask(key, {.range = kMuch});
      if (!is_success(answer)) continue;
      const auto bytes = answer.body.size();
      auto& finding =
          add("speed", Level::ok,
              size_text(bytes) + " in " + in_ms(ms) + ", 4 bytes in " + in_ms(small.ms),
              "");
      finding.facts = {
          {"object", key}, {"bytes", bytes}, {"ms", ms}, {"small_ms", small.ms}};
      return;
    }
  }

  std::string origin_;  // "": none is sent
  std::string base_;    // without a slash at its end
  std::string query_;   // with its question mark, or empty
  std::optional<native::HttpClient> client_;
  std::vector<Finding> findings_;
  std::string key_;  // of the examined object; "": the address itself
  bool is_store_ = false;
  bool has_ranges_ = false;
  HttpAnswer object_;
};

}  // namespace

std::vector<Finding> check_server(const ServerQuestion& question) {
  if (!native::is_remote(question.address)) {
    fail(Errc::invalid_argument,
         {question.address,
          ": not the address of a server (expected http, https, "
          "s3, gs or hf; of a folder, use bevscope info)"});
  }
  return Examination(question).run();
}

}  // namespace bev::doctor

#include "native/http/http_client.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <new>
#include <string_view>
#include <thread>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/sha256.hpp"
#include "native/http/header_text.hpp"
#include "native/http/http_credentials.hpp"
#include "native/http/kept_connections.hpp"

namespace bev::native {
namespace {

constexpr int kPollMs = 1000;
constexpr std::uint64_t kStatedLengthFactor = 4;  // times the limit without a length

/// Initializes libcurl once per process.
void set_up() {
  static const CURLcode done = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (done != CURLE_OK) throw Error(Errc::internal, curl_easy_strerror(done));
}

void check(CURLcode code) {
  if (code != CURLE_OK) throw Error(Errc::internal, curl_easy_strerror(code));
}

void check(CURLMcode code) {
  if (code != CURLM_OK) throw Error(Errc::internal, curl_multi_strerror(code));
}

constexpr std::string_view kStatusLine = "HTTP/";

using AnswerField = std::string HttpAnswer::*;
constexpr std::pair<std::string_view, AnswerField> kFields[] = {
    {"access-control-allow-origin", &HttpAnswer::allow_origin},
    {"access-control-expose-headers", &HttpAnswer::expose_headers},
    {"cache-control", &HttpAnswer::cache_control},
    {"content-encoding", &HttpAnswer::content_encoding},
    {"content-length", &HttpAnswer::content_length},
    {"content-type", &HttpAnswer::content_type},
    {"etag", &HttpAnswer::etag},
    {"last-modified", &HttpAnswer::last_modified},
    {"retry-after", &HttpAnswer::retry_after},
    {kWriterHeader, &HttpAnswer::writer}};

void note_header(HttpAnswer& answer, std::string_view line) {
  if (line.starts_with(kStatusLine)) {  // discards the headers of a redirect
    for (const auto& [name, field] : kFields) (answer.*field).clear();
    answer.content_range.reset();
    return;
  }
  const auto colon = line.find(':');
  if (colon == std::string_view::npos) return;
  const auto name = lower(line.substr(0, colon));
  const auto value = trimmed(line.substr(colon + 1));
  if (name == "content-range") answer.content_range = value;
  for (const auto& [known, field] : kFields) {
    if (name == known) answer.*field = value;
  }
}

/// A response being received.
struct Incoming {
  CURL* handle = nullptr;
  HttpAnswer answer;
  std::uint64_t range_bytes = 0;  // requested; 0: the whole object
  std::uint64_t max_bytes = 0;
  std::uint64_t limit = 0;  // of this body, known with its first bytes
  std::size_t head_digest = 0;
};

std::size_t take_header(char* text, std::size_t size, std::size_t count, void* into) {
  auto& incoming = *static_cast<Incoming*>(into);
  const std::string_view line(text, size * count);
  note_header(incoming.answer, line);
  const auto before = line.starts_with(kStatusLine) ? 0 : incoming.head_digest;
  incoming.head_digest = before * 31 + std::hash<std::string_view>()(line);
  return line.size();
}

/// Returns a digest that is equal for equal answers: of the headers, and the length and
/// both ends of the body.
std::size_t digest_of(const Incoming& incoming) {
  constexpr std::size_t kEdge = 4096;
  const auto& body = incoming.answer.body;
  const std::string_view text(reinterpret_cast<const char*>(body.data()), body.size());
  const auto last = text.size() - std::min(text.size(), kEdge);
  std::size_t digest = incoming.head_digest * 31 + text.size();
  for (const auto part : {text.substr(0, kEdge), text.substr(last)}) {
    digest = digest * 31 + std::hash<std::string_view>()(part);
  }
  return digest;
}

/// Returns the maximum body length after decoding: the range's length, or for a whole
/// object the limit for stated or unstated lengths.
std::uint64_t limit_of(const Incoming& incoming) {
  long status = 0;
  curl_off_t length = -1;
  curl_easy_getinfo(incoming.handle, CURLINFO_RESPONSE_CODE, &status);
  curl_easy_getinfo(incoming.handle, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
  if (status == 206 && incoming.range_bytes > 0) return incoming.range_bytes;
  // The stated length of an encoded body is not what it decodes to.
  const auto& encoding = incoming.answer.content_encoding;
  if (!encoding.empty() && lower(encoding) != "identity") return incoming.max_bytes;
  return length < 0 ? incoming.max_bytes : incoming.max_bytes * kStatedLengthFactor;
}

std::size_t take_body(char* text, std::size_t size, std::size_t count, void* into) {
  auto& incoming = *static_cast<Incoming*>(into);
  auto& body = incoming.answer.body;
  if (body.empty()) incoming.limit = limit_of(incoming);
  if (size * count > incoming.limit - body.size()) {
    incoming.answer.failure =
        "answer too large (found more than " + std::to_string(incoming.limit) +
        " bytes, expected at most " + std::to_string(incoming.limit) + ")";
    return 0;
  }
  const auto* const bytes = reinterpret_cast<const std::byte*>(text);
  try {
    body.insert(body.end(), bytes, bytes + size * count);
  } catch (const std::bad_alloc&) {  // must not pass through libcurl
    incoming.answer.failure = "out of memory (found an answer of more than " +
                              std::to_string(body.size()) + " bytes)";
    return 0;
  }
  return size * count;
}

/// Whether a request would fail again in the same way: the cause is the server's
/// response or the URL, not the connection.
bool is_permanent(CURLcode code) {
  switch (code) {
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_URL_MALFORMAT:
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_TOO_MANY_REDIRECTS:
    case CURLE_BAD_CONTENT_ENCODING:
    case CURLE_WRITE_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE: return true;
    default: return false;
  }
}

/// One request at a time; the multi handle keeps its connection.
class Exchange final : public Asking {
 public:
  Exchange(const HttpSettings& settings, KeptConnections& connections)
      : handle_(curl_easy_init()), settings_(settings), connections_(connections) {
    if (handle_ == nullptr) throw Error(Errc::out_of_memory, "libcurl: no handle");
    set(CURLOPT_NOSIGNAL, 1L);
    // Another server must not get the session token
    set(CURLOPT_FOLLOWLOCATION, settings.is_s3 ? 0L : 1L);
    set(CURLOPT_MAXREDIRS, 5L);
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_2TLS));
    set(CURLOPT_CONNECTTIMEOUT_MS, settings.connect_timeout_ms);
    set(CURLOPT_LOW_SPEED_LIMIT, 1L);
    set(CURLOPT_LOW_SPEED_TIME, settings.silence_timeout_s);
    set(CURLOPT_HEADERFUNCTION, &take_header);
    set(CURLOPT_WRITEFUNCTION, &take_body);
    set(CURLOPT_PRIVATE, static_cast<void*>(this));
    set(CURLOPT_PREREQFUNCTION, &before_request);
    set(CURLOPT_PREREQDATA, static_cast<void*>(this));
    set(CURLOPT_HEADERDATA, static_cast<void*>(&incoming_));
    set(CURLOPT_WRITEDATA, static_cast<void*>(&incoming_));
    connections_.watch(handle_);
    // A server that ignores "Expect: 100-continue" costs no delay
    set(CURLOPT_EXPECT_100_TIMEOUT_MS, 1L);
  }
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  ~Exchange() override {
    curl_easy_cleanup(handle_);
    curl_slist_free_all(headers_);
  }

  void start(CURLM* multi, std::size_t index, const HttpRequest& request,
             const std::optional<HttpSigning>& signing) {
    index_ = index;
    set_signing(signing);
    request_ = &request;
    set(CURLOPT_URL, request.url.c_str());
    set_encoding(request, signing.has_value());
    set_headers(request, signing);
    set_method(request);
    range_.clear();
    if (request.range) {
      range_ = std::to_string(request.range->begin) + "-" +
               std::to_string(request.range->end - 1);
    }
    set(CURLOPT_RANGE, request.range ? range_.c_str() : nullptr);
    send(multi, Connection::any);
  }

  /// Sends the request once more if the result may belong to another request: returns
  /// whether it did.
  bool repeat(CURLM* multi, CURLcode code) {
    if (is_certain(code)) return false;
    check(curl_multi_remove_handle(multi, handle_));
    send(multi, Connection::fresh);
    return true;
  }

  HttpAnswer finish(CURLM* multi, CURLcode code) {
    check(curl_multi_remove_handle(multi, handle_));
    auto& answer = incoming_.answer;
    check(curl_easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &answer.status));
    if (code != CURLE_OK) {
      answer.status = 0;
      if (answer.failure.empty()) answer.failure = curl_easy_strerror(code);
      answer.permanent = is_permanent(code);
    }
    return std::move(answer);
  }

  /// Aborts the current request.
  void leave(CURLM* multi) { curl_multi_remove_handle(multi, handle_); }

  std::size_t index() const noexcept { return index_; }

 private:
  enum class Connection { any, fresh };

  void send(CURLM* multi, Connection connection) {
    incoming_ = {};
    incoming_.handle = handle_;
    incoming_.max_bytes =
        request_->max_bytes > 0 ? request_->max_bytes : settings_.max_bytes;
    if (const auto& range = request_->range) {
      incoming_.range_bytes = range->end - range->begin;
    }
    connection_ = connection;
    before_ = {};
    is_refused_ = false;
    connections_.forget(*this);
    set(CURLOPT_FRESH_CONNECT, connection == Connection::fresh ? 1L : 0L);
    check(curl_multi_add_handle(multi, handle_));
  }

  /// Called before a request is sent, also to where it is redirected.
  static int before_request(void* self, char*, char*, int, int local_port) {
    auto& exchange = *static_cast<Exchange*>(self);
    exchange.before_ = exchange.connections_.begin(local_port, exchange);
    exchange.is_refused_ = !exchange.connections_.may_send(local_port);
    return exchange.is_refused_ ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
  }

  /// Records the result; returns whether it is certain to belong to the request. Writes
  /// are sent once.
  bool is_certain(CURLcode code) {
    if (code == CURLE_ABORTED_BY_CALLBACK && is_refused_) return false;
    if (code != CURLE_OK) {
      return !may_repeat() || !before_.exists || code == CURLE_OPERATION_TIMEDOUT;
    }
    connections_.note(*this);
    long status = 0;
    check(curl_easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &status));
    // An error returns no data, and a server that limits the rate is not asked again.
    const bool is_error = status >= 400 && status != 403 && status != 404;
    return is_error || !answer().is_spoiled;
  }

  bool may_repeat() const {
    return request_->method.empty() && connection_ != Connection::fresh;
  }

  LastAnswer answer() const override {
    long version = CURL_HTTP_VERSION_NONE;
    curl_easy_getinfo(handle_, CURLINFO_HTTP_VERSION, &version);
    LastAnswer out{.exists = true, .is_http2 = version >= CURL_HTTP_VERSION_2_0};
    if (request_->method.empty()) {
      const auto hash = std::hash<std::string_view>();
      const std::size_t method = request_->head ? 1 : 2;
      out.question = (hash(request_->url) * 31 + hash(range_)) * 31 + method;
    }
    out.digest = digest_of(incoming_);
    out.is_spoiled = may_repeat() && out.repeats(before_);
    return out;
  }

  template <class T>
  void set(CURLoption option, T value) {
    check(curl_easy_setopt(handle_, option, value));
  }

  void set_signing(const std::optional<HttpSigning>& signing) {
    const auto service = signing ? "aws:amz:" + signing->region + ":s3" : "";
    set(CURLOPT_AWS_SIGV4, signing ? service.c_str() : nullptr);
    set(CURLOPT_USERNAME, signing ? signing->access_key.c_str() : nullptr);
    set(CURLOPT_PASSWORD, signing ? signing->secret_key.c_str() : nullptr);
  }

  /// Data is already compressed. Encoded whole objects are decoded nevertheless. S3
  /// compresses nothing, and proxies may change the header, so it is not signed.
  void set_encoding(const HttpRequest& request, bool is_signed) {
    const auto* const whole = is_signed ? "identity" : "";
    set(CURLOPT_ACCEPT_ENCODING, request.range ? nullptr : whole);
  }

  void set_headers(const HttpRequest& request,
                   const std::optional<HttpSigning>& signing) {
    curl_slist_free_all(std::exchange(headers_, nullptr));
    if (!signing) add_header("Accept-Encoding: identity");
    if (signing) add_header("x-amz-content-sha256: " + sha256_hex(request.body));
    if (signing && !signing->session_token.empty()) {
      add_header("x-amz-security-token: " + signing->session_token);
    }
    for (const auto& header : request.headers) add_header(header);
    set(CURLOPT_HTTPHEADER, headers_);
  }

  void add_header(const std::string& line) {
    auto* const longer = curl_slist_append(headers_, line.c_str());
    if (longer == nullptr) throw Error(Errc::out_of_memory, "libcurl: no header");
    headers_ = longer;
  }

  void set_method(const HttpRequest& request) {
    set(CURLOPT_NOBODY, request.head ? 1L : 0L);
    if (!request.head) set(CURLOPT_HTTPGET, 1L);
    set(CURLOPT_CUSTOMREQUEST, nullptr);
    if (request.method.empty()) return;
    if (request.method != "DELETE") {
      // As a field, libcurl can send it again after a lost connection
      set(CURLOPT_POST, 1L);
      set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
      set(CURLOPT_POSTFIELDS, request.body.empty()
                                  ? ""
                                  : reinterpret_cast<const char*>(request.body.data()));
    }
    set(CURLOPT_CUSTOMREQUEST, request.method.c_str());
  }

  CURL* handle_;
  const HttpSettings settings_;
  KeptConnections& connections_;
  const HttpRequest* request_ = nullptr;
  Connection connection_ = Connection::any;
  LastAnswer before_;        // on the connection
  bool is_refused_ = false;  // the connection must not be used again
  curl_slist* headers_ = nullptr;
  std::size_t index_ = 0;
  std::string range_;
  Incoming incoming_;
};

}  // namespace

class HttpClient::Wide {
 public:
  explicit Wide(const HttpSettings& settings) : settings_(settings), multi_(make()) {
    set(CURLMOPT_PIPELINING, CURLPIPE_MULTIPLEX);
    set(CURLMOPT_MAXCONNECTS, kWide);  // default: four times the active handles
    set(CURLMOPT_MAX_HOST_CONNECTIONS, kWide);
    for (auto& exchange : exchanges_) {
      exchange = std::make_unique<Exchange>(settings, connections_);
      idle_.push_back(exchange.get());
    }
  }
  Wide(const Wide&) = delete;
  Wide& operator=(const Wide&) = delete;
  ~Wide() {
    for (auto& exchange : exchanges_) exchange->leave(multi_);
    curl_multi_cleanup(multi_);
  }

  const HttpSettings& settings() const noexcept { return settings_; }

  void get(std::span<const HttpRequest> requests, std::size_t width,
           const std::optional<HttpSigning>& signing, const OnAnswer& take) {
    reset();
    const auto spare = kWide - std::clamp<std::size_t>(width, 1, kWide);
    std::size_t next = 0;
    bool goes_on = true;
    while ((goes_on && next < requests.size()) || idle_.size() < exchanges_.size()) {
      while (goes_on && next < requests.size() && idle_.size() > spare) {
        idle_.back()->start(multi_, next, requests[next], signing);
        idle_.pop_back();
        ++next;
      }
      goes_on = advance(take) && goes_on;
    }
  }

 private:
  static CURLM* make() {
    set_up();
    auto* const multi = curl_multi_init();
    if (multi == nullptr) throw Error(Errc::out_of_memory, "libcurl: no handle");
    return multi;
  }

  void set(CURLMoption option, std::size_t value) {
    check(curl_multi_setopt(multi_, option, static_cast<long>(value)));
  }

  /// Aborts exchanges that are still active because `take` threw.
  void reset() {
    if (idle_.size() == exchanges_.size()) return;
    idle_.clear();
    for (auto& exchange : exchanges_) {
      exchange->leave(multi_);
      idle_.push_back(exchange.get());
    }
  }

  bool advance(const OnAnswer& take) {
    bool goes_on = true;
    int running = 0;
    check(curl_multi_perform(multi_, &running));
    int left = 0;
    bool finished = false;
    while (const auto* message = curl_multi_info_read(multi_, &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      finished = true;
      const auto code = message->data.result;
      void* owner = nullptr;
      check(curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &owner));
      auto* const exchange = static_cast<Exchange*>(owner);
      if (exchange->repeat(multi_, code)) continue;
      auto answer = exchange->finish(multi_, code);
      idle_.push_back(exchange);
      goes_on = take(exchange->index(), std::move(answer)) && goes_on;
    }
    if (!finished) check(curl_multi_poll(multi_, nullptr, 0, kPollMs, nullptr));
    return goes_on;
  }

  const HttpSettings settings_;
  KeptConnections connections_;
  CURLM* multi_;
  std::array<std::unique_ptr<Exchange>, kWide> exchanges_;
  std::vector<Exchange*> idle_;
};

HttpClient::HttpClient(const HttpSettings& settings)
    : wide_(std::make_unique<Wide>(settings)) {}

HttpClient::~HttpClient() = default;

void HttpClient::get(std::span<const HttpRequest> requests, std::size_t width,
                     const OnAnswer& take) {
  send_signed(
      wide_->settings(), requests,
      [&](std::span<const HttpRequest> some, const std::optional<HttpSigning>& signing,
          const OnAnswer& on_answer) { wide_->get(some, width, signing, on_answer); },
      take);
}

void HttpClient::wait_until(std::chrono::steady_clock::time_point due) {
  std::this_thread::sleep_until(due);
}

}  // namespace bev::native

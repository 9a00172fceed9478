#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/request.hpp"

namespace bev::native {

struct HttpRequest {
  std::string url;
  std::optional<ByteRange> range = std::nullopt;
  /// Maximum body length; 0: HttpSettings::max_bytes. For a range, its length.
  std::uint64_t max_bytes = 0;
  bool head = false;  ///< HEAD instead of GET: the answer has no body
  /// "PUT", "POST" or "DELETE"; "": GET, or HEAD
  std::string method = {};
  std::span<const std::byte> body = {};   ///< of PUT and POST; the caller's
  std::vector<std::string> headers = {};  ///< "Name: value", never empty values
};

/// Keys that sign requests to S3 (AWS Signature Version 4).
struct HttpSigning {
  std::string access_key;
  std::string secret_key;
  std::string session_token;  ///< "": none
  std::string region;
};

/// Header of objects in S3 with the name of the writer.
inline constexpr std::string_view kWriterHeader = "x-amz-meta-bevscope-writer";

/// A response. Missing headers are empty, except Content-Range.
struct HttpAnswer {
  long status = 0;         ///< 0: no response; see `failure`
  std::string failure;     ///< also set if the response was truncated
  bool permanent = false;  ///< a retry would fail in the same way
  std::vector<std::byte> body;
  std::optional<std::string> content_range;
  std::string content_length;    ///< of HEAD requests
  std::string content_encoding;  ///< of range requests; whole objects are decoded
  std::string content_type;
  std::string etag;
  std::string last_modified;
  std::string retry_after;
  std::string cache_control;
  std::string allow_origin;    ///< Access-Control-Allow-Origin
  std::string expose_headers;  ///< Access-Control-Expose-Headers
  std::string writer;          ///< metadata of objects in S3, see kWriterHeader
};

class HttpCredentials;

struct HttpSettings {
  long connect_timeout_ms = 10'000;
  long silence_timeout_s = 30;  ///< a response without data for this long is lost
  unsigned retries = 4;
  /// Before the first retry; doubled for each further one
  unsigned first_delay_ms = 250;
  /// Maximum body length without Content-Length. With it, four times as much.
  std::uint64_t max_bytes = std::uint64_t{1} << 30;
  /// Treat 403 as "not found". Object stores return 403 for missing keys when listing is
  /// denied.
  bool forbidden_is_absent = false;
  /// The server speaks S3: errors are described in XML. Redirects are not followed.
  bool is_s3 = false;
  /// Signs all requests, with the SHA-256 of their bodies.
  std::optional<HttpSigning> signing = std::nullopt;
  /// In place of `signing`, if the keys may be replaced
  std::shared_ptr<HttpCredentials> credentials = nullptr;
};

/// Requests objects from servers, several at a time over persistent connections, with
/// HTTP/2 if libcurl and the server support it. Follows redirects to http(s) only.
///
/// Throws         out_of_memory and internal if libcurl cannot be initialized. A failed
///                request is reported in its answer.
/// Thread safety  None: use one client from one thread.
class HttpClient {
 public:
  /// Maximum concurrent requests.
  static constexpr std::size_t kWide = 8;

  explicit HttpClient(const HttpSettings& settings = {});
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;
  ~HttpClient();

  using OnAnswer = std::function<bool(std::size_t index, HttpAnswer answer)>;

  /// Calls `take` with the answer to each request, in order of arrival, with up to
  /// `width` (1 to kWide) concurrent requests. After `take` returns false, no further
  /// request is started; active ones are still answered.
  void get(std::span<const HttpRequest> requests, std::size_t width,
           const OnAnswer& take);

  /// Waits before a retry.
  static void wait_until(std::chrono::steady_clock::time_point due);

 private:
  class Wide;
  std::unique_ptr<Wide> wide_;
};

}  // namespace bev::native

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "export.hpp"
#include "native.hpp"
#include "source.hpp"

// Only in builds without libcurl (BEV_PYTHON): there, the embedding program sends HTTP
// requests.

namespace bev {

/// Keys that sign a request to S3 (AWS Signature Version 4).
struct HttpSigning {
  std::string access_key;     ///< public part
  std::string secret_key;     ///< never sent
  std::string session_token;  ///< "": none
  std::string region;         ///< part of the signature
};

/// A request. Requests that write objects are those of S3.
struct HttpRequest {
  std::string url;                 ///< http or https
  std::optional<ByteRange> range;  ///< the whole object if absent
  std::uint64_t max_bytes = 0;     ///< maximum body length; 0: no limit
  bool head = false;               ///< HEAD: the response has no body
  /// Signs the request, of which redirects must not be followed.
  std::optional<HttpSigning> signing;
  std::string method;                ///< "PUT", "POST" or "DELETE"; "": GET, or HEAD
  std::span<const std::byte> body;   ///< of PUT and POST; valid during the call
  std::vector<std::string> headers;  ///< "Name: value"; those with x-amz- are signed
};

/// A response. Missing headers are empty.
struct HttpResponse {
  long status = 0;               ///< 0: no response; see `failure`
  std::string failure;           ///< why there is none, or why it is truncated
  std::vector<std::byte> body;   ///< decoded unless a range was requested
  std::string content_range;     ///< header Content-Range
  std::string content_length;    ///< header Content-Length, for HEAD
  std::string content_encoding;  ///< header Content-Encoding, for ranges
  std::string content_type;      ///< header Content-Type
  std::string etag;              ///< header ETag
  std::string last_modified;     ///< header Last-Modified
  std::string retry_after;       ///< header Retry-After
  std::string writer;            ///< header x-amz-meta-bevscope-writer
};

/// Receives the response to request `index`. After it returns false, no further request
/// needs to be sent.
using OnHttpResponse = std::function<bool(std::size_t index, HttpResponse response)>;

/// Sends requests, up to `width` at a time, and calls `take` with each response on the
/// calling thread, in any order.
using HttpTransport =
    std::function<void(const HttpOptions& options, std::span<const HttpRequest>,
                       std::size_t width, const OnHttpResponse& take)>;

/// Waits until a time, before a retry; may throw to end the read.
using HttpWait = std::function<void(std::chrono::steady_clock::time_point due)>;

/// Sets the functions that send all requests of HttpSource and ZipSource, and that wait
/// before retries (by default the thread sleeps).
///
/// Thread safety  Call it before the first request. Writers call the functions from
///                several threads.
BEV_EXPORT void set_http_transport(HttpTransport transport, HttpWait wait = nullptr);

}  // namespace bev

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/store/request.hpp"

namespace bev::native {

struct HttpRequest {
  std::string url;
  std::optional<store::ByteRange> range = std::nullopt;
};

/// What came back. A header that is not there is empty.
struct HttpAnswer {
  long status = 0;      ///< 0: there was none, and `failure` says why
  std::string failure;  ///< also of an answer that was cut short
  std::vector<std::byte> body;
  std::string content_range;
  std::string content_encoding;  ///< of what was asked by range; a whole is decoded
  std::string content_type;
  std::string etag;
  std::string last_modified;
  std::string retry_after;
};

struct HttpSettings {
  long connect_timeout_ms = 10'000;
  long silence_timeout_s = 30;  ///< without a byte, the answer counts as lost
  unsigned retries = 4;
  unsigned first_delay_ms = 250;  ///< before the first retry, doubled for each further
};

/// Asks servers for objects, several at a time over connections that are kept open;
/// HTTP/2 where libcurl and the server have it. Redirects are followed, to http(s)
/// only.
///
/// Errors   out_of_memory and internal if libcurl cannot be set up. What goes wrong
///          with a request is in its answer.
/// Threads  A client belongs to one thread.
class HttpClient {
 public:
  /// Requests under way at a time.
  static constexpr std::size_t kWide = 8;

  explicit HttpClient(const HttpSettings& settings = {});
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;
  ~HttpClient();

  using Take = std::function<void(std::size_t index, HttpAnswer answer)>;

  /// Calls `take` with the answer to each request, in the order they come.
  void get(std::span<const HttpRequest> requests, const Take& take);

 private:
  class Wide;
  std::unique_ptr<Wide> wide_;
};

}  // namespace bev::native

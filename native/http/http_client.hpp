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
  /// Longest body accepted; 0: HttpSettings::max_bytes. Of a range: its length.
  std::uint64_t max_bytes = 0;
};

/// What came back. A header that is not there is empty.
struct HttpAnswer {
  long status = 0;         ///< 0: there was none, and `failure` says why
  std::string failure;     ///< also of an answer that was cut short
  bool permanent = false;  ///< the failure would be the same another time
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
  /// Longest body of an object whose length nobody stated. With a Content-Length it is
  /// four times as much.
  std::uint64_t max_bytes = std::uint64_t{1} << 30;
  /// Treat 403 as "not found". Object stores return 403 for missing keys when listing is
  /// denied.
  bool forbidden_is_absent = false;
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

  using Take = std::function<bool(std::size_t index, HttpAnswer answer)>;

  /// Calls `take` with the answer to each request, in the order they come, `width` of
  /// them (1 to kWide) under way at a time. Once `take` returned false no further
  /// request is started; those under way are still answered.
  void get(std::span<const HttpRequest> requests, std::size_t width, const Take& take);

 private:
  class Wide;
  std::unique_ptr<Wide> wide_;
};

}  // namespace bev::native

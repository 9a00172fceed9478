#include "native/http/http_transport.hpp"

#include <bevscope/http_transport.hpp>
#include <optional>
#include <utility>
#include <vector>

namespace bev {
namespace {

HttpOptions options_of(const native::HttpSettings& settings) {
  return {.connect_timeout_ms = settings.connect_timeout_ms,
          .silence_timeout_s = settings.silence_timeout_s,
          .retries = settings.retries,
          .forbidden_is_absent = settings.forbidden_is_absent,
          .cache = {}};
}

std::optional<HttpSigning> signing_of(const native::HttpSettings& settings) {
  if (!settings.signing) return std::nullopt;
  const auto& [access_key, secret_key, session_token, region] = *settings.signing;
  return HttpSigning{access_key, secret_key, session_token, region};
}

native::HttpAnswer answer_of(HttpResponse response) {
  native::HttpAnswer answer;
  answer.status = response.status;
  answer.failure = std::move(response.failure);
  answer.body = std::move(response.body);
  if (!response.content_range.empty()) {
    answer.content_range = std::move(response.content_range);
  }
  answer.content_length = std::move(response.content_length);
  answer.content_encoding = std::move(response.content_encoding);
  answer.content_type = std::move(response.content_type);
  answer.etag = std::move(response.etag);
  answer.last_modified = std::move(response.last_modified);
  answer.retry_after = std::move(response.retry_after);
  answer.writer = std::move(response.writer);
  return answer;
}

}  // namespace

void set_http_transport(HttpTransport transport, HttpWait wait) {
  native::set_http_transport(
      [send = std::move(transport)](const native::HttpSettings& settings,
                                    std::span<const native::HttpRequest> requests,
                                    std::size_t width,
                                    const native::HttpClient::OnAnswer& take) {
        std::vector<HttpRequest> asked;
        for (const auto& request : requests) {
          asked.push_back({request.url, request.range, request.max_bytes, request.head,
                           signing_of(settings), request.method, request.body,
                           request.headers});
        }
        send(options_of(settings), asked, width,
             [&](std::size_t index, HttpResponse response) {
               return take(index, answer_of(std::move(response)));
             });
      },
      std::move(wait));
}

}  // namespace bev

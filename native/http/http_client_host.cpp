#include <thread>
#include <utility>

#include "core/base/error.hpp"
#include "native/http/http_client.hpp"
#include "native/http/http_credentials.hpp"
#include "native/http/http_transport.hpp"

// HttpClient of builds without libcurl: the embedding program sends the requests. All
// policy (retries, validators, ranges) stays in HttpSource.

namespace bev::native {
namespace {

// Never destroyed: it may own objects of an interpreter that has ended by then.
HttpTransport& transport() {
  static auto* const transport = new HttpTransport;
  return *transport;
}

HttpWait& waiter() {
  static auto* const waiter = new HttpWait;
  return *waiter;
}

}  // namespace

void set_http_transport(HttpTransport sender, HttpWait wait) {
  transport() = std::move(sender);
  waiter() = std::move(wait);
}

class HttpClient::Wide {
 public:
  explicit Wide(const HttpSettings& settings) : settings_(settings) {}

  const HttpSettings& settings() const noexcept { return settings_; }

 private:
  HttpSettings settings_;
};

HttpClient::HttpClient(const HttpSettings& settings)
    : wide_(std::make_unique<Wide>(settings)) {}
HttpClient::~HttpClient() = default;

void HttpClient::get(std::span<const HttpRequest> requests, std::size_t width,
                     const OnAnswer& take) {
  if (!transport()) fail(Errc::unsupported, {"HTTP: this build has no transport"});
  send_signed(
      wide_->settings(), requests,
      [&](std::span<const HttpRequest> some, const std::optional<HttpSigning>& signing,
          const OnAnswer& on_answer) {
        auto settings = wide_->settings();
        settings.signing = signing;
        transport()(settings, some, width, on_answer);
      },
      take);
}

void HttpClient::wait_until(std::chrono::steady_clock::time_point due) {
  if (waiter()) return waiter()(due);
  std::this_thread::sleep_until(due);
}

}  // namespace bev::native

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "native/http/http_client.hpp"

namespace bev::native {

/// Keys that may be replaced while clients use them.
///
/// Throws         what the owner of the keys throws
/// Thread safety  All functions are safe.
class HttpCredentials {
 public:
  HttpCredentials() = default;
  HttpCredentials(const HttpCredentials&) = delete;
  HttpCredentials& operator=(const HttpCredentials&) = delete;
  virtual ~HttpCredentials() = default;

  /// Returns valid keys; nullopt: requests are anonymous.
  virtual std::optional<HttpSigning> current() = 0;

  /// Returns the keys that replace `expired`, which a service has refused; nullopt if
  /// there are none.
  virtual std::optional<HttpSigning> renewed(const HttpSigning& expired) = 0;
};

/// Sends requests with keys, see HttpClient::get().
using SendSigned = std::function<void(std::span<const HttpRequest> requests,
                                      const std::optional<HttpSigning>& signing,
                                      const HttpClient::OnAnswer& take)>;

/// Sends requests with the keys of `settings`. If the service answers that keys of
/// HttpCredentials have expired, the requests concerned are sent once more with new ones.
/// The answer to HEAD has no code: one request of a byte then asks for it.
void send_signed(const HttpSettings& settings, std::span<const HttpRequest> requests,
                 const SendSigned& send, const HttpClient::OnAnswer& take);

}  // namespace bev::native

#include "native/http/http_credentials.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "native/s3/s3_xml.hpp"

namespace bev::native {
namespace {

/// A request whose keys may have expired.
struct Refused {
  std::size_t index;
  HttpAnswer answer;
};

bool is_refusal(const HttpAnswer& answer) {
  return answer.status == 400 || answer.status == 401 || answer.status == 403;
}

bool says_expired(const HttpAnswer& answer) {
  constexpr std::array<std::string_view, 3> kCodes = {
      "ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired"};
  return is_refusal(answer) &&
         std::find(kCodes.begin(), kCodes.end(), s3_code(answer)) != kCodes.end();
}

/// Whether the keys with which `refused` were sent have expired. All have the same keys.
bool have_expired(std::span<const Refused> refused,
                  std::span<const HttpRequest> requests, const HttpSigning& signing,
                  const SendSigned& send) {
  const auto is_clear = [](const Refused& each) { return says_expired(each.answer); };
  if (std::any_of(refused.begin(), refused.end(), is_clear)) return true;
  const HttpRequest probe{.url = requests[refused.front().index].url,
                          .range = ByteRange{0, 1}};
  bool expired = false;
  send(std::span(&probe, 1), signing, [&](std::size_t, const HttpAnswer& answer) {
    expired = says_expired(answer);
    return true;
  });
  return expired;
}

}  // namespace

void send_signed(const HttpSettings& settings, std::span<const HttpRequest> requests,
                 const SendSigned& send, const HttpClient::OnAnswer& take) {
  if (!settings.credentials) return send(requests, settings.signing, take);
  const auto signing = settings.credentials->current();
  if (!signing) return send(requests, std::nullopt, take);
  std::vector<Refused> refused;
  bool goes_on = true;
  send(requests, signing, [&](std::size_t index, HttpAnswer answer) {
    if (says_expired(answer) || (requests[index].head && is_refusal(answer))) {
      refused.push_back({index, std::move(answer)});
    } else {
      goes_on = take(index, std::move(answer)) && goes_on;
    }
    return goes_on;
  });
  if (refused.empty()) return;
  std::optional<HttpSigning> renewed;
  if (goes_on && have_expired(refused, requests, *signing, send)) {
    renewed = settings.credentials->renewed(*signing);
  }
  if (!renewed) {
    for (auto& [index, answer] : refused) take(index, std::move(answer));
    return;
  }
  std::vector<HttpRequest> again;
  for (const auto& each : refused) again.push_back(requests[each.index]);
  send(again, renewed, [&](std::size_t at, HttpAnswer answer) {
    return take(refused[at].index, std::move(answer));
  });
}

}  // namespace bev::native

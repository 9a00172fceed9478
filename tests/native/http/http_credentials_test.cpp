#include "native/http/http_credentials.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace http_credentials_test {

using bev::ByteRange;
using bev::native::HttpAnswer;
using bev::native::HttpClient;
using bev::native::HttpCredentials;
using bev::native::HttpRequest;
using bev::native::HttpSettings;
using bev::native::HttpSigning;
using bev::native::send_signed;

namespace {

class Keys final : public HttpCredentials {
 public:
  std::optional<HttpSigning> current() override { return signing; }
  std::optional<HttpSigning> renewed(const HttpSigning& expired) override {
    ++renewals;
    if (!next || next->access_key == expired.access_key) return std::nullopt;
    signing = next;
    return signing;
  }

  std::optional<HttpSigning> signing = HttpSigning{"OLD", "s", {}, "r"};
  std::optional<HttpSigning> next = HttpSigning{"NEW", "s", {}, "r"};
  int renewals = 0;
};

HttpAnswer answer_of(long status, const std::string& code) {
  HttpAnswer out;
  out.status = status;
  const auto text = "<Error><Code>" + code + "</Code></Error>";
  const auto* const bytes = reinterpret_cast<const std::byte*>(text.data());
  if (!code.empty()) out.body.assign(bytes, bytes + text.size());
  return out;
}

/// A service for which the keys OLD have expired.
class Service {
 public:
  explicit Service(std::string code = "ExpiredToken") : code_(std::move(code)) {}

  std::vector<long> statuses(Keys* keys, const std::vector<HttpRequest>& requests,
                             std::size_t stop_after = 100) {
    HttpSettings settings;
    settings.credentials = std::shared_ptr<Keys>(keys, [](Keys*) {});
    std::vector<long> out(requests.size());
    std::size_t taken = 0;
    send_signed(
        settings, requests,
        [&](auto some, const auto& signing, const HttpClient::OnAnswer& take) {
          for (std::size_t i = 0; i < some.size(); ++i) {
            const auto user = signing ? signing->access_key : std::string("nobody");
            const bool is_probe = some[i].range == ByteRange{0, 1} && !some[i].head;
            sent.push_back(user +
                           (is_probe       ? " ? "
                            : some[i].head ? " HEAD "
                                           : " ") +
                           some[i].url);
            if (!take(i, reply(some[i], user))) return;
          }
        },
        [&](std::size_t index, const HttpAnswer& answer) {
          out[index] = answer.status;
          return ++taken < stop_after;
        });
    return out;
  }

  std::vector<std::string> sent;

 private:
  HttpAnswer reply(const HttpRequest& request, const std::string& user) const {
    if (user != "OLD" || request.url == "open") return answer_of(200, "");
    return answer_of(code_ == "ExpiredToken" ? 400 : 403, request.head ? "" : code_);
  }

  std::string code_;
};

}  // namespace

TEST_SUITE("native/http/http_credentials") {
  TEST_CASE("refused requests are sent once more with new keys") {
    Keys keys;
    Service service;
    CHECK(service.statuses(&keys, {{.url = "a"}, {.url = "open"}, {.url = "b"}}) ==
          std::vector<long>{200, 200, 200});
    CHECK(service.sent ==
          std::vector<std::string>{"OLD a", "OLD open", "OLD b", "NEW a", "NEW b"});
    CHECK(keys.renewals == 1);
    service.statuses(&keys, {{.url = "c"}});
    CHECK(service.sent.back() == "NEW c");
  }

  TEST_CASE("without other keys, the refusal is the answer") {
    Keys keys;
    keys.next = keys.signing;
    Service service;
    CHECK(service.statuses(&keys, {{.url = "a"}}) == std::vector<long>{400});
    CHECK(service.sent == std::vector<std::string>{"OLD a"});
  }

  TEST_CASE("keys that are refused again are not renewed again") {
    Keys keys;
    keys.next = HttpSigning{"OLD", "other", {}, "r"};
    class Stubborn final : public HttpCredentials {
     public:
      std::optional<HttpSigning> current() override {
        return HttpSigning{"OLD", "s", {}, "r"};
      }
      std::optional<HttpSigning> renewed(const HttpSigning&) override {
        ++renewals;
        return HttpSigning{"OLD", "s", {}, "r"};
      }
      int renewals = 0;
    };
    const auto stubborn = std::make_shared<Stubborn>();
    HttpSettings settings;
    settings.credentials = stubborn;
    int sent = 0;
    long status = 0;
    const HttpRequest request{.url = "a"};
    send_signed(
        settings, std::span(&request, 1),
        [&](auto, const auto&, const HttpClient::OnAnswer& take) {
          ++sent;
          take(0, answer_of(400, "ExpiredToken"));
        },
        [&](std::size_t, const HttpAnswer& answer) {
          status = answer.status;
          return true;
        });
    CHECK(status == 400);
    CHECK(sent == 2);
    CHECK(stubborn->renewals == 1);
  }

  TEST_CASE("other refusals are no reason for new keys") {
    Keys keys;
    Service service("AccessDenied");
    CHECK(service.statuses(&keys, {{.url = "a"}, {.url = "b", .head = true}}) ==
          std::vector<long>{403, 403});
    CHECK(keys.renewals == 0);
    CHECK(service.sent == std::vector<std::string>{"OLD a", "OLD HEAD b", "OLD ? b"});
  }

  TEST_CASE("one read of a byte tells why HEAD requests were refused") {
    Keys keys;
    Service service;
    CHECK(service.statuses(&keys,
                           {{.url = "a", .head = true}, {.url = "b", .head = true}}) ==
          std::vector<long>{200, 200});
    CHECK(service.sent == std::vector<std::string>{"OLD HEAD a", "OLD HEAD b",
                                                   "OLD ? a", "NEW HEAD a",
                                                   "NEW HEAD b"});
  }

  TEST_CASE("nothing is sent again after the caller has ended the round") {
    Keys keys;
    Service service;
    service.statuses(&keys, {{.url = "a"}, {.url = "open"}, {.url = "b"}}, 1);
    CHECK(service.sent == std::vector<std::string>{"OLD a", "OLD open"});
    CHECK(keys.renewals == 0);
  }

  TEST_CASE("without keys, requests are anonymous") {
    Keys keys;
    keys.signing.reset();
    Service service;
    CHECK(service.statuses(&keys, {{.url = "a"}}) == std::vector<long>{200});
    CHECK(service.sent == std::vector<std::string>{"nobody a"});
  }
}

}  // namespace http_credentials_test

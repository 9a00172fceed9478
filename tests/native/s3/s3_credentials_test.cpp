#include "native/s3/s3_credentials.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/base/error.hpp"
#include "native/s3/s3_client.hpp"
#include "native/s3/s3_settings.hpp"
#include "native/s3/s3_source.hpp"
#include "native/s3/s3_upload.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/scripted_server.hpp"

namespace s3_credentials_test {

using bev::Errc;
using bev::Error;
using bev::native::HttpSettings;
using bev::native::HttpSigning;
using bev::native::put_object;
using bev::native::S3Client;
using bev::native::S3Credentials;
using bev::native::S3CredentialStore;
using bev::native::S3Keys;
using bev::native::S3Settings;
using bev::native::S3Source;
using bev::test::error_code;
using bev::test::ScriptedServer;
using namespace std::chrono_literals;

namespace {

using Time = S3Credentials::Time;

const HttpSettings kQuick{.silence_timeout_s = 2, .retries = 2, .first_delay_ms = 1};

/// Gives KEY1, KEY2 ..; each is valid for `lifetime`.
struct Owner {
  S3Credentials make() {
    return {[this](const std::string& bucket) -> std::optional<S3Keys> {
              CHECK(bucket == "bucket");
              return S3Keys{"KEY" + std::to_string(++calls), "SECRET", "TOKEN",
                            now + lifetime};
            },
            "bucket", "eu-west-1", [this] { return now; }};
  }

  Time now{100h};
  std::chrono::seconds lifetime = 1h;
  int calls = 0;
};

std::string message_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

S3Credentials of(std::optional<S3Keys> keys) {
  return {[keys](const std::string&) { return keys; }, "bucket", "r"};
}

/// Refuses KEY1 as expired.
ScriptedServer expiring_server() {
  return ScriptedServer([](const std::string& request) {
    const bool is_valid = request.find("Credential=KEY1/") == request.npos;
    auto answer =
        is_valid ? ScriptedServer::answer("200 OK", "0123", "ETag: \"1\"\r\n")
                 : ScriptedServer::answer("400 Bad Request",
                                          "<Error><Code>ExpiredToken</Code></Error>");
    // HEAD has no body
    if (request.starts_with("HEAD ")) answer.resize(answer.find("\r\n\r\n") + 4);
    return answer;
  });
}

S3Settings settings_of(const ScriptedServer& server, std::atomic<int>* calls) {
  S3Settings out;
  out.endpoint = server.origin();
  out.virtual_host = false;
  out.region = "eu-west-1";
  out.credentials = std::make_shared<S3CredentialStore>([calls](const std::string&) {
    return S3Keys{"KEY" + std::to_string(++*calls), "SECRET", "TOKEN", std::nullopt};
  });
  return out;
}

}  // namespace

TEST_SUITE("native/s3/s3_credentials") {
  TEST_CASE("keys are renewed five minutes before they expire") {
    Owner owner;
    auto keys = owner.make();
    CHECK(keys.current()->access_key == "KEY1");
    CHECK(keys.current()->region == "eu-west-1");
    owner.now += 55min - 1s;
    CHECK(keys.current()->access_key == "KEY1");
    owner.now += 1s;
    CHECK(keys.current()->access_key == "KEY2");
    CHECK(owner.calls == 2);
  }

  TEST_CASE("keys of a short life are renewed after half of it") {
    Owner owner;
    owner.lifetime = 60s;
    auto keys = owner.make();
    for (int second = 0; second < 120; ++second) {
      keys.current();
      owner.now += 1s;
    }
    CHECK(owner.calls == 4);
  }

  TEST_CASE("keys that do not expire are asked for once") {
    int calls = 0;
    S3Credentials keys(
        [&](const std::string&) {
          ++calls;
          return S3Keys{"A", "B"};
        },
        "bucket", "r");
    keys.current();
    keys.current();
    CHECK(calls == 1);
    CHECK_FALSE(keys.renewed(*keys.current()));  // the same again
    CHECK(calls == 2);
  }

  TEST_CASE("of threads that need keys, one asks for them") {
    std::atomic<int> calls = 0;
    S3Credentials keys(
        [&](const std::string&) {
          std::this_thread::sleep_for(20ms);
          return S3Keys{"KEY" + std::to_string(++calls), "B"};
        },
        "bucket", "r");
    const auto at_once = [](const auto& work) {
      std::vector<std::thread> threads;
      for (int i = 0; i < 8; ++i) threads.emplace_back(work);
      for (auto& thread : threads) thread.join();
    };
    at_once([&] { CHECK(keys.current()->access_key == "KEY1"); });
    CHECK(calls == 1);
    const auto old = *keys.current();
    at_once([&] { CHECK(keys.renewed(old)->access_key == "KEY2"); });
    CHECK(calls == 2);
  }

  TEST_CASE("an exception of the callback is an error without its text") {
    S3Credentials keys(
        [](const std::string&) -> std::optional<S3Keys> {
          throw std::runtime_error("PLANTED");
        },
        "bucket", "r");
    try {
      keys.current();
      FAIL("no error");
    } catch (const Error& error) {
      CHECK(error.code() == Errc::network);
      CHECK(std::string(error.what()) ==
            "s3://bucket: the credentials callback failed");
      CHECK_THROWS_WITH_AS(std::rethrow_if_nested(error), "PLANTED",
                           std::runtime_error);
    }
    S3Credentials own(
        [](const std::string&) -> std::optional<S3Keys> {
          throw Error(Errc::io, "own text");
        },
        "bucket", "r");
    CHECK(message_of([&] { own.current(); }) == "own text");
    CHECK(message_of([&] { own.current(); }) == "own text");  // asked again
  }

  TEST_CASE("keys that cannot be used are errors that do not quote them") {
    const auto past = std::chrono::system_clock::now() - 1s;
    const std::string prefix = "s3://bucket: the credentials callback returned ";
    const std::string invalid = "an invalid value (expected printable characters)";
    CHECK(message_of([&] {
            of(S3Keys{"PLANTED", ""}).current();
          }) == prefix + "an empty key");
    CHECK(message_of([&] {
            of(S3Keys{"PLANTED\r\nX: 1", "PLANTED"}).current();
          }) == prefix + invalid);
    CHECK(message_of([&] {
            of(S3Keys{"PLANTED", "PLANTED", std::string(9000, 'P')}).current();
          }) == prefix + invalid);
    CHECK(message_of([&] {
            of(S3Keys{"PLANTED", "PLANTED", {}, past}).current();
          }) == prefix + "expired keys");
    CHECK_FALSE(of(std::nullopt).current());
  }

  TEST_CASE("a callback that needs its own keys is an error, not a deadlock") {
    S3Credentials* self = nullptr;
    S3Credentials keys(
        [&](const std::string&) {
          self->current();
          return S3Keys{"A", "B"};
        },
        "bucket", "r");
    self = &keys;
    CHECK(error_code([&] { keys.current(); }) == Errc::invalid_argument);
    self = nullptr;
  }

  TEST_CASE("the callback replaces environment and files") {
    const auto store =
        std::make_shared<S3CredentialStore>([](const std::string& bucket) {
          return S3Keys{bucket, "B"};
        });
    const auto variable = [](const std::string& name) -> std::optional<std::string> {
      if (name == "AWS_PROFILE" || name == "HOME") return std::nullopt;
      return "ENV";
    };
    const auto settings = bev::native::s3_settings(
        [&](const std::string& name) -> std::optional<std::string> {
          if (name == "AWS_ACCESS_KEY_ID") return variable(name);
          return std::nullopt;  // incomplete: an error without the callback
        },
        store);
    CHECK_FALSE(settings.signing);
    const auto one = settings.applied_to({}, "one").credentials;
    CHECK(one->current()->access_key == "one");
    CHECK(settings.applied_to({}, "one").credentials == one);
    CHECK(settings.applied_to({}, "two").credentials->current()->access_key == "two");
  }

  TEST_CASE("reads, validations and writes continue with new keys") {
    std::atomic<int> calls = 0;
    const auto server = expiring_server();
    const auto settings = settings_of(server, &calls);
    S3Source source({"bucket", "x"}, settings, kQuick);
    CHECK(source.read("agents/3", std::nullopt)->size() == 4);
    CHECK(calls == 2);
    CHECK(server.requests().size() == 2);

    calls = 0;
    const auto again = settings_of(server, &calls);
    S3Source other({"bucket", "x"}, again, kQuick);
    const std::string key = "agents/3";
    CHECK(other.states(std::span(&key, 1))[0]);  // HEAD
    CHECK(calls == 2);

    calls = 0;
    const auto third = settings_of(server, &calls);
    S3Client client(third, "bucket", kQuick);
    const std::string text = "text";
    put_object(client, "k", std::as_bytes(std::span(text)), {.writer = "w"});
    CHECK(calls == 2);
    const auto requests = server.requests();
    CHECK(requests.back().starts_with("PUT /bucket/k "));
    CHECK(requests.back().find("Credential=KEY2/") != std::string::npos);
    CHECK(requests.back().ends_with("\r\n\r\ntext"));
  }

  TEST_CASE("keys that stay expired are an error after one renewal") {
    const ScriptedServer server([](const std::string&) {
      return ScriptedServer::answer("400 Bad Request",
                                    "<Error><Code>ExpiredToken</Code></Error>");
    });
    std::atomic<int> calls = 0;
    S3Source source({"bucket", "x"}, settings_of(server, &calls), kQuick);
    const auto message = message_of([&] { source.read("agents/3", std::nullopt); });
    CHECK(message.find("HTTP 400 (ExpiredToken)") != std::string::npos);
    CHECK(message.find("KEY") == std::string::npos);
    CHECK(calls == 2);
    CHECK(server.requests().size() == 2);
  }
}

}  // namespace s3_credentials_test

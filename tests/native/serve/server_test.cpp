#include "native/serve/server.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <list>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "core/base/error.hpp"
#include "tests/support/digits_client.hpp"
#include "tests/support/metric_value.hpp"
#include "tests/support/temp_folder.hpp"

using bev::serve::Metrics;
using bev::serve::Server;
using bev::serve::Site;
using bev::serve::Timeouts;
using bev::test::TempFolder;
using Client = bev::test::DigitsClient;

namespace {

constexpr Timeouts kShort = {
    .idle_ms = 300, .head_ms = 300, .stall_ms = 300, .closing_ms = 100};
// Longer than any client here waits for an answer.
constexpr Timeouts kLong = {.idle_ms = 60'000, .head_ms = 60'000};

struct Running {
  explicit Running(const Timeouts& timeouts = kShort)
      : server(site, {.timeouts = timeouts, .metrics = &metrics}) {}

  std::uint64_t count(const std::string& name) const {
    return bev::test::metric_value(metrics.text(), name);
  }

  TempFolder folder;
  std::string path = folder.write("f", "0123456789");
  Site site{folder.path().string(), ""};
  Metrics metrics;
  Server server;
};

constexpr std::string_view kGet = "GET /data/f HTTP/1.1\r\nHost: localhost\r\n\r\n";

}  // namespace

TEST_SUITE("native/serve/server") {
  TEST_CASE("requests follow one another on a connection, also sent all at once") {
    const Running running;
    const Client client(running.server.port());
    client.say(kGet);
    CHECK(client.hear(1).starts_with("HTTP/1.1 200 OK\r\n"));
    client.say(std::string(kGet) + std::string(kGet) + std::string(kGet));
    CHECK(Client::occurrences(client.hear(3)) == 3);
  }

  TEST_CASE("a request may arrive in parts") {
    const Running running;
    const Client client(running.server.port());
    for (const char c : kGet) client.say(std::string_view(&c, 1));
    CHECK(Client::occurrences(client.hear(1)) == 1);
  }

  TEST_CASE("a large file arrives whole, and a range of it is that range") {
    const Running running(kLong);  // a busy machine starves the client
    std::string content(3 << 20, '\0');
    for (std::size_t i = 0; i < content.size(); ++i) {
      content[i] = static_cast<char>('a' + i % 23);
    }
    running.folder.write("big", content);
    const Client whole(running.server.port());
    whole.say("GET /data/big HTTP/1.0\r\nConnection: close\r\n\r\n");
    const bool is_whole = whole.hear_all().ends_with("\r\n\r\n" + content);
    CHECK(is_whole);

    const Client part(running.server.port());
    part.say(
        "GET /data/big HTTP/1.0\r\nRange: bytes=1000000-1999999\r\n"
        "Connection: close\r\n\r\n");
    CHECK(part.hear_all().ends_with("\r\n\r\n" + content.substr(1000000, 1000000)));
  }

  TEST_CASE("HEAD sends no body before the next response") {
    const Running running;
    const Client client(running.server.port());
    client.say("HEAD /data/f HTTP/1.1\r\nHost: localhost\r\n\r\n" + std::string(kGet));
    const auto heard = client.hear(1);
    CHECK(heard.find("Connection: keep-alive\r\n\r\nHTTP/1.1 200") !=
          std::string::npos);
  }

  TEST_CASE("invalid requests end the connection with a reason") {
    const Running running;
    const std::pair<std::string, std::string> cases[] = {
        {"hello\r\n\r\n", "HTTP/1.1 400"},
        {"GET /data/f HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello",
         "HTTP/1.1 413"},
        {"GET /data/f HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", "HTTP/1.1 413"},
        {"GET /data/f HTTP/1.1\r\n\r\n", "HTTP/1.1 400"},
        {"GET /data/f HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
         "HTTP/1.1 421"},
        {"GET /" + std::string(16 << 10, 'x'), "HTTP/1.1 431"},
        {"GET /data/f HT", "HTTP/1.1 408"},
    };
    for (const auto& [said, answer] : cases) {
      const auto& expected = answer;
      CAPTURE(expected);
      const Client client(running.server.port());
      client.say(said);
      CHECK(client.hear_all().starts_with(expected));
    }
  }

  TEST_CASE("many connections are served at a time") {
    const Running running;
    std::vector<std::thread> threads;
    std::atomic<int> served = 0;
    for (int i = 0; i < 48; ++i) {
      threads.emplace_back([&] {
        const Client client(running.server.port());
        client.say(kGet);
        served += Client::occurrences(client.hear(1));
      });
    }
    for (auto& thread : threads) thread.join();
    CHECK(served == 48);
  }

  TEST_CASE("requests of several clients at once are counted, and those that leave") {
    Running running;
    running.folder.write("big", std::string(64 << 20, 'x'));
    constexpr int kClients = 16;
    constexpr int kRounds = 25;
    constexpr std::string_view kRange =
        "GET /data/f HTTP/1.1\r\nHost: localhost\r\nRange: bytes=0-9\r\n\r\n";
    constexpr std::string_view kHead =
        "HEAD /data/f HTTP/1.1\r\nHost: localhost\r\n\r\n";
    constexpr std::string_view kNone =
        "GET /data/no HTTP/1.1\r\nHost: localhost\r\n\r\n";
    std::vector<std::thread> threads;
    std::atomic<std::uint64_t> heard = 0;
    for (int i = 0; i < kClients; ++i) {
      threads.emplace_back([&] {
        {
          const Client leaves(running.server.port());
          leaves.say("GET /data/big HTTP/1.1\r\nHost: localhost\r\n\r\n");
          leaves.hear_some();
        }
        const Client client(running.server.port());
        for (int round = 0; round < kRounds; ++round) {
          client.say(std::string(kHead) + std::string(kNone) + std::string(kGet));
          heard += client.hear(1).size();
          client.say(kRange);
          heard += client.hear(1).size();
        }
      });
    }
    for (auto& thread : threads) thread.join();
    running.server.stop();
    const auto all = std::uint64_t{kClients} * kRounds;
    CHECK(
        running.count("bevscope_http_requests_total{method=\"GET\",status=\"2xx\"}") ==
        2 * all + kClients);
    CHECK(running.count(
              "bevscope_http_requests_total{method=\"HEAD\",status=\"2xx\"}") == all);
    CHECK(running.count(
              "bevscope_http_requests_total{method=\"GET\",status=\"4xx\"}") == all);
    CHECK(running.count("bevscope_http_aborted_total") == kClients);
    CHECK(running.count("bevscope_http_request_duration_seconds_count") ==
          4 * all + kClients);
    CHECK(running.count("bevscope_connections_total") == 2 * kClients);
    CHECK(running.count("bevscope_connections") == 0);
    const auto sent = running.count("bevscope_http_sent_bytes_total");
    CHECK(sent > heard);  // also to those that left
    CHECK(sent < heard + (std::uint64_t{kClients} * 64 << 20));
  }

  TEST_CASE("open connections are counted while they are open") {
    const Running running(kLong);
    {
      const Client first(running.server.port());
      const Client second(running.server.port());
      first.say(kGet);
      first.hear(1);
      second.say(kGet);
      second.hear(1);
      CHECK(running.count("bevscope_connections") == 2);
    }
    while (running.count("bevscope_connections") > 0) std::this_thread::yield();
    CHECK(running.count("bevscope_connections_total") == 2);
  }

  TEST_CASE("at :: it answers clients of IPv4 and of IPv6") {
    const Running running;
    try {
      ::close(bev::serve::Address("::1").listen(0));
    } catch (const bev::Error& error) {
      MESSAGE("skipped, no IPv6: ", error.what());
      return;
    }
    const bev::serve::Address wildcard("::");
    Server server(running.site, {.address = wildcard});
    const Client client(server.port());
    client.say("GET /data/f HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
    CHECK(Client::occurrences(client.hear(1)) == 1);
  }

  TEST_CASE("clients with half a request do not block others") {
    const Running running(kLong);
    std::list<Client> waiting;
    for (int i = 0; i < 80; ++i) {
      waiting.emplace_back(running.server.port()).say("GET /data/f HT");
    }
    for (int i = 0; i < 80; ++i) waiting.emplace_back(running.server.port());
    const Client client(running.server.port());
    client.say(kGet);
    CHECK(Client::occurrences(client.hear(1)) == 1);
    waiting.front().say("TP/1.1\r\nHost: localhost\r\n\r\n");
    CHECK(Client::occurrences(waiting.front().hear(1)) == 1);
  }

  TEST_CASE("clients that read nothing do not block others") {
    const Running running(kLong);
    std::filesystem::resize_file(running.folder.write("big", ""), 64 << 20);
    std::list<Client> stalled;
    for (int i = 0; i < 80; ++i) {
      stalled.emplace_back(running.server.port()).say("GET /data/big HTTP/1.0\r\n\r\n");
    }
    for (const auto& client : stalled) client.hear_some();
    const Client client(running.server.port());
    client.say(kGet);
    CHECK(Client::occurrences(client.hear(1)) == 1);
  }

  TEST_CASE("one running thread suffices") {
    const Running running;
    const auto refuse = [] {
      return std::system_error(
          std::make_error_code(std::errc::resource_unavailable_try_again));
    };
    int started = 0;
    const auto one_only = [&](const std::function<void()>& run) {
      if (started == 1) throw refuse();
      ++started;
      return std::thread(run);
    };
    Server server(running.site, {.start_thread = one_only});
    const Client client(server.port());
    client.say(kGet);
    CHECK(Client::occurrences(client.hear(1)) == 1);
    server.stop();
    CHECK(started == 1);

    const auto port = server.port();
    const auto none = [&](const std::function<void()>&) -> std::thread {
      throw refuse();
    };
    CHECK_THROWS_AS(Server(running.site, {.port = port, .start_thread = none}),
                    bev::Error);
    CHECK_NOTHROW(Server(running.site, {.port = port}));  // nothing was left open
  }

  TEST_CASE("stopping closes idle connections and frees the port") {
    Running running;
    const Client idle(running.server.port());
    idle.say(kGet);
    idle.hear(1);
    running.server.stop();
    CHECK(idle.hear_all().empty());
    CHECK_NOTHROW(Server(running.site, {.port = running.server.port()}));
  }

  TEST_CASE("while current responses finish, new connections are refused") {
    Timeouts patient = kLong;
    patient.closing_ms = 60'000;
    Running running(patient);
    constexpr std::size_t kSize = 64 << 20;  // more than the system's buffers
    std::filesystem::resize_file(running.folder.write("big", ""), kSize);
    const Client slow(running.server.port());
    slow.say("GET /data/big HTTP/1.0\r\n\r\n");
    slow.hear_some();
    std::thread stop([&] { running.server.stop(); });
    while (Client::can_connect(running.server.port())) std::this_thread::yield();
    CHECK(slow.count_all() > kSize);
    stop.join();
    CHECK(running.count("bevscope_http_aborted_total") == 0);
  }

  TEST_CASE("stopping does not wait for a client that reads nothing") {
    Running running;
    running.folder.write("big", std::string(64 << 20, 'x'));
    const Client stalled(running.server.port());
    stalled.say("GET /data/big HTTP/1.0\r\n\r\n");
    stalled.hear_some();
    running.server.stop();
    CHECK(stalled.hear_all().size() < (64 << 20));
  }

  TEST_CASE("a port in use is an error that names it") {
    const Running running;
    const auto port = running.server.port();
    const auto message =
        "127.0.0.1, port " + std::to_string(port) + ": Address already in use";
    CHECK_THROWS_WITH_AS(Server(running.site, {.port = port}), message.c_str(),
                         bev::Error);
  }
}

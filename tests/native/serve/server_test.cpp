#include "native/serve/server.hpp"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <list>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "core/base/error.hpp"
#include "tests/support/temp_folder.hpp"

using bev::serve::Server;
using bev::serve::Site;
using bev::serve::Timeouts;
using bev::test::TempFolder;

namespace {

constexpr Timeouts kShort = {
    .idle_ms = 300, .head_ms = 300, .stall_ms = 300, .closing_ms = 100};
// Longer than any client here waits for an answer.
constexpr Timeouts kLong = {.idle_ms = 60'000, .head_ms = 60'000};

/// A client connection that sends arbitrary bytes.
class Client {
 public:
  explicit Client(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const auto* generic = reinterpret_cast<const sockaddr*>(&address);
    REQUIRE(::connect(socket_, generic, sizeof address) == 0);
    const timeval limit = {10, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client() { ::close(socket_); }

  void say(std::string_view text) const {
    REQUIRE(::send(socket_, text.data(), text.size(), MSG_NOSIGNAL) ==
            static_cast<ssize_t>(text.size()));
  }

  /// Returns received bytes until `count` bodies "0123456789" or the end of the
  /// connection.
  std::string hear(int bodies) const {
    std::string heard;
    char buffer[4096];
    while (occurrences(heard) < bodies) {
      const ssize_t got = ::recv(socket_, buffer, sizeof buffer, 0);
      if (got <= 0) break;
      heard.append(buffer, static_cast<std::size_t>(got));
    }
    return heard;
  }

  /// Waits for the first bytes of an answer.
  void hear_some() const {
    char byte = 0;
    REQUIRE(::recv(socket_, &byte, 1, MSG_PEEK) == 1);
  }

  /// Returns all bytes until the server closes.
  std::string hear_all() const { return hear(1 << 30); }

  static int occurrences(const std::string& text) {
    int count = 0;
    for (auto at = text.find("0123456789"); at != std::string::npos;
         at = text.find("0123456789", at + 1)) {
      ++count;
    }
    return count;
  }

 private:
  int socket_;
};

struct Running {
  explicit Running(const Timeouts& timeouts = kShort)
      : server(site, {.timeouts = timeouts}) {}

  TempFolder folder;
  std::string path = folder.write("f", "0123456789");
  Site site{folder.path().string(), ""};
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
    const Running running;
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

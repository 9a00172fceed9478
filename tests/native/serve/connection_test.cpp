#include "native/serve/connection.hpp"

#include <doctest/doctest.h>
#include <poll.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/metric_value.hpp"
#include "tests/support/tcp_pair.hpp"
#include "tests/support/temp_folder.hpp"

using bev::serve::AccessLog;
using bev::serve::Connection;
using bev::serve::Metrics;
using bev::serve::Site;
using bev::serve::Time;
using bev::serve::Timeouts;
using bev::test::metric_value;
using bev::test::TcpPair;
using bev::test::TempFolder;

namespace {

// The tests control the time, so no result depends on the machine's speed.
constexpr Timeouts kTimeouts = {
    .idle_ms = 5'000, .head_ms = 20'000, .stall_ms = 60'000, .closing_ms = 1'000};

Time at_ms(std::int64_t milliseconds) {
  return Time(std::chrono::milliseconds(milliseconds));
}

/// A site with a large file, and a connection to it.
struct Fixture {
  static constexpr std::size_t kSize = 3 << 20;

  explicit Fixture(int receive_buffer = 0) : pair(receive_buffer) {
    std::string content(kSize, '\0');
    for (std::size_t i = 0; i < kSize; ++i) {
      content[i] = static_cast<char>('a' + i % 23);
    }
    folder.write("big", content);
    folder.write("f", "0123456789");
  }

  /// Advances if the kernel reports an event or the deadline has passed.
  bool advance(std::int64_t now_ms) {
    pollfd entry = {connection.socket(), connection.events(), 0};
    const bool ready = ::poll(&entry, 1, 0) > 0;
    const auto now = at_ms(now_ms);
    return (!ready && connection.deadline() > now) || connection.advance(now);
  }

  /// Waits until the server's socket has received the client's bytes.
  void await_request() const {
    pollfd entry = {connection.socket(), POLLIN, 0};
    REQUIRE(::poll(&entry, 1, 10'000) == 1);
  }

  void ask(std::string_view target, std::int64_t now_ms = 0) {
    pair.say("GET " + std::string(target) + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await_request();
    REQUIRE(connection.advance(at_ms(now_ms)));
  }

  TempFolder folder;
  TcpPair pair;
  Site site{folder.path().string(), ""};
  Metrics metrics;
  Connection connection{pair.take_server(),
                        {.site = site, .timeouts = kTimeouts, .metrics = &metrics},
                        at_ms(0)};
};

std::string body_of(const std::string& answer) {
  const auto end = answer.find("\r\n\r\n");
  return end == answer.npos ? std::string() : answer.substr(end + 4);
}

}  // namespace

TEST_SUITE("native/serve/connection") {
  TEST_CASE("a client that reads slowly gets all of a large file") {
    Fixture one(4096);
    one.ask("/data/big");
    std::string heard;
    std::int64_t now = 0;
    std::string ending = "(alive)";
    // A few kilobytes within the time after which an inactive client is disconnected.
    while (heard.size() < Fixture::kSize || body_of(heard).size() < Fixture::kSize) {
      const auto more = one.pair.hear(16 << 10);
      heard += more;
      now += more.empty() ? 0 : 50'000;
      // With the last byte heard, the connection may end.
      if (!one.advance(now) && body_of(heard).size() < Fixture::kSize) {
        ending = "cut after " + std::to_string(heard.size());
        break;
      }
    }
    CHECK(ending == "(alive)");
    const bool is_same = body_of(heard) == bev::test::file_text(one.folder.at("big"));
    CHECK(is_same);
    CHECK(now > 100 * kTimeouts.stall_ms);
  }

  TEST_CASE("a client that reads nothing is disconnected after the limit") {
    Fixture one(4096);
    one.ask("/data/big");
    CHECK(one.advance(59'999));
    CHECK(one.advance(60'000));  // bytes acknowledged by the client's kernel count
    CHECK(one.advance(119'999));
    CHECK_FALSE(one.advance(120'000));
  }

  TEST_CASE("a request head has a total time limit") {
    Fixture one;
    const std::string head = "GET /data/f HTTP/1.1\r\nHost: localhost";
    std::int64_t now = 1'000;
    for (std::size_t i = 0; i < 9; ++i, now += 2'000) {
      one.pair.say(head.substr(i, 1));
      one.await_request();
      REQUIRE(one.connection.advance(at_ms(now)));
    }
    CHECK(one.connection.deadline() == at_ms(21'000));
    REQUIRE(one.connection.advance(at_ms(20'999)));
    CHECK(one.connection.is_idle());
    REQUIRE(one.connection.advance(at_ms(21'000)));
    CHECK_FALSE(one.connection.is_idle());
    CHECK(one.pair.hear(1000).starts_with("HTTP/1.1 408"));
    CHECK_FALSE(one.advance(22'000 + kTimeouts.closing_ms));
  }

  TEST_CASE("an idle connection is closed without a response") {
    Fixture one;
    CHECK(one.advance(4'999));
    CHECK_FALSE(one.advance(5'000));
    Fixture used;
    used.ask("/data/f", 4'000);
    CHECK(used.pair.hear(1000).ends_with("0123456789"));
    CHECK(used.advance(8'999));
    CHECK_FALSE(used.advance(9'000));
  }

  TEST_CASE("requests sent all at once are answered one after the other") {
    Fixture one;
    std::string requests;
    for (int i = 0; i < 100; ++i) {
      requests += "GET /data/f HTTP/1.1\r\nHost: localhost\r\n\r\n";
    }
    one.pair.say(requests + "GET /data/f HTTP/1.0\r\n\r\n");
    std::string heard;
    // Until the last response; a turn is short enough for other connections.
    for (int turn = 0; one.advance(1) && turn < 10'000; ++turn) {
      const auto more = one.pair.hear(1 << 20);
      heard += more;
      if (heard.find("Connection: close") != heard.npos) break;
    }
    int answers = 0;
    for (auto at = heard.find("0123456789"); at != heard.npos;
         at = heard.find("0123456789", at + 1)) {
      ++answers;
    }
    CHECK(answers == 101);
  }

  TEST_CASE("the last response arrives although the client still sends") {
    Fixture one;
    one.pair.say(
        "POST /data/f HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n" +
        std::string(4'000, 'x'));
    one.await_request();
    REQUIRE(one.advance(0));
    CHECK(one.pair.hear_all().starts_with("HTTP/1.1 413"));
    one.pair.hang_up();
    one.await_request();
    bool over = false;  // the client's bytes are read first
    for (int i = 0; i < 10 && !over; ++i) over = !one.connection.advance(at_ms(0));
    CHECK(over);
  }

  TEST_CASE("stopping closes idle connections and limits active responses") {
    Fixture idle;
    CHECK_FALSE(idle.connection.stop(at_ms(0)));
    Fixture busy(4096);
    busy.ask("/data/big");
    CHECK(busy.connection.stop(at_ms(10'000)));
    CHECK(busy.advance(10'999));
    busy.pair.hear(16 << 10);
    CHECK_FALSE(busy.connection.advance(at_ms(11'000)));
  }

  TEST_CASE("a truncated file ends the connection") {
    Fixture one(4096);
    one.ask("/data/big");
    std::filesystem::resize_file(one.folder.at("big"), 1000);
    bool goes_on = true;
    std::string heard;
    for (int i = 0; goes_on && i < 100'000; ++i) {
      heard += one.pair.hear(16 << 10);
      goes_on = one.advance(0);
    }
    CHECK_FALSE(goes_on);
    CHECK(heard.size() < Fixture::kSize);
  }

  TEST_CASE(
      "an answer is counted and logged when it ends, with the bytes of its body") {
    Fixture one;
    const TempFolder logs;
    {
      AccessLog log(logs.at("log"));
      TcpPair pair;
      Connection connection(pair.take_server(),
                            {.site = one.site,
                             .timeouts = kTimeouts,
                             .metrics = &one.metrics,
                             .log = &log},
                            at_ms(0), "192.0.2.7");
      pair.say(
          "GET /data/f?sig=secret HTTP/1.1\r\nHost: localhost\r\n\r\n"
          "HEAD /data/f HTTP/1.1\r\nHost: localhost\r\n\r\n"
          "GET /data/f HTTP/1.1\r\nHost: localhost\r\nRange: bytes=2-4\r\n\r\n"
          "GET /data/none HTTP/1.1\r\nHost: localhost\r\n\r\n"
          "OPTIONS /data/f HTTP/1.1\r\nHost: localhost\r\n\r\n"
          "GET hello\r\n\r\n");
      std::string heard;
      for (int i = 0; connection.advance(at_ms(1)) && i < 10'000; ++i) {
        heard += pair.hear(1 << 16);
        if (heard.find("HTTP/1.1 400") != heard.npos) break;
      }
      heard += pair.hear(1 << 16);
      CHECK(metric_value(one.metrics.text(), "bevscope_http_sent_bytes_total") ==
            heard.size());
    }
    const auto text = bev::test::file_text(logs.at("log"));
    std::vector<std::string> lines;
    for (std::size_t from = 0; from < text.size();) {
      const auto end = text.find('\n', from);
      const auto line = text.substr(from, end - from);
      CHECK(line.starts_with("192.0.2.7 - - ["));
      lines.push_back(line.substr(line.find("] ") + 2));
      from = end + 1;
    }
    REQUIRE(lines.size() == 6);
    CHECK(lines[0].starts_with("\"GET /data/f HTTP/1.1\" 200 10 \"-\" \"-\" 0."));
    CHECK(lines[1].starts_with("\"HEAD /data/f HTTP/1.1\" 200 0 "));
    CHECK(lines[2].starts_with("\"GET /data/f HTTP/1.1\" 206 3 "));
    CHECK(lines[3].starts_with("\"GET /data/none HTTP/1.1\" 404 10 "));
    CHECK(lines[4].starts_with("\"OPTIONS /data/f HTTP/1.1\" 204 0 "));
    CHECK(lines[5].starts_with("\"-\" 400 "));
    const auto counted = one.metrics.text();
    const auto requests = [&](const std::string& labels) {
      return metric_value(counted, "bevscope_http_requests_total{" + labels + "}");
    };
    CHECK(requests("method=\"GET\",status=\"2xx\"") == 2);
    CHECK(requests("method=\"HEAD\",status=\"2xx\"") == 1);
    CHECK(requests("method=\"GET\",status=\"4xx\"") == 1);
    CHECK(requests("method=\"OPTIONS\",status=\"2xx\"") == 1);
    CHECK(requests("method=\"other\",status=\"4xx\"") == 1);
    CHECK(metric_value(counted, "bevscope_http_request_duration_seconds_count") == 6);
    CHECK(metric_value(counted, "bevscope_http_aborted_total") == 0);
  }

  TEST_CASE("an answer whose client leaves is counted as aborted, once") {
    Fixture one;
    const TempFolder logs;
    {
      AccessLog log(logs.at("log"), bev::serve::LogFormat::json);
      TcpPair pair(4096);
      Connection connection(pair.take_server(),
                            {.site = one.site,
                             .timeouts = kTimeouts,
                             .metrics = &one.metrics,
                             .log = &log},
                            at_ms(0));
      pair.say("GET /data/big HTTP/1.1\r\nHost: localhost\r\n\r\n");
      pollfd entry = {connection.socket(), POLLIN, 0};
      REQUIRE(::poll(&entry, 1, 10'000) == 1);
      REQUIRE(connection.advance(at_ms(0)));
      CHECK(metric_value(one.metrics.text(), "bevscope_http_aborted_total") == 0);
      pair.hang_up();
      Connection moved(std::move(connection));
      for (int i = 0; i < 100'000 && moved.advance(at_ms(0)); ++i) {
      }
    }
    const auto counted = one.metrics.text();
    CHECK(metric_value(counted, "bevscope_http_aborted_total") == 1);
    CHECK(metric_value(counted, "bevscope_http_request_duration_seconds_count") == 1);
    CHECK(metric_value(counted, "bevscope_connections") == 1);  // the fixture's own
    CHECK(metric_value(counted, "bevscope_connections_total") == 2);
    const auto text = bev::test::file_text(logs.at("log"));
    CHECK(text.find("\"complete\":false") != text.npos);
    CHECK(text.find("\"status\":200") != text.npos);
    const auto sent = metric_value(counted, "bevscope_http_sent_bytes_total");
    CHECK(sent < Fixture::kSize);
    const auto bytes = std::stoull(text.substr(text.find("\"bytes\":") + 8));
    CHECK(bytes > 0);
    CHECK(bytes < sent);  // which counts the head too
  }

  TEST_CASE("a client that disconnects ends the connection") {
    Fixture one;
    one.pair.hang_up();
    one.await_request();
    CHECK_FALSE(one.connection.advance(at_ms(0)));
  }
}

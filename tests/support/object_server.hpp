#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "tests/support/scripted_server.hpp"

namespace bev::test {

/// An object of an ObjectServer, with the headers that identify its state.
struct ServedObject {
  std::string bytes;
  std::string headers;  ///< "ETag: \"a\"\r\n"
};

/// What an ObjectServer has sent.
struct Served {
  int heads = 0;
  int gets = 0;                      ///< of objects
  int documents = 0;                 ///< GET requests of metadata documents
  std::uint64_t bytes = 0;           ///< of all bodies of 200 and 206
  std::set<std::string> paths = {};  ///< of the GET requests of objects
};

/// Serves objects by path with HEAD, GET and ranges, and counts.
class ObjectServer {
 public:
  using Objects = std::map<std::string, ServedObject>;

  explicit ObjectServer(Objects objects)
      : objects_(std::move(objects)), server_([this](const std::string& request) {
          if (const auto delayed = delay()) std::this_thread::sleep_for(delayed());
          return reply(request);
        }) {}

  std::string origin() const { return server_.origin(); }

  /// Replaces an object: "/a/agents/0".
  void set(const std::string& path, ServedObject object) {
    const std::lock_guard lock(mutex_);
    objects_[path] = std::move(object);
  }
  void remove(const std::string& path) {
    const std::lock_guard lock(mutex_);
    objects_.erase(path);
  }
  /// Sets the status of all answers to HEAD; "": as for GET.
  void set_head_status(std::string status) {
    const std::lock_guard lock(mutex_);
    head_status_ = std::move(status);
  }
  /// Sets the status of the answers to all requests; "": none.
  void set_failure(std::string status) {
    const std::lock_guard lock(mutex_);
    failure_ = std::move(status);
  }

  using Delay = std::function<std::chrono::milliseconds()>;

  /// Sets the delay before each answer; called by several threads.
  void set_delay(Delay delay) {
    const std::lock_guard lock(mutex_);
    delay_ = std::move(delay);
  }

  /// Returns the counts since the last call.
  Served taken() {
    const std::lock_guard lock(mutex_);
    return std::exchange(served_, {});
  }

 private:
  Delay delay() {
    const std::lock_guard lock(mutex_);
    return delay_;
  }

  std::string reply(const std::string& request) {
    const std::lock_guard lock(mutex_);
    const bool is_head = request.starts_with("HEAD ");
    const auto from = request.find(' ') + 1;
    const auto path = request.substr(from, request.find_first_of(" ?", from) - from);
    const auto name = path.substr(path.rfind('/') + 1);
    const bool is_document = name.starts_with(".z") || name == "zarr.json";
    ++(is_head ? served_.heads : is_document ? served_.documents : served_.gets);
    if (!is_head && !is_document) served_.paths.insert(path);
    if (is_head && !head_status_.empty()) return empty(head_status_);
    if (!failure_.empty()) return empty(failure_);
    const auto found = objects_.find(path);
    if (found == objects_.end()) return empty("404 Not Found");
    const auto& [bytes, headers] = found->second;
    if (is_head) {
      return "HTTP/1.1 200 OK\r\n" + headers +
             "Content-Length: " + std::to_string(bytes.size()) + "\r\n\r\n";
    }
    return body_of(request, bytes, headers);
  }

  std::string body_of(const std::string& request, const std::string& bytes,
                      const std::string& headers) {
    const std::string name = "Range: bytes=";
    const auto at = request.find(name);
    if (at == request.npos) {
      served_.bytes += bytes.size();
      return ScriptedServer::answer("200 OK", bytes, headers);
    }
    const auto begin = std::stoull(request.substr(at + name.size()));
    const auto last = std::stoull(request.substr(request.find('-', at) + 1));
    if (begin >= bytes.size()) return empty("416 Range Not Satisfiable");
    const auto end = std::min<std::size_t>(last + 1, bytes.size());
    served_.bytes += end - begin;
    return ScriptedServer::answer(
        "206 Partial Content", bytes.substr(begin, end - begin),
        headers + "Content-Range: bytes " + std::to_string(begin) + "-" +
            std::to_string(end - 1) + "/" + std::to_string(bytes.size()) + "\r\n");
  }

  static std::string empty(const std::string& status) {
    return ScriptedServer::answer(status, "");
  }

  std::mutex mutex_;
  Delay delay_;
  Objects objects_;
  std::string head_status_;
  std::string failure_;
  Served served_;
  ScriptedServer server_;  // last: its threads use the members above
};

}  // namespace bev::test

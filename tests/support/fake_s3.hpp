#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "native/s3/s3_settings.hpp"
#include "tests/support/scripted_server.hpp"

namespace bev::test {

/// A bucket "bucket" in memory: objects with conditional writes, listings, uploads in
/// parts.
class FakeS3 {
 public:
  struct Object {
    std::string bytes;
    std::string writer;
  };

  FakeS3()
      : server_([this](const std::string& request) { return reply(request); },
                ScriptedServer::Calls::concurrent) {}

  native::S3Settings settings() const {
    native::S3Settings out;
    out.endpoint = server_.origin();
    out.virtual_host = false;
    out.region = "us-east-1";
    out.signing = {"ACCESS", "SECRET", {}, {}};
    return out;
  }

  /// Returns the first lines of all requests, without the bucket: "PUT a/.zgroup".
  std::vector<std::string> lines() const {
    std::vector<std::string> out;
    for (const auto& request : server_.requests()) {
      auto line = request.substr(0, request.find(" HTTP/1.1"));
      out.push_back(line.erase(line.find("/bucket"), 8));
    }
    return out;
  }

  std::map<std::string, Object> objects() const {
    const std::lock_guard lock(mutex_);
    return objects_;
  }
  void set(const std::string& key, const Object& object) {
    const std::lock_guard lock(mutex_);
    objects_[key] = object;
  }
  bool has_uploads() const {
    const std::lock_guard lock(mutex_);
    return !parts_.empty();
  }
  /// Ignores the conditions of writes from now on, as some services do.
  void ignore_conditions() {
    const std::lock_guard lock(mutex_);
    has_conditions_ = false;
  }
  /// Answers a request that begins so with a status, once.
  void fail_once(const std::string& line, const std::string& status) {
    const std::lock_guard lock(mutex_);
    failures_[line] = status;
  }
  /// What happens to a request.
  struct Fault {
    std::size_t at = 0;           ///< its number, from 1, counted from now; 0: none
    std::function<void()> act{};  ///< called before it
    std::string status{};         ///< what is answered instead; empty: what is so
    bool executed = false;        ///< although the status says otherwise
    bool lasting = false;         ///< the requests after it too
  };
  void set_fault(Fault fault) {
    const std::lock_guard lock(mutex_);
    count_ = 0;
    fault_ = std::move(fault);
  }
  /// Returns the number of requests since set_fault().
  std::size_t count() const {
    const std::lock_guard lock(mutex_);
    return count_;
  }
  /// Executes a request that begins so, but answers 500, once.
  void lose_answer(const std::string& line) {
    const std::lock_guard lock(mutex_);
    lost_.insert(line);
  }

 private:
  static std::string header(const std::string& request, const std::string& name) {
    const auto at = request.find("\r\n" + name + ": ");
    if (at == request.npos) return {};
    const auto from = at + name.size() + 4;
    return request.substr(from, request.find("\r\n", from) - from);
  }

  static std::string answer(const std::string& status, const std::string& body = {},
                            const std::string& headers = {}) {
    return ScriptedServer::answer(status, body, headers);
  }

  std::string reply(const std::string& request) {
    std::function<void()> act;
    std::string status;
    bool is_executed = true;
    {
      const std::lock_guard lock(mutex_);
      const bool is_here = ++count_ == fault_.at;
      if (is_here) act = std::exchange(fault_.act, nullptr);
      if (is_here || (fault_.lasting && fault_.at > 0 && count_ > fault_.at)) {
        status = fault_.status;
        is_executed = status.empty() || fault_.executed;
      }
    }
    if (act) act();
    const std::lock_guard lock(mutex_);
    if (!is_executed) return answer(status);
    auto said = judged(request);
    return status.empty() ? said : answer(status);
  }

  std::string judged(const std::string& request) {
    const auto line = request.substr(0, request.find(" HTTP/1.1"));
    for (const auto& [begin, status] : failures_) {
      if (!line.starts_with(begin)) continue;
      const auto said = status;
      failures_.erase(begin);
      return answer(said);
    }
    auto said = executed(line, request);
    for (const auto& begin : lost_) {
      if (!line.starts_with(begin)) continue;
      lost_.erase(begin);
      return answer("500 Lost");
    }
    return said;
  }

  std::string executed(const std::string& line, const std::string& request) {
    const auto method = line.substr(0, line.find(' '));
    const auto target = line.substr(line.find("/bucket") + 7);
    const auto question = std::min(target.find('?'), target.size());
    const auto key = target.substr(0, question).substr(question > 0 ? 1 : 0);
    const auto query = target.substr(question);
    const auto end = request.find("\r\n\r\n");
    const auto body = end == request.npos ? std::string() : request.substr(end + 4);
    if (query.starts_with("?uploads=")) {
      parts_[key].clear();
      writers_[key] = header(request, "x-amz-meta-bevscope-writer");
      return answer("200 OK", "<R><UploadId>id</UploadId></R>");
    }
    if (query.find("uploadId=id") != query.npos) {
      return upload(method, key, query, request, body);
    }
    if (query.find("list-type=2") != query.npos) return listing(query);
    const auto found = objects_.find(key);
    if (method == "PUT") {
      return write(key, {body, header(request, "x-amz-meta-bevscope-writer")}, request);
    }
    if (method == "DELETE") {
      objects_.erase(key);
      return answer("204 No Content");
    }
    if (found == objects_.end()) return answer("404 Not Found");
    const auto headers = "ETag: " + etag(found->second) +
                         "\r\nx-amz-meta-bevscope-writer: " + found->second.writer +
                         "\r\n";
    if (method == "HEAD") {
      const auto size = std::to_string(found->second.bytes.size());
      return "HTTP/1.1 200 OK\r\nContent-Length: " + size + "\r\n" + headers + "\r\n";
    }
    return answer("200 OK", found->second.bytes, headers);
  }

  static std::string etag(const Object& object) {
    return "\"" + std::to_string(std::hash<std::string>()(object.bytes)) + "\"";
  }

  std::string write(const std::string& key, const Object& object,
                    const std::string& request) {
    const auto found = objects_.find(key);
    const bool exists = found != objects_.end();
    const auto match = header(request, "If-Match");
    const bool fails = (exists && header(request, "If-None-Match") == "*") ||
                       (!match.empty() && (!exists || etag(found->second) != match));
    if (fails && has_conditions_) {
      return answer("412 Precondition Failed");
    }
    objects_[key] = object;
    return answer("200 OK", "", "ETag: " + etag(object) + "\r\n");
  }

  std::string upload(const std::string& method, const std::string& key,
                     const std::string& query, const std::string& request,
                     const std::string& body) {
    const auto found = parts_.find(key);
    if (found == parts_.end()) return answer("404 Not Found");
    if (method == "PUT") {
      found->second[std::stoi(query.substr(query.find('=') + 1))] = body;
      return answer("200 OK", "", "ETag: \"part\"\r\n");
    }
    if (method == "DELETE") {
      parts_.erase(found);
      return answer("204 No Content");
    }
    Object object{{}, writers_[key]};
    for (const auto& [number, bytes] : found->second) object.bytes += bytes;
    auto said = write(key, object, request);
    if (said.starts_with("HTTP/1.1 200")) parts_.erase(found);
    return said;
  }

  std::string listing(const std::string& query) const {
    auto prefix = query.substr(query.find("prefix=") + 7);
    for (auto at = prefix.find("%2F"); at != prefix.npos; at = prefix.find("%2F")) {
      prefix.replace(at, 3, "/");
    }
    const bool folded = query.find("delimiter=") != query.npos;
    std::string xml = "<L><IsTruncated>false</IsTruncated>";
    std::set<std::string> prefixes;
    for (const auto& [key, object] : objects_) {
      if (!key.starts_with(prefix)) continue;
      const auto slash = key.find('/', prefix.size());
      if (folded && slash != key.npos) {
        prefixes.insert(key.substr(0, slash + 1));
        continue;
      }
      xml += "<Contents><Key>" + key + "</Key><Size>" +
             std::to_string(object.bytes.size()) + "</Size></Contents>";
    }
    for (const auto& each : prefixes) {
      xml += "<CommonPrefixes><Prefix>" + each + "</Prefix></CommonPrefixes>";
    }
    return answer("200 OK", xml + "</L>");
  }

  mutable std::mutex mutex_;
  bool has_conditions_ = true;
  std::map<std::string, Object> objects_;
  std::map<std::string, std::map<int, std::string>> parts_;
  std::map<std::string, std::string> writers_;
  std::map<std::string, std::string> failures_;
  std::set<std::string> lost_;
  std::size_t count_ = 0;
  Fault fault_;
  ScriptedServer server_;  // last: its threads use the members above
};

}  // namespace bev::test

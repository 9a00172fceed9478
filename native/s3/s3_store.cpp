#include "native/s3/s3_store.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/store/catalogue.hpp"
#include "native/files/file.hpp"
#include "native/files/sinks.hpp"
#include "native/s3/s3_clients.hpp"
#include "native/s3/s3_upload.hpp"
#include "native/save/write_queue.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::byte>;

constexpr std::size_t kThreads = 16;  // uploads at the same time
constexpr std::size_t kQueueBytes = std::size_t{64} << 20;
constexpr const char* kMarker = ".bevscope/upload.json";
/// Documents that make a prefix a store: all but the consolidated metadata is written
/// before them.
constexpr std::array<std::string_view, 3> kNodes = {".zgroup", ".zarray", "zarr.json"};

/// Throws what the embedding program throws if the user interrupts it.
void check_interrupted() {
  HttpClient::wait_until(std::chrono::steady_clock::now());
}

/// Returns the answer to HEAD.
///
/// Throws  network unless the object exists or does not
HttpAnswer state_of(S3Client& client, const std::string& key) {
  const HttpRequest request{.url = client.url(key), .head = true};
  auto answer = client.send(request);
  if (answer.status == 200 || answer.status == 404) return answer;
  S3Client::fail_answer(request, answer);
}

bool is_node(std::string_view key) {
  return std::find(kNodes.begin(), kNodes.end(), key) != kNodes.end();
}

/// Returns the order in which documents of the root are written. Every reader of a
/// store accepts that it has no consolidated metadata, so these are the last.
int stage_of(std::string_view key) {
  if (is_node(key)) return 1;
  return key == ".zmetadata" ? 2 : 0;
}

Bytes stored_bytes(const fs::path& path) {
  const auto file = File::open(path.string(), path.string());
  if (!file) fail_at(Errc::io, path.string(), {"read failed: no such file"});
  Bytes bytes(static_cast<std::size_t>(file->size()));
  if (file->read_at(0, bytes) == bytes.size()) return bytes;
  fail_at(Errc::changed, path.string(), {"truncated while it was read"});
}

bool has_node(const S3Listing& found, const std::string& root) {
  return std::any_of(
      found.objects.begin(), found.objects.end(),
      [&](const S3Object& object) { return is_node(object.key.substr(root.size())); });
}

/// A store below a prefix.
class PrefixStore final : public LocalStore {
 public:
  PrefixStore(const S3Address& address, Existing existing, const S3Settings& settings,
              const HttpSettings& http)
      : name_("s3://" + address.bucket + "/" + address.key),
        root_(address.key.empty() ? std::string() : address.key + "/"),
        clients_(settings, address.bucket, http),
        queue_(std::in_place, kThreads, kQueueBytes, &check_interrupted) {
    claim(existing);
  }

  /// Ends uploads soon, if commit() did not wait for them.
  ~PrefixStore() override { clients_.stop_retries(); }

  void put(std::string_view key, std::span<const std::byte> bytes) override {
    check_key(key);
    Bytes copy(bytes.begin(), bytes.end());
    if (key.find('/') == key.npos && store::Catalogue::is_document(key)) {
      held_[std::string(key)] = std::move(copy);
      return;
    }
    const bool first = etags_.find(key) == etags_.end();
    if (!first) queue_->wait();  // for the object that is replaced
    const auto etag = &etags_[std::string(key)];
    const auto size = copy.size();
    queue_->add(size, [this, etag, first, key = root_ + std::string(key),
                       bytes = std::move(copy)] {
      if (!first && etag->empty()) {
        fail_at(Errc::changed, name_, {"another process writes there"});
      }
      *etag = upload(key, bytes,
                     {.writer = writer_, .if_absent = first, .if_match = *etag});
    });
  }

  void put_file(std::string_view key, const fs::path& file) override {
    put(key, stored_bytes(file));
  }

  void commit() override {
    queue_->wait();
    for (const auto stage : {0, 1, 2}) {
      for (const auto& [key, bytes] : held_) {
        if (stage_of(key) != stage) continue;
        upload(root_ + key, bytes, {.writer = writer_, .if_absent = true});
      }
    }
    clients_.with([&](S3Client& client) { delete_object(client, root_ + kMarker); });
  }

 private:
  std::string upload(const std::string& key, const Bytes& bytes, const S3Put& put) {
    return clients_.with(
        [&](S3Client& client) { return put_object(client, key, bytes, put); });
  }

  /// Checks that nothing is at the prefix but what a killed writer left, and marks it
  /// as being written.
  void claim(Existing existing) {
    clients_.with([&](S3Client& client) {
      const auto found = client.list(root_, "/");
      if (has_node(found, root_) && existing == Existing::refuse) {
        fail_at(Errc::invalid_argument, name_, {"already exists"});
      }
      if (has_node(found, root_)) {
        fail_at(Errc::unsupported, name_,
                {"a store below a prefix cannot be replaced at once (use a new key, or "
                 "a .zip)"});
      }
      const bool is_free = found.objects.empty() && found.prefixes.empty();
      if (is_free) {
        const std::string text = "{}\n";
        put_object(client, root_ + kMarker, std::as_bytes(std::span(text)),
                   {.writer = writer_, .if_absent = true});
      } else if (state_of(client, root_ + kMarker).status != 200) {
        fail_at(Errc::invalid_argument, name_,
                {"not empty (found objects, expected none or a store's)"});
      }
    });
  }

  std::string name_;  // for messages
  std::string root_;
  const std::string writer_ = random_writer();
  S3Clients clients_;
  /// Of all objects put; "": another writer's, with equal bytes
  std::map<std::string, std::string, std::less<>> etags_;
  std::map<std::string, Bytes> held_;
  std::optional<WriteQueue> queue_;  // its threads use the members above
};

/// A .zip as one object.
class ArchiveStore final : public LocalStore {
 public:
  ArchiveStore(const S3Address& address, Existing existing, const S3Settings& settings,
               const HttpSettings& http)
      : key_(address.key),
        put_{.writer = random_writer()},
        clients_(settings, address.bucket, http),
        queue_(std::in_place, kThreads, kQueueBytes, &check_interrupted),
        sink_([this](auto bytes) { append(bytes); }) {
    const auto answer =
        clients_.with([&](S3Client& client) { return state_of(client, key_); });
    if (answer.status == 200 && existing == Existing::refuse) {
      fail_at(Errc::invalid_argument, "s3://" + address.bucket + "/" + key_,
              {"already exists"});
    }
    put_.if_absent = answer.status == 404;
    put_.if_match = answer.status == 200 ? answer.etag : std::string();
  }

  ~ArchiveStore() override {
    clients_.stop_retries();
    queue_.reset();
    if (!upload_ || committed_) return;
    try {
      clients_.with([&](S3Client& client) { upload_->abort(client); });
    } catch (...) {
      // As in abort(): without memory for a client, the parts remain
    }
  }

  void put(std::string_view key, std::span<const std::byte> bytes) override {
    check_key(key);
    sink_.put(key, bytes);
  }

  void put_file(std::string_view key, const fs::path& file) override {
    put(key, stored_bytes(file));
  }

  void commit() override {
    sink_.finish();
    if (upload_ && !buffer_.empty()) send_part();
    queue_->wait();
    clients_.with([&](S3Client& client) {
      if (upload_) {
        upload_->complete(client, etags_);
      } else {
        put_object(client, key_, buffer_, put_);
      }
    });
    committed_ = true;
  }

 private:
  void append(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      // The last bytes stay here: a .zip of one part is written by one request
      if (buffer_.size() == kPartBytes) send_part();
      const auto some =
          bytes.first(std::min(bytes.size(), kPartBytes - buffer_.size()));
      buffer_.insert(buffer_.end(), some.begin(), some.end());
      bytes = bytes.subspan(some.size());
    }
  }

  void send_part() {
    if (!upload_) {
      clients_.with([&](S3Client& client) { upload_.emplace(client, key_, put_); });
    }
    const auto at = etags_.size();
    {
      const std::lock_guard lock(mutex_);
      etags_.emplace_back();
    }
    auto part = std::exchange(buffer_, {});
    const auto size = part.size();
    queue_->add(size, [this, at, bytes = std::move(part)] {
      auto etag = clients_.with(
          [&](S3Client& client) { return upload_->put_part(client, at + 1, bytes); });
      const std::lock_guard lock(mutex_);
      etags_[at] = std::move(etag);
    });
  }

  std::string key_;
  S3Put put_;
  S3Clients clients_;
  std::optional<S3Multipart> upload_;
  std::mutex mutex_;
  std::vector<std::string> etags_;
  Bytes buffer_;
  bool committed_ = false;
  std::optional<WriteQueue> queue_;  // its threads use the members above
  ZipSink sink_;
};

/// Single objects below a prefix.
class ObjectSink final : public Sink {
 public:
  ObjectSink(const S3Address& address, const S3Settings& settings,
             const HttpSettings& http)
      : root_(address.key.empty() ? std::string() : address.key + "/"),
        client_(settings, address.bucket, http) {}

  void put(std::string_view key, std::span<const std::byte> bytes) override {
    check_key(key);
    put_object(client_, root_ + std::string(key), bytes,
               {.writer = writer_, .if_absent = true});
  }

 private:
  std::string root_;
  const std::string writer_ = random_writer();
  S3Client client_;
};

}  // namespace

std::unique_ptr<Sink> create_s3_objects(const std::string& address,
                                        const S3Settings& settings,
                                        const HttpSettings& http) {
  return std::make_unique<ObjectSink>(S3Address::parse(address), settings, http);
}

bool is_s3_store(const std::string& address, const S3Settings& settings) {
  const auto [bucket, key] = S3Address::parse(address);
  S3Client client(settings, bucket);
  if (key.ends_with(".zip")) return state_of(client, key).status == 200;
  const auto root = key.empty() ? std::string() : key + "/";
  return has_node(client.list(root, "/"), root);
}

bool remove_s3_upload(const std::string& address, const S3Settings& settings) {
  const auto [bucket, key] = S3Address::parse(address);
  const auto root = key.empty() ? std::string() : key + "/";
  S3Clients clients(settings, bucket, {.retries = 8});
  auto found = clients.with([&](S3Client& client) {
    if (state_of(client, root + kMarker).status != 200) return S3Listing{};
    return client.list(root);
  });
  if (found.objects.empty()) return false;
  const auto is_marker = [&](const S3Object& object) {
    return object.key == root + kMarker;
  };
  if (!has_node(found, root)) {
    std::erase_if(found.objects, is_marker);
    WriteQueue queue(kThreads, kQueueBytes, &check_interrupted);
    for (const auto& object : found.objects) {
      queue.add(1, [&clients, name = object.key] {
        clients.with([&](S3Client& client) { delete_object(client, name); });
      });
    }
    queue.wait();
  }
  clients.with([&](S3Client& client) { delete_object(client, root + kMarker); });
  return true;
}

std::unique_ptr<LocalStore> create_s3_store(const std::string& address,
                                            Existing existing,
                                            const S3Settings& settings,
                                            const HttpSettings& http) {
  const auto parsed = S3Address::parse(address);
  if (parsed.key.ends_with(".zip")) {
    return std::make_unique<ArchiveStore>(parsed, existing, settings, http);
  }
  return std::make_unique<PrefixStore>(parsed, existing, settings, http);
}

}  // namespace bev::native

#include "native/save/remote_parts.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "native/files/file.hpp"
#include "native/files/write_file.hpp"
#include "native/s3/s3_clients.hpp"
#include "native/s3/s3_upload.hpp"
#include "native/save/parts_folder.hpp"
#include "native/save/write_queue.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::byte>;

constexpr std::size_t kPartThreads = 16;  // requests at the same time
constexpr std::size_t kPartQueueBytes = std::size_t{64} << 20;
constexpr const char* kSettings = "settings.json";
constexpr const char* kManifest = "manifest.json";

/// The objects below KEY.parts/ of a store.
class RemoteParts {
 public:
  explicit RemoteParts(const std::string& store)
      : address_(S3Address::parse(store)),
        root_(address_.key + ".parts/"),
        clients_(s3_settings(), address_.bucket, {.retries = 8}) {}

  std::string name_of(const std::string& key) const {
    return "s3://" + address_.bucket + "/" + root_ + key;
  }

  /// Writes an object unless it exists with equal bytes.
  ///
  /// Throws  changed if it exists with others
  void put(const std::string& key, std::span<const std::byte> bytes) {
    clients_.with([&](S3Client& client) {
      return put_object(client, root_ + key, bytes,
                        {.writer = writer_, .if_absent = true});
    });
  }

  std::optional<Bytes> get(const std::string& key) {
    return clients_.with([&](S3Client& client) -> std::optional<Bytes> {
      const HttpRequest request{.url = client.url(root_ + key)};
      auto answer = client.send(request);
      if (answer.status == 404) return std::nullopt;
      if (answer.status != 200) S3Client::fail_answer(request, answer);
      return std::move(answer.body);
    });
  }

  /// Returns the keys of all objects, without the root.
  std::vector<std::string> list() {
    const auto found =
        clients_.with([&](S3Client& client) { return client.list(root_); });
    std::vector<std::string> out;
    for (const auto& object : found.objects) {
      out.push_back(object.key.substr(root_.size()));
      check_key(out.back());
    }
    return out;
  }

  void remove(const std::string& key) {
    clients_.with([&](S3Client& client) { delete_object(client, root_ + key); });
  }

 private:
  S3Address address_;
  std::string root_;
  const std::string writer_ = random_writer();
  S3Clients clients_;
};

WriteQueue requests() {
  return {kPartThreads, kPartQueueBytes,
          [] { HttpClient::wait_until(std::chrono::steady_clock::now()); }};
}

Bytes bytes_of_part_file(const fs::path& path) {
  const auto file = File::open(path.string(), path.string());
  if (!file) fail_at(Errc::missing_key, path.string(), {"not found"});
  Bytes out(static_cast<std::size_t>(file->size()));
  out.resize(file->read_at(0, out));
  return out;
}

/// Writes an object that all savers agree on, or that only one may write.
void put_once(RemoteParts& remote, const std::string& key,
              std::span<const std::byte> bytes, const char* what) {
  try {
    remote.put(key, bytes);
  } catch (const Error& error) {
    if (error.code() != Errc::changed) throw;
    fail_at(Errc::invalid_argument, remote.name_of(key), {what});
  }
}

/// The objects of a saver's part.
struct ListedPart {
  std::vector<std::string> keys;  ///< all but the manifest
  bool is_complete = false;
};

std::map<std::uint64_t, ListedPart> listed_parts(const std::vector<std::string>& keys) {
  std::map<std::uint64_t, ListedPart> out;
  for (const auto& key : keys) {
    const auto slash = key.find('/');
    const auto saver = save::saver_of(key.substr(0, slash));
    if (slash == key.npos || !saver) continue;
    auto& part = out[*saver];
    if (key.substr(slash + 1) == kManifest) {
      part.is_complete = true;
    } else {
      part.keys.push_back(key);
    }
  }
  return out;
}

void fetch_object(RemoteParts& remote, const std::string& key, const fs::path& to) {
  const auto bytes = remote.get(key);
  if (!bytes) fail_at(Errc::missing_key, remote.name_of(key), {"not found"});
  write_file(to, *bytes, to.string());
}

/// Fetches a part; its manifest, which makes it one, is the last.
void fetch_part(RemoteParts& remote, std::uint64_t saver, const ListedPart& part,
                const fs::path& folder) {
  if (fs::exists(folder / kManifest)) return;
  const auto name = save::part_name(saver) + "/";
  std::error_code error;
  for (const auto& key : part.keys) {
    fs::create_directories((folder / key.substr(name.size())).parent_path(), error);
    if (error) fail_write(folder.string(), error.value());
  }
  auto queue = requests();
  for (const auto& key : part.keys) {
    queue.add(1, [&remote, key, to = folder / key.substr(name.size())] {
      fetch_object(remote, key, to);
    });
  }
  queue.wait();
  const auto text = remote.get(name + kManifest);
  if (!text)
    fail_at(Errc::missing_key, remote.name_of(name + kManifest), {"not found"});
  NewFile file((folder / kManifest).string());
  file.write(*text);
  file.commit();
}

void remove_objects(RemoteParts& remote, const std::vector<std::string>& keys) {
  auto queue = requests();
  for (const auto& key : keys) {
    queue.add(1, [&remote, key] { remote.remove(key); });
  }
  queue.wait();
}

}  // namespace

void upload_part(const std::string& store, const save::SaveSettings& settings,
                 std::uint64_t saver, const fs::path& part) {
  RemoteParts remote(store);
  const auto agreed = settings.to_json();
  put_once(remote, kSettings, std::as_bytes(std::span(agreed)),
           "parts of another config, mode or data set are there");
  const auto name = save::part_name(saver) + "/";
  {
    auto queue = requests();
    for (const auto& entry : fs::recursive_directory_iterator(part)) {
      const auto key = entry.path().lexically_relative(part).generic_string();
      if (!entry.is_regular_file() || key == kManifest) continue;
      const auto size = static_cast<std::size_t>(entry.file_size());
      queue.add(size, [&remote, key = name + key, path = entry.path()] {
        put_once(remote, key, bytes_of_part_file(path),
                 "another saver has this number");
      });
    }
    queue.wait();
  }
  put_once(remote, name + kManifest, bytes_of_part_file(part / kManifest),
           "another saver has this number");
}

std::vector<std::uint64_t> fetch_parts(const std::string& store, std::uint64_t savers) {
  RemoteParts remote(store);
  const auto agreed = remote.get(kSettings);
  if (!agreed) fail_at(Errc::not_found, store, {"no uploaded parts"});
  const auto settings = save::SaveSettings::parse(
      {reinterpret_cast<const char*>(agreed->data()), agreed->size()},
      remote.name_of(kSettings));
  const auto parts = listed_parts(remote.list());
  for (const auto& [saver, part] : parts) {
    if (part.is_complete) continue;
    fail_at(Errc::invalid_argument, remote.name_of(save::part_name(saver)),
            {"not complete (finish the saver, or remove all parts)"});
  }
  if (parts.size() != savers) {
    fail_at(
        Errc::invalid_argument, store,
        {"parts of ", parts.size(), " savers were uploaded (expected ", savers, ")"});
  }
  const PartsFolder folder(store, settings);
  std::vector<std::uint64_t> out;
  for (const auto& [saver, part] : parts) {
    fetch_part(remote, saver, part, folder.part(saver));
    out.push_back(saver);
  }
  return out;
}

void remove_remote_parts(const std::string& store,
                         std::span<const std::uint64_t> savers) {
  RemoteParts remote(store);
  const auto parts = listed_parts(remote.list());
  std::vector<std::string> keys;
  for (const auto& [saver, part] : parts) {
    if (std::find(savers.begin(), savers.end(), saver) == savers.end()) continue;
    keys.push_back(save::part_name(saver) + "/" + kManifest);
    keys.insert(keys.end(), part.keys.begin(), part.keys.end());
  }
  // Without the settings, there are no parts.
  if (parts.size() == savers.size()) remote.remove(kSettings);
  remove_objects(remote, keys);
}

bool remove_remote_parts(const std::string& store) {
  RemoteParts remote(store);
  const auto keys = remote.list();
  remote.remove(kSettings);
  remove_objects(remote, keys);
  return !keys.empty();
}

}  // namespace bev::native

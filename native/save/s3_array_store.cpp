#include <chrono>
#include <random>
#include <utility>

#include "core/base/error.hpp"
#include "native/s3/s3_upload.hpp"
#include "native/save/array_stores.hpp"

namespace bev::native {
namespace {

constexpr const char* kAbsent = "absent";

class S3ArrayStore final : public save::ArrayStore {
 public:
  S3ArrayStore(const S3Address& address, const S3Settings& settings,
               const HttpSettings& http)
      : name_("s3://" + address.bucket + "/"),
        root_(address.key.empty() ? std::string() : address.key + "/"),
        client_(settings, address.bucket, http) {}

  std::string name_of(const std::string& key) const override {
    return name_ + root_ + key;
  }

  save::StoredObject read(const std::string& key) override {
    const HttpRequest request{.url = client_.url(root_ + key)};
    auto answer = client_.send(request);
    if (answer.status == 404) return {std::nullopt, kAbsent};
    if (answer.status != 200) S3Client::fail_answer(request, answer);
    if (answer.etag.empty()) {
      fail_at(Errc::unsupported, request.url, {"the service sends no ETag"});
    }
    return {std::move(answer.body), std::move(answer.etag)};
  }

  bool replace(const std::string& key, std::span<const std::byte> bytes,
               const std::optional<std::string>& tag) override {
    if (tag) check_conditions();
    // Unique, so that put_object() recognizes this write if its answer was lost.
    S3Put put{.writer = random_writer(), .needs_condition = true};
    put.if_absent = tag == kAbsent;
    if (tag && !put.if_absent) put.if_match = *tag;
    try {
      put_object(client_, root_ + key, bytes, put);
      return true;
    } catch (const Error& error) {
      if (error.code() != Errc::changed) throw;
    }
    constexpr int kMaxMs = 50;
    const auto ms = std::uniform_int_distribution(1, kMaxMs)(random_);
    HttpClient::wait_until(std::chrono::steady_clock::now() +
                           std::chrono::milliseconds(ms));
    return false;
  }

  void remove(const std::string& key) override { delete_object(client_, root_ + key); }

  std::vector<save::ListedObject> list(const std::string& path) override {
    const auto prefix = root_ + (path.empty() ? "" : path + "/");
    std::vector<save::ListedObject> out;
    for (auto& object : client_.list(prefix).objects) {
      out.push_back({object.key.substr(root_.size()), object.size});
    }
    return out;
  }

  std::unique_ptr<Lock> lock(const std::string&, std::string_view, Access) override {
    return nullptr;
  }

  void sync(const std::string&) override {}

 private:
  /// Refuses services that ignore the conditions of writes: writers would lose rows.
  void check_conditions() {
    if (checked_) return;
    const auto key = root_ + ".bevscope/conditional-" + random_writer();
    const std::string text = "conditional writes?";
    const auto body = std::as_bytes(std::span(text));
    const HttpRequest request{.url = client_.url(key),
                              .method = "PUT",
                              .body = body,
                              .headers = {"If-None-Match: *"}};
    const auto first = client_.send(request);
    if (first.status != 200 && first.status != 412 && first.status != 501) {
      S3Client::fail_answer(request, first);
    }
    const auto second = client_.send(request);
    delete_object(client_, key);
    if (second.status != 412) {
      fail_at(Errc::unsupported, request.url,
              {"the service ignores If-None-Match (found status ", second.status,
               ", expected 412)"});
    }
    checked_ = true;
  }

  std::string name_;  // of the bucket, for messages
  std::string root_;
  S3Client client_;
  bool checked_ = false;
  std::minstd_rand random_{std::random_device{}()};
};

}  // namespace

std::unique_ptr<save::ArrayStore> s3_array_store(const std::string& address,
                                                 const S3Settings& settings,
                                                 const HttpSettings& http) {
  return std::make_unique<S3ArrayStore>(S3Address::parse(address), settings, http);
}

}  // namespace bev::native

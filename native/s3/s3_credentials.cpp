#include "native/s3/s3_credentials.hpp"

#include <algorithm>
#include <exception>
#include <string_view>

#include "core/base/error.hpp"

namespace bev::native {
namespace {

constexpr std::chrono::minutes kMargin{5};
constexpr std::size_t kMaxValue = 8192;  // session tokens have up to 2 KB

/// Values become parts of headers.
bool is_header_text(const std::string& text) {
  return text.size() <= kMaxValue && std::all_of(text.begin(), text.end(), [](char c) {
           return c > ' ' && c < '\x7f';
         });
}

bool is_same(const HttpSigning& a, const HttpSigning& b) {
  return a.access_key == b.access_key && a.secret_key == b.secret_key &&
         a.session_token == b.session_token;
}

struct Process {
  std::mutex mutex;
  std::shared_ptr<S3CredentialStore> store;
};

/// Never destroyed: the callback may own objects of an interpreter that has ended.
Process& process() {
  static auto* const process = new Process;
  return *process;
}

}  // namespace

/// Locks, unless this thread is running the callback.
std::unique_lock<std::mutex> S3Credentials::lock() {
  if (caller_ == std::this_thread::get_id()) {
    fail(Errc::invalid_argument,
         {"s3://", bucket_, ": the credentials callback needs its own keys"});
  }
  return std::unique_lock(mutex_);
}

std::optional<S3Keys> S3Credentials::call() const {
  try {
    return callback_(bucket_);
  } catch (const Error&) {
    throw;
  } catch (...) {
    std::throw_with_nested(
        Error(Errc::network, "s3://" + bucket_ + ": the credentials callback failed"));
  }
}

void S3Credentials::refresh() {
  struct Calling {
    std::atomic<std::thread::id>* caller;
    ~Calling() { *caller = std::thread::id(); }
  } const calling{&caller_};
  caller_ = std::this_thread::get_id();
  const auto keys = call();
  const auto refuse = [&](std::string_view why) {
    fail(Errc::invalid_argument,
         {"s3://", bucket_, ": the credentials callback returned ", why});
  };
  if (!keys) {
    signing_.reset();
    refresh_at_.reset();
    is_known_ = true;
    return;
  }
  const auto& [access, secret, token, expires] = *keys;
  if (access.empty() || secret.empty()) refuse("an empty key");
  if (!is_header_text(access) || !is_header_text(secret) || !is_header_text(token)) {
    refuse("an invalid value (expected printable characters)");
  }
  const auto now = clock_();
  if (expires && *expires <= now) refuse("expired keys");
  signing_ = HttpSigning{access, secret, token, region_};
  refresh_at_.reset();
  if (expires) refresh_at_ = std::max(*expires - kMargin, now + (*expires - now) / 2);
  is_known_ = true;
}

std::optional<HttpSigning> S3Credentials::current() {
  const auto locked = lock();
  if (!is_known_ || (refresh_at_ && clock_() >= *refresh_at_)) refresh();
  return signing_;
}

std::optional<HttpSigning> S3Credentials::renewed(const HttpSigning& expired) {
  const auto locked = lock();
  // Another thread may have renewed them
  if (signing_ && is_same(*signing_, expired)) refresh();
  if (signing_ && is_same(*signing_, expired)) return std::nullopt;
  return signing_;
}

std::shared_ptr<HttpCredentials> S3CredentialStore::of(const std::string& bucket,
                                                       const std::string& region) {
  const std::lock_guard lock(mutex_);
  auto& found = known_[{bucket, region}];
  if (!found) found = std::make_shared<S3Credentials>(callback_, bucket, region);
  return found;
}

void set_s3_callback(S3Callback callback) {
  std::shared_ptr<S3CredentialStore> store;
  if (callback) store = std::make_shared<S3CredentialStore>(std::move(callback));
  const std::lock_guard lock(process().mutex);
  process().store.swap(store);
}

std::shared_ptr<S3CredentialStore> s3_credentials() {
  const std::lock_guard lock(process().mutex);
  return process().store;
}

}  // namespace bev::native

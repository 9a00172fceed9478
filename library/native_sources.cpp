#include <bevscope/native.hpp>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/parallel.hpp"
#include "core/base/secrets.hpp"
#include "library/native_source_impl.hpp"
#include "native/s3/s3_credentials.hpp"
#include "native/source/cache_source.hpp"
#include "native/source/directory_source.hpp"
#include "native/source/source.hpp"
#include "native/source/stated_source.hpp"
#include "native/source/workers.hpp"
#include "native/source/zip_source.hpp"

namespace bev {

native::ReadOptions read_options_of(const HttpOptions& options) {
  native::ReadOptions reading;
  reading.http.connect_timeout_ms = options.connect_timeout_ms;
  reading.http.silence_timeout_s = options.silence_timeout_s;
  reading.http.retries = options.retries;
  reading.http.forbidden_is_absent = options.forbidden_is_absent;
  reading.cache = options.cache;
  return reading;
}

namespace {

std::unique_ptr<native::Source> open_zip(const std::string& path_or_url,
                                         const native::ReadOptions& options) {
  auto source = native::open_source(path_or_url, options);
  if (dynamic_cast<native::ZipSource*>(source.get()) != nullptr) return source;
  fail(Errc::not_found, {path_or_url, ": not a .zip archive"});
}

}  // namespace

namespace {

/// Whatever source a path or URL needs.
class AnySource final : public NativeSource {
 public:
  AnySource(const std::string& path_or_url, const HttpOptions& options)
      : NativeSource(std::make_unique<Impl>(
            native::open_source(path_or_url, read_options_of(options)))) {}
};

/// A source of the program around the library with a cache in front.
class CachedSource final : public NativeSource {
 public:
  explicit CachedSource(std::unique_ptr<native::CacheSource> source)
      : NativeSource(std::make_unique<Impl>(std::move(source))) {}
};

}  // namespace

NativeSource::NativeSource(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {
  use_threads();
}

NativeSource::~NativeSource() = default;

std::optional<std::vector<std::byte>> NativeSource::read(
    const std::string& key, const std::optional<ByteRange>& range) {
  return impl_->source->read(key, range);
}

void NativeSource::read_all(std::span<const ReadRequest> requests,
                            const OnAnswer& take) {
  impl_->source->read_all(requests, take);
}

std::optional<std::uint64_t> NativeSource::size(const std::string& key) {
  return impl_->source->size(key);
}

std::vector<std::optional<std::uint64_t>> NativeSource::sizes(
    std::span<const std::string> keys) {
  return impl_->source->sizes(keys);
}

std::optional<MappedObject> NativeSource::map(const std::string& key) {
  return impl_->source->map(key);
}

std::string NativeSource::version(const std::string& key) {
  return impl_->source->version(key);
}

std::optional<std::uint32_t> NativeSource::checksum(const std::string& key) {
  return impl_->source->checksum(key);
}

std::string NativeSource::address() const {
  return impl_->source->address();
}

void NativeSource::check_unchanged() {
  impl_->source->check_unchanged();
}

void NativeSource::forget(const std::string& key) {
  impl_->source->forget(key);
}

std::optional<std::vector<ListedObject>> NativeSource::list(const std::string& prefix) {
  auto found = impl_->source->list(prefix);
  if (!found) return std::nullopt;
  std::vector<ListedObject> out;
  out.reserve(found->size());
  for (auto& [key, size] : *found) out.push_back({std::move(key), size});
  return out;
}

std::optional<std::string> NativeSource::beside() const {
  return impl_->source->beside();
}

std::optional<CacheCounters> NativeSource::cache_counters() const {
  return impl_->source->cache_counters();
}

DirectorySource::DirectorySource(const std::string& path)
    : NativeSource(
          std::make_unique<Impl>(std::make_unique<native::DirectorySource>(path))) {}

ZipSource::ZipSource(const std::string& path_or_url, const HttpOptions& options)
    : NativeSource(
          std::make_unique<Impl>(open_zip(path_or_url, read_options_of(options)))) {}

HttpSource::HttpSource(const std::string& url, const HttpOptions& options)
    : NativeSource(std::make_unique<Impl>(
          native::open_http_source(url, read_options_of(options)))) {}

std::string loggable(std::string_view text) {
  return without_secrets(text);
}

std::shared_ptr<Source> open_source(const std::string& path_or_url,
                                    const HttpOptions& options) {
  return std::make_shared<AnySource>(path_or_url, options);
}

std::shared_ptr<Source> cached_source(std::shared_ptr<Source> source,
                                      const std::string& name, ObjectStates states,
                                      const CacheOptions& cache) {
  if (!source || !states || name.empty() || cache.folder.empty()) {
    fail(Errc::invalid_argument,
         {"cache: needs a source with a name and states of its objects, and a folder"});
  }
  auto stated = std::make_unique<native::StatedSource>(std::move(source), name,
                                                       std::move(states));
  return std::make_shared<CachedSource>(
      std::make_unique<native::CacheSource>(std::move(stated), cache));
}

void set_s3_credentials(S3CredentialsCallback callback) {
  if (!callback) return native::set_s3_callback(nullptr);
  native::set_s3_callback([callback = std::move(callback)](const std::string& bucket)
                              -> std::optional<native::S3Keys> {
    auto found = callback(bucket);
    if (!found) return std::nullopt;
    return native::S3Keys{std::move(found->access_key), std::move(found->secret_key),
                          std::move(found->session_token), found->expires};
  });
}

void use_threads() noexcept {
  set_workers(native::on_threads);
}

Dataset open(const std::string& path_or_url, const DatasetOptions& options,
             const HttpOptions& http) {
  return Dataset(open_source(path_or_url, http), options);
}

}  // namespace bev

#include <bevscope/native.hpp>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/parallel.hpp"
#include "core/map/meta.hpp"
#include "core/sample/config.hpp"
#include "library/map_impl.hpp"
#include "native/config/config_file.hpp"
#include "native/config/data_root.hpp"
#include "native/files/file.hpp"
#include "native/images/image_file.hpp"
#include "native/source/directory_source.hpp"
#include "native/source/http_source.hpp"
#include "native/source/source.hpp"
#include "native/source/workers.hpp"
#include "native/source/zip_source.hpp"

namespace bev {
namespace {

native::ReadOptions options_of(const HttpOptions& options) {
  native::ReadOptions reading;
  reading.http.connect_timeout_ms = options.connect_timeout_ms;
  reading.http.silence_timeout_s = options.silence_timeout_s;
  reading.http.retries = options.retries;
  reading.http.forbidden_is_absent = options.forbidden_is_absent;
  return reading;
}

native::File open_file(const std::string& path) {
  auto file = native::File::open(path, path);
  if (!file) fail(Errc::not_found, {path, ": not a file"});
  return *std::move(file);
}

std::vector<std::byte> bytes_of(const std::string& path) {
  const auto file = open_file(path);
  std::vector<std::byte> bytes(file.size());
  bytes.resize(file.read_at(0, bytes));
  return bytes;
}

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::unique_ptr<native::Source> open_zip(const std::string& path_or_url,
                                         const native::ReadOptions& options) {
  auto source = native::open_source(path_or_url, options);
  if (dynamic_cast<native::ZipSource*>(source.get()) != nullptr) return source;
  fail(Errc::not_found, {path_or_url, ": not a .zip archive"});
}

}  // namespace

struct NativeSource::Impl {
  explicit Impl(std::unique_ptr<native::Source> opened) : source(std::move(opened)) {}

  std::unique_ptr<native::Source> source;
};

namespace {

/// Whatever source a path or URL needs.
class AnySource final : public NativeSource {
 public:
  AnySource(const std::string& path_or_url, const HttpOptions& options)
      : NativeSource(std::make_unique<Impl>(
            native::open_source(path_or_url, options_of(options)))) {}
};

}  // namespace

NativeSource::NativeSource(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {
  set_workers(native::on_threads);
}

NativeSource::~NativeSource() = default;

std::optional<std::vector<std::byte>> NativeSource::read(
    const std::string& key, const std::optional<ByteRange>& range) {
  return impl_->source->read(key, range);
}

void NativeSource::read_all(std::span<const ReadRequest> requests,
                            const OnAnswer& take) {
  std::vector<store::Request> round;
  round.reserve(requests.size());
  for (const auto& request : requests) {
    round.push_back({request.key, request.range});
  }
  impl_->source->read_all(round, [&](const store::Request& request, auto bytes) {
    ReadRequest answered{request.key, std::nullopt};
    if (request.range) answered.range = {request.range->begin, request.range->end};
    take(answered, std::move(bytes));
  });
}

std::optional<std::uint64_t> NativeSource::size(const std::string& key) {
  return impl_->source->size(key);
}

void NativeSource::check_unchanged() {
  impl_->source->check_unchanged();
}

DirectorySource::DirectorySource(const std::string& path)
    : NativeSource(
          std::make_unique<Impl>(std::make_unique<native::DirectorySource>(path))) {}

ZipSource::ZipSource(const std::string& path_or_url, const HttpOptions& options)
    : NativeSource(std::make_unique<Impl>(open_zip(path_or_url, options_of(options)))) {
}

HttpSource::HttpSource(const std::string& url, const HttpOptions& options)
    : NativeSource(std::make_unique<Impl>(
          std::make_unique<native::HttpSource>(url, options_of(options).http))) {}

std::shared_ptr<Source> open_source(const std::string& path_or_url,
                                    const HttpOptions& options) {
  return std::make_shared<AnySource>(path_or_url, options);
}

std::string read_config(const std::string& path) {
  return native::read_config(path);
}

std::shared_ptr<const SemanticMap> read_map(const std::string& map_path,
                                            const std::string& meta_path) {
  const auto map = bytes_of(map_path);
  const auto meta = bytes_of(meta_path);
  return std::make_shared<const SemanticMap>(map, text_of(meta));
}

void load_maps(SampleConfig& config, const std::optional<std::string>& root) {
  const auto keys =
      sample::data_keys(sample::Config::parse(config.json), config.vectorized);
  if (!keys.meta) return;
  const native::DataRoot folder(root);
  const auto meta_path = folder.require(*keys.meta);
  if (keys.semantic_map && !config.map) {
    config.map = read_map(folder.require(*keys.semantic_map), meta_path);
  }
  if (keys.aerial_image && !config.aerial) {
    const auto path = folder.require(*keys.aerial_image);
    const auto meta = map::parse_meta(text_of(bytes_of(meta_path)));
    auto image = std::make_shared<const map::AerialImage>(
        native::read_aerial_image(open_file(path), path, map::aerial_from_world(meta)));
    config.aerial = std::make_shared<const AerialImage>(
        std::make_shared<const AerialImage::Impl>(std::move(image)));
  }
}

Dataset open(const std::string& path_or_url, const DatasetOptions& options) {
  return Dataset(open_source(path_or_url), options);
}

}  // namespace bev

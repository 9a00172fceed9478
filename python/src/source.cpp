#include "source.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <bevscope/error.hpp>
#include <bevscope/http_transport.hpp>
#include <bevscope/native.hpp>
#include <chrono>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "errors.hpp"
#include "held.hpp"
#include "scenarios.hpp"

namespace bev::python {
namespace {

namespace nb = nanobind;

using MaybeBytes = std::optional<std::vector<std::byte>>;

/// Copies an object with the buffer protocol.
std::vector<std::byte> copied(nb::handle object) {
  Py_buffer view;
  if (PyObject_GetBuffer(object.ptr(), &view, PyBUF_SIMPLE) != 0) {
    throw nb::python_error();
  }
  std::vector<std::byte> bytes(static_cast<std::size_t>(view.len));
  if (!bytes.empty()) std::memcpy(bytes.data(), view.buf, bytes.size());
  PyBuffer_Release(&view);
  return bytes;
}

MaybeBytes answer_of(nb::handle object) {
  if (object.is_none()) return std::nullopt;
  return copied(object);
}

nb::object range_of_source(const std::optional<ByteRange>& range) {
  if (!range) return nb::none();
  return nb::make_tuple(range->begin, range->end);
}

/// A Python object as source.
class ObjectSource final : public Source {
 public:
  explicit ObjectSource(nb::object object)
      : reads_all_(nb::hasattr(object, "read_all")),
        sizes_(nb::hasattr(object, "size")),
        object_(std::move(object)) {}

  MaybeBytes read(const std::string& key,
                  const std::optional<ByteRange>& range) override {
    const nb::gil_scoped_acquire gil;
    return answer_of((*object_).attr("read")(key, range_of_source(range)));
  }

  void read_all(std::span<const ReadRequest> requests, const OnAnswer& take) override {
    if (!reads_all_) return Source::read_all(requests, take);
    for (auto& [index, bytes] : all_of(requests)) {
      take(requests[index], std::move(bytes));
    }
  }

  std::optional<std::uint64_t> size(const std::string& key) override {
    if (!sizes_) return Source::size(key);
    const nb::gil_scoped_acquire gil;
    return nb::cast<std::optional<std::uint64_t>>((*object_).attr("size")(key));
  }

 private:
  std::vector<std::pair<std::size_t, MaybeBytes>> all_of(
      std::span<const ReadRequest> requests) {
    const nb::gil_scoped_acquire gil;
    nb::list asked;
    for (const auto& request : requests) {
      asked.append(nb::make_tuple(request.key, range_of_source(request.range)));
    }
    std::vector<std::pair<std::size_t, MaybeBytes>> answers;
    std::vector<bool> answered(requests.size());
    for (const nb::handle answer : (*object_).attr("read_all")(asked)) {
      const auto index = nb::cast<std::size_t>(answer[0]);
      if (index >= requests.size() || answered[index]) {
        throw Error(Errc::invalid_argument,
                    "source: read_all must yield each index once (found " +
                        std::to_string(index) + ")");
      }
      answered[index] = true;
      answers.emplace_back(index, answer_of(answer[1]));
    }
    if (answers.size() != requests.size()) {
      throw Error(Errc::invalid_argument, "source: read_all: answers missing (found " +
                                              std::to_string(answers.size()) +
                                              ", expected " +
                                              std::to_string(requests.size()) + ")");
    }
    return answers;
  }

  bool reads_all_, sizes_;
  Held object_;
};

/// Runs signal handlers between the answers of a source.
class InterruptibleSource final : public Source {
 public:
  explicit InterruptibleSource(std::shared_ptr<Source> source)
      : source_(std::move(source)) {}

  MaybeBytes read(const std::string& key,
                  const std::optional<ByteRange>& range) override {
    check_signals();
    return source_->read(key, range);
  }

  void read_all(std::span<const ReadRequest> requests, const OnAnswer& take) override {
    source_->read_all(requests, [&](const ReadRequest& request, MaybeBytes bytes) {
      check_signals();
      take(request, std::move(bytes));
    });
  }

  std::optional<std::uint64_t> size(const std::string& key) override {
    return source_->size(key);
  }

  std::vector<std::optional<std::uint64_t>> sizes(
      std::span<const std::string> keys) override {
    return source_->sizes(keys);
  }

  std::optional<MappedObject> map(const std::string& key) override {
    return source_->map(key);
  }

  std::string version(const std::string& key) override { return source_->version(key); }

  std::optional<std::uint32_t> checksum(const std::string& key) override {
    return source_->checksum(key);
  }

  std::string address() const override { return source_->address(); }

  void check_unchanged() override { source_->check_unchanged(); }

  void forget(const std::string& key) override { source_->forget(key); }

  const Source& inner() const noexcept { return *source_; }

 private:
  std::shared_ptr<Source> source_;
};

/// Returns the library's own source that a source is or wraps; nullptr if there is none.
const NativeSource* native_in(const Source& source) {
  const auto* const wrapper = dynamic_cast<const InterruptibleSource*>(&source);
  return dynamic_cast<const NativeSource*>(wrapper == nullptr ? &source
                                                              : &wrapper->inner());
}

std::string text_of_source(nb::handle dict, const char* name) {
  return nb::cast<std::string>(dict.attr("get")(name, ""));
}

/// Converts what the transport yields: (index, status, headers, body, failure).
HttpResponse response_of(nb::handle answer) {
  HttpResponse response;
  response.status = nb::cast<long>(answer[1]);
  const nb::object headers = answer[2];
  response.body = copied(answer[3]);
  response.failure = nb::cast<std::string>(answer[4]);
  response.content_length = text_of_source(headers, "content-length");
  response.content_range = text_of_source(headers, "content-range");
  response.content_encoding = text_of_source(headers, "content-encoding");
  response.content_type = text_of_source(headers, "content-type");
  response.etag = text_of_source(headers, "etag");
  response.last_modified = text_of_source(headers, "last-modified");
  response.retry_after = text_of_source(headers, "retry-after");
  response.writer = text_of_source(headers, "x-amz-meta-bevscope-writer");
  return response;
}

/// Sleeps, and runs signal handlers.
void wait_until(std::chrono::steady_clock::time_point due) {
  constexpr std::chrono::milliseconds kSlice{20};
  for (;;) {
    check_signals();
    const auto now = std::chrono::steady_clock::now();
    if (now >= due) return;
    std::this_thread::sleep_until(std::min(now + kSlice, due));
  }
}

nb::object signing_of(const std::optional<HttpSigning>& signing) {
  if (!signing) return nb::none();
  return nb::make_tuple(signing->access_key, signing->secret_key,
                        signing->session_token, signing->region);
}

using Send = nb::typed<nb::callable, nb::typed<nb::iterable, nb::any>(...)>;
/// Access key, secret key, token, seconds since 1970.
using Keys = std::tuple<std::string, std::string, std::string, std::optional<double>>;
using Callback = nb::typed<nb::callable, std::optional<Keys>(std::string)>;

const char* method_of(const HttpRequest& request) {
  if (!request.method.empty()) return request.method.c_str();
  return request.head ? "HEAD" : "GET";
}

nb::bytes bytes_of(std::span<const std::byte> bytes) {
  return nb::bytes(bytes.data(), bytes.size());
}

void set_transport(Send send) {
  const auto held = std::make_shared<Held>(std::move(send));
  const HttpTransport transport = [held](const HttpOptions& options,
                                         std::span<const HttpRequest> requests,
                                         std::size_t width,
                                         const OnHttpResponse& take) {
    const nb::gil_scoped_acquire gil;
    nb::list asked;
    for (const auto& request : requests) {
      asked.append(nb::make_tuple(request.url, range_of_source(request.range),
                                  request.max_bytes, method_of(request),
                                  bytes_of(request.body), request.headers,
                                  signing_of(request.signing)));
    }
    const nb::object answers =
        (**held)(asked, width, options.connect_timeout_ms, options.silence_timeout_s);
    for (const nb::handle answer : answers) {
      const auto index = nb::cast<std::size_t>(answer[0]);
      auto response = response_of(answer);
      const nb::gil_scoped_release release;
      if (!take(index, std::move(response))) break;
    }
  };
  set_http_transport(transport, &wait_until);
}

std::optional<S3Credentials> credentials_of(const std::optional<Keys>& found) {
  if (!found) return std::nullopt;
  const auto& [access, secret, token, expires] = *found;
  S3Credentials out{access, secret, token, std::nullopt};
  if (expires) {
    const std::chrono::duration<double> since(*expires);
    using Clock = std::chrono::system_clock;
    out.expires = Clock::time_point(std::chrono::duration_cast<Clock::duration>(since));
  }
  return out;
}

void set_credentials(std::optional<Callback> callback) {
  if (!callback) return set_s3_credentials(nullptr);
  const auto held = std::make_shared<Held>(std::move(*callback));
  set_s3_credentials([held](const std::string& bucket) {
    const nb::gil_scoped_acquire gil;
    try {
      return credentials_of(nb::cast<std::optional<Keys>>((**held)(bucket)));
    } catch (nb::python_error& error) {
      throw Raised(std::move(error));
    }
  });
}

/// Emits a RuntimeWarning. One that is turned into an error is printed: a cache that
/// cannot be written never fails a read.
void warn(const std::string& text) {
  const nb::gil_scoped_acquire gil;
  if (PyErr_WarnEx(PyExc_RuntimeWarning, text.c_str(), 1) != 0) {
    PyErr_WriteUnraisable(nullptr);
  }
}

/// Puts the cache in front of a Python object that has `name` and `states`.
std::shared_ptr<Source> cached(std::shared_ptr<Source> source,
                               const nb::object& address, const CacheFolder& cache) {
  if (!nb::hasattr(address, "name") || !nb::hasattr(address, "states")) {
    throw Error(Errc::invalid_argument,
                "cache: a source needs name and states (found " +
                    nb::cast<std::string>(address.type().attr("__name__")) + ")");
  }
  const auto held = std::make_shared<Held>(address);
  return cached_source(
      std::move(source), nb::cast<std::string>(address.attr("name")),
      [held](std::span<const std::string> keys) {
        const nb::gil_scoped_acquire gil;
        std::vector<std::string> states;
        const auto found = (**held).attr("states")(
            nb::cast(std::vector<std::string>(keys.begin(), keys.end())));
        for (const nb::handle one : found) {
          states.push_back(one.is_none() ? "" : nb::cast<std::string>(one));
        }
        return states;
      },
      {cache.path, cache.limit, &warn});
}

NamedCounts counts_of(const CacheContents& contents) {
  NamedCounts out;
  out["entries"] = contents.entries;
  out["bytes"] = contents.bytes;
  return out;
}

/// A source's objects as such, for formats that Python reads.
class Objects {
 public:
  explicit Objects(std::shared_ptr<Source> source) : source_(std::move(source)) {}

  nb::object read(const std::string& key,
                  const std::optional<std::pair<std::uint64_t, std::uint64_t>>& range) {
    const auto found = [&] {
      const nb::gil_scoped_release release;
      return source_->read(key, range_from(range));
    }();
    return answer(found);
  }

  using Asked =
      std::pair<std::string, std::optional<std::pair<std::uint64_t, std::uint64_t>>>;

  /// Returns the answers in the order of the requests.
  nb::typed<nb::list, std::optional<nb::bytes>> read_all(
      const std::vector<Asked>& asked) {
    std::vector<ReadRequest> requests;
    // Sources pass on requests of their own.
    std::map<Asked, std::vector<std::size_t>> places;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      auto& equal = places[asked[i]];
      if (equal.empty()) {
        requests.push_back({asked[i].first, range_from(asked[i].second)});
      }
      equal.push_back(i);
    }
    std::vector<MaybeBytes> answers(asked.size());
    {
      const nb::gil_scoped_release release;
      source_->read_all(requests, [&](const ReadRequest& request, MaybeBytes bytes) {
        Asked one{request.key, std::nullopt};
        if (request.range) one.second.emplace(request.range->begin, request.range->end);
        for (const auto i : places.at(one)) answers[i] = bytes;
      });
    }
    nb::list out;
    for (const auto& one : answers) out.append(answer(one));
    return nb::typed<nb::list, std::optional<nb::bytes>>(std::move(out));
  }

  std::optional<std::uint64_t> size(const std::string& key) {
    const nb::gil_scoped_release release;
    return source_->size(key);
  }

  std::vector<std::optional<std::uint64_t>> sizes(
      const std::vector<std::string>& keys) {
    const nb::gil_scoped_release release;
    return source_->sizes(keys);
  }

  std::optional<NamedCounts> cache_counters() const {
    return cache_counters_of(*source_);
  }

  std::optional<std::string> beside() const {
    const auto* const found = native_in(*source_);
    return found == nullptr ? std::nullopt : found->beside();
  }

 private:
  static std::optional<ByteRange> range_from(
      const std::optional<std::pair<std::uint64_t, std::uint64_t>>& range) {
    if (!range) return std::nullopt;
    return ByteRange{range->first, range->second};
  }

  static nb::object answer(const MaybeBytes& bytes) {
    return bytes ? nb::object(bytes_of(*bytes)) : nb::none();
  }

  std::shared_ptr<Source> source_;
};

/// Returns the keys and sizes of objects; None if listing is not possible.
std::optional<std::vector<std::pair<std::string, std::uint64_t>>> list_objects(
    const std::string& address, const std::string& prefix) {
  const nb::gil_scoped_release release;
  const auto source = open_source(address);
  auto found = dynamic_cast<NativeSource&>(*source).list(prefix);
  if (!found) return std::nullopt;
  std::vector<std::pair<std::string, std::uint64_t>> out;
  for (auto& [key, size] : *found) out.emplace_back(std::move(key), size);
  return out;
}

}  // namespace

std::shared_ptr<Source> source_of(const nb::object& address, const Reading& reading) {
  const auto& cache = reading.cache;
  std::shared_ptr<Source> source;
  if (nb::isinstance<nb::str>(address)) {
    const auto text = nb::cast<std::string>(address);
    const nb::gil_scoped_release release;
    HttpOptions options;
    options.cache = {cache.path, cache.limit, &warn};
    const auto scenarios =
        scenario_options(reading.with_map, reading.maps, reading.ego);
    const bool has_options =
        reading.with_map || !reading.maps.empty() || !reading.ego.empty();
    source = has_options || scenario_format(text)
                 ? open_scenarios(text, scenarios, options)
                 : open_source(text, options);
  } else {
    source = std::make_shared<ObjectSource>(address);
    if (!cache.path.empty()) source = cached(std::move(source), address, cache);
  }
  return std::make_shared<InterruptibleSource>(std::move(source));
}

std::optional<NamedCounts> cache_counters_of(const Source& source) {
  const auto* const found = native_in(source);
  const auto counters = found == nullptr ? std::nullopt : found->cache_counters();
  if (!counters) return std::nullopt;
  NamedCounts all;
  all["hits"] = counters->hits;
  all["misses"] = counters->misses;
  all["shared"] = counters->shared;
  all["validations"] = counters->validations;
  all["cached_bytes"] = counters->cached_bytes;
  all["fetched_bytes"] = counters->fetched_bytes;
  all["evictions"] = counters->evictions;
  all["refused"] = counters->refused;
  return all;
}

void bind_sources(nb::module_& module) {
  use_threads();
  module.def("set_http_transport", &set_transport, nb::arg("send"));
  module.def("set_s3_credentials", &set_credentials, nb::arg("callback").none());
  module.def(
      "cache_contents",
      [](const std::string& folder) { return counts_of(cache_contents(folder)); },
      nb::arg("folder"));
  module.def(
      "clear_cache",
      [](const std::string& folder) { return counts_of(clear_cache(folder)); },
      nb::arg("folder"));
  module.def("loggable", &loggable, nb::arg("text"));
  module.def("list_objects", &list_objects, nb::arg("address"), nb::arg("prefix"));
  nb::class_<Objects>(module, "Objects")
      .def(
          "__init__",
          [](Objects* self, const nb::object& address, const std::string& cache,
             std::uint64_t cache_limit, bool with_map, std::string maps,
             std::string ego) {
            new (self) Objects(source_of(
                address,
                {{cache, cache_limit}, with_map, std::move(maps), std::move(ego)}));
          },
          nb::arg("address"), nb::arg("cache"), nb::arg("cache_limit"),
          nb::arg("with_map") = false, nb::arg("maps") = "", nb::arg("ego") = "")
      .def_static(
          "of_scenarios",
          [](std::string format, std::vector<std::string> names,
             const ScenarioState& state, const ReadScenario& read, bool with_map) {
            return Objects(own_scenarios(std::move(format), std::move(names), state,
                                         read, with_map));
          },
          nb::arg("format"), nb::arg("names"), nb::arg("state"), nb::arg("read"),
          nb::arg("with_map"))
      .def("read", &Objects::read, nb::arg("key"), nb::arg("range").none())
      .def("read_all", &Objects::read_all, nb::arg("requests"))
      .def("size", &Objects::size, nb::arg("key"))
      .def("sizes", &Objects::sizes, nb::arg("keys"))
      .def("beside", &Objects::beside)
      .def("cache_counters", &Objects::cache_counters);
  module.def("scenario_format", &scenario_format, nb::arg("address"));
}

}  // namespace bev::python

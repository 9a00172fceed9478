#include "native/doctor/library_checks.hpp"

#include <blosc.h>
#include <curl/curl.h>
#include <lz4.h>
#include <png.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/base/error.hpp"
#include "core/zarr/decode.hpp"
#include "core/zarr/dtype.hpp"
#include "core/zarr/encode.hpp"
#include "native/files/file.hpp"
#include "native/images/image_file.hpp"
#include "native/images/jpeg_library.hpp"

namespace bev::doctor {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 9> kCodecNames = {
    "zlib",      "gzip",        "zstd",       "lz4",       "blosc:blosclz",
    "blosc:lz4", "blosc:lz4hc", "blosc:zlib", "blosc:zstd"};

/// Encodes and decodes a chunk. Returns "", or what went wrong.
std::string try_codec(std::string_view name) {
  try {
    zarr::ArrayMeta meta;
    meta.shape = meta.chunks = {4096};
    meta.dtype = zarr::parse_dtype(nlohmann::json("<i4"), "doctor");
    meta.fill.resize(4);
    meta.compressor = zarr::compressor_named(name, std::nullopt);
    std::vector<std::byte> elements(meta.chunk_bytes());
    for (std::size_t i = 0; i < elements.size(); ++i) {
      elements[i] = static_cast<std::byte>(i * i / 7);
    }
    const auto encoded = zarr::encode_chunk(meta, elements);
    std::vector<std::byte> decoded(elements.size());
    zarr::decode_chunk(meta, {"doctor/0", encoded}, decoded);
    return decoded == elements ? "" : "decodes to other bytes";
  } catch (const Error& error) {
    return error.what();
  }
}

/// A file in memory.
class MemoryFile {
 public:
  explicit MemoryFile(std::span<const std::byte> bytes)
      : descriptor_(::memfd_create("bevscope-doctor", MFD_CLOEXEC)) {
    const auto count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count != static_cast<ssize_t>(bytes.size())) {
      fail(Errc::io, {"a file in memory: write failed"});
    }
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { ::close(descriptor_); }

  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

/// Encodes an image as PNG and decodes it. Returns "", or what went wrong.
std::string try_png() {
  constexpr std::uint32_t kSide = 16;
  std::vector<std::uint8_t> pixels(std::size_t{kSide} * kSide * 3);
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    pixels[i] = static_cast<std::uint8_t>(i * 37);
  }
  try {
    const MemoryFile png(native::encode_png(pixels, kSide, kSide));
    const auto file = native::File::open(png.path(), "doctor.png");
    if (!file) return "no file in memory";
    const auto image = native::read_aerial_image(*file, "doctor.png", {});
    return std::equal(pixels.begin(), pixels.end(), image.pixels().begin(),
                      image.pixels().end())
               ? ""
               : "PNG decodes to other pixels";
  } catch (const Error& error) {
    return error.what();
  }
}

std::string jpeg_version() {
#ifdef LIBJPEG_TURBO_VERSION
#define BEV_TEXT(x) #x
#define BEV_TEXT_OF(x) BEV_TEXT(x)
  return "libjpeg-turbo " BEV_TEXT_OF(LIBJPEG_TURBO_VERSION);
#undef BEV_TEXT_OF
#undef BEV_TEXT
#else
  return "libjpeg " + std::to_string(JPEG_LIB_VERSION);
#endif
}

bool speaks(const curl_version_info_data& curl, std::string_view protocol) {
  for (const auto* const* name = curl.protocols; *name != nullptr; ++name) {
    if (*name == protocol) return true;
  }
  return false;
}

std::size_t count_certificates(const std::string& path) {
  constexpr std::string_view kBegin = "-----BEGIN CERTIFICATE-----";
  const auto file = native::File::open(path, path);
  if (!file) return 0;
  std::string text(static_cast<std::size_t>(file->size()), '\0');
  text.resize(file->read_at(0, std::as_writable_bytes(std::span(text))));
  std::size_t count = 0;
  for (auto at = text.find(kBegin); at != text.npos; at = text.find(kBegin, at + 1)) {
    ++count;
  }
  return count;
}

std::size_t count_entries(const std::string& folder) {
  std::error_code error;
  std::size_t count = 0;
  fs::directory_iterator at(folder, error);
  for (const fs::directory_iterator end; !error && at != end; at.increment(error)) {
    ++count;
  }
  return count;
}

std::string text_or_empty(const char* text) {
  return text == nullptr ? "" : text;
}

}  // namespace

Finding check_codecs() {
  Finding finding{.name = "codecs"};
  for (const auto name : kCodecNames) {
    const auto failure = try_codec(name);
    finding.facts["codecs"][std::string(name)] = failure.empty();
    if (failure.empty()) continue;
    finding.level = Level::problem;
    finding.found += std::string(name) + ": " + failure + "; ";
    finding.remedy = "reinstall the libraries named here, or build the program again";
  }
  const std::pair<const char*, std::string> libraries[] = {
      {"blosc", blosc_get_version_string()},
      {"lz4", LZ4_versionString()},
      {"zstd", ZSTD_versionString()},
      {"zlib", ::zlibVersion()}};
  for (const auto& [name, version] : libraries) {
    finding.facts["libraries"][name] = version;
    finding.found += std::string(name) + " " + version + ", ";
  }
  finding.found += std::to_string(kCodecNames.size()) + " codecs tried";
  return finding;
}

Finding check_images() {
  const auto failure = try_png();
  const std::string png = ::png_get_libpng_ver(nullptr);
  Finding finding{.name = "images",
                  .found = "libpng " + png + " tried, " + jpeg_version(),
                  .facts = {{"png", png}, {"jpeg", jpeg_version()}}};
  if (failure.empty()) return finding;
  finding.level = Level::problem;
  finding.found += ": " + failure;
  finding.remedy = "reinstall libpng; without it, aerial images and rasters fail";
  return finding;
}

Finding check_http(const native::Environment& environment) {
  const auto& curl = *::curl_version_info(CURLVERSION_NOW);
  const bool tls = speaks(curl, "https");
  const bool http2 = (curl.features & CURL_VERSION_HTTP2) != 0;
  Finding finding{.name = "http",
                  .found = std::string("libcurl ") + curl.version + ", " +
                           (tls ? text_or_empty(curl.ssl_version) : "no TLS") +
                           (http2 ? ", HTTP/2" : ""),
                  .facts = {{"libcurl", curl.version},
                            {"tls", text_or_empty(curl.ssl_version)},
                            {"http2", http2},
                            {"proxies", nlohmann::ordered_json::array()}}};
  for (const auto* name :
       {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"}) {
    if (!environment(name)) continue;
    finding.facts["proxies"].push_back(name);
    finding.found += std::string(", proxy of ") + name;
  }
  if (!tls) {
    finding.level = Level::problem;
    finding.remedy =
        "install a libcurl with TLS: https and s3 addresses cannot be read";
  } else if (!http2) {
    finding.level = Level::warning;
    finding.remedy = "a libcurl with nghttp2 needs fewer connections to a server";
  }
  return finding;
}

Finding check_certificates(const std::string& file, const std::string& folder) {
  Finding finding{.name = "certificates",
                  .facts = {{"file", file}, {"folder", folder}}};
  const auto count = file.empty() ? 0 : count_certificates(file);
  const auto entries = folder.empty() ? 0 : count_entries(folder);
  finding.facts["certificates"] = count;
  if (count > 0) {
    finding.found = std::to_string(count) + " in " + file;
  } else if (entries > 0) {
    finding.found = std::to_string(entries) + " files in " + folder;
  } else {
    finding.level = Level::problem;
    finding.found = "none found (" + (file.empty() ? "no file" : file) + ", " +
                    (folder.empty() ? "no folder" : folder) + ")";
    finding.remedy =
        "install ca-certificates: without them, no https server can be verified";
  }
  return finding;
}

Finding check_certificates() {
  char* file = nullptr;
  char* folder = nullptr;
#if LIBCURL_VERSION_NUM >= 0x075400
  auto* const handle = ::curl_easy_init();
  if (handle != nullptr) {
    ::curl_easy_getinfo(handle, CURLINFO_CAINFO, &file);
    ::curl_easy_getinfo(handle, CURLINFO_CAPATH, &folder);
  }
  auto finding = check_certificates(text_or_empty(file), text_or_empty(folder));
  ::curl_easy_cleanup(handle);
  return finding;
#else
  return Finding{.name = "certificates", .found = "not known by this libcurl"};
#endif
}

}  // namespace bev::doctor

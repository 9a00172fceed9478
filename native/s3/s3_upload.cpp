#include "native/s3/s3_upload.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string_view>
#include <utility>

#include "core/base/error.hpp"
#include "native/http/url_text.hpp"
#include "native/s3/s3_xml.hpp"

namespace bev::native {
namespace {

using Headers = std::vector<std::string>;

Headers metadata_of(const S3Put& put) {
  return {"Content-Type: application/octet-stream",
          std::string(kWriterHeader) + ": " + put.writer};
}

Headers conditions_of(const S3Put& put) {
  Headers out;
  if (put.if_absent) out.emplace_back("If-None-Match: *");
  if (!put.if_match.empty()) out.push_back("If-Match: " + put.if_match);
  return out;
}

/// Whether the object has these bytes.
bool holds(S3Client& client, const std::string& key, std::span<const std::byte> bytes) {
  const auto answer =
      client.send({.url = client.url(key),
                   .max_bytes = static_cast<std::uint64_t>(bytes.size()) + 1});
  return answer.status == 200 && answer.body.size() == bytes.size() &&
         std::equal(bytes.begin(), bytes.end(), answer.body.begin());
}

/// Sends the request that makes an object visible; returns its ETag.
///
/// @param bytes  of the object; nullopt if they are not in memory
std::string publish(S3Client& client, const std::string& key, HttpRequest request,
                    const S3Put& put, std::optional<std::span<const std::byte>> bytes) {
  const auto conditions = conditions_of(put);
  const auto plain = request.headers;
  request.headers.insert(request.headers.end(), conditions.begin(), conditions.end());
  auto answer = client.send(request);
  if (answer.status == 501 && !conditions.empty() &&
      !put.needs_condition) {  // no conditional writes
    request.headers = plain;
    answer = client.send(request);
  }
  const bool done = answer.status == 200 && s3_code(answer).empty();
  if (done && !answer.etag.empty()) return std::move(answer.etag);
  // An earlier attempt may have succeeded: the object exists, or its parts are gone
  const bool late =
      answer.status == 412 || answer.status == 404 || answer.status == 409;
  if (!done && !late) S3Client::fail_answer(request, answer);
  auto found = client.send({.url = client.url(key), .head = true});
  if (found.status == 200 && found.writer == put.writer) return std::move(found.etag);
  if (done) return {};
  if (found.status == 200 && bytes &&
      found.content_length == std::to_string(bytes->size()) &&
      holds(client, key, *bytes)) {
    return {};
  }
  if (answer.status == 412) {
    fail_at(Errc::changed, client.url(key), {"was written by another process"});
  }
  S3Client::fail_answer(request, answer);
}

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

}  // namespace

std::string random_writer() {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::random_device random;
  std::string out;
  while (out.size() < 32) out += kDigits[random() & 15U];
  return out;
}

std::string put_object(S3Client& client, const std::string& key,
                       std::span<const std::byte> bytes, const S3Put& put) {
  if (bytes.size() <= kPartBytes) {
    return publish(client, key,
                   {.url = client.url(key),
                    .method = "PUT",
                    .body = bytes,
                    .headers = metadata_of(put)},
                   put, bytes);
  }
  const S3Multipart upload(client, key, put);
  try {
    std::vector<std::string> etags;
    for (auto rest = bytes; !rest.empty();) {
      const auto part = rest.first(std::min(rest.size(), kPartBytes));
      etags.push_back(upload.put_part(client, etags.size() + 1, part));
      rest = rest.subspan(part.size());
    }
    return upload.complete(client, etags, bytes);
  } catch (...) {
    upload.abort(client);
    throw;
  }
}

void delete_object(S3Client& client, const std::string& key) {
  const HttpRequest request{.url = client.url(key), .method = "DELETE"};
  const auto answer = client.send(request);
  const bool done =
      answer.status == 200 || answer.status == 204 || answer.status == 404;
  if (!done) S3Client::fail_answer(request, answer);
}

S3Multipart::S3Multipart(S3Client& client, std::string key, S3Put put)
    : key_(std::move(key)), put_(std::move(put)) {
  const HttpRequest request{.url = client.url(key_) + "?uploads=",
                            .method = "POST",
                            .headers = metadata_of(put_)};
  const auto answer = client.send(request);
  if (answer.status != 200) S3Client::fail_answer(request, answer);
  const std::string_view xml(reinterpret_cast<const char*>(answer.body.data()),
                             answer.body.size());
  for_each_xml_text(xml, client.url(key_),
                    [&](std::string_view path, const std::string& text) {
                      if (path == "UploadId") id_ = url_encoded(text, "");
                    });
  if (id_.empty()) {
    fail_at(Errc::invalid_metadata, client.url(key_), {"an upload without UploadId"});
  }
}

std::string S3Multipart::put_part(S3Client& client, std::size_t number,
                                  std::span<const std::byte> bytes) const {
  if (number > kMaxParts) {
    fail_at(Errc::limit_exceeded, client.url(key_),
            {"too large (expected at most ", kMaxParts, " parts)"});
  }
  const HttpRequest request{.url = client.url(key_) + "?partNumber=" +
                                   std::to_string(number) + "&uploadId=" + id_,
                            .method = "PUT",
                            .body = bytes};
  auto answer = client.send(request);
  if (answer.status != 200 || answer.etag.empty()) {
    S3Client::fail_answer(request, answer);
  }
  return std::move(answer.etag);
}

std::string S3Multipart::complete(
    S3Client& client, std::span<const std::string> etags,
    std::optional<std::span<const std::byte>> bytes) const {
  std::string xml = "<CompleteMultipartUpload>";
  for (std::size_t i = 0; i < etags.size(); ++i) {
    xml += "<Part><PartNumber>" + std::to_string(i + 1) + "</PartNumber><ETag>";
    for (const char c : etags[i]) {
      if (c == '<' || c == '&') fail(Errc::invalid_metadata, {"S3: invalid ETag"});
      xml += c;
    }
    xml += "</ETag></Part>";
  }
  xml += "</CompleteMultipartUpload>";
  return publish(client, key_,
                 {.url = client.url(key_) + "?uploadId=" + id_,
                  .method = "POST",
                  .body = bytes_of(xml),
                  .headers = {"Content-Type: application/xml"}},
                 put_, bytes);
}

void S3Multipart::abort(S3Client& client) const noexcept {
  try {
    client.send({.url = client.url(key_) + "?uploadId=" + id_, .method = "DELETE"});
  } catch (...) {
    // Its parts remain until the bucket's lifecycle rule removes them
  }
}

}  // namespace bev::native

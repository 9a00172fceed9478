#include "native/s3/s3_upload.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "core/base/error.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/fake_s3.hpp"

namespace s3_upload_test {

using bev::Errc;
using bev::native::delete_object;
using bev::native::HttpSettings;
using bev::native::kPartBytes;
using bev::native::put_object;
using bev::native::random_writer;
using bev::native::S3Client;
using bev::native::S3Multipart;
using bev::native::S3Put;
using bev::native::S3Settings;
using bev::test::error_code;
using bev::test::FakeS3;
using bev::test::ScriptedServer;

namespace {

const HttpSettings kQuick{.retries = 2, .first_delay_ms = 1};

void put(S3Client& client, const std::string& text, const S3Put& how) {
  put_object(client, "k", std::as_bytes(std::span(text)), how);
}

}  // namespace

TEST_SUITE("native/s3/s3_upload") {
  TEST_CASE("transient failures are retried, others are errors") {
    FakeS3 s3;
    S3Client client(s3.settings(), "bucket", kQuick);
    s3.fail_once("PUT /bucket/k", "503 Slow Down");
    put(client, "1", {.writer = "w"});
    CHECK(s3.objects().at("k").bytes == "1");
    s3.fail_once("PUT /bucket/k", "403 Forbidden");
    CHECK(error_code([&] { put(client, "2", {.writer = "w"}); }) == Errc::network);
    CHECK(s3.objects().at("k").bytes == "1");
  }

  TEST_CASE("a lost answer is no failure") {
    for (const auto size : {std::size_t{3}, std::size_t{17} << 20}) {
      FakeS3 s3;
      S3Client client(s3.settings(), "bucket", kQuick);
      const std::string text(size, 'x');
      const bool small = size == 3;
      s3.lose_answer(small ? "PUT /bucket/k" : "POST /bucket/k?uploadId");
      put(client, text, {.writer = "w", .if_absent = true});
      CHECK(s3.objects().at("k").bytes == text);
      CHECK(s3.objects().at("k").writer == "w");
      CHECK(s3.lines().back() == "HEAD k");
      CHECK_FALSE(s3.has_uploads());
    }
  }

  TEST_CASE("conditions of existing objects hold, or nothing is written") {
    for (const auto size : {std::size_t{3}, std::size_t{9} << 20}) {
      FakeS3 s3;
      S3Client client(s3.settings(), "bucket", kQuick);
      const std::string text(size, 'x');
      s3.set("k", {"old", "other"});
      for (const S3Put& how : {S3Put{.writer = "w", .if_absent = true},
                               S3Put{.writer = "w", .if_match = "\"1\""}}) {
        CHECK(error_code([&] { put(client, text, how); }) == Errc::changed);
        CHECK(s3.objects().at("k").bytes == "old");
        CHECK_FALSE(s3.has_uploads());
      }
    }
  }

  TEST_CASE("an existing object of equal bytes is no failure, nor this writer's") {
    FakeS3 s3;
    S3Client client(s3.settings(), "bucket", kQuick);
    s3.set("k", {"same", "other"});
    const std::string text = "same";
    CHECK(put_object(client, "k", std::as_bytes(std::span(text)),
                     {.writer = "w", .if_absent = true})
              .empty());
    CHECK(s3.objects().at("k").writer == "other");
  }

  TEST_CASE("without conditional writes, the object is written") {
    FakeS3 s3;
    S3Client client(s3.settings(), "bucket", kQuick);
    s3.fail_once("PUT /bucket/k", "501 Not Implemented");
    put(client, "1", {.writer = "w", .if_absent = true});
    CHECK(s3.objects().at("k").bytes == "1");
  }

  TEST_CASE("objects above 8 MiB are uploaded in parts") {
    FakeS3 s3;
    S3Client client(s3.settings(), "bucket", kQuick);
    std::string text(std::size_t{8} << 20, 'x');
    put(client, text, {.writer = "w"});
    CHECK(s3.lines().size() == 1);
    text += "y";
    put(client, text, {.writer = "w"});
    CHECK(s3.objects().at("k").bytes == text);
    const auto lines = s3.lines();
    REQUIRE(lines.size() == 5);
    CHECK(lines[1] == "POST k?uploads=");
    CHECK(lines[3] == "PUT k?partNumber=2&uploadId=id");
    CHECK(lines[4] == "POST k?uploadId=id");
  }

  TEST_CASE("all parts but the last have 8 MiB, and a last one of 8 MiB is whole") {
    FakeS3 s3;
    S3Client client(s3.settings(), "bucket", kQuick);
    for (const std::size_t rest : {std::size_t{1}, kPartBytes}) {
      std::string text(2 * kPartBytes + rest, 'x');
      text.front() = 'a';
      text[kPartBytes] = 'b';
      text.back() = 'c';
      put(client, text, {.writer = "w"});
      CHECK((s3.objects().at("k").bytes == text));
    }
    const auto lines = s3.lines();
    for (const auto* number : {"1", "2", "3"}) {
      const auto line = "PUT k?partNumber=" + std::string(number) + "&uploadId=id";
      CHECK(std::count(lines.begin(), lines.end(), line) == 2);
    }
    CHECK(lines.size() == 10);
  }

  TEST_CASE("an upload whose answer has no usable id is an error") {
    for (const auto* body :
         {"", "<R/>", "<R><UploadId></UploadId></R>", "<R><UploadId>",
          "<!DOCTYPE R [<!ENTITY a 'b'>]><R><UploadId>&a;</UploadId></R>"}) {
      CAPTURE(body);
      const ScriptedServer server(
          [&](const std::string&) { return ScriptedServer::answer("200 OK", body); });
      S3Settings settings = FakeS3().settings();
      settings.endpoint = server.origin();
      S3Client client(settings, "bucket", kQuick);
      CHECK_THROWS_AS(S3Multipart(client, "k", {.writer = "w"}), bev::Error);
      CHECK(server.requests().size() <= kQuick.retries + 1);
    }
  }

  TEST_CASE("a failed upload leaves no parts") {
    FakeS3 s3;
    S3Client client(s3.settings(), "bucket", kQuick);
    const std::string text(std::size_t{9} << 20, 'x');
    s3.fail_once("PUT /bucket/k?partNumber=2", "403 Forbidden");
    CHECK(error_code([&] { put(client, text, {.writer = "w"}); }) == Errc::network);
    CHECK_FALSE(s3.has_uploads());
    CHECK(s3.objects().empty());
  }

  TEST_CASE("deleting an absent object is no failure") {
    FakeS3 s3;
    S3Client client(s3.settings(), "bucket", kQuick);
    s3.set("k", {"1", "w"});
    delete_object(client, "k");
    CHECK(s3.objects().empty());
    delete_object(client, "k");
  }

  TEST_CASE("writers have different names") {
    const auto name = random_writer();
    CHECK(name.size() == 32);
    CHECK(name != random_writer());
  }
}

}  // namespace s3_upload_test

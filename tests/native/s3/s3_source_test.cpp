#include "native/s3/s3_source.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "native/s3/s3_client.hpp"
#include "tests/support/scripted_server.hpp"

namespace s3_source_test {

using bev::Error;
using bev::native::HttpSettings;
using bev::native::Listed;
using bev::native::S3Address;
using bev::native::S3Client;
using bev::native::S3Settings;
using bev::native::S3Source;
using bev::test::ScriptedServer;

namespace {

const HttpSettings kQuick{.silence_timeout_s = 1, .retries = 2, .first_delay_ms = 1};

S3Settings settings_of(const ScriptedServer& server, bool is_signed = true) {
  S3Settings settings;
  settings.endpoint = server.origin();
  settings.virtual_host = false;
  settings.region = "eu-west-1";
  if (is_signed) settings.signing = {"ACCESS", "PLANTED", "TOKEN", {}};
  return settings;
}

std::string list_error(const std::string& body) {
  const ScriptedServer server(
      [&](const std::string&) { return ScriptedServer::answer("200 OK", body); });
  S3Source source({"bucket", "x"}, settings_of(server), kQuick);
  try {
    source.list("");
    return "none";
  } catch (const Error& error) {
    std::string text = error.what();
    return text.substr(text.find("bucket: ") + 8);
  }
}

}  // namespace

TEST_SUITE("native/s3/s3_source") {
  TEST_CASE("requests are signed, and the secret key is not sent") {
    const ScriptedServer server(
        [](const std::string&) { return ScriptedServer::answer("200 OK", "0123"); });
    S3Source source({"bucket", "a b/x.zarr"}, settings_of(server), kQuick);
    CHECK(source.read("agents/3", std::nullopt)->size() == 4);
    const auto request = server.requests().at(0);
    CHECK(request.starts_with("GET /bucket/a%20b/x.zarr/agents/3 HTTP/1.1\r\n"));
    CHECK(request.find("Authorization: AWS4-HMAC-SHA256 Credential=ACCESS/") !=
          request.npos);
    CHECK(request.find("/eu-west-1/s3/aws4_request, SignedHeaders=host;"
                       "x-amz-content-sha256;x-amz-date;x-amz-security-token, ") !=
          request.npos);
    CHECK(request.find("x-amz-security-token: TOKEN\r\n") != request.npos);
    CHECK(request.find("PLANTED") == request.npos);
  }

  TEST_CASE("without keys, requests are anonymous") {
    const ScriptedServer server(
        [](const std::string&) { return ScriptedServer::answer("200 OK", "0123"); });
    S3Source source({"bucket", ""}, settings_of(server, false), kQuick);
    CHECK(source.read("a", std::nullopt));
    CHECK(server.requests().at(0).starts_with("GET /bucket/a HTTP/1.1\r\n"));
    CHECK(server.requests().at(0).find("x-amz-") == std::string::npos);
    CHECK(server.requests().at(0).find("Authorization") == std::string::npos);
  }

  TEST_CASE("redirects are errors: another server does not get the token") {
    const ScriptedServer other(
        [](const std::string&) { return ScriptedServer::answer("200 OK", "0123"); });
    const ScriptedServer server([&](const std::string&) {
      return ScriptedServer::answer("307 Temporary Redirect", "",
                                    "Location: " + other.origin() + "/a\r\n");
    });
    S3Source source({"bucket", ""}, settings_of(server), kQuick);
    try {
      source.read("a", std::nullopt);
      FAIL("no error");
    } catch (const Error& error) {
      CHECK(std::string(error.what()) ==
            "a: HTTP 307 (check AWS_REGION) (" + server.origin() + "/bucket/)");
    }
    CHECK(other.requests().empty());
  }

  TEST_CASE("a missing key is absent, a missing bucket is an error") {
    std::string code = "NoSuchKey";
    const ScriptedServer server([&](const std::string&) {
      return ScriptedServer::answer("404 Not Found",
                                    "<Error><Code>" + code + "</Code></Error>");
    });
    S3Source source({"bucket", ""}, settings_of(server), kQuick);
    CHECK_FALSE(source.read("a", std::nullopt));
    code = "NoSuchBucket";
    CHECK_THROWS_AS(source.read("a", std::nullopt), Error);
  }

  TEST_CASE("lists page by page, sorted, without names that are not keys") {
    const ScriptedServer server([](const std::string& request) {
      const bool first = request.find("continuation-token") == request.npos;
      return ScriptedServer::answer(
          "200 OK",
          first ? "<L><IsTruncated>true</IsTruncated><NextContinuationToken>a=/b"
                  "</NextContinuationToken><Contents><Key>x%2Fb%20c</Key><Size>7</Size>"
                  "</Contents><Contents><Key>x%2F</Key><Size>0</Size></Contents>"
                  "<EncodingType>url</EncodingType></L>"
                : "<L><IsTruncated>false</IsTruncated><Contents><Size>1</Size>"
                  "<Key>x/a&amp;%2B</Key></Contents></L>");
    });
    S3Source source({"bucket", "x"}, settings_of(server), kQuick);
    const auto found = source.list("");
    REQUIRE(found->size() == 2);
    CHECK(found->at(0).key == "a&%2B");
    CHECK(found->at(1).key == "b c");
    CHECK(found->at(1).size == 7);
    const auto requests = server.requests();
    REQUIRE(requests.size() == 2);
    CHECK(requests[0].starts_with(
        "GET /bucket?encoding-type=url&list-type=2&prefix=x%2F HTTP/1.1\r\n"));
    CHECK(requests[1].starts_with(
        "GET /bucket?continuation-token=a%3D%2Fb&encoding-type="));
  }

  TEST_CASE("a listing that is not S3's is an error") {
    CHECK(list_error("{}") == "invalid XML at byte 0");
    CHECK(list_error("<L><IsTruncated>true</IsTruncated></L>") ==
          "a truncated listing without continuation");
    CHECK(list_error("<L><IsTruncated>true</IsTruncated><NextContinuationToken>a"
                     "</NextContinuationToken></L>") == "a listing that does not end");
    CHECK(list_error("<L><Contents><Key>y</Key><Size>1</Size></Contents></L>") ==
          "a listing of another prefix");
    CHECK(list_error("<L><Contents><Key>x/a</Key><Size>-1</Size></Contents></L>") ==
          "invalid size in a listing");
    CHECK(list_error("<L><EncodingType>url</EncodingType><Contents><Key>x/%</Key>"
                     "</Contents></L>") == "invalid key in a listing");
  }

  TEST_CASE("a listing of folders below another prefix is an error") {
    for (const auto* folder : {"", "/", "x/", "y/", "x/a", "../x/a/"}) {
      CAPTURE(folder);
      const ScriptedServer server([&](const std::string&) {
        return ScriptedServer::answer("200 OK", "<L><CommonPrefixes><Prefix>" +
                                                    std::string(folder) +
                                                    "</Prefix></CommonPrefixes></L>");
      });
      S3Client client(settings_of(server), "bucket", kQuick);
      CHECK_THROWS_WITH_AS(client.list("x/", "/"),
                           doctest::Contains("a listing of another prefix"), Error);
    }
  }

  TEST_CASE("a failing listing is retried, then an error") {
    int count = 0;
    const ScriptedServer server([&](const std::string&) {
      return ++count < 3 ? ScriptedServer::answer("503 Slow Down", "")
                         : ScriptedServer::answer("200 OK", "<L></L>");
    });
    S3Source source({"bucket", ""}, settings_of(server), kQuick);
    CHECK(source.list("")->empty());
    count = -10;
    CHECK_THROWS_AS(source.list(""), Error);
    CHECK(count == -7);
  }
}

}  // namespace s3_source_test

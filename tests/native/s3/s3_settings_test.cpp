#include "native/s3/s3_settings.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>

#include "core/base/error.hpp"
#include "tests/support/temp_folder.hpp"

namespace s3_settings_test {

using bev::Errc;
using bev::Error;
using bev::native::s3_settings;
using bev::native::S3Settings;
using bev::test::TempFolder;

namespace {

using Variables = std::map<std::string, std::string>;

S3Settings settings(const Variables& variables) {
  return s3_settings([&](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end() || found->second.empty()) return std::nullopt;
    return found->second;
  });
}

std::string error_of(const Variables& variables) {
  try {
    settings(variables);
    return "none";
  } catch (const Error& error) {
    CHECK(error.code() == Errc::invalid_argument);
    return error.what();
  }
}

/// A home folder with both files of Amazon's tools.
struct Home {
  Home() {
    folder.write(".aws/credentials",
                 "# comment\n[default]\naws_access_key_id = DEFAULT\n"
                 "aws_secret_access_key=s0\n\n[work]\r\naws_access_key_id = WORK\r\n"
                 "aws_secret_access_key = s1\r\naws_session_token = t1\r\n");
    folder.write(".aws/config",
                 "[default]\nregion = eu-west-1\n[profile work]\nregion = eu-north-1\n"
                 "endpoint_url = http://127.0.0.1:9000/\ns3 =\n"
                 "  addressing_style = virtual\n  region = nested\n[profile bare]\n");
  }
  TempFolder folder;
  std::string path = folder.path().string();
};

}  // namespace

TEST_SUITE("native/s3/s3_settings") {
  TEST_CASE("without settings, requests to Amazon are anonymous") {
    const auto found = settings({});
    CHECK_FALSE(found.signing);
    CHECK(found.endpoint.empty());
    CHECK(found.virtual_host);
    CHECK(found.region == "us-east-1");
    CHECK(found.applied_to({}, "b").is_s3);
    CHECK_FALSE(found.applied_to({}, "b").signing);
  }

  TEST_CASE("the environment comes before the profile") {
    const Home home;
    auto found = settings({{"HOME", home.path}});
    REQUIRE(found.signing);
    CHECK(found.signing->access_key == "DEFAULT");
    CHECK(found.signing->secret_key == "s0");
    CHECK(found.region == "eu-west-1");
    found = settings({{"HOME", home.path},
                      {"AWS_ACCESS_KEY_ID", "ENV"},
                      {"AWS_SECRET_ACCESS_KEY", "s2"},
                      {"AWS_SESSION_TOKEN", "t2"},
                      {"AWS_REGION", "us-west-2"}});
    CHECK(found.signing->access_key == "ENV");
    CHECK(found.signing->session_token == "t2");
    CHECK(found.applied_to({}, "b").signing->region == "us-west-2");
    CHECK(settings({{"AWS_DEFAULT_REGION", "x-1"}}).region == "x-1");
  }

  TEST_CASE("AWS_PROFILE selects a profile of both files") {
    const Home home;
    const auto found = settings({{"HOME", home.path}, {"AWS_PROFILE", "work"}});
    CHECK(found.signing->access_key == "WORK");
    CHECK(found.signing->session_token == "t1");
    CHECK(found.region == "eu-north-1");
    CHECK(found.endpoint == "http://127.0.0.1:9000");
    CHECK(found.virtual_host);
    CHECK(error_of({{"HOME", home.path}, {"AWS_PROFILE", "none"}}) ==
          "AWS_PROFILE: no profile of this name");
    CHECK(error_of({{"HOME", home.path}, {"AWS_PROFILE", "bare"}})
              .starts_with("AWS_PROFILE: the profile has no keys"));
  }

  TEST_CASE("the files may be elsewhere") {
    const Home home;
    const auto found =
        settings({{"AWS_SHARED_CREDENTIALS_FILE", home.path + "/.aws/credentials"},
                  {"AWS_CONFIG_FILE", home.path + "/none"}});
    CHECK(found.signing->access_key == "DEFAULT");
    CHECK(found.region == "us-east-1");
  }

  TEST_CASE("another service is asked with the bucket in the path") {
    const auto found = settings(
        {{"AWS_ENDPOINT_URL", "http://a:1"}, {"AWS_ENDPOINT_URL_S3", "https://b/"}});
    CHECK(found.endpoint == "https://b");
    CHECK_FALSE(found.virtual_host);
  }

  TEST_CASE("invalid settings are errors that do not quote them") {
    CHECK(error_of({{"AWS_ACCESS_KEY_ID", "A"}}) ==
          "AWS_SECRET_ACCESS_KEY: not set (expected with AWS_ACCESS_KEY_ID)");
    CHECK(error_of({{"AWS_SECRET_ACCESS_KEY", "A"}}) ==
          "AWS_ACCESS_KEY_ID: not set (expected with AWS_SECRET_ACCESS_KEY)");
    CHECK(error_of(
              {{"AWS_ACCESS_KEY_ID", "A"}, {"AWS_SECRET_ACCESS_KEY", "B\r\nC: d"}}) ==
          "AWS_SECRET_ACCESS_KEY: invalid value");
    CHECK(error_of({{"AWS_REGION", "a:b"}}) == "AWS_REGION: invalid value");
    for (const auto* url :
         {"ftp://a", "http://", "http://u:p@host", "http://a?b", "a"}) {
      CAPTURE(url);
      CHECK(error_of({{"AWS_ENDPOINT_URL", url}}) ==
            "AWS_ENDPOINT_URL: not an http(s) URL without user and query");
    }
  }
}

}  // namespace s3_settings_test

#include "native/doctor/library_checks.hpp"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/doctor_findings.hpp"
#include "tests/support/temp_folder.hpp"

namespace library_checks_test {

using bev::doctor::Level;
using bev::test::check_form;
using bev::test::environment;
using bev::test::mentions;
using bev::test::TempFolder;
using namespace bev::doctor;

TEST_SUITE("native/doctor/library_checks") {
  TEST_CASE("codecs and images of this program work") {
    const auto codecs = check_codecs();
    check_form(codecs);
    CHECK(codecs.level == Level::ok);
    CHECK(codecs.facts.at("codecs").size() == 9);
    for (const auto& [name, works] : codecs.facts.at("codecs").items()) {
      CHECK(works == true);
    }
    for (const auto* library : {"blosc", "lz4", "zstd", "zlib"}) {
      CHECK(mentions(codecs.found, std::string(library) + " "));
    }
    const auto images = check_images();
    check_form(images);
    CHECK(images.level == Level::ok);
  }

  TEST_CASE("a proxy is named by its variable, not by its value") {
    const auto finding =
        check_http(environment({{"https_proxy", "http://planted:planted@planted"}}));
    check_form(finding);
    CHECK(mentions(finding.found, "libcurl "));
    CHECK(mentions(finding.found, "https_proxy"));
    CHECK_FALSE(mentions(finding.found + finding.facts.dump(), "planted"));
    CHECK_FALSE(mentions(check_http(environment({})).found, "proxy"));
  }

  TEST_CASE("certificates are those of a file or of a folder") {
    const TempFolder folder;
    const auto file = folder.write(
        "ca.crt", "-----BEGIN CERTIFICATE-----\nx\n-----BEGIN CERTIFICATE-----\nx\n");
    CHECK(check_certificates(file, "").level == Level::ok);
    CHECK(mentions(check_certificates(file, "").found, "2 in "));
    CHECK(check_certificates("", folder.path().string()).level == Level::ok);
    for (const auto& path :
         {std::string(), folder.at("none"), folder.write("empty", "")}) {
      const auto finding = check_certificates(path, folder.at("none"));
      CHECK(finding.level == Level::problem);
      CHECK(mentions(finding.remedy, "ca-certificates"));
    }
    check_form(check_certificates());
  }
}

}  // namespace library_checks_test

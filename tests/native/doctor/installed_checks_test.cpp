#include "native/doctor/installed_checks.hpp"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/doctor_findings.hpp"
#include "tests/support/temp_folder.hpp"

namespace installed_checks_test {

using bev::doctor::Level;
using bev::test::check_form;
using bev::test::environment;
using bev::test::mentions;
using bev::test::TempFolder;
using namespace bev::doctor;

TEST_SUITE("native/doctor/installed_checks") {
  TEST_CASE("the viewer is found beside the program, with its modules") {
    const TempFolder folder;
    const auto program = folder.at("bin/bevscope");
    CHECK(check_viewer(program).level == Level::warning);
    folder.write("share/bevscope/app/index.html", "x");
    CHECK(check_viewer(program).level == Level::warning);
    CHECK(mentions(check_viewer(program).found, "no WebAssembly module"));
    folder.write("share/bevscope/app/assets/bev_core.wasm", "x");
    const auto finding = check_viewer(program);
    check_form(finding);
    CHECK(finding.level == Level::ok);
    CHECK(finding.facts.at("modules") == 1);
  }

  TEST_CASE("a Python package of another version is a warning, wherever it is found") {
    const TempFolder folder;
    const auto program = folder.at("usr/bin/bevscope");
    const auto none = environment({});
    const auto own = check_program(program).facts.at("version").get<std::string>();
    CHECK(check_python(program, none).level == Level::ok);
    const auto add = [&](const std::string& prefix, const std::string& packages,
                         const std::string& version) {
      folder.write(prefix + "/lib/python3.11/" + packages + "/bevscope-" + version +
                       ".dist-info/METADATA",
                   "x");
    };
    add("usr", "dist-packages", own);
    CHECK(check_python(program, none).level == Level::ok);
    CHECK(mentions(check_python(program, none).found, own));
    add("venv", "site-packages", "0.0.1");
    CHECK(check_python(program, none).level == Level::ok);
    const auto finding =
        check_python(program, environment({{"VIRTUAL_ENV", folder.at("venv")}}));
    CHECK(finding.level == Level::warning);
    CHECK(mentions(finding.found, "0.0.1"));
    CHECK(mentions(finding.remedy, "bevscope==" + own));
    add("home/.local", "site-packages", "9.9");
    CHECK(check_python(program, environment({{"HOME", folder.at("home")}})).level ==
          Level::warning);
  }

  TEST_CASE("S3's settings are described without keys") {
    const TempFolder home;
    const auto anonymous = check_s3(environment({{"HOME", home.path().string()}}));
    check_form(anonymous);
    CHECK(anonymous.level == Level::ok);
    CHECK(mentions(anonymous.found, "no keys"));
    const auto given = check_s3(environment({{"HOME", home.path().string()},
                                             {"AWS_ACCESS_KEY_ID", "plantedID"},
                                             {"AWS_SECRET_ACCESS_KEY", "plantedSecret"},
                                             {"AWS_SESSION_TOKEN", "plantedToken"},
                                             {"AWS_REGION", "eu-north-1"},
                                             {"AWS_ENDPOINT_URL", "https://host:9"}}));
    CHECK(given.level == Level::ok);
    CHECK(mentions(given.found, "keys of the environment with a session token"));
    CHECK(mentions(given.found, "eu-north-1"));
    CHECK(mentions(given.found, "https://host:9"));
    CHECK_FALSE(mentions(given.found + given.facts.dump(), "planted"));
    home.write(".aws/credentials",
               "[work]\naws_access_key_id = plantedID\n"
               "aws_secret_access_key = plantedSecret\n");
    const auto profile = check_s3(
        environment({{"HOME", home.path().string()}, {"AWS_PROFILE", "work"}}));
    CHECK(mentions(profile.found, "keys of the profile"));
    CHECK_FALSE(mentions(profile.found + profile.facts.dump(), "work"));
    const auto broken = check_s3(environment(
        {{"HOME", home.path().string()}, {"AWS_ACCESS_KEY_ID", "plantedID"}}));
    CHECK(broken.level == Level::problem);
    CHECK(mentions(broken.found, "AWS_SECRET_ACCESS_KEY: not set"));
    CHECK_FALSE(mentions(broken.found, "planted"));
  }
}

}  // namespace installed_checks_test

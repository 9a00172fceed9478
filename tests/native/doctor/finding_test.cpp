#include "native/doctor/finding.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace finding_test {

using bev::doctor::Finding;
using bev::doctor::has_problem;
using bev::doctor::Level;
using bev::doctor::report_json;
using bev::doctor::report_text;
using bev::doctor::size_text;
using nlohmann::json;

namespace {

std::vector<Finding> some() {
  return {{"codecs", Level::ok, "9 tried", "", {{"zlib", "1.2"}}},
          {"cache", Level::ok, "none", "set BEVSCOPE_CACHE"},
          {"open files", Level::warning, "at most 256", "ulimit -n 2112"}};
}

}  // namespace

TEST_SUITE("native/doctor/finding") {
  TEST_CASE("a finding is a line, what to do is below it, and the levels are counted") {
    const auto text = report_text(some());
    CHECK(text.starts_with("bevscope "));
    CHECK(
        text.ends_with("\n"
                       "ok       codecs         9 tried\n"
                       "ok       cache          none\n"
                       "                        -> set BEVSCOPE_CACHE\n"
                       "warning  open files     at most 256\n"
                       "                        -> ulimit -n 2112\n"
                       "\n"
                       "2 ok, 1 warning, 0 problems\n"));
  }

  TEST_CASE("JSON has the same, with facts, and null where there is nothing to do") {
    auto findings = some();
    auto report = json::parse(report_json(findings));
    CHECK(report.at("ok") == true);
    CHECK(report.at("findings").size() == 3);
    CHECK(report.at("findings")[0] == json({{"name", "codecs"},
                                            {"level", "ok"},
                                            {"found", "9 tried"},
                                            {"remedy", nullptr},
                                            {"facts", {{"zlib", "1.2"}}}}));
    CHECK(report.at("findings")[1].at("facts") == json::object());
    CHECK_FALSE(has_problem(findings));
    findings.push_back({"data", Level::problem, "none", "check the address"});
    report = json::parse(report_json(findings));
    CHECK(report.at("ok") == false);
    CHECK(has_problem(findings));
  }

  TEST_CASE("no report has a query, user name or password of an address") {
    const std::vector<Finding> findings = {
        {"server",
         Level::problem,
         "https://planted:planted@host/a?planted=planted",
         "read https://host/b?sig=planted",
         {{"address", {"http://planted@host/", 7}}}}};
    CHECK(report_text(findings).find("planted") == std::string::npos);
    CHECK(report_json(findings).find("planted") == std::string::npos);
    CHECK(report_text(findings).find("https://host/a") != std::string::npos);
  }

  TEST_CASE("sizes have three digits at most, and a unit") {
    CHECK(size_text(0) == "0 B");
    CHECK(size_text(1023) == "1023 B");
    CHECK(size_text(1536) == "1.5 KiB");
    CHECK(size_text(std::uint64_t{300} << 20) == "300 MiB");
    CHECK(size_text(std::uint64_t{5} << 40) == "5.0 TiB");
    CHECK(size_text(std::uint64_t{5000} << 40) == "5000 TiB");
  }
}

}  // namespace finding_test

#include "native/doctor/machine_checks.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "native/cache/cache_folder.hpp"
#include "native/serve/server.hpp"
#include "tests/support/temp_folder.hpp"

namespace machine_checks_test {

using bev::doctor::Level;
using bev::test::TempFolder;
using namespace bev::doctor;

TEST_SUITE("native/doctor/machine_checks") {
  TEST_CASE("no cache is fine, with how to have one") {
    const auto finding = check_cache({});
    CHECK(finding.level == Level::ok);
    CHECK(finding.remedy.find("BEVSCOPE_CACHE") != std::string::npos);
  }

  TEST_CASE("a cache is described, and neither it nor its folder is made") {
    const TempFolder folder;
    const auto path = folder.at("new/cache");
    auto finding = check_cache({.folder = path, .limit = 4096});
    CHECK(finding.level == Level::ok);
    CHECK(finding.facts.at("entries") == 0);
    CHECK_FALSE(std::filesystem::exists(folder.at("new")));
    bev::native::CacheFolder cache(path, 4096);
    const std::vector<std::byte> bytes(100);
    REQUIRE(cache.store({"http://host/a", {0, 100}, {}, std::nullopt}, bytes) ==
            bev::native::Stored::yes);
    finding = check_cache({.folder = path, .limit = 4096});
    CHECK(finding.level == Level::ok);
    CHECK(finding.facts.at("entries") == 1);
    CHECK(finding.facts.at("bytes") == cache.totals().bytes);
    CHECK(finding.facts.at("limit") == 4096);
    CHECK(finding.facts.at("free_bytes") > 0);
  }

  TEST_CASE("a cache that cannot be is a problem, one larger than the disk a warning") {
    const TempFolder folder;
    const auto file = folder.write("file", "x");
    const auto finding = check_cache({.folder = file + "/cache", .limit = 4096});
    CHECK(finding.level == Level::problem);
    CHECK(finding.remedy.find(file) != std::string::npos);
    const auto large =
        check_cache({.folder = folder.at("cache"), .limit = std::uint64_t{1} << 62});
    CHECK(large.level == Level::warning);
    CHECK(large.remedy.find("--cache-limit") != std::string::npos);
  }

  TEST_CASE("serve needs two open files per connection") {
    CHECK(check_descriptors(std::nullopt).level == Level::ok);
    CHECK(check_descriptors(1'048'576).level == Level::ok);
    const auto finding = check_descriptors(1024);
    CHECK(finding.level == Level::warning);
    CHECK(finding.facts.at("needed") > 2 * bev::serve::kMaxConnections);
    const auto needed = finding.facts.at("needed").get<std::uint64_t>();
    CHECK(finding.remedy.find("ulimit -n " + std::to_string(needed)) !=
          std::string::npos);
    CHECK(check_descriptors(needed).level == Level::ok);
    CHECK(check_descriptors().facts.at("needed") == needed);
  }

  TEST_CASE("a control group may allow less than the machine has") {
    const TempFolder groups;
    const auto processors = check_processors(groups.path());
    CHECK(processors.level == Level::ok);
    CHECK(processors.facts.at("count") >= 1);
    CHECK(processors.facts.at("group_limit").is_null());
    groups.write("cpu.max", "max 100000\n");
    CHECK(check_processors(groups.path()).level == Level::ok);
    groups.write("cpu.max", "50000 100000\n");
    const auto half = check_processors(groups.path());
    CHECK(half.level == Level::warning);
    CHECK(half.facts.at("group_limit") == 0.5);
    CHECK(half.found.find("may use 0.5") != std::string::npos);

    const auto memory = check_memory(groups.path());
    CHECK(memory.facts.at("total") >= memory.facts.at("available"));
    CHECK(memory.facts.at("group_limit").is_null());
    groups.write("memory.max", "max\n");
    CHECK(check_memory(groups.path()).facts.at("group_limit").is_null());
    groups.write("memory.max", "104857600\n");
    groups.write("memory.current", "4194304\n");
    const auto little = check_memory(groups.path());
    CHECK(little.level == Level::warning);
    CHECK(little.facts.at("available") == 96 << 20);
    groups.write("memory.current", "204857600\n");
    CHECK(check_memory(groups.path()).facts.at("available") == 0);
  }

  TEST_CASE("limits of control groups of version 1 count, too") {
    const TempFolder groups;
    groups.write("cpu/cpu.cfs_quota_us", "-1\n");
    groups.write("cpu/cpu.cfs_period_us", "100000\n");
    groups.write("memory/memory.limit_in_bytes", "9223372036854771712\n");
    groups.write("memory/memory.usage_in_bytes", "4194304\n");
    CHECK(check_processors(groups.path()).level == Level::ok);
    CHECK(check_memory(groups.path()).facts.at("group_limit").is_null());
    groups.write("cpu/cpu.cfs_quota_us", "25000\n");
    groups.write("memory/memory.limit_in_bytes", "104857600\n");
    CHECK(check_processors(groups.path()).facts.at("group_limit") == 0.25);
    CHECK(check_memory(groups.path()).facts.at("available") == 96 << 20);
    CHECK(std::filesystem::is_directory(control_group()));
  }

  TEST_CASE("a folder for temporary files must be one") {
    const TempFolder folder;
    CHECK(check_temporary(folder.path()).level != Level::problem);
    CHECK(check_temporary(folder.at("none")).level == Level::problem);
    CHECK(check_temporary(folder.write("file", "x")).level == Level::problem);
    CHECK(check_temporary(folder.at("none")).remedy.find("TMPDIR") !=
          std::string::npos);
  }
}

}  // namespace machine_checks_test

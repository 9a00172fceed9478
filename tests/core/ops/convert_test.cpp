#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/ops/dispatcher.hpp"
#include "core/ops/tables.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/nuplan.hpp"
#include "tests/support/plain_arguments.hpp"

namespace ops_convert_test {

using namespace bev;
using test::PlainArguments;
using Given = std::map<std::string, PlainArguments::Value>;

namespace {

/// A host that supplies ranges of a log and its map.
class LogHost {
 public:
  explicit LogHost(std::map<std::string, std::string> files)
      : files_(std::move(files)), log_(size_of("log_file", "")) {
    if (files_.contains("map")) {
      run("log_map",
          {{"log", log_}, {"size", static_cast<double>(files_.at("map").size())}});
    }
  }

  const ops::Outcome& run(const char* name, Given given) {
    PlainArguments arguments(std::move(given));
    return dispatcher_.run(*dispatcher_.find(name), arguments);
  }

  /// Runs an operation until it misses nothing. Returns the bytes that were supplied.
  std::size_t read(const char* name, Given given) {
    given["log"] = log_;
    std::size_t bytes = 0;
    for (int round = 0; round < 200; ++round) {
      const auto requests = run(name, given).requests();
      if (requests.empty()) return bytes;
      for (const auto& [key, range, required, tail] : requests) {
        const auto part =
            files_.at(key).substr(static_cast<std::size_t>(range->begin),
                                  static_cast<std::size_t>(range->end - range->begin));
        bytes += part.size();
        run("log_supply", {{"log", log_},
                           {"file", key},
                           {"offset", static_cast<double>(range->begin)},
                           {"bytes", PlainArguments::Array(std::vector<std::uint8_t>(
                                         part.begin(), part.end()))}});
      }
    }
    FAIL("reads without end");
    return 0;
  }

  double log() const { return log_; }

 private:
  double size_of(const char* name, const char* key) {
    return run(name, {{"name", std::string("a.db")},
                      {"size", static_cast<double>(files_.at(key).size())}})
        .number();
  }

  std::array<std::span<const ops::Operation>, 1> groups_{ops::convert_operations()};
  ops::Dispatcher dispatcher_{groups_};
  std::map<std::string, std::string> files_;
  double log_;
};

}  // namespace

TEST_SUITE("ops/convert") {
  TEST_CASE("a scene of a log is read by ranges of log and map") {
    const auto log = test::NuplanRows().file(), map = test::nuplan_map_file();
    LogHost host({{"", log}, {"map", map}});
    CHECK(host.read("log_missing", {}) <= log.size() + 200);
    CHECK(host.run("log_scenes", {{"log", host.log()}}).texts() ==
          std::vector<std::string>{"scene-1", "scene-2"});
    CHECK(host.run("log_scanned", {{"log", host.log()}}).texts().empty());
    host.read("log_missing_tags", {});
    CHECK(host.run("log_tags", {{"log", host.log()}}).text() ==
          R"([["stopping"],["stopping"]])");
    const auto converter =
        host.run("converter", {{"file", std::string("a.db")}}).number();
    const Given scene = {{"converter", converter}, {"scene", 1.0}};
    CHECK(host.read("read_nuplan", scene) <= log.size() + 2 * map.size());
    CHECK(host.read("read_nuplan", scene) == 0);
    const auto report =
        host.run("finish_conversion", {{"converter", converter}}).text();
    CHECK(report.find("\"lanes\":4") != std::string::npos);
  }

  TEST_CASE("ranges of other files are refused, and damaged maps") {
    const auto log = test::NuplanRows().file();
    LogHost host({{"", log}});
    const auto supply = [&](const char* file) {
      return test::error_code([&] {
        host.run("log_supply",
                 {{"log", host.log()},
                  {"file", std::string(file)},
                  {"offset", 0.0},
                  {"bytes", PlainArguments::Array(std::vector<std::uint8_t>(8))}});
      });
    };
    CHECK(supply("map") == Errc::invalid_argument);
    CHECK(supply("other") == Errc::invalid_argument);
    CHECK(!supply("").has_value());
    LogHost damaged({{"", log}, {"map", std::string(5000, 'x')}});
    const auto converter =
        damaged.run("converter", {{"file", std::string("a.db")}}).number();
    CHECK(test::error_code([&] {
            damaged.read("read_nuplan", {{"converter", converter}, {"scene", 0.0}});
          }) == Errc::corrupt_chunk);
  }
}

}  // namespace ops_convert_test

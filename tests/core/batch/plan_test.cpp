#include "core/batch/plan.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/base/sha256.hpp"
#include "tests/support/error_code.hpp"

using bev::Errc;
using bev::batch::Plan;
using bev::test::error_code;
using nlohmann::json;

namespace {

const std::string job = R"({"job": "mask", "threshold": 0.5})";

Plan made() {
  return Plan::make(job, "f1", {R"({"begin": 0, "end": 4})", R"({"begin": 4})"});
}

std::optional<Errc> parse_error(const json& document) {
  return error_code([&] { Plan::parse(document.dump(), "plan.json"); });
}

}  // namespace

TEST_SUITE("batch/plan") {
  TEST_CASE("a plan is read as it was written") {
    const auto plan = made();
    const auto read = Plan::parse(plan.to_json(), "plan.json");
    CHECK(read.to_json() == plan.to_json());
    CHECK(read.id() == plan.id());
    CHECK(read.tasks() ==
          std::vector<std::string>{R"({"begin":0,"end":4})", R"({"begin":4})"});
    CHECK(read.job() == R"({"job":"mask","threshold":0.5})");
    CHECK(read.fingerprint() == "f1");
  }

  TEST_CASE("the id depends on job and data set, not on order of members or tasks") {
    const auto id = made().id();
    CHECK(bev::is_sha256_hex(id));
    CHECK(Plan::make(R"({"threshold":0.5,"job":"mask"})", "f1", {}).id() == id);
    CHECK(Plan::make(job, "f2", {}).id() != id);
    CHECK(Plan::make(R"({"job":"mask","threshold":0.25})", "f1", {}).id() != id);
  }

  TEST_CASE("a plan may have no tasks") {
    const auto plan = Plan::make(job, "f", {});
    CHECK(Plan::parse(plan.to_json(), "p").tasks().empty());
  }

  TEST_CASE("a job without a name and a task that is no object are errors") {
    const auto code = [](const std::string& given, const std::string& task) {
      return error_code([&] { Plan::make(given, "f", {task}); });
    };
    CHECK(code("{}", "{}") == Errc::invalid_argument);
    CHECK(code(R"({"job": ""})", "{}") == Errc::invalid_argument);
    CHECK(code("[1]", "{}") == Errc::invalid_argument);
    CHECK(code("nonsense", "{}") == Errc::invalid_argument);
    CHECK(code(job, "[]") == Errc::invalid_argument);
    CHECK(code(job, "{") == Errc::invalid_argument);
    CHECK(error_code([] { Plan::make(job, "", {}); }) == Errc::invalid_argument);
  }

  TEST_CASE("a task has at most 4096 bytes") {
    const auto task = [](std::size_t size) {
      return json{{"x", std::string(size - std::string(R"({"x":""})").size(), 'a')}}
          .dump();
    };
    CHECK(Plan::make(job, "f", {task(4096)}).tasks().size() == 1);
    CHECK(error_code([&] { Plan::make(job, "f", {task(4097)}); }) ==
          Errc::limit_exceeded);
  }

  TEST_CASE("documents that are no plan are errors") {
    const auto good = json::parse(made().to_json());
    for (const auto& item : good.items()) {
      const std::string name = item.key();
      CAPTURE(name);
      auto without = good;
      without.erase(name);
      CHECK(parse_error(without) == Errc::invalid_metadata);
      auto other = good;
      other[name] = 7;
      CHECK(parse_error(other) == Errc::invalid_metadata);
    }
    auto more = good;
    more["unknown"] = 1;
    CHECK(parse_error(more) == Errc::invalid_metadata);
    CHECK(parse_error(json::array()) == Errc::invalid_metadata);
    CHECK(error_code([] { Plan::parse("", "p"); }) == Errc::invalid_metadata);
  }

  TEST_CASE("a changed job no longer has the plan's id") {
    auto changed = json::parse(made().to_json());
    changed["job"]["threshold"] = 0.75;
    CHECK(parse_error(changed) == Errc::invalid_metadata);
  }

  TEST_CASE("text that is not UTF-8 is an error, and replaced in a fingerprint") {
    CHECK(error_code([] { Plan::make("{\"job\": \"\xff\"}", "f", {}); }) ==
          Errc::invalid_argument);
    CHECK(error_code([] { Plan::make(job, "f", {"{\"a\": \"\xff\"}"}); }) ==
          Errc::invalid_argument);
    const auto plan = Plan::make(job, "\xfe", {});
    CHECK(Plan::parse(plan.to_json(), "p").id() == plan.id());
  }
}

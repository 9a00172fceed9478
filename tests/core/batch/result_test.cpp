#include "core/batch/result.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "tests/support/error_code.hpp"

using bev::Errc;
using bev::batch::in_order;
using bev::batch::Manifest;
using bev::batch::manifest_json;
using bev::batch::Plan;
using bev::batch::Result;
using bev::batch::WrittenObject;
using bev::test::error_code;
using nlohmann::json;

namespace {

Plan plan_of(std::size_t tasks) {
  return Plan::make(R"({"job":"mask"})", "f", std::vector<std::string>(tasks, "{}"));
}

std::string sha(char digit) {
  return std::string(64, digit);
}

Result result_of(std::uint64_t task, const std::string& key) {
  return {plan_of(2).id(), task, {{key, 5 + task, sha('a')}}, R"({"rows":3})"};
}

std::optional<Errc> code_of(const std::string& key) {
  return error_code([&] { result_of(0, key).to_json(); });
}

}  // namespace

TEST_SUITE("batch/result") {
  TEST_CASE("a result is read as it was written, its objects sorted by key") {
    auto result = result_of(1, "b/0");
    result.objects.push_back({"a/12.0", 0, sha('0')});
    const auto read = Result::parse(result.to_json(), "r");
    CHECK(read.to_json() == result.to_json());
    CHECK(read.objects[0].key == "a/12.0");
    CHECK(read.task == 1);
    CHECK(read.report == R"({"rows":3})");
  }

  TEST_CASE("keys stay within the output") {
    for (const std::string key :
         {"", "/a", "a/", "a//b", ".", "a/../b", "..", "a\\b", "a\nb"}) {
      CAPTURE(key);
      CHECK(code_of(key) == Errc::invalid_argument);
      auto document = json::parse(result_of(0, "a").to_json());
      document["objects"][0][0] = key;
      CHECK(error_code([&] { Result::parse(document.dump(), "r"); }) ==
            Errc::invalid_metadata);
    }
    CHECK(code_of(std::string(1025, 'a')) == Errc::invalid_argument);
    CHECK_NOTHROW(result_of(0, ".zarray").to_json());
    CHECK_NOTHROW(result_of(0, "a..b/c.").to_json());
  }

  TEST_CASE("documents that are no result are errors") {
    const auto good = json::parse(result_of(0, "a").to_json());
    for (const auto& item : good.items()) {
      const std::string name = item.key();
      CAPTURE(name);
      auto without = good;
      without.erase(name);
      auto other = good;
      other[name] = -1;
      for (const auto& document : {without, other}) {
        CHECK(error_code([&] { Result::parse(document.dump(), "r"); }) ==
              Errc::invalid_metadata);
      }
    }
    const std::vector<json> objects = {
        {"a", 1}, {1, 1, sha('a')}, {"a", -1, sha('a')}, {"a", 1, "ab"}, 7};
    for (const auto& object : objects) {
      CAPTURE(object.dump());
      auto document = good;
      document["objects"][0] = object;
      CHECK(error_code([&] { Result::parse(document.dump(), "r"); }) ==
            Errc::invalid_metadata);
    }
  }

  TEST_CASE("results are in the order of the plan, and equal ones count once") {
    const auto plan = plan_of(2);
    const auto found =
        in_order(plan, {result_of(1, "b"), result_of(0, "a"), result_of(1, "b")});
    REQUIRE(found.size() == 2);
    CHECK(found[0].task == 0);
    CHECK(found[1].task == 1);
  }

  TEST_CASE("a commit with missing, foreign or contradictory results is an error") {
    const auto plan = plan_of(2);
    const auto a = result_of(0, "a");
    const auto b = result_of(1, "b");
    auto foreign = b;
    foreign.plan = sha('1');
    auto beyond = b;
    beyond.task = 2;
    const auto other = result_of(1, "c");
    for (const auto& results : std::vector<std::vector<Result>>{
             {a}, {}, {a, foreign}, {a, b, beyond}, {a, b, other}}) {
      CHECK(error_code([&] { in_order(plan, results); }) == Errc::invalid_argument);
    }
  }

  TEST_CASE("two tasks never write one object") {
    const auto plan = plan_of(2);
    const std::vector results{result_of(0, "a"), result_of(1, "a")};
    CHECK(error_code([&] { manifest_json(plan, results, {}); }) ==
          Errc::invalid_argument);
    const std::vector one{result_of(0, "a"), result_of(1, "b")};
    CHECK(error_code([&] {
            manifest_json(plan, one, {{"b", 1, sha('c')}});
          }) == Errc::invalid_argument);
  }

  TEST_CASE("a manifest names all objects, sorted by key") {
    const auto plan = plan_of(2);
    const std::vector results{result_of(0, "z"), result_of(1, "b")};
    const auto text = manifest_json(plan, results, {{".zgroup", 24, sha('c')}});
    const auto manifest = Manifest::parse(text, "m");
    CHECK(manifest.plan == plan.id());
    CHECK(manifest.objects == std::vector<WrittenObject>{{".zgroup", 24, sha('c')},
                                                         {"b", 6, sha('a')},
                                                         {"z", 5, sha('a')}});
    CHECK(json::parse(text)["job"]["job"] == "mask");
  }
}

#include "core/ops/dispatcher.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/ops/tables.hpp"
#include "tests/support/plain_arguments.hpp"

namespace bev::ops {

namespace {

struct Counter {
  double value = 0;
};
struct Other {};
struct CountOptions {
  std::uint32_t step = 1;
  std::optional<std::uint64_t> id{};
};

}  // namespace

template <>
inline constexpr const char* kObjectName<Counter> = "Counter";
template <>
inline constexpr const char* kObjectName<Other> = "Other";
template <>
struct Members<CountOptions> {
  static void visit(const auto& visitor, auto& options) {
    visitor("step", options.step);
    visitor("id", options.id);
  }
};

namespace {

using test::PlainArguments;

std::unique_ptr<Counter> counter(double from) {
  return std::make_unique<Counter>(Counter{from});
}
std::unique_ptr<Other> other() {
  return std::make_unique<Other>();
}
double count(Counter& counter, CountOptions options) {
  counter.value += options.step;
  return options.id ? static_cast<double>(*options.id) : counter.value;
}
bool is_equal(Counter& a, Counter* b) {
  return b != nullptr && a.value == b->value;
}
std::vector<double> doubled(std::span<const double> values) {
  std::vector<double> out;
  for (const double value : values) out.push_back(2 * value);
  return out;
}
Outcome named_arrays() {
  return Outcome().add("a", std::vector<double>{1, 2}).add("n", 3.0);
}

constexpr std::array kRows{
    operation<&counter, "from">("counter", "", "a counter"),
    operation<&other>("other", "", "another object"),
    operation<&count, "counter">("count", "", "counts"),
    operation<&is_equal, "a", "b">("is_equal", "", "compares"),
    operation<&doubled, "values">("doubled", "", "doubles"),
    operation<&named_arrays>("named_arrays", "a <f8 (2); n <f8", "arrays"),
};
constexpr std::array kGroups{std::span<const Operation>(kRows)};

Dispatcher made() {
  return Dispatcher(kGroups);
}

const Outcome& run(Dispatcher& dispatcher, const char* name,
                   std::map<std::string, PlainArguments::Value> all) {
  const auto* const operation = dispatcher.find(name);
  REQUIRE(operation != nullptr);
  PlainArguments given(std::move(all));
  return dispatcher.run(*operation, given);
}

std::string refused(Dispatcher& dispatcher, const char* name,
                    std::map<std::string, PlainArguments::Value> all) {
  try {
    run(dispatcher, name, std::move(all));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST_SUITE("ops/dispatcher") {
  TEST_CASE("objects are made, used and released by number") {
    auto dispatcher = made();
    const auto id = run(dispatcher, "counter", {{"from", 4.0}}).number();
    CHECK(run(dispatcher, "count", {{"counter", id}}).number() == 5);
    CHECK(run(dispatcher, "count", {{"counter", id}, {"step", 3.0}}).number() == 8);
    dispatcher.release(static_cast<int>(id));
    dispatcher.release(static_cast<int>(id));
    CHECK(refused(dispatcher, "count", {{"counter", id}}) ==
          "counter: released, or lost in a failure (expected Counter)");
  }

  TEST_CASE("numbers of other objects, wrong kinds and missing values are refused") {
    auto dispatcher = made();
    const auto id = run(dispatcher, "other", {}).number();
    CHECK(refused(dispatcher, "count", {{"counter", id}}).find("expected Counter") !=
          std::string::npos);
    CHECK(refused(dispatcher, "counter", {}) == "from: missing");
    CHECK(refused(dispatcher, "counter", {{"from", std::string("4")}}) ==
          "from: wrong kind");
    const auto counter = run(dispatcher, "counter", {{"from", 0.0}}).number();
    CHECK(refused(dispatcher, "count", {{"counter", counter}, {"step", 1.5}}) ==
          "step: invalid number (found 1.5, expected an integer up to 2^53)");
    CHECK(refused(dispatcher, "count", {{"counter", -1.0}}) != "");
  }

  TEST_CASE("what is optional may be left out; an id has all its bits") {
    auto dispatcher = made();
    const auto a = run(dispatcher, "counter", {{"from", 1.0}}).number();
    const auto b = run(dispatcher, "counter", {{"from", 1.0}}).number();
    CHECK(run(dispatcher, "is_equal", {{"a", a}}).number() == 0);
    CHECK(run(dispatcher, "is_equal", {{"a", a}, {"b", b}}).number() == 1);
    CHECK(run(dispatcher, "is_equal", {{"a", a}}).kind() == Outcome::Kind::flag);
    const std::uint64_t id = 1ULL << 52U;
    CHECK(run(dispatcher, "count", {{"counter", a}, {"id", id}}).number() == 0x1p52);
  }

  TEST_CASE("arrays of an outcome live until the next call") {
    auto dispatcher = made();
    const auto& one =
        run(dispatcher, "doubled", {{"values", std::vector<double>{1, 2, 3}}});
    REQUIRE(one.kind() == Outcome::Kind::array);
    CHECK(one.arrays()[0].shape == std::vector<std::size_t>{3});
    CHECK(reinterpret_cast<const double*>(one.arrays()[0].bytes.data())[2] == 6);
    const auto& many = run(dispatcher, "named_arrays", {});
    REQUIRE(many.arrays().size() == 2);
    CHECK(many.arrays()[0].name == "a");
    CHECK(many.arrays()[1].shape.empty());
  }

  TEST_CASE("operations that a program does not have are not found") {
    CHECK(made().find("nothing") == nullptr);
  }

  TEST_CASE("no query is missing anything but a query") {
    auto dispatcher = made();
    const auto id = run(dispatcher, "other", {}).number();
    CHECK_THROWS_AS(dispatcher.missing(static_cast<int>(id)), Error);
    CHECK_THROWS_AS(dispatcher.build(0), Error);
  }

  TEST_CASE("every operation of the table has its own name, and a meaning") {
    std::vector<std::string> names;
    for (const auto& group :
         {tool_operations(), review_operations(), distribution_operations(),
          series_operations(), rollout_operations(), futures_operations(),
          score_operations(), model_operations()}) {
      for (const auto& operation : group) names.emplace_back(operation.name);
    }
    std::sort(names.begin(), names.end());
    CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
    CHECK(names.size() >= 50);
  }
}

}  // namespace
}  // namespace bev::ops

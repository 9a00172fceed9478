#include "core/scan/reader_windows.hpp"

#include <doctest/doctest.h>

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "core/scan/reader_query.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/field_store.hpp"

namespace reader_windows_test {

using bev::Engine;
using bev::Errc;
using namespace bev::test;
using nlohmann::json;
using Labels = std::vector<std::int64_t>;

namespace {

/// Returns the labels of all windows of a table without frames. Labels are squares.
std::vector<Labels> windows_of(const FieldStore& data, json window, json plan = {}) {
  plan["from"] = "rows";
  plan["fields"] = {"label"};
  const auto length = window.value("past", 0U) + window.value("future", 0U) + 1;
  plan["window"] = std::move(window);
  Engine engine;
  run(engine, *engine.open(), data.store);
  const auto query = engine.reader(plan.dump());
  std::vector<Labels> out;
  while (true) {
    query->advance();
    const auto batch = run(engine, *query, data.store);
    if (query->at_end()) return out;
    const auto labels = batch.values<std::int64_t>("label");
    const auto step = static_cast<std::ptrdiff_t>(length);
    for (auto at = labels.begin(); at != labels.end(); at += step) {
      out.emplace_back(at, at + step);
    }
  }
}

Errc refusal(const json& window) {
  const FieldStore data;
  return error_code([&] { windows_of(data, window); }).value();
}

}  // namespace

TEST_SUITE("scan/reader_windows") {
  TEST_CASE("windows of a table without frames are rows as they are stored") {
    const FieldStore data;
    const auto count = data.rows.size();
    REQUIRE(count > 12);
    const auto found = windows_of(data, {{"past", 2}, {"future", 1}});
    REQUIRE(found.size() == count - 3);
    for (std::size_t i = 0; i < found.size(); ++i) {
      for (std::size_t k = 0; k < 4; ++k) CHECK(found[i][k] == data.rows[i + k].label);
    }
    CHECK(windows_of(data, {{"past", 1}, {"step", 3}}).front() == Labels{0, 9});
    CHECK(windows_of(data, {{"past", 1}, {"stride", 5}})[1] == Labels{81, 100});
  }

  TEST_CASE("a filter chooses windows, whose rows need not pass it") {
    const FieldStore data;
    const auto found = windows_of(data, {{"past", 1}}, {{"where", "label = 49"}});
    CHECK(found == std::vector<Labels>{{36, 49}});
  }

  TEST_CASE("windows end at a larger difference of the field of times") {
    const FieldStore data;
    // From i squared to the next square are 2 i + 1.
    const auto found =
        windows_of(data, {{"past", 1}, {"time", "label"}, {"max_gap", 5}});
    CHECK(found == std::vector<Labels>{{0, 1}, {1, 4}, {4, 9}});
    const auto padded = windows_of(
        data, {{"past", 1}, {"time", "label"}, {"max_gap", 1}, {"edges", "pad"}});
    CHECK(padded.size() == data.rows.size());
    CHECK(padded[1] == Labels{0, 1});
    CHECK(padded[2] == Labels{0, 4});
  }

  TEST_CASE("options of frames are refused") {
    CHECK(refusal({{"max_gap_s", 1}}) == Errc::unsupported);
    CHECK(refusal({{"overlap", false}}) == Errc::unsupported);
    CHECK(refusal({{"max_gap", 1}}) == Errc::invalid_argument);
    CHECK(refusal({{"time", "label"}}) == Errc::invalid_argument);
    CHECK(refusal({{"time", "speed"}, {"max_gap", 1}}) == Errc::invalid_argument);
    CHECK(refusal({{"time", "none"}, {"max_gap", 1}}) == Errc::not_found);
  }
}

}  // namespace reader_windows_test

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/reader/filter.hpp"
#include "core/reader/statistics.hpp"
#include "tests/support/files.hpp"

namespace filter_docs_test {

using bev::Error;
using bev::reader::Filter;
using bev::reader::filter_from_json;
using bev::reader::parse_filter;
using bev::reader::SceneTags;
using bev::reader::Schema;
using bev::reader::Statistics;
using bev::zarr::Kind;

namespace {

// The columns that the examples name.
Schema example_schema() {
  Schema out;
  const auto add = [&](std::string name, Kind kind, std::size_t size,
                       std::size_t width = 1) {
    out.columns.push_back({std::move(name), {}, width});
    out.columns.back().type.kind = kind;
    out.columns.back().type.item_size = size;
  };
  add("track_id", Kind::unsigned_int, 8);
  add("speed", Kind::real, 8);
  add("distance_to_ego", Kind::real, 8);
  add("centroid", Kind::real, 8, 2);
  add("extent", Kind::real, 4, 3);
  add("velocity", Kind::real, 4, 2);
  add("yaw", Kind::real, 4);
  add("time", Kind::real, 8);
  add("kept", Kind::boolean, 1);
  add("host", Kind::unicode, 64);
  add("label", Kind::unsigned_int, 1);
  out.columns.back().names = {"UNKNOWN", "CAR", "VAN", "CYCLIST"};
  add("label_probabilities", Kind::real, 4, 4);
  out.label_column = "label_probabilities";
  out.labels = {"UNKNOWN", "CAR", "VAN", "CYCLIST"};
  add("scene", Kind::unsigned_int, 4);
  SceneTags tags;
  tags.scenes["on_intersection"] = {1};
  out.tags = std::make_shared<const SceneTags>(std::move(tags));
  return out;
}

std::string docs() {
  const auto bytes = bev::test::read_file(bev::test::test_path("../docs/filters.md"));
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

struct Block {
  std::string language;
  std::string text;
};

std::vector<Block> blocks_in(const std::string& text) {
  std::vector<Block> out;
  for (std::size_t at = text.find("```"); at != text.npos; at = text.find("```", at)) {
    const auto line = text.find('\n', at);
    const auto end = text.find("\n```", line);
    REQUIRE(end != text.npos);
    out.push_back(
        {text.substr(at + 3, line - at - 3), text.substr(line + 1, end - line)});
    at = end + 4;
  }
  return out;
}

std::vector<std::string> lines_in(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

// The rows of the tables: the code of each cell.
std::vector<std::vector<std::string>> table_rows() {
  std::vector<std::vector<std::string>> out;
  for (const auto& line : lines_in(docs())) {
    if (!line.starts_with("| `")) continue;
    auto& row = out.emplace_back();
    for (std::size_t at = line.find('`'); at != line.npos; at = line.find('`', at)) {
      const auto end = line.find('`', at + 1);
      REQUIRE(end != line.npos);
      row.push_back(line.substr(at + 1, end - at - 1));
      at = end + 1;
    }
  }
  return out;
}

std::string message_of(const std::string& text) {
  try {
    Filter(parse_filter(text), example_schema());
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_SUITE("reader/filter_docs") {
  TEST_CASE("every filter of the docs is valid, and has the JSON after it") {
    std::string last;
    std::size_t filters = 0;
    std::size_t pairs = 0;
    for (const auto& block : blocks_in(docs())) {
      const auto& text = block.text;
      if (block.language == "filter") {
        for (const auto& line : lines_in(text)) {
          CAPTURE(line);
          CHECK(message_of(line) == "no error");
          last = line;
          ++filters;
        }
      } else if (block.language == "json" && text.find("\"version\"") == text.npos) {
        CAPTURE(text);
        CHECK(filter_from_json(text) == parse_filter(last));
        ++pairs;
      }
    }
    CHECK(filters > 8);
    CHECK(pairs == 2);
  }

  TEST_CASE("every function's example is valid, and every error the filter's") {
    std::size_t functions = 0;
    std::size_t errors = 0;
    for (const auto& row : table_rows()) {
      CAPTURE(row.front());
      const bool is_error = row.back().starts_with("filter, ");
      (is_error ? errors : functions) += 1;
      if (is_error)
        CHECK(message_of(row.front()) == row.back());
      else
        CHECK(message_of(row.back()) == "no error");
    }
    CHECK(functions == 6);
    CHECK(errors == 8);
  }

  TEST_CASE("the statistics of the docs are valid") {
    for (const auto& [language, text] : blocks_in(docs())) {
      if (language != "json" || text.find("\"version\"") == text.npos) continue;
      const auto statistics = Statistics::parse(text);
      CHECK(statistics.range("agents", 0, "centroid", 1)->max.real == 4.5);
    }
  }
}

}  // namespace filter_docs_test

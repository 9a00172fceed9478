#include "native/cli/arguments.hpp"

#include <doctest/doctest.h>

namespace arguments_test {

using bev::cli::parse_arguments;
using bev::cli::Usage;
using bev::cli::UsageError;

namespace {

Usage usage() {
  return {.command = "cat",
          .synopsis = "NAME [OPTION]...",
          .summary = "Prints a thing.",
          .description = "At length.",
          .options = {{"rows", "A:B", "Which rows."},
                      {"output", "FILE", "Where to.", "o"},
                      {"json", "", "As JSON."},
                      {"mix", "[HOW]", "Mixed.", "", {"some", "all"}},
                      {"with", "FILE", "May be repeated.", "", {}, true}},
          .examples = "  bevscope cat x"};
}

bev::cli::Arguments parsed(const std::vector<std::string>& words) {
  return parse_arguments(usage(), words);
}

}  // namespace

TEST_SUITE("native/cli/arguments") {
  TEST_CASE("options are found among the operands, in each of their forms") {
    const auto got = parsed({"a", "--rows", "0:9", "b", "--output=x=y", "--json"});
    CHECK(got.operands() == std::vector<std::string>{"a", "b"});
    CHECK(got.value("rows") == "0:9");
    CHECK(got.value("output") == "x=y");
    CHECK(got.has("json"));
    CHECK(parsed({"-o", "f"}).value("output") == "f");
    CHECK_FALSE(parsed({}).value("rows").has_value());
  }

  TEST_CASE("a value may begin with a dash: rows count from the end") {
    CHECK(parsed({"--rows", "-5:"}).value("rows") == "-5:");
  }

  TEST_CASE("a lone dash is an operand, two end the options") {
    CHECK(parsed({"-"}).operands() == std::vector<std::string>{"-"});
    CHECK(parsed({"--", "--json"}).operands() == std::vector<std::string>{"--json"});
  }

  TEST_CASE("an optional value is one of its choices, or follows =") {
    CHECK(parsed({"--mix", "all", "a"}).value("mix") == "all");
    const auto got = parsed({"--mix", "a", "--json"});
    CHECK(got.value("mix") == "");
    CHECK(got.operands() == std::vector<std::string>{"a"});
    CHECK(parsed({"--mix"}).value("mix") == "");
    CHECK(parsed({"--mix=other"}).value("mix") == "other");
  }

  TEST_CASE("a second value is an error, unless the option may be repeated") {
    CHECK_THROWS_WITH_AS(parsed({"--rows", "1:2", "--rows=3:4"}),
                         "--rows is given twice", UsageError);
    CHECK_THROWS_WITH_AS(parsed({"-o", "a", "--output", "a"}),
                         "--output is given twice", UsageError);
    CHECK(parsed({"--json", "--json"}).has("json"));
    CHECK(parsed({"--with", "a", "--with=b"}).all("with") ==
          std::vector<std::string>{"a", "b"});
  }

  TEST_CASE("invalid arguments are named") {
    CHECK_THROWS_WITH_AS(parsed({"--row", "1"}), "unknown option \"row\"", UsageError);
    CHECK_THROWS_WITH_AS(parsed({"-x"}), "unknown option \"x\"", UsageError);
    CHECK_THROWS_WITH_AS(parsed({"--rows"}), "--rows requires a value: A:B",
                         UsageError);
    CHECK_THROWS_WITH_AS(parsed({"--json=1"}), "--json takes no value", UsageError);
  }

  TEST_CASE("a choice is one of the names, the first by default") {
    CHECK(parsed({}).choice("rows", {"all", "some"}) == "all");
    CHECK(parsed({"--rows=some"}).choice("rows", {"all", "some"}) == "some");
    CHECK_THROWS_WITH_AS(
        parsed({"--rows", "none"}).choice("rows", {"all", "some", "few"}),
        "--rows: unknown rows \"none\" (expected all, some or few)", UsageError);
    CHECK_THROWS_AS(parsed({"--rows="}).choice("rows", {"all"}), UsageError);
  }

  TEST_CASE("the help names every option, and the exit status") {
    const auto text = bev::cli::help_text(usage());
    for (const auto* part : {"Usage: bevscope cat NAME [OPTION]...", "Prints a thing.",
                             "  --rows A:B              Which rows.",
                             "  -o, --output FILE       Where to.", "  --json ",
                             "--help", "Exit status: 0", "  bevscope cat x"}) {
      CAPTURE(part);
      CHECK(text.find(part) != std::string::npos);
    }
    CHECK(parsed({"--help"}).has("help"));
  }

  TEST_CASE("integers are checked against their range") {
    using bev::cli::whole_number;
    CHECK(whole_number("8080", "--port", 0, 65535) == 8080);
    for (const auto* bad : {"", "x", "1x", "65536", "-1", "99999999999999999999"}) {
      CAPTURE(bad);
      CHECK_THROWS_AS(whole_number(bad, "--port", 0, 65535), UsageError);
    }
  }

  TEST_CASE("sizes have decimal and binary units") {
    using bev::cli::byte_size;
    CHECK(byte_size("0", "--limit") == 0);
    CHECK(byte_size("65536", "--limit") == 65'536);
    CHECK(byte_size("12B", "--limit") == 12);
    CHECK(byte_size("3kB", "--limit") == 3'000);
    CHECK(byte_size("500MB", "--limit") == 500'000'000);
    CHECK(byte_size("2GiB", "--limit") == std::uint64_t{2} << 30);
    CHECK(byte_size("16777215TiB", "--limit") == std::uint64_t{16'777'215} << 40);
    for (const auto* bad : {"", "GB", "-1", "1.5GB", "2 GB", "2gb", "16777216TiB",
                            "99999999999999999999"}) {
      CAPTURE(bad);
      CHECK_THROWS_AS(byte_size(bad, "--limit"), UsageError);
    }
    CHECK_THROWS_WITH_AS(
        byte_size("2XB", "--limit"),
        "--limit: not a size (found \"2XB\", expected bytes, or a unit "
        "such as 500MB or 2GiB)",
        UsageError);
  }
}

}  // namespace arguments_test

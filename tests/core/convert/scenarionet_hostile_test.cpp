#include <doctest/doctest.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/convert/scenarionet.hpp"
#include "tests/support/scenarionet.hpp"

// Hostile pickles in the place of a scenario's times: each is refused, and none is called,
// for there is nothing that calls.

namespace scenarionet_hostile_test {

using namespace bev;
using namespace std::string_literals;

namespace {

std::string text(const std::string& of) {
  return "\x8c" + std::string(1, static_cast<char>(of.size())) + of;
}

/// Imports a scenario whose times are these opcodes. Returns the error.
std::optional<Error> imported(const std::string& times) {
  const std::string pickle = "\x80\x04}(" + text("tracks") + "}" + text("metadata") +
                             "}(" + text("sdc_id") + text("1") + text("ts") + times +
                             "uu.";
  try {
    convert::import_scenarionet(std::as_bytes(std::span(pickle)),
                                convert::scenarionet_tables());
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

const std::vector<std::pair<std::string, std::string>> kFunctions = {
    {"posix", "system"},
    {"os", "popen"},
    {"builtins", "eval"},
    {"builtins", "exec"},
    {"builtins", "getattr"},
    {"builtins", "__import__"},
    {"subprocess", "Popen"},
    {"__builtin__", "file"},
    {"numpy", "load"},
    {"numpy.core.multiarray", "fromfile"},
    {"collections", "namedtuple"},
    {"importlib", "import_module"},
    {"pickle", "loads"},
    {"runpy", "run_path"},
    {"ctypes", "CDLL"},
    {"torch", "load"}};

/// The ways to call a function of a module, with a text.
std::vector<std::string> calls(const std::string& module, const std::string& name) {
  const auto global = "c" + module + "\n" + name + "\n";
  const auto stack_global = text(module) + text(name) + "\x93";
  const auto given = text("touch called");
  return {global + given + "\x85R",
          stack_global + given + "\x85R",
          "(" + given + "i" + module + "\n" + name + "\n",
          "(" + global + given + "o",
          global + given + "\x85\x81",
          global + given + "\x85}\x92",
          global + ")R" + given + "b"};
}

std::string dtype(const std::string& code) {
  return text("numpy") + text("dtype") + "\x93" + text(code) + "\x89\x88\x87R(K\x03" +
         text("<") + "NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\0tb"s;
}

std::string array(const std::string& shape, const std::string& type,
                  const std::string& bytes, const std::string& base = "ndarray") {
  return text("numpy.core.multiarray") + text("_reconstruct") + "\x93" + text("numpy") +
         text(base) + "\x93" + "K\0\x85"s + "C\1b\x87R(K\1(" + shape + "t" + type +
         "\x89" + bytes + "tb";
}

}  // namespace

TEST_SUITE("convert/scenarionet_hostile") {
  TEST_CASE("every way to call a function is refused by its name") {
    int count = 0;
    for (const auto& [module, name] : kFunctions) {
      for (const auto& call : calls(module, name)) {
        const auto error = imported(call);
        REQUIRE(error);
        CHECK(error->code() == Errc::unsupported);
        const std::string message = error->what();
        CHECK(message.find(module + "." + name + " is not admitted") !=
              std::string::npos);
        ++count;
      }
    }
    CHECK(count == 112);
  }

  TEST_CASE("other objects and buffers are refused") {
    const std::vector<std::string> forms = {
        "P7\n",         text("id") + "Q",       "\x82\x01",
        "\x83\x01\x02", "\x84\x01\x02\x03\x04", "\x97",
        "\x98"};
    for (const auto& form : forms) {
      const auto error = imported(form);
      REQUIRE(error);
      CHECK(error->code() == Errc::unsupported);
    }
  }

  TEST_CASE("arrays that are not what they say are refused") {
    const auto eight = "C\x08"s + std::string(8, '\0');
    const std::vector<std::string> forms = {
        array("K\2", dtype("f8"), eight),                // too few bytes
        array("J\xff\xff\xff\xff", dtype("f8"), eight),  // negative
        array("\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f", dtype("f8"), eight),
        array("\x8a\x06\0\0\0\0\0\x01"s + "K\0"s, dtype("f8"), "C\0"s),
        array("K\1", dtype("O8"), eight),
        array("K\1", dtype("V8"), eight),
        array("K\1", dtype("S8"), eight),
        array("K\2", dtype("U1"), eight),
        array("K\1", dtype("M8"), eight),
        array("K\1", dtype("c8"), eight),
        array("K\1", dtype("x9"), eight),
        array("K\1", dtype("f8"), "N"),
        array("K\1", dtype("f8"), "](Ne"),
        array("K\1", "N", eight),
        array("K\1", dtype("f8"), eight, "matrix"),
        array("K\1K\1K\1", dtype("f8"), eight),
        array("", dtype("f8"), eight),
        text("numpy") + text("dtype") + "\x93" + text("f8") + "\x85R",
        text("collections") + text("defaultdict") + "\x93" + text("builtins") +
            text("int") + "\x93\x85R"};
    for (std::size_t i = 0; i < forms.size(); ++i) {
      CAPTURE(i);
      const auto error = imported(forms[i]);
      REQUIRE(error);
      const auto code = error->code();
      CHECK((code == Errc::unsupported || code == Errc::invalid_metadata ||
             code == Errc::limit_exceeded || code == Errc::corrupt_chunk));
    }
  }

  TEST_CASE("bombs are refused without much memory") {
    std::string doubling = "](";
    doubling += "K\1e\x94";
    for (int i = 0; i < 200; ++i) {
      const auto from = "h" + std::string(1, static_cast<char>(i));
      doubling += "0](" + from + from + "e\x94";
    }
    std::string nested;
    for (int i = 0; i < 10'000; ++i) nested += "](";
    for (int i = 0; i < 10'000; ++i) nested += "e";
    const std::vector<std::string> forms = {
        doubling,
        nested,
        "]\x94(h\0e"s,           // a list in itself
        "K\1r\xff\xff\xff\x7f",  // LONG_BINPUT of 2^31
        "B\xff\xff\xff\xff",
        "\x8e\xff\xff\xff\xff\xff\xff\xff\x7f",  // BINBYTES8
        "X\xff\xff\xff\x7fz",
        "\x8b\xff\xff\xff\x7f",
        "h\x07",
        "0000",
        "((((t"};
    for (std::size_t i = 0; i < forms.size(); ++i) {
      CAPTURE(i);
      const auto error = imported(forms[i]);
      REQUIRE(error);
      const auto code = error->code();
      CHECK((code == Errc::corrupt_chunk || code == Errc::limit_exceeded ||
             code == Errc::unsupported || code == Errc::invalid_metadata));
    }
  }
}

}  // namespace scenarionet_hostile_test

#include "core/pickle/read.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>

#include "tests/support/pickles.hpp"

namespace read_test {

using bev::pickle::Kind;
using bev::pickle::Pickle;
using bev::pickle::Value;
using bev::test::bytes_of;
using bev::test::from_hex;
using bev::test::shown;

constexpr std::string_view kAll[] = {"*"};

// The input must outlive the pickle.
Pickle read(std::string_view text) {
  return bev::pickle::read(bytes_of(text), "p",
                           {.globals = kAll, .persistent_ids = true});
}

TEST_SUITE("pickle/read") {
  TEST_CASE("pickles of every protocol have the values that Python pickled") {
    for (const auto& one : bev::test::pickle_vectors()["values"]) {
      const auto name = one[0].get<std::string>();
      CAPTURE(name);
      const auto bytes = from_hex(one[1].get<std::string>());
      const auto pickle = bev::pickle::read(bytes, name, {.globals = kAll});
      CHECK(shown(pickle.root()) == one[2]);
    }
  }

  TEST_CASE("text and bytes are views of the input") {
    const std::string text =
        "\x80\x04\x8c\x03"
        "abcC\x02xy\x86.";
    const auto pickle = read(text);
    const auto root = pickle.root();
    CHECK(root.at(0).text()->data() == text.data() + 4);
    CHECK(static_cast<const void*>(root.at(1).bytes()->data()) == text.data() + 9);
  }

  TEST_CASE("values stay valid when the pickle is moved") {
    auto first = read(
        "\x80\x04]\x94(K\x01K\x02"
        "e.");
    const auto root = first.root();
    const Pickle second = std::move(first);
    CHECK(shown(root) == nlohmann::json({1, 2}));
    CHECK(shown(second.root()) == nlohmann::json({1, 2}));
  }

  TEST_CASE("a dict's value is the one that was set last") {
    const auto pickle = read(
        "\x80\x04}(\x8c\x01"
        "aK\x01\x8c\x01"
        "bK\x02\x8c\x01"
        "aK\x03u.");
    const auto root = pickle.root();
    CHECK(root.size() == 3);
    CHECK(root.find("a").integer() == 3);
    CHECK(root.find("b").integer() == 2);
    CHECK_FALSE(root.find("c"));
    CHECK_FALSE(root.at(0));
  }

  TEST_CASE("a query of another kind, or of none, returns nothing") {
    const auto pickle = read("K\x07.");
    for (const Value value : {pickle.root(), Value()}) {
      CHECK_FALSE(value.text());
      CHECK_FALSE(value.bytes());
      CHECK_FALSE(value.boolean());
      CHECK_FALSE(value.at(0));
      CHECK_FALSE(value.find("a"));
      CHECK_FALSE(value.callee());
      CHECK_FALSE(value.arguments());
      CHECK_FALSE(value.keywords());
      CHECK_FALSE(value.state());
      CHECK_FALSE(value.appended());
      CHECK_FALSE(value.pairs());
      CHECK_FALSE(value.id());
      CHECK(value.size() == 0);
      CHECK(value.module().empty());
      CHECK(value.name().empty());
      CHECK_FALSE(value.is_global("a.b"));
      CHECK(value.items().begin() == value.items().end());
    }
    CHECK_FALSE(Value());
    CHECK(Value().is_none());
    CHECK_FALSE(Value().is(Kind::none));
    CHECK_FALSE(Value().integer());
    CHECK_FALSE(Value().number());
    CHECK(pickle.root().number() == 7.0);
  }

  TEST_CASE("a string of Python 2 is text if it is ASCII") {
    const auto ascii = read(
                   "U\x02"
                   "ab."),
               other = read(
                   "U\x02"
                   "a\xe9.");
    CHECK(ascii.root().text() == "ab");
    CHECK(ascii.root().bytes()->size() == 2);
    CHECK_FALSE(other.root().text());
    CHECK(other.root().bytes()->size() == 2);
  }

  TEST_CASE("globals are compared by module and name") {
    const auto pickle = read("cnumpy.core\nndarray\n.");
    const auto root = pickle.root();
    CHECK(root.is_global("numpy.core.ndarray"));
    CHECK_FALSE(root.is_global("numpy.corendarray"));
    CHECK_FALSE(root.is_global("numpy.core.ndarra"));
    CHECK_FALSE(root.is_global("ndarray"));
    CHECK(root.describe() == "numpy.core.ndarray");
    CHECK(Value().describe() == "nothing");
  }

  TEST_CASE("nothing is called: a call is a record of it") {
    for (const std::string code :
         {"cos\nsystem\n(S'ls'\ntR.",
          "\x80\x02"
          "cos\nsystem\n(S'ls'\nt\x81.",
          "(S'ls'\nios\nsystem\n.", "(cos\nsystem\nS'ls'\no.",
          "\x80\x04\x8c\x02os\x8c\x06system\x93\x8c\x02ls\x85R."}) {
      const auto pickle = read(code);
      const auto root = pickle.root();
      CHECK(root.kind() == Kind::call);
      CHECK(root.describe() == "a call of os.system");
      CHECK(root.arguments().at(0).text() == "ls");
    }
  }

  TEST_CASE("objects outside the pickle are their ids") {
    const auto line = read("Pstorage 7\n."), value = read("K\x07Q.");
    CHECK(line.root().id().text() == "storage 7");
    CHECK(value.root().id().integer() == 7);
  }
}

}  // namespace read_test

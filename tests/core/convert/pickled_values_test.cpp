#include "core/convert/pickled_values.hpp"

#include <doctest/doctest.h>

#include "core/pickle/numpy.hpp"
#include "core/pickle/read.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/scenarionet.hpp"

namespace pickled_values_test {

using namespace bev;
using convert::PickledValues;
using test::array_of;
using test::Tree;

/// Calls `use(values, root)` with what a pickle of the tree has.
template <class Use>
auto with(const Tree& tree, Use use) {
  const auto bytes = test::pickled(tree);
  const auto read = pickle::read(std::as_bytes(std::span(bytes)), "made",
                                 {.globals = pickle::numpy_globals()});
  PickledValues values("made", 100);
  return use(values, read.root());
}

std::optional<convert::NumberRows> rows(const Tree& tree, std::size_t columns = 3) {
  return with(tree,
              [&](auto& values, auto root) { return values.rows(root, columns); });
}

TEST_SUITE("convert/pickled_values") {
  TEST_CASE("arrays and lists have the same numbers") {
    const Tree same[] = {array_of("f8", {2, 2}, {1, 2, 3, 4}),
                         array_of("f4", {2, 2}, {1, 2, 3, 4}),
                         array_of("i8", {2, 2}, {1, 2, 3, 4}),
                         {{1, 2.0}, {3, 4}},
                         {array_of("f8", {2}, {1, 2}), {3, 4}}};
    for (const auto& tree : same) {
      CAPTURE(tree.dump());
      const auto found = rows(tree);
      REQUIRE(found);
      CHECK(found->rows == 2);
      CHECK(found->columns == 2);
      CHECK(found->values == std::vector<double>{1, 2, 3, 4});
    }
    CHECK(rows(array_of("b1", {3}, {1, 0, 1}))->values == std::vector<double>{1, 0, 1});
    CHECK(rows({true, false})->values == std::vector<double>{1, 0});
    CHECK(rows(Tree::array())->rows == 0);
  }

  TEST_CASE("what is not numbers in rows of equal length is none") {
    for (const Tree& tree :
         {Tree("x"), Tree(1), Tree::array({{1, 2}, {3}}), Tree::array({{1, 2, 3, 4}}),
          Tree::array({Tree::array()}), Tree::array({"x"}),
          array_of("f8", {1, 1, 1}, {1}), array_of("f8", {1, 4}, {1, 2, 3, 4})}) {
      CAPTURE(tree.dump());
      CHECK(!rows(tree));
    }
  }

  TEST_CASE("the third value of a point is a height only if said so") {
    const auto z = [](bool has_height) {
      return with(array_of("f8", {1, 3}, {1, 2, 3}), [&](auto& values, auto root) {
        return values.points(root, has_height)->front().z;
      });
    };
    CHECK(z(true) == 3);
    CHECK(z(false) == 0);
  }

  TEST_CASE("integers and names may be texts or numbers") {
    const auto integer = [](const Tree& tree) {
      return with(tree, [](auto& values, auto root) { return values.integer(root); });
    };
    CHECK(integer("12") == 12);
    CHECK(integer(-3) == -3);
    CHECK(!integer("12a"));
    CHECK(!integer(1.5));
    const auto name = [](const Tree& tree) {
      return with(tree, [](auto& values, auto root) { return values.name(root); });
    };
    CHECK(name("a b") == "a b");
    CHECK(name(7) == "7");
    CHECK(!name(Tree::array()));
  }

  TEST_CASE("all reads together have a limit") {
    CHECK(test::error_code([] {
            with(array_of("f8", {60}, std::vector<double>(60)),
                 [](auto& values, auto root) {
                   values.rows(root, 1);
                   values.rows(root, 1);
                 });
          }) == Errc::limit_exceeded);
  }
}

}  // namespace pickled_values_test

#include <doctest/doctest.h>

#include <bevscope/dataset.hpp>
#include <bevscope/result.hpp>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>

#include "tests/library/memory_source.hpp"

namespace result_test {

using bev::attempt;
using bev::Dataset;
using bev::Errc;
using bev::Error;

TEST_SUITE("library/result") {
  TEST_CASE("a result has what the function returns") {
    const auto found = attempt([] { return std::string("x"); });
    REQUIRE(found);
    CHECK(*found == "x");
    auto owned = attempt([] { return std::make_unique<int>(7); });  // not copied
    REQUIRE(owned);
    CHECK(**owned == 7);
    CHECK(owned->get() != nullptr);
    const int number = 3;
    auto copied = attempt([&]() -> const int& { return number; });
    CHECK(*copied == 3);
  }

  TEST_CASE("a function without a result has succeeded or failed") {
    bool called = false;
    CHECK(attempt([&] { called = true; }));
    CHECK(called);
    const auto failed = attempt([] { throw Error(Errc::io, "x: read failed"); });
    REQUIRE_FALSE(failed);
    CHECK(failed.error().code() == Errc::io);
    CHECK(std::string(failed.error().what()) == "x: read failed");
  }

  TEST_CASE("exceptions of the standard library become errors, others pass") {
    const auto full = attempt([]() -> int { throw std::bad_alloc(); });
    CHECK(full.error().code() == Errc::out_of_memory);
    const auto bug = attempt([]() -> int { throw std::logic_error("a bug"); });
    CHECK(bug.error().code() == Errc::internal);
    CHECK(std::string(bug.error().what()) == "a bug");
    CHECK_THROWS_AS((void)attempt([]() -> int { throw 7; }), int);
  }

  TEST_CASE("a data set that is not there is an error, not an exception") {
    const auto empty =
        std::make_shared<bev::test::MemorySource>(bev::test::MemoryStore{});
    const auto opened = attempt([&] { return Dataset(empty); });
    REQUIRE_FALSE(opened);
    CHECK(opened.error().code() == Errc::missing_key);
  }
}

}  // namespace result_test

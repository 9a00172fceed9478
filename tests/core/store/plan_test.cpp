#include "core/store/plan.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/store/store.hpp"

namespace plan_test {

using bev::ByteRange;
using bev::Error;
using bev::store::Plan;
using bev::store::Request;
using bev::store::Store;
using bev::store::tail_range;
using Ranges = std::vector<ByteRange>;
using Requests = std::vector<Request>;

namespace {

/// Runs a dry run that touches these keys.
std::vector<Request> touch(Store& store, Plan& plan,
                           std::initializer_list<const char*> keys) {
  plan.begin();
  for (const auto* key : keys) store.touch(key, plan);
  return plan.finish();
}

std::vector<std::byte> bytes_of(std::size_t size) {
  return std::vector<std::byte>(size);
}

bool held(Store& store, const char* key) {
  Plan plan(store, "probe");
  plan.begin();
  return store.touch(key, plan) != nullptr;
}

}  // namespace

TEST_SUITE("store/plan") {
  TEST_CASE("each object is requested once, in order") {
    Store store(100);
    Plan plan(store, "test");
    const auto wanted = touch(store, plan, {"a/1", "a/0", "a/1"});
    REQUIRE(wanted.size() == 2);
    CHECK(wanted[0].key == "a/1");
    CHECK(wanted[1].key == "a/0");
    CHECK(wanted[0].required);
  }

  TEST_CASE("objects of the current plan are evicted last") {
    Store store(100);
    Plan plan(store, "test");
    store.supply({"old"}, bytes_of(40));
    touch(store, plan, {"a/0", "a/1"});
    store.supply({"a/0"}, bytes_of(50));
    store.supply({"a/1"}, bytes_of(50));
    CHECK_FALSE(held(store, "old"));
    CHECK(held(store, "a/0"));
    CHECK(held(store, "a/1"));
    store.supply({"new"}, bytes_of(40));  // no plan requested it
    CHECK_FALSE(held(store, "new"));
    CHECK(touch(store, plan, {"a/0", "a/1"}).empty());
  }

  TEST_CASE("released objects are evicted like others") {
    Store store(100);
    Plan plan(store, "test");
    touch(store, plan, {"a/0"});
    store.supply({"a/0"}, bytes_of(60));
    plan.release();
    store.supply({"new"}, bytes_of(60));
    CHECK(held(store, "new"));
    CHECK_FALSE(held(store, "a/0"));
  }

  TEST_CASE("a plan above the budget fails with the bytes needed") {
    Store store(100);
    Plan plan(store, "rows of a");
    touch(store, plan, {"a/0", "a/1", "a/2"});
    for (const auto* key : {"a/0", "a/1", "a/2"}) store.supply({key}, bytes_of(60));
    CHECK(store.cache().bytes_held <= 100);
    CHECK_THROWS_WITH_AS(
        touch(store, plan, {"a/0", "a/1", "a/2"}),
        "rows of a: byte budget too small (found 100, needs at least 180)", Error);
  }

  TEST_CASE("concurrent plans each pin what they need") {
    Store store(100);
    Plan first(store, "first");
    Plan second(store, "second");
    touch(store, first, {"a/0"});
    touch(store, second, {"b/0"});
    store.supply({"a/0"}, bytes_of(90));
    store.supply({"b/0"}, bytes_of(90));
    CHECK(touch(store, first, {"a/0"}).empty());
    CHECK(touch(store, second, {"b/0"}).empty());
    first.release();
    CHECK(store.cache().bytes_held == 90);
  }

  TEST_CASE("ranges of an object are merged, in ascending order") {
    Store store(1000);
    Plan plan(store, "test");
    plan.begin();
    plan.request("a/0", Ranges{{50, 60}, {0, 10}});
    plan.request("b/0", Ranges{{7, 8}});
    plan.request("a/0", Ranges{{10, 20}, {55, 70}});
    CHECK(plan.finish() == Requests{{"a/0", ByteRange{0, 20}},
                                    {"a/0", ByteRange{50, 70}},
                                    {"b/0", ByteRange{7, 8}}});
  }

  TEST_CASE("a request for the whole object replaces its ranges, in either order") {
    Store store(1000);
    Plan plan(store, "test");
    for (const bool whole_first : {true, false}) {
      plan.begin();
      if (whole_first) plan.request("a/0", true);
      plan.request("a/0", Ranges{{0, 10}});
      plan.request_tail("a/0", 16);
      if (!whole_first) plan.request("a/0", true);
      CHECK(plan.finish() == Requests{{"a/0"}});
    }
  }

  TEST_CASE("the longest tail of an object is requested, beside its ranges") {
    Store store(1000);
    Plan plan(store, "test");
    plan.begin();
    plan.request_tail("a/0", 16);
    plan.request("a/0", Ranges{{0, 10}});
    plan.request_tail("a/0", 40);
    plan.request_tail("a/0", 20);
    CHECK(plan.finish() ==
          Requests{{"a/0", std::nullopt, true, 40}, {"a/0", ByteRange{0, 10}}});
    CHECK(plan.has_request("a/0"));
    plan.begin();
    CHECK_FALSE(plan.has_request("a/0"));
    CHECK(plan.finish().empty());
  }

  TEST_CASE("a plan may use its budget to the last byte, and no more") {
    Store store(100);
    Plan plan(store, "test");
    touch(store, plan, {"a/0", "a/1"});
    store.supply({"a/0"}, bytes_of(60));
    store.supply({"a/1"}, bytes_of(40));
    CHECK(touch(store, plan, {"a/0", "a/1"}).empty());
    store.supply({"a/2"}, bytes_of(1));
    CHECK_FALSE(held(store, "a/2"));
    CHECK_THROWS_AS(
        (touch(store, plan, {"a/0", "a/1", "a/2"}), store.supply({"a/2"}, bytes_of(1)),
         touch(store, plan, {"a/0", "a/1", "a/2"})),
        Error);
  }

  TEST_CASE("an object touched often counts once") {
    Store store(100);
    Plan plan(store, "test");
    touch(store, plan, {"a/0"});
    store.supply({"a/0"}, bytes_of(80));
    CHECK(touch(store, plan, {"a/0", "a/0", "a/0"}).empty());
  }

  TEST_CASE("objects of the previous run stay pinned until finish") {
    Store store(100);
    Plan plan(store, "test");
    touch(store, plan, {"a/0"});
    store.supply({"a/0"}, bytes_of(60));
    touch(store, plan, {"a/0"});
    plan.begin();
    store.supply({"x"}, bytes_of(60));
    CHECK(held(store, "a/0"));
    CHECK(plan.finish().empty());
    store.supply({"y"}, bytes_of(60));
    CHECK_FALSE(held(store, "a/0"));
  }

  TEST_CASE("a destroyed plan pins nothing") {
    Store store(100);
    {
      Plan plan(store, "test");
      touch(store, plan, {"a/0", "a/1"});
      store.supply({"a/0"}, bytes_of(70));
      Plan other(store, "other");
      touch(store, other, {"a/1"});
      store.supply({"a/1"}, bytes_of(70));
      CHECK(store.cache().bytes_held == 140);
    }
    CHECK(store.cache().bytes_held <= 100);
  }

  TEST_CASE("more than a million requests are refused") {
    Store store(100);
    Plan plan(store, "rows of a");
    plan.begin();
    plan.request("a/0", Ranges(std::size_t{1} << 20, ByteRange{0, 1}));
    try {
      plan.request("a/1", true);
      FAIL("requested");
    } catch (const Error& error) {
      CHECK(error.code() == bev::Errc::limit_exceeded);
      CHECK(std::string(error.what()) ==
            "rows of a: too many requests (expected at most 1048576); select fewer "
            "rows");
    }
  }

  TEST_CASE("the last bytes of an object are a range that ends past it") {
    CHECK(tail_range(100, 16) == bev::ByteRange{84, 101});
    CHECK(tail_range(100, 100) == bev::ByteRange{0, 101});
    CHECK(tail_range(7, 16) == bev::ByteRange{0, 8});  // shorter than its last bytes
    CHECK(tail_range(0, 16) == bev::ByteRange{0, 1});
  }
}

}  // namespace plan_test

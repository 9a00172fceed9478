#include "core/store/plan.hpp"

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "core/store/store.hpp"

using bev::Error;
using bev::store::Plan;
using bev::store::Request;
using bev::store::Store;

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
  TEST_CASE("what is wanted is asked for once, in order") {
    Store store(100);
    Plan plan(store, "test");
    const auto wanted = touch(store, plan, {"a/1", "a/0", "a/1"});
    REQUIRE(wanted.size() == 2);
    CHECK(wanted[0].key == "a/1");
    CHECK(wanted[1].key == "a/0");
    CHECK(wanted[0].required);
  }

  TEST_CASE("what the current plan touched goes last") {
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

  TEST_CASE("once released, it goes like the rest") {
    Store store(100);
    Plan plan(store, "test");
    touch(store, plan, {"a/0"});
    store.supply({"a/0"}, bytes_of(60));
    plan.release();
    store.supply({"new"}, bytes_of(60));
    CHECK(held(store, "new"));
    CHECK_FALSE(held(store, "a/0"));
  }

  TEST_CASE("a plan over the budget is refused with what it needs") {
    Store store(100);
    Plan plan(store, "rows of a");
    touch(store, plan, {"a/0", "a/1", "a/2"});
    for (const auto* key : {"a/0", "a/1", "a/2"}) store.supply({key}, bytes_of(60));
    CHECK(store.cache().bytes_held <= 100);
    CHECK_THROWS_WITH_AS(touch(store, plan, {"a/0", "a/1", "a/2"}),
                         "rows of a: needs at least 180 bytes of chunks at a time, the "
                         "budget is 100",
                         Error);
  }

  TEST_CASE("plans of their own each keep what they need") {
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
}

#include "native/source/stated_source.hpp"

#include <doctest/doctest.h>

#include <bevscope/native.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/temp_folder.hpp"

namespace stated_source_test {

using bev::Errc;
using bev::test::error_code;
using bev::test::TempFolder;

namespace {

/// Objects in memory with states, as a program's own store; counts reads.
struct OwnStore {
  class Objects final : public bev::Source {
   public:
    explicit Objects(OwnStore& store) : store_(store) {}

    std::optional<std::vector<std::byte>> read(
        const std::string& key, const std::optional<bev::ByteRange>& range) override {
      ++store_.reads;
      if (store_.before_read) store_.before_read();
      const auto found = store_.objects.find(key);
      if (found == store_.objects.end()) return std::nullopt;
      const auto bytes = std::as_bytes(std::span(found->second));
      const auto all = range ? bytes.subspan(static_cast<std::size_t>(range->begin),
                                             static_cast<std::size_t>(range->size()))
                             : bytes;
      return std::vector<std::byte>(all.begin(), all.end());
    }

   private:
    OwnStore& store_;
  };

  std::shared_ptr<bev::Source> cached(const std::string& folder) {
    return bev::cached_source(std::make_shared<Objects>(*this), "own://store",
                              [this](std::span<const std::string> keys) {
                                std::vector<std::string> out;
                                for (const auto& key : keys) out.push_back(states[key]);
                                return out;
                              },
                              {.folder = folder});
  }

  std::map<std::string, std::string> objects{{"x/0", "0123456789"}};
  std::map<std::string, std::string> states{{"x/0", "one"}};
  std::function<void()> before_read = {};
  int reads = 0;
};

std::string text_of(const std::optional<std::vector<std::byte>>& bytes) {
  if (!bytes) return "absent";
  return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
}

}  // namespace

TEST_SUITE("native/source/stated_source") {
  TEST_CASE("objects with a state are kept for the next source, and parts of them") {
    const TempFolder at;
    OwnStore store;
    CHECK(text_of(store.cached(at.at("c"))->read("x/0", std::nullopt)) == "0123456789");
    CHECK(store.reads == 1);
    const auto second = store.cached(at.at("c"));
    CHECK(text_of(second->read("x/0", std::nullopt)) == "0123456789");
    CHECK(text_of(second->read("x/0", bev::ByteRange{2, 5})) == "234");
    CHECK(store.reads == 1);
  }

  TEST_CASE("a changed state fetches again; an unknown one is not kept") {
    const TempFolder at;
    OwnStore store;
    store.cached(at.at("c"))->read("x/0", std::nullopt);
    store.objects["x/0"] = "abc";
    store.states["x/0"] = "two";
    CHECK(text_of(store.cached(at.at("c"))->read("x/0", std::nullopt)) == "abc");
    CHECK(store.reads == 2);
    store.states["x/0"] = "";
    for (int i = 0; i < 2; ++i) {
      CHECK(text_of(store.cached(at.at("c"))->read("x/0", std::nullopt)) == "abc");
    }
    CHECK(store.reads == 4);
  }

  TEST_CASE("bytes that change after the state was asked for are never trusted") {
    const TempFolder at;
    OwnStore store;
    store.before_read = [&] {
      store.objects["x/0"] = "new";
      store.states["x/0"] = "two";
    };
    CHECK(text_of(store.cached(at.at("c"))->read("x/0", std::nullopt)) == "new");
    store.before_read = nullptr;
    store.objects["x/0"] = "newer";
    store.states["x/0"] = "three";
    CHECK(text_of(store.cached(at.at("c"))->read("x/0", std::nullopt)) == "newer");
  }

  TEST_CASE("an object that changes while a data set is read is an error") {
    const TempFolder at;
    OwnStore store;
    const auto source = store.cached(at.at("c"));
    source->read("x/0", bev::ByteRange{0, 2});
    store.states["x/0"] = "two";
    CHECK(error_code([&] {
            source->read("x/0", bev::ByteRange{4, 6});
          }) == Errc::changed);
  }

  TEST_CASE("absent objects are not kept, and may appear") {
    const TempFolder at;
    OwnStore store;
    const auto source = store.cached(at.at("c"));
    CHECK_FALSE(source->read("x/1", std::nullopt));
    store.objects["x/1"] = "1";
    CHECK(text_of(source->read("x/1", std::nullopt)) == "1");
  }

  TEST_CASE("contents are counted and removed; a cache needs all of its parts") {
    const TempFolder at;
    OwnStore store;
    store.cached(at.at("c"))->read("x/0", std::nullopt);
    const auto held = bev::cache_contents(at.at("c"));
    CHECK(held.entries == 1);
    CHECK(held.bytes > 10);
    CHECK(bev::clear_cache(at.at("c")).entries == 1);
    CHECK(bev::cache_contents(at.at("c")).entries == 0);
    CHECK(error_code([&] { bev::clear_cache(at.at("none")); }) == Errc::not_found);
    CHECK(error_code([&] { store.cached(""); }) == Errc::invalid_argument);
  }
}

}  // namespace stated_source_test

#include "core/save/writable_array.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/zarr/encode.hpp"
#include "tests/support/array_store.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/records.hpp"

namespace writable_array_test {

using bev::Errc;
using bev::Error;
using bev::save::WritableArray;
using bev::test::error_code;
using bev::test::MemoryArrayStore;
using bev::test::Random;
using namespace bev::zarr;

namespace {

using Bytes = std::vector<std::byte>;
using Lengths = std::vector<std::uint64_t>;
using Shared = MemoryArrayStore::Shared;

constexpr auto kFill = std::byte{9};

#ifdef __EMSCRIPTEN__  // compressors are in bev_save alone
const std::vector<const char*> kCodecs{"none"};
#else
const std::vector<const char*> kCodecs{"zlib", "none", "gzip",
                                       "zstd", "lz4",  "blosc:lz4"};
#endif

ArrayMeta make(Lengths shape, Lengths chunks, const char* codec = kCodecs.front()) {
  ArrayMeta meta;
  meta.shape = std::move(shape);
  meta.chunks = std::move(chunks);
  meta.dtype = parse_dtype(nlohmann::json("|u1"), "test");
  meta.fill.assign(1, kFill);
  meta.compressor = compressor_named(codec, std::nullopt);
  return meta;
}

Bytes bytes(std::size_t count, int value) {
  return Bytes(count, static_cast<std::byte>(value));
}

Bytes all(WritableArray& array) {
  return array.read({whole_box(array.refresh())});
}

/// Rows [first, first + values.size()) of an array with one axis.
void put(WritableArray& array, std::uint64_t first, const Bytes& values) {
  array.assign(Assignment({{{first, values.size()}}}, {{{0, 1}, values, {}}}));
}

Shared shared_store(bool has_locks) {
  Shared shared;
  shared.has_locks = has_locks;
  return shared;
}

/// Runs `own`, and `other` before one of its steps. Returns whether it had that step.
bool run_within(Shared& shared, int turn, const std::function<void()>& other,
                const std::function<void()>& own) {
  bool other_ran = false;
  shared.steps = 0;
  shared.before_step = [&](int step) {
    if (step == turn && !std::exchange(other_ran, true)) other();
  };
  own();
  shared.before_step = nullptr;
  return other_ran;
}

std::string text_of(const Shared& shared, const std::string& key) {
  const auto& found = shared.objects.at(key).bytes;
  return {reinterpret_cast<const char*>(found.data()), found.size()};
}

void put_text(Shared& shared, const std::string& key, const std::string& text) {
  const auto view = std::as_bytes(std::span(text));
  shared.objects[key] = {{view.begin(), view.end()}, ++shared.version};
}

}  // namespace

TEST_SUITE("save/writable_array") {
  TEST_CASE("assigning touches the chunks of its elements only, and keeps the codec") {
    for (const auto* codec : kCodecs) {
      auto shared = shared_store(true);
      MemoryArrayStore store(shared);
      CHECK(WritableArray::create(store, "a", make({100}, {10}, codec)));
      CHECK_FALSE(WritableArray::create(store, "a", make({5}, {5})));
      WritableArray array(store, "a");
      put(array, 0, bytes(100, 1));
      const auto before = shared.objects;
      put(array, 25, bytes(10, 2));
      auto expected = bytes(100, 1);
      std::fill_n(expected.begin() + 25, 10, std::byte{2});
      CHECK((all(array) == expected));
      for (const auto& [key, object] : before) {
        const bool changed = shared.objects.at(key).version != object.version;
        CHECK(changed == (key == "a/2" || key == "a/3"));
      }
      CHECK((array.meta().compressor == compressor_named(codec, std::nullopt)));
    }
  }

  TEST_CASE("a chunk that is replaced as a whole is not read, damaged or not") {
    auto shared = shared_store(true);
    MemoryArrayStore store(shared);
    WritableArray::create(store, "", make({20}, {10}));
    WritableArray array(store, "");
    put_text(shared, "0", "no zlib");
    CHECK(error_code([&] { put(array, 3, bytes(2, 1)); }) == Errc::corrupt_chunk);
    CHECK(text_of(shared, "0") == "no zlib");
    put(array, 0, bytes(10, 4));
    CHECK((all(array) == [] {
      auto expected = bytes(20, 4);
      std::fill_n(expected.begin() + 10, 10, kFill);
      return expected;
    }()));
  }

  TEST_CASE("without locks, two assignments in every order lose nothing") {
    for (const bool overlaps : {false, true}) {
      for (int turn = 0; turn < 12; ++turn) {
        auto shared = shared_store(false);
        MemoryArrayStore first_store(shared), second_store(shared);
        WritableArray::create(first_store, "a", make({20}, {10}));
        WritableArray first(first_store, "a"), second(second_store, "a");
        put(first, 0, bytes(20, 1));
        const bool other_ran = run_within(
            shared, turn, [&] { put(second, overlaps ? 4 : 9, bytes(6, 3)); },
            [&] { put(first, 2, bytes(7, 2)); });
        const auto found = all(first);
        auto expected = bytes(20, 1);
        std::fill_n(expected.begin() + 2, 7, std::byte{2});
        if (!overlaps) {
          if (other_ran) std::fill_n(expected.begin() + 9, 6, std::byte{3});
          CHECK((found == expected));
          continue;
        }
        // The chunk's last writer wins; nobody's rows are mixed with older ones.
        auto other_last = expected;
        auto own_last = expected;
        std::fill_n(other_last.begin() + 4, 6, std::byte{3});
        own_last[9] = std::byte{3};
        const bool is_one = found == other_last || found == own_last ||
                            (!other_ran && found == expected);
        CHECK(is_one);
      }
    }
  }

  TEST_CASE("without locks, two appends in every order keep all rows") {
    for (int turn = 0; turn < 14; ++turn) {
      auto shared = shared_store(false);
      MemoryArrayStore first_store(shared), second_store(shared);
      WritableArray::create(first_store, "a", make({3}, {4}));
      WritableArray first(first_store, "a"), second(second_store, "a");
      put(first, 0, bytes(3, 1));
      const auto append = [&] { second.append(bytes(5, 3)); };
      if (!run_within(shared, turn, append, [&] { first.append(bytes(6, 2)); }))
        append();
      auto one = bytes(14, 1), other = one;
      std::fill_n(one.begin() + 3, 6, std::byte{2});
      std::fill_n(one.begin() + 9, 5, std::byte{3});
      std::fill_n(other.begin() + 3, 5, std::byte{3});
      std::fill_n(other.begin() + 8, 6, std::byte{2});
      const auto found = all(first);
      CHECK((found == one || found == other));
    }
  }

  TEST_CASE(
      "a writer that ends at any step leaves old or new chunks, and old or new rows") {
    for (const bool has_locks : {true, false}) {
      for (int end = 0; end < 20; ++end) {
        auto shared = shared_store(has_locks);
        MemoryArrayStore store(shared);
        WritableArray::create(store, "a", make({13}, {10}));
        WritableArray array(store, "a");
        put(array, 0, bytes(13, 1));
        shared.steps = 0;
        shared.before_step = [&](int step) {
          if (step == end) throw Error(Errc::io, "ended");
        };
        const auto error = error_code([&] {
          put(array, 5, bytes(8, 2));
          array.append(bytes(12, 3));
        });
        shared.before_step = nullptr;
        WritableArray again(store, "a");
        const auto found = all(again);
        CHECK((found.size() == 13 || found.size() == 25));
        if (has_locks && found.size() == 25) {
          CHECK(std::count(found.begin() + 13, found.end(), std::byte{3}) == 12);
        }
        for (std::size_t i = 5; i < 13; ++i) {
          CHECK((found[i] == found[i < 10 ? 5 : 10]));
        }
        // What was left beyond the shape is never seen.
        if (has_locks) {
          again.resize({30});
          const auto grown = all(again);
          CHECK(std::count(grown.begin() + static_cast<std::ptrdiff_t>(found.size()),
                           grown.end(),
                           kFill) == static_cast<std::ptrdiff_t>(30 - found.size()));
        }
        if (!error) break;
        CHECK(end < 19);
      }
    }
  }

  TEST_CASE("resizing along all axes equals doing so in memory") {
    Random random(3);
    for (int round = 0; round < 60; ++round) {
      auto shared = shared_store(true);
      MemoryArrayStore store(shared);
      Lengths shape{1 + random.below(9), 1 + random.below(9)};
      WritableArray::create(store, "a", make(shape, {1 + random.below(4), 3}));
      WritableArray array(store, "a");
      auto box = whole_box(array.meta());
      auto known = random.bytes(static_cast<std::size_t>(count_of(box)));
      array.assign(Assignment({box}, {{{0, 1}, known, {}}}));
      for (int step = 0; step < 4; ++step) {
        const Lengths next{random.below(12), random.below(12)};
        array.resize(next);
        Bytes expected(static_cast<std::size_t>(next[0] * next[1]), kFill);
        for (std::uint64_t i = 0; i < std::min(next[0], shape[0]); ++i) {
          for (std::uint64_t k = 0; k < std::min(next[1], shape[1]); ++k) {
            expected[static_cast<std::size_t>(i * next[1] + k)] =
                known[static_cast<std::size_t>(i * shape[1] + k)];
          }
        }
        CHECK((all(array) == expected));
        CHECK(array.use().stored <= array.use().chunks);
        shape = next;
        known = expected;
      }
    }
  }

  TEST_CASE("arrays in shards change as in memory") {
    Random random(4);
    for (int round = 0; round < 40; ++round) {
      auto shared = shared_store(true);
      MemoryArrayStore store(shared);
      put_text(shared, "a/zarr.json", R"({"zarr_format": 3, "node_type": "array",
        "shape": [11, 7], "data_type": "uint8", "fill_value": 9, "attributes": {},
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [6, 4]}},
        "chunk_key_encoding": {"name": "default"}, "codecs": [
          {"name": "sharding_indexed", "configuration": {"chunk_shape": [2, 2],
            "codecs": [{"name": "bytes"}, {"name": "crc32c"}], "index_codecs": [
              {"name": "bytes", "configuration": {"endian": "little"}},
              {"name": "crc32c"}]}}]})");
      WritableArray array(store, "a");
      Lengths shape{11, 7};
      Bytes known(77, kFill);
      for (int step = 0; step < 6; ++step) {
        const auto width = static_cast<std::size_t>(shape[1]);
        const auto first = random.below(static_cast<std::size_t>(shape[0]) + 1);
        if (random.below(2) == 0) {
          const auto count =
              random.below(static_cast<std::size_t>(shape[0]) - first + 1);
          const auto values = random.bytes(count * width);
          array.assign(
              Assignment({{{first, count}, {0, width}}}, {{{0, 1}, values, {}}}));
          std::copy(values.begin(), values.end(),
                    known.begin() + static_cast<std::ptrdiff_t>(first * width));
        } else if (random.below(2) == 0 && width > 0) {
          const auto values = random.bytes(random.below(9) * width);
          array.append(values);
          known.insert(known.end(), values.begin(), values.end());
          shape[0] += values.size() / width;
        } else {
          const Lengths next{random.below(15), 1 + random.below(9)};
          array.resize(next);
          Bytes cut(static_cast<std::size_t>(next[0] * next[1]), kFill);
          for (std::uint64_t i = 0; i < std::min(next[0], shape[0]); ++i) {
            for (std::uint64_t k = 0; k < std::min(next[1], shape[1]); ++k) {
              cut[static_cast<std::size_t>(i * next[1] + k)] =
                  known[static_cast<std::size_t>(i * shape[1] + k)];
            }
          }
          shape = next;
          known = cut;
        }
        CHECK((all(array) == known));
        CHECK(array.use().stored <= array.use().chunks);
      }
    }
  }

  TEST_CASE("consolidated metadata follows, and other entries stay") {
    for (const bool is_version3 : {false, true}) {
      auto shared = shared_store(true);
      MemoryArrayStore store(shared);
      const std::string array_json = R"({"zarr_format": 3, "node_type": "array",
        "shape": [4], "data_type": "uint8", "fill_value": 9, "attributes": {"x": 1},
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4]}},
        "chunk_key_encoding": {"name": "default"}, "codecs": [{"name": "bytes"}]})";
      const std::string key = is_version3 ? "zarr.json" : ".zmetadata";
      if (is_version3) {
        put_text(shared, "a/zarr.json", array_json);
        put_text(shared, key,
                 R"({"zarr_format": 3, "node_type": "group", "consolidated_metadata":
                 {"kind": "inline", "metadata": {"b": {"k": 1}, "a": )" +
                     array_json + "}}}");
      } else {
        WritableArray::create(store, "a", make({4}, {4}));
        put_text(shared, key,
                 R"({"metadata": {"b/.zarray": {"k": 1}, "a/.zarray": )" +
                     text_of(shared, "a/.zarray") + "}}");
      }
      WritableArray array(store, "a");
      array.append(bytes(3, 1));
      CHECK((array.meta().shape == Lengths{7}));
      const auto root = nlohmann::json::parse(text_of(shared, key));
      const auto& entries =
          is_version3 ? root["consolidated_metadata"]["metadata"] : root["metadata"];
      const auto& entry = entries[is_version3 ? "a" : "a/.zarray"];
      CHECK(entry["shape"] == nlohmann::json{7});
      CHECK(entry["fill_value"] == 9);
      CHECK(entries[is_version3 ? "b" : "b/.zarray"]["k"] == 1);
      if (is_version3) CHECK(entry["attributes"]["x"] == 1);
      CHECK(shared.objects.contains(is_version3 ? "a/c/1" : "a/1"));
    }
  }

  TEST_CASE(
      "creating an array creates its groups, and adds it to consolidated metadata") {
    auto shared = shared_store(true);
    MemoryArrayStore store(shared);
    put_text(shared, ".zmetadata", R"({"metadata": {}})");
    CHECK(WritableArray::create(store, "g/h/a", make({4}, {4})));
    CHECK(shared.objects.contains(".zgroup"));
    CHECK(shared.objects.contains("g/.zgroup"));
    CHECK(shared.objects.contains("g/h/.zgroup"));
    CHECK(nlohmann::json::parse(text_of(shared, ".zmetadata"))["metadata"].contains(
        "g/h/a/.zarray"));
    CHECK(error_code([&] {
            WritableArray::create(store, "g/h/a/b", make({4}, {4}));
          }) == Errc::invalid_argument);
    WritableArray::create(store, "g/h/b", make({4}, {4}));
    put_text(shared, "v3/zarr.json", "{}");
    CHECK(error_code([&] { WritableArray::create(store, "v3/a", make({4}, {4})); }) ==
          Errc::unsupported);
  }

  TEST_CASE("an array of version 3 is created in groups of version 3") {
    auto shared = shared_store(true);
    MemoryArrayStore store(shared);
    auto meta = make({25}, {10}, "none");
    meta.prefixed_keys = true;
    CHECK(WritableArray::create(store, "g/a", meta));
    CHECK_FALSE(WritableArray::create(store, "g/a", meta));
    CHECK(nlohmann::json::parse(text_of(shared, "g/zarr.json"))["node_type"] ==
          "group");
    WritableArray array(store, "g/a");
    put(array, 0, bytes(25, 1));
    array.append(bytes(10, 2));
    CHECK(shared.objects.contains("g/a/c/3"));
    CHECK(all(array).size() == 35);
    const auto create = [&](const char* path) {
      return error_code([&] { WritableArray::create(store, path, meta); });
    };
    CHECK(create("g/a/b") == Errc::invalid_argument);
    put_text(shared, "v2/.zgroup", "{}");
    CHECK(create("v2/a") == Errc::unsupported);
    CHECK(WritableArray::create(store, "g/a", meta, WritableArray::Existing::replace) ==
          false);
    CHECK(WritableArray(store, "g/a").use().stored == 0);
  }

  TEST_CASE("chunks with a checksum keep it, and it is right") {
    auto shared = shared_store(true);
    MemoryArrayStore store(shared);
    put_text(shared, "a/zarr.json", R"({"zarr_format": 3, "node_type": "array",
      "shape": [20], "data_type": "uint8", "fill_value": 9, "attributes": {},
      "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [10]}},
      "chunk_key_encoding": {"name": "default"},
      "codecs": [{"name": "bytes"}, {"name": "crc32c"}]})");
    WritableArray array(store, "a");
    put(array, 3, bytes(9, 4));
    CHECK(shared.objects.at("a/c/0").bytes.size() == 14);
    auto expected = bytes(20, 9);
    std::fill_n(expected.begin() + 3, 9, std::byte{4});
    CHECK((all(array) == expected));
    shared.objects.at("a/c/0").bytes[2] = std::byte{};
    CHECK(error_code([&] { all(array); }) == Errc::corrupt_chunk);
  }

  TEST_CASE("what cannot be written is refused before anything is changed") {
    auto shared = shared_store(false);
    MemoryArrayStore store(shared);
    CHECK(error_code([&] { WritableArray(store, "a"); }) == Errc::not_found);
    WritableArray::create(store, "a", make({10}, {10}));
    WritableArray array(store, "a");
    const auto before = shared.version;
    CHECK(error_code([&] { array.resize({9}); }) == Errc::unsupported);
    CHECK(error_code([&] { array.resize({9, 1}); }) == Errc::invalid_argument);
    CHECK(error_code([&] { put(array, 8, bytes(3, 1)); }) == Errc::invalid_argument);
    WritableArray::create(store, "s", make({}, {}));
    WritableArray scalar(store, "s");
    CHECK(error_code([&] { scalar.append(bytes(1, 1)); }) == Errc::invalid_argument);
    CHECK(shared.objects.at("a/.zarray").version <= before);
    CHECK_FALSE(shared.objects.contains("a/0"));
    auto filtered = nlohmann::json::parse(text_of(shared, "a/.zarray"));
    filtered["filters"] = {{{"id", "shuffle"}, {"elementsize", 1}}};
    put_text(shared, "f/.zarray", filtered.dump());
    CHECK(error_code([&] { WritableArray(store, "f"); }) == Errc::unsupported);
    filtered["filters"] = nullptr;
    filtered["chunks"] = {std::uint64_t{1} << 40};
    put_text(shared, "f/.zarray", filtered.dump());
    CHECK(error_code([&] { WritableArray(store, "f"); }) == Errc::unsupported);
  }
}

}  // namespace writable_array_test

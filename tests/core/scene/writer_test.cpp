#include "core/scene/writer.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "core/engine/records_query.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/small_scenes.hpp"

using bev::Engine;
using bev::Errc;
using bev::Error;
using bev::scene::Face;
using bev::scene::SceneRecords;
using bev::scene::Writer;
using bev::scene::WriterOptions;
using bev::test::MemoryStore;
using bev::test::run;
using bev::test::small_store;

namespace {

const WriterOptions kPlain{.codec = "none"};

std::string refusal(const std::vector<Face>& faces, const WriterOptions& options) {
  MemoryStore store;
  try {
    Writer writer(store, options);
    writer.append(std::span<const Face>(faces));
  } catch (const Error& error) {
    CHECK(error.code() == Errc::invalid_argument);
    return error.what();
  }
  return "no error";
}

nlohmann::json document(const MemoryStore& store, const std::string& key) {
  const auto& bytes = store.objects.at(key);
  return nlohmann::json::parse(
      std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

std::vector<SceneRecords> all_records(const MemoryStore& store) {
  Engine engine;
  const auto query = engine.scene_records();
  std::vector<SceneRecords> all;
  while (query->next()) {
    run(engine, *query, store);
    all.push_back(query->records());
  }
  return all;
}

bev::scene::WriterOptions small_chunks() {
  bev::scene::WriterOptions options;
  options.codec = "none";
  options.scenes_per_chunk = 4;
  options.frames_per_chunk = 4;
  options.agents_per_chunk = 8;
  options.faces_per_chunk = 8;
  return options;
}

}  // namespace

TEST_SUITE("scene/writer") {
  TEST_CASE("a data set without records is a data set") {
    MemoryStore store;
    Writer writer(store, kPlain);
    writer.close();
    CHECK(store.objects.size() == 7);
    bev::Engine engine;
    CHECK(run(engine, *engine.open(), store).rounds == 1);
    CHECK(run(engine, *engine.summary(), store).rounds == 0);
  }

  TEST_CASE("records have the sizes of the format, chunks are padded with zeros") {
    const auto store = small_store();
    CHECK(store.objects.at("scenes/0").size() == 4 * 96);
    CHECK(store.objects.at("frames/2").size() == 4 * 136);
    CHECK(store.objects.at("agents/3").size() == 8 * 116);
    CHECK(store.objects.at("traffic_light_faces/2").size() == 8 * 140);
    CHECK_FALSE(store.objects.contains("agents/4"));
    const auto& last = store.objects.at("agents/3");  // 30 rows: two rows of padding
    CHECK(std::all_of(last.end() - 2 * 116, last.end(),
                      [](std::byte b) { return b == std::byte{0}; }));
  }

  TEST_CASE("metadata is L5Kit's, consolidated as well") {
    const auto store = small_store();
    CHECK(document(store, ".zattrs")["format_version"] == 2);
    CHECK(document(store, ".zattrs")["labels"][14] == "PERCEPTION_LABEL_PEDESTRIAN");
    CHECK(document(store, ".zgroup")["zarr_format"] == 2);
    const auto agents = document(store, "agents/.zarray");
    CHECK(agents["shape"] == nlohmann::json::array({30}));
    CHECK(agents["dtype"].size() == 6);
    CHECK(agents["dtype"].dump().starts_with(R"([["centroid","<f8",[2]],)"));
    CHECK(document(store, ".zmetadata")["metadata"]["agents/.zarray"] == agents);
  }

  TEST_CASE("written rows are read back") {
    const auto store = small_store();
    bev::Engine engine;
    const auto query = engine.rows({"agents"});
    const auto rows = run(engine, *query, store);
    const auto expected = bev::test::small_agent(1, 4, 2);
    CHECK(rows.values<double>("centroid")[2 * 29] == expected.centroid[0]);
    CHECK(rows.values<float>("label_probabilities")[17 * 29 + 3] == 0.75F);
  }

  TEST_CASE("texts of up to 16 code points are kept, longer ones refused") {
    const std::string sixteen = "0123456789abcde\xc3\xa9";
    CHECK(refusal({{sixteen, "", {}}}, kPlain) == "no error");
    CHECK(refusal({{"", sixteen + "!", {}}}, kPlain) ==
          "traffic_light_id: \"" + sixteen +
              "!\" is too long (found 17 code points, expected at most 16)");
  }

  TEST_CASE("a codec that is not known and chunks of no rows are refused") {
    CHECK(refusal({}, {.codec = "rar"}) ==
          "codec: unknown name \"rar\" (expected none, zlib, gzip, zstd, lz4 or "
          "blosc:NAME)");
    CHECK(refusal({}, {.faces_per_chunk = 0, .codec = "none"}) ==
          "traffic_light_faces: chunk length must not be 0");
  }

  TEST_CASE("attributes are added to the group's and to consolidated metadata") {
    MemoryStore store;
    Writer writer(store, kPlain);
    writer.set_attribute("extra", R"({"a": [1, 2]})");
    writer.close();
    CHECK(document(store, ".zattrs")["extra"]["a"][1] == 2);
    CHECK(document(store, ".zattrs")["format_version"] == 2);
    CHECK(document(store, ".zmetadata")["metadata"][".zattrs"]["extra"]["a"][0] == 1);
    CHECK(bev::test::error_code([&] { writer.set_attribute("b", "{"); }) ==
          Errc::invalid_argument);
  }

  TEST_CASE("a writer with a restored state continues to equal bytes") {
    const auto store = small_store();
    const auto scenes = all_records(store);
    MemoryStore copy;
    nlohmann::json state;
    {
      Writer first(copy, small_chunks());
      bev::scene::append_scene(first, scenes[0]);
      state = first.state();
      bev::scene::append_scene(first, scenes[1]);  // lost, but chunks are replaced
    }
    Writer second(copy, small_chunks());
    second.restore(state);
    CHECK(second.agent_count() == 15);
    bev::scene::append_scene(second, scenes[1]);
    second.close();
    CHECK(copy.objects == store.objects);
  }

  TEST_CASE("a state of other arrays is rejected") {
    MemoryStore store;
    Writer writer(store, small_chunks());
    auto state = writer.state();
    for (const char* member : {"rows", "pending"}) {
      auto damaged = state;
      damaged["frames"].erase(member);
      CHECK(bev::test::error_code([&] { writer.restore(damaged); }) ==
            Errc::corrupt_chunk);
    }
    state["frames"]["rows"] = 3U;  // without their bytes
    CHECK(bev::test::error_code([&] { writer.restore(state); }) == Errc::corrupt_chunk);
    CHECK(bev::test::error_code([&] { writer.restore(3); }) == Errc::corrupt_chunk);
  }

  TEST_CASE("nothing is appended to a closed data set") {
    MemoryStore store;
    Writer writer(store, kPlain);
    writer.close();
    writer.close();
    const Face face;
    CHECK_THROWS_AS(writer.append(std::span<const Face>(&face, 1)), Error);
  }

#ifndef __EMSCRIPTEN__  // wasm writes only uncompressed data
  TEST_CASE("every codec gives the same data set") {
    const auto plain = small_store();
    for (const std::string codec :
         {"zlib", "gzip", "zstd", "lz4", "blosc:lz4", "blosc:zstd", "blosc:blosclz"}) {
      CAPTURE(codec);
      const auto store = small_store({.codec = codec});
      bev::Engine a;
      bev::Engine b;
      const auto query_a = a.rows({"agents"});
      const auto query_b = b.rows({"agents"});
      const auto rows_a = run(a, *query_a, plain);
      const auto rows_b = run(b, *query_b, store);
      CHECK(rows_a.values<std::byte>("centroid") ==
            rows_b.values<std::byte>("centroid"));
      CHECK(rows_a.values<std::byte>("label_probabilities") ==
            rows_b.values<std::byte>("label_probabilities"));
    }
  }
#endif

  TEST_CASE("a copy written scene by scene equals the data set") {
    const auto store = small_store();
    MemoryStore copy;
    bev::scene::Writer writer(copy, small_chunks());
    for (const auto& records : all_records(store)) {
      bev::scene::append_scene(writer, records);
    }
    writer.close();
    CHECK(copy.objects == store.objects);
  }
}

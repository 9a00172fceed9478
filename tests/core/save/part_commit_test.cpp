#include "core/save/part_commit.hpp"

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/save_host.hpp"
#include "tests/support/save_vectors.hpp"

using bev::Errc;
using bev::save::PartCommit;
using bev::save::PartSession;
using bev::test::committed;
using bev::test::error_code;
using bev::test::flush_to;
using bev::test::MadeBatch;
using bev::test::save_to;
using bev::test::saved_objects;
using bev::test::SavedObjects;
using bev::test::small_config;
using bev::test::text_of;

TEST_SUITE("save/part_commit") {
  TEST_CASE("chunks come first, then documents, the consolidated one last") {
    const auto config = small_config(2048);
    SavedObjects part;
    PartSession session(config, 0);
    save_to(part, session, 10);
    flush_to(part, session, true);
    std::vector<std::string> keys;
    const auto objects = committed(config, part, &keys);
    REQUIRE(keys.size() == objects.size());
    const std::vector<std::string> last(keys.end() - 5, keys.end());
    CHECK(last == std::vector<std::string>{"label/.zarray", "image/.zarray", ".zattrs",
                                           ".zgroup", ".zmetadata"});
    CHECK(keys[0] == "image/0.0.0");
    for (const auto& [key, bytes] : objects) {
      if (key.find(".z") == key.npos) CHECK(bytes.size() <= config.max_object_size());
    }
  }

  TEST_CASE("flushes and batches do not change the data set") {
    const auto config = small_config(2048);
    const auto expected = saved_objects(config, 10);
    SavedObjects part;
    PartSession session(config, 0);
    MadeBatch rows(config, 0, 100, 3);
    session.save(rows.arrays());
    flush_to(part, session, true);
    CHECK((committed(config, part) == expected));
  }

  TEST_CASE("no rows make a data set without chunks") {
    const auto objects = saved_objects(small_config(), 0);
    CHECK(objects.size() == 5);
    CHECK(text_of(objects.at(".zattrs")).find("\"rows\": 0") != std::string::npos);
  }

  TEST_CASE("damaged, unknown and missing objects are errors") {
    const auto config = small_config(2048);
    SavedObjects part;
    PartSession session(config, 0);
    save_to(part, session, 2);
    flush_to(part, session);
    const auto incomplete = text_of(part.at("manifest.json"));
    CHECK_THROWS_WITH_AS(
        PartCommit(config, incomplete),
        "saver 0: part is not complete (resume and finish it, or abort it)",
        bev::Error);
    flush_to(part, session, true);
    PartCommit commit(config, text_of(part.at("manifest.json")));
    while (commit.missing().empty()) commit.next();  // compares sizes first
    const auto key = commit.missing().at(0);
    CHECK_THROWS_WITH_AS(commit.next(), (key + ": missing").c_str(), bev::Error);
    auto bytes = part.at(key);
    bytes.pop_back();
    CHECK(error_code([&] { commit.supply(key, bytes); }) == Errc::corrupt_chunk);
    CHECK(error_code([&] { commit.supply("image/7-7", {}); }) == Errc::not_found);
    CHECK(commit.missing().at(0) == key);
  }

#ifndef __EMSCRIPTEN__
  TEST_CASE("equal rows give the objects of tests/vectors/save.json") {
    const auto all = bev::test::save_vectors();
    CHECK(all["vectors"].size() > 10);
    for (const auto& vector : all["vectors"]) {
      auto config = all["config"];
      config["compressor"] = vector["compressor"];
      CAPTURE(vector["compressor"].dump());
      CHECK(bev::test::object_sums(bev::test::saved_vector(config)) ==
            vector["objects"]);
    }
  }
#endif
}

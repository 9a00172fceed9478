#include "core/save/part_commit.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/base/error.hpp"
#include "core/save/documents.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/save_host.hpp"
#include "tests/support/save_vectors.hpp"

using bev::Errc;
using bev::save::PartCommit;
using bev::save::PartSession;
using bev::save::SaveMode;
using bev::save::SaveSettings;
using bev::test::committed;
using bev::test::complete_part;
using bev::test::error_code;
using bev::test::flush_to;
using bev::test::MadeBatch;
using bev::test::resume_from;
using bev::test::save_to;
using bev::test::saved_objects;
using bev::test::SavedObjects;
using bev::test::small_config;
using bev::test::text_of;
using bev::test::with;

namespace {

/// Compares the rows of a data set with those that MadeBatch makes from `first` on.
void check_saved(const SavedObjects& objects, const bev::save::DataConfig& config,
                 std::uint64_t first, std::uint64_t rows) {
  const MadeBatch expected(config, first, rows, 3);
  for (std::size_t i = 0; i < config.attributes().size(); ++i) {
    const auto& name = config.attributes()[i].name;
    const auto meta =
        bev::zarr::parse_array_meta(text_of(objects.at(name + "/.zarray")), name);
    REQUIRE(meta.shape[0] == rows);
    std::vector<std::byte> found;
    for (std::uint64_t row = 0; row < rows; row += meta.chunk_rows()) {
      std::vector<std::uint64_t> place(meta.shape.size());
      place[0] = row / meta.chunk_rows();
      const auto& bytes = objects.at(name + "/" + bev::zarr::chunk_key(meta, place));
      CHECK(bytes.size() <= config.max_object_size());
      const auto chunk = bev::save::decode_rows(config, config.attributes()[i],
                                                meta.chunk_rows(), bytes);
      found.insert(found.end(), chunk.begin(), chunk.end());
    }
    found.resize(expected.bytes(i).size());
    CHECK((found == expected.bytes(i)));
  }
}

}  // namespace

TEST_SUITE("save/part_commit") {
  TEST_CASE("parts are joined in the order of their savers") {
    const auto config = small_config(2048);
    const SaveSettings settings{config, SaveMode::create, {}};
    std::vector parts = {
        complete_part(config, 9, 170, 45), complete_part(config, 2, 0, 103),
        complete_part(config, 1000000, 215, 60), complete_part(config, 3, 103, 67)};
    const auto found = committed(settings, parts);
    check_saved(found, config, 0, 275);
    std::reverse(parts.begin(), parts.end());
    CHECK((committed(settings, parts) == found));
    parts.push_back(complete_part(config, 2, 5, 5));
    CHECK_THROWS_WITH_AS(committed(settings, parts), "saver 2: has two parts",
                         bev::Error);
  }

  TEST_CASE("append: rows follow those of the data set, and its id depends on it") {
    const auto config = small_config(2048);
    auto objects = saved_objects(config, 0);
    std::uint64_t rows = 0;
    std::string last;
    for (const std::uint64_t count : {5U, 20U, 0U, 200U, 3U}) {
      const auto there =
          bev::save::committed_from(text_of(objects.at(".zattrs")), "base");
      const auto settings = first_settings(config, SaveMode::append, there, "d");
      CHECK(settings.base == there->id);
      CHECK(there->id != last);
      last = there->id;
      objects = committed(settings, {complete_part(config, 0, rows, count)}, objects);
      rows += count;
      check_saved(objects, config, 0, rows);
    }
  }

  TEST_CASE("an array that is not that of the config is no base") {
    const auto config = small_config(2048);
    auto base = saved_objects(config, 2);
    const auto there = bev::save::committed_from(text_of(base.at(".zattrs")), "base");
    const auto settings = first_settings(config, SaveMode::append, there, "d");
    base["image/.zarray"] = saved_objects(small_config(4096), 0).at("image/.zarray");
    CHECK_THROWS_WITH_AS(committed(settings, {complete_part(config, 0, 0, 4)}, base),
                         "base/image/.zarray: is not that of the config", bev::Error);
  }

  TEST_CASE("chunks come first, then documents, the consolidated one last") {
    const auto config = small_config(2048);
    SavedObjects part;
    PartSession session(config, 0);
    save_to(part, session, 10);
    flush_to(part, session, true);
    std::vector<std::string> keys;
    const auto objects = committed(config, part, &keys);
    REQUIRE(keys.size() == objects.size());
    const std::vector<std::string> last(keys.end() - 7, keys.end());
    CHECK(last == std::vector<std::string>{"label/.zattrs", "label/.zarray",
                                           "image/.zattrs", "image/.zarray", ".zattrs",
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

  TEST_CASE("shards are within the limit, and the root's document is the last one") {
    const auto config =
        with(small_config(4096), {{"zarr_format", 3}, {"chunks_per_shard", 3}});
    SavedObjects part;
    PartSession session(config, 0);
    save_to(part, session, 30);
    flush_to(part, session, true);
    std::vector<std::string> keys;
    const auto objects = committed(config, part, &keys);
    REQUIRE(keys.size() == objects.size());
    const std::vector<std::string> last(keys.end() - 3, keys.end());
    CHECK(last ==
          std::vector<std::string>{"label/zarr.json", "image/zarr.json", "zarr.json"});
    CHECK(keys[0] == "image/c/0/0/0");
    CHECK(objects.contains("image/c/1/0/0"));
    for (const auto& [key, bytes] : objects) {
      if (key.find(".json") == key.npos)
        CHECK(bytes.size() <= config.max_object_size());
    }
    // Full shards are hardly smaller than that
    CHECK(objects.at("image/c/0/0/0").size() > 3500);
  }

  TEST_CASE("attachments follow the chunks, and the metadata lists them") {
    const auto config = small_config(2048);
    const std::string text = "{}";
    const auto bytes = std::as_bytes(std::span(text));
    SavedObjects part;
    PartSession session(config, 0);
    session.attach("b.json", {});
    session.attach("b.json", {bytes.begin(), bytes.end()});
    CHECK(error_code([&] { session.attach("../a", {}); }) == Errc::invalid_argument);
    save_to(part, session, 3);
    {
      PartSession resumed(config, 0);
      resume_from(part, resumed);
      resumed.attach("a.json", {bytes.begin(), bytes.end()});
      flush_to(part, resumed, true);
    }
    std::vector<std::string> keys;
    auto objects = committed(config, part, &keys);
    CHECK(text_of(objects.at("attachments/b.json")) == "{}");
    CHECK(text_of(objects.at("attachments/a.json")) == "{}");
    const auto found = bev::save::committed_from(text_of(objects.at(".zattrs")), "z");
    REQUIRE(found->attachments.size() == 2);
    CHECK(found->attachments[1] == bev::save::attachment_of("b.json", bytes));
    CHECK(objects.contains("attachments/.zgroup"));
    for (auto& [key, object] : part) {
      if (key.starts_with("attachments/")) object.push_back(std::byte{1});
    }
    CHECK(error_code([&] { committed(config, part); }) == Errc::corrupt_chunk);
  }

  TEST_CASE("no rows make a data set without chunks") {
    const auto objects = saved_objects(small_config(), 0);
    CHECK(objects.size() == 7);
    CHECK(text_of(objects.at(".zattrs")).find("\"rows\": 0") != std::string::npos);
  }

  TEST_CASE("damaged, unknown and missing objects are errors") {
    const auto config = small_config(2048);
    SavedObjects part;
    PartSession session(config, 0);
    save_to(part, session, 2);
    flush_to(part, session);
    const SaveSettings settings{config, SaveMode::create, {}};
    const auto incomplete = text_of(part.at("manifest.json"));
    CHECK_THROWS_WITH_AS(
        PartCommit({settings, {incomplete}, std::nullopt}),
        "saver 0: part is not complete (resume and finish it, or abort it)",
        bev::Error);
    flush_to(part, session, true);
    PartCommit commit({settings, {text_of(part.at("manifest.json"))}, std::nullopt});
    while (commit.missing().empty()) commit.next();  // compares sizes first
    const auto key = commit.missing().at(0);
    CHECK_THROWS_WITH_AS(commit.next(), (key + ": missing").c_str(), bev::Error);
    CHECK(key.starts_with("000000/"));
    auto bytes = part.at(key.substr(7));
    bytes.pop_back();
    CHECK(error_code([&] { commit.supply(key, bytes); }) == Errc::corrupt_chunk);
    CHECK(error_code([&] { commit.supply("000000/image/7-7", {}); }) ==
          Errc::not_found);
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

#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/engine/host_loop.hpp"
#include "core/scan/reader_query.hpp"
#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"
#include "native/scan/scan.hpp"
#include "native/source/source.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/field_store.hpp"
#include "tests/support/sample_config.hpp"
#include "tests/support/small_folder.hpp"
#include "tests/support/temp_folder.hpp"

namespace scan_command_test {

using bev::Errc;
using bev::cli::UsageError;
using bev::native::count_items;
using bev::native::count_main;
using bev::native::index_main;
using bev::native::scan_main;
using bev::test::error_code;
using bev::test::file_text;
using bev::test::SampleConfig;
using bev::test::SmallFolder;
using bev::test::TempFolder;
using Words = std::vector<std::string>;

namespace {

/// A data set of two scenes of five frames of three agents, scanned to a file.
struct Scan {
  SmallFolder data;
  bev::test::TempFolder out;

  std::string text(Words words) const {
    words.insert(words.begin(), {data.dataset(), "--quiet", "-o", out.at("out")});
    const int status = scan_main(words);
    REQUIRE(status == 0);
    return file_text(out.at("out"));
  }
};

std::string refusal(Words words) {
  try {
    scan_main(words);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_SUITE("native/scan/scan_command") {
  TEST_CASE("fields of variable length are refused, others of their table written") {
    const TempFolder folder;
    const bev::test::FieldStore made({.rows = 3});
    for (const auto& [key, bytes] : made.store.objects) {
      folder.write("d.zarr/" + key, made.store.text(key));
    }
    const auto scan = [&](const std::string& fields) {
      return scan_main(Words{folder.at("d.zarr"), "--from", "rows", "--fields", fields,
                             "--quiet", "-o", folder.at("out.csv")});
    };
    CHECK(error_code([&] { scan("label,front"); }) == Errc::unsupported);
    CHECK(scan("label") == 0);
    CHECK(file_text(folder.at("out.csv")) == "label\n0\n1\n4\n");
  }

  TEST_CASE("rows that pass are written with columns of their frame and scene") {
    const Scan scan;
    CHECK(scan.text({"--where", "track_id == 2 and frame >= 3", "--fields",
                     "row,scene,frame,host,centroid,label"}) ==
          "row,scene,frame,host,centroid_0,centroid_1,label\n"
          "10,0,3,host-0,6.0,1.0,3\n"
          "13,0,4,host-0,8.0,1.0,3\n"
          "25,1,3,host-1,1006.0,1.0,3\n"
          "28,1,4,host-1,1008.0,1.0,3\n");
    CHECK(scan.text({"--where", "track_id > 9", "--fields", "row,host"}) ==
          "row,host\n");
  }

  TEST_CASE("windows are the first axis of each field") {
    const Scan scan;
    CHECK(scan.text({"--from", "frames", "--window", "1,1,2", "--fields", "frame,time",
                     "--format", "json"}) ==
          "[\n{\"frame\": [0, 2, 4], \"time\": [0.0, 0.2, 0.4]},\n"
          "{\"frame\": [0, 2, 4], \"time\": [0.0, 0.2, 0.4]}\n]\n");
    CHECK(scan.text({"--from", "frames", "--where", "row == 0", "--window", "1,0",
                     "--edges", "clamp", "--fields", "row"}) ==
          "row_0,row_1,window.mask_0,window.mask_1\n0,0,false,true\n");
  }

  TEST_CASE("npy has the number of items in its header") {
    const Scan scan;
    const auto text =
        scan.text({"--where", "scene == 1", "--fields", "row,host", "--format", "npy"});
    CHECK(text.find("'shape': (15,)") != std::string::npos);
    CHECK(text.find("('host', '<U16')") != std::string::npos);
    CHECK(text.size() % 64 == 15 * (8 + 64) % 64);
  }

  TEST_CASE("shuffling without a mode is shuffling blocks") {
    const Scan scan;
    const Words fields{"--seed", "7", "--fields", "row"};
    auto blocks = fields, alone = fields;
    blocks.insert(blocks.begin(), {"--shuffle", "blocks"});
    alone.insert(alone.begin(), "--shuffle");
    CHECK(scan.text(alone) == scan.text(blocks));
    CHECK(scan.text(alone) != scan.text({"--fields", "row"}));
  }

  TEST_CASE("shards of a random order are the whole order") {
    const Scan scan;
    const Words order{"--shuffle", "full", "--seed", "7", "--fields", "row"};
    const auto all = scan.text(order);
    std::string joined = "row\n";
    std::vector<std::string> parts;
    for (const auto* shard : {"0/2", "1/2"}) {
      auto words = order;
      words.insert(words.end(), {"--shard", shard});
      parts.push_back(scan.text(words).substr(4));
    }
    for (std::size_t a = 0, b = 0; a < parts[0].size();) {
      const auto a_end = parts[0].find('\n', a) + 1;
      joined += parts[0].substr(a, a_end - a);
      a = a_end;
      if (b >= parts[1].size()) continue;
      const auto b_end = parts[1].find('\n', b) + 1;
      joined += parts[1].substr(b, b_end - b);
      b = b_end;
    }
    CHECK(joined == all);
    auto other = order;
    other.insert(other.end(), {"--epoch", "1"});
    CHECK(scan.text(other) != all);
  }

  TEST_CASE("counts are those of the rows written") {
    const SmallFolder data;
    const auto source = bev::native::open_source(data.dataset(), {});
    CHECK(count_items(*source, "{}") == 30);
    CHECK(count_items(*source, R"({"where": "track_id != 2"})") == 20);
    CHECK(count_items(*source, R"({"from": "frames", "window": {"past": 4}})") == 2);
    CHECK(count_main(Words{data.dataset(), "--where", "frame == 0", "--quiet"}) == 0);
  }

  TEST_CASE("rows of a chunk that was overwritten after indexing are found") {
    const TempFolder folder;
    folder.write("a.zarr/.zgroup", R"({"zarr_format": 2})");
    folder.write("a.zarr/x/.zarray",
                 R"({"zarr_format": 2, "shape": [4], "chunks": [2], "dtype": "<f8",
                     "compressor": null, "fill_value": 0, "order": "C",
                     "filters": null})");
    const auto put = [&](const std::string& key, std::array<double, 2> values) {
      folder.write("a.zarr/x/" + key,
                   {reinterpret_cast<const char*>(values.data()), sizeof values});
    };
    const auto found = [&] {
      const auto source = bev::native::open_source(folder.at("a.zarr"), {});
      return count_items(*source, R"({"from": "x", "where": "value > 400"})");
    };
    put("0", {1, 2});
    put("1", {3, 4});
    CHECK(index_main(Words{folder.at("a.zarr"), "--array", "x", "--quiet"}) == 0);
    CHECK(found() == 0);
    put("1", {3, 500});
    CHECK(found() == 1);
    std::filesystem::remove(folder.at("a.zarr/x/0"));
    CHECK(found() == 1);
    CHECK(index_main(Words{folder.at("a.zarr"), "--array", "x", "--quiet"}) == 0);
    CHECK(found() == 1);
    put("0", {600, 500});  // of another size, too
    CHECK(found() == 3);
  }

  TEST_CASE("scenes with damaged chunks fail, or are left out and named") {
    const Scan scan;
    const auto chunk = scan.data.dataset() + "/agents/0";
    std::filesystem::resize_file(chunk, std::filesystem::file_size(chunk) - 1);
    const Words failing{scan.data.dataset(), "--quiet", "-o", scan.out.at("failed")};
    CHECK(error_code([&] { scan_main(failing); }) == Errc::corrupt_chunk);
    CHECK(!std::filesystem::exists(scan.out.at("failed")));
    CHECK(scan.text({"--fields", "row,track_id", "--where", "row < 17", "--on-damage",
                     "skip"}) == "row,track_id\n15,1\n16,2\n");
    CHECK(scan.text({"--from", "scenes", "--fields", "host"}) ==
          "host\nhost-0\nhost-1\n");
    const auto source = bev::native::open_source(scan.data.dataset(), {});
    std::vector<std::string> skipped;
    bev::native::Shown shown;
    shown.skipped = [&](const bev::ReaderQuery::SkippedBlock& block) {
      skipped.push_back(std::to_string(block.block) + ": " + block.error.substr(0, 8));
    };
    const Words first{"0: agents/0"};
    CHECK(count_items(*source, R"({"on_damage": "skip"})", shown) == 15);
    CHECK(skipped == first);
    skipped.clear();
    const auto described =
        bev::native::describe(*source, R"({"on_damage": "skip"})", {}, shown);
    CHECK(nlohmann::json::parse(described)["rows"] == 15);
    CHECK(skipped == first);
    skipped.clear();
    std::filesystem::remove(chunk);
    const auto removed = bev::native::open_source(scan.data.dataset(), {});
    CHECK(count_items(*removed, R"({"on_damage": "skip"})", shown) == 15);
    CHECK(skipped == first);
  }

  TEST_CASE("absent statistics are no absent chunk") {
    const SmallFolder data;
    const auto source = bev::native::open_source(data.dataset(), {});
    const auto absent = [&] {
      bev::Engine engine(bev::Engine::kByteBudget, bev::store::Missing::fill);
      const auto query = engine.reader(R"({"where": "yaw > 100"})");
      query->advance();
      bev::run(engine, *query, *source);
      return engine.absent_chunks();
    };
    CHECK(absent().empty());
    std::filesystem::remove(data.dataset() + "/agents/0");
    CHECK(absent() == std::vector<std::string>{"agents/0"});
  }

  TEST_CASE("an explanation has columns, conditions by level and counts") {
    const Scan scan;
    const auto text =
        scan.text({"--where", "frame == 1 and yaw >= 0 and scene < 1", "--explain"});
    const auto found = nlohmann::json::parse(text);
    CHECK(found["items"] == 3);
    CHECK(found["conditions"] == nlohmann::json{"scene < 1", "frame == 1", "yaw >= 0"});
    CHECK(found["counts"]["rows_tested"] == 3);
  }

  TEST_CASE("a shard without items is an error, unless the command accepts it") {
    const Scan scan;
    Words words{"--where", "row == 3", "--fields", "row", "--shard", "1/4"};
    CHECK_THROWS_WITH_AS(scan.text(words), doctest::Contains("has no items"),
                         bev::Error);
    words.emplace_back("--allow-empty");
    CHECK(scan.text(words) == "row\n");
    words[5] = "0/4";
    CHECK(scan.text(words) == "row\n3\n");
    CHECK(refusal({"x", "--allow-empty"}) == "--allow-empty: needs --shard");
  }

  TEST_CASE("invalid options are usage errors") {
    CHECK(refusal({}) == "expected one data set, DATASET");
    CHECK(refusal({"x", "--format", "xml"}) ==
          "--format: unknown format \"xml\" (expected csv, json, npy or arrow)");
    CHECK(refusal({"x", "--window", "3"}) ==
          "--window: expected PAST,FUTURE[,STEP] (found \"3\")");
    CHECK(refusal({"x", "--edges", "pad"}) == "--edges: needs --window");
    CHECK(refusal({"x", "--seed", "3"}) == "--seed: needs --shuffle");
    CHECK(refusal({"x", "--shard", "4"}) == "--shard: expected I/N (found \"4\")");
    CHECK(refusal({"x", "--fields", "a,,b"}) ==
          "--fields: empty part (found \"a,,b\")");
  }

  TEST_CASE("a refused plan writes no file") {
    const Scan scan;
    CHECK_THROWS_AS(scan_main(Words{scan.data.dataset(), "--where", "rwo > 3", "-o",
                                    scan.out.at("out")}),
                    bev::Error);
    CHECK_FALSE(std::filesystem::exists(scan.out.at("out")));
  }

  TEST_CASE("samples at the chosen frames are written") {
    const Scan scan;
    const auto config = scan.out.write("config.json", SampleConfig{}.json());
    CHECK(scan.text({"--from", "frames", "--where", "frame >= 3", "--sample", config,
                     "--fields", "frame_index,track_id"}) ==
          "frame_index,track_id\n3,-1\n4,-1\n3,-1\n4,-1\n");
    const auto explained = nlohmann::json::parse(scan.text(
        {"--from", "frames", "--sample", config, "--image", "u8", "--explain"}));
    CHECK(explained.at("items") == 10);
    CHECK(explained.at("plan").at("sample").at("image") == "u8");
    CHECK(explained.at("fields").at(1).at("shape") == nlohmann::json{3, 20, 10});
    CHECK(refusal({scan.data.dataset(), "--image", "u8"}) == "--image: needs --sample");
    const Words scenes{scan.data.dataset(), "--from", "scenes", "--sample", config};
    CHECK(error_code([&] { scan_main(scenes); }) == Errc::invalid_argument);
  }
}

}  // namespace scan_command_test

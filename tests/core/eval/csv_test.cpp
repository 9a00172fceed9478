#include "core/eval/csv.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "tests/support/files.hpp"
#include "tests/support/goldens.hpp"

using bev::Error;
using namespace bev::eval;

namespace {

const char* const kTruths =
    "timestamp,track_id,avail_0,avail_1,coord_x00,coord_y00,coord_x01,coord_y01\r\n"
    "100,7,1.0,0.0,0.50000,-1.25000,0.00000,-0.00000\r\n";

std::vector<GroundTruth> truths() {
  return {{100, 7, {1, 0}, {0.5, -1.25, 0, -0.0}}};
}

}  // namespace

TEST_SUITE("eval/csv") {
  TEST_CASE("the reference's files come out as they went in, character for character") {
    BEV_REQUIRE_GOLDENS();
    const auto folder = bev::test::goldens() + "/outputs/eval/";
    const auto gt = bev::test::read_text(folder + "gt.csv");
    const auto read = read_gt_csv(gt);
    CHECK(read.size() == 30);
    CHECK(write_gt_csv(read, 12) == gt);
    const auto pred = bev::test::read_text(folder + "pred.csv");
    const auto predictions = read_pred_csv(pred);
    CHECK(predictions.size() == read.size());
    CHECK(write_pred_csv(predictions, 12) == pred);

    auto single = read_pred_csv(bev::test::read_text(folder + "pred_single_mode.csv"));
    for (auto& prediction : single) {
      CHECK(prediction.confidences == std::vector<double>{1, 0, 0});
      prediction.confidences.resize(1);
      prediction.coords.resize(24);
    }
    CHECK(write_pred_csv(single, 12) ==
          bev::test::read_text(folder + "pred_single_mode.csv"));
  }

  TEST_CASE("ground truth is written as Python formats it") {
    CHECK(write_gt_csv(truths(), 2) == kTruths);
    CHECK(write_gt_csv({}, 1) == "timestamp,track_id,avail_0,coord_x00,coord_y00\r\n");
  }

  TEST_CASE("columns are read by name") {
    const auto read = read_gt_csv(
        "coord_y00,coord_x00,avail_0,track_id,timestamp\n2.5,1.5,1.0,-1,9\n");
    REQUIRE(read.size() == 1);
    CHECK(read[0].timestamp == 9);
    CHECK(read[0].track_id == -1);
    CHECK(read[0].coords == std::vector<double>{1.5, 2.5});
    CHECK(read[0].availabilities == std::vector<double>{1});
  }

  TEST_CASE("modes that a prediction lacks are zeros") {
    const std::vector<Prediction> one{{1, 2, {1}, {3, 4}}};
    CHECK(write_pred_csv(one, 1, 2) ==
          "timestamp,track_id,conf_0,conf_1,coord_x00,coord_y00,coord_x10,coord_y10\r\n"
          "1,2,1.0,0.0,3.00000,4.00000,0.00000,0.00000\r\n");
  }

  TEST_CASE("headers that are none of such a file are refused") {
    CHECK_THROWS_WITH_AS(
        read_gt_csv("timestamp,track_id,avail_0\n", "gt.csv"),
        "gt.csv: wrong number of columns (found 3, expected 2 and 3 per step)", Error);
    CHECK_THROWS_WITH_AS(read_gt_csv("time,track_id,avail_0,coord_x00,coord_y00\n"),
                         "ground truth: column timestamp not found", Error);
    CHECK_THROWS_AS(read_pred_csv("timestamp,track_id,conf_0\n"), Error);
    CHECK_THROWS_AS(read_pred_csv(kTruths), Error);
    CHECK_THROWS_AS(read_pred_csv(kTruths, "p", 0), Error);
  }

  TEST_CASE("records of other shapes, and doubtful confidences, are not written") {
    CHECK_THROWS_WITH_AS(write_gt_csv(truths(), 3),
                         "ground truth of track 7: wrong shape (found 2 steps and 4 "
                         "coordinates, expected 3 and 6)",
                         Error);
    const std::vector<Prediction> wrong{{1, 2, {1}, {3, 4, 5}}};
    CHECK_THROWS_AS(write_pred_csv(wrong, 1), Error);
    const std::vector<Prediction> many{{1, 2, {0.25, 0.25, 0.25, 0.25}, {}}};
    CHECK_THROWS_AS(write_pred_csv(many, 0), Error);
    const std::vector<Prediction> unsure{{1, 2, {0.25, 0.25}, {1, 1, 2, 2}}};
    CHECK_THROWS_WITH_AS(
        write_pred_csv(unsure, 1),
        "prediction of track 2: confidences do not sum to 1 (found 0.5)", Error);
  }

  TEST_CASE("predictions read in pieces are those of the whole file") {
    const std::string file =
        "\xEF\xBB\xBF"
        "timestamp,track_id,conf_0,coord_x00,coord_y00\r\n"
        "-100,7,1.0,1.5,-2.5\r\n\r\n200,8,1,3e2,4";
    for (std::size_t size = 1; size <= file.size(); ++size) {
      CAPTURE(size);
      PredictionReader reader("p.csv");
      for (std::size_t at = 0; at < file.size(); at += size) {
        reader.add(std::string_view(file).substr(at, size));
      }
      const auto read = reader.finish();
      REQUIRE(read.size() == 2);
      CHECK(read[0].timestamp == -100);
      CHECK(read[0].coords == std::vector<double>{1.5, -2.5});
      CHECK(read[1].track_id == 8);
      CHECK(read[1].coords == std::vector<double>{300, 4});
    }
  }

  TEST_CASE("a piece with a wrong row is refused with its line") {
    PredictionReader reader("p.csv");
    reader.add("timestamp,track_id,conf_0,coord_x00,coord_y00\n1,2,1,3,4\n5,6,0.");
    CHECK_THROWS_WITH_AS(reader.add("5,7,8\n9"),
                         "p.csv line 3: confidences do not sum to 1 (found 0.5)",
                         Error);
    PredictionReader cut("p.csv");
    cut.add("timestamp,track_id,conf_0,coord_x00,coord_y00\n1,2,1,3");
    CHECK_THROWS_WITH_AS(cut.finish(),
                         "p.csv line 2: wrong number of cells (found 4, expected 5)",
                         Error);
    PredictionReader empty("p.csv");
    empty.add("\r\n");
    CHECK_THROWS_WITH_AS(empty.finish(), "p.csv: header not found", Error);
  }

  TEST_CASE("predictions beyond the limits are refused before memory is taken") {
    const std::string head = "timestamp,track_id,conf_0,coord_x00,coord_y00\n";
    PredictionReader long_line("p.csv", {.line = 64});
    long_line.add(head + "1,2,1,3,4\n");
    long_line.add(std::string(60, '0'));
    CHECK_THROWS_WITH_AS(
        long_line.add("00000"),
        "p.csv line 3: line is too long (found 65 bytes or more, expected at most 64)",
        Error);
    constexpr std::size_t kTwo = 2 * (sizeof(Prediction) + 3 * sizeof(double));
    PredictionReader many("p.csv", {.memory = kTwo});
    many.add(head + "1,2,1,3,4\n");
    try {
      many.add("1,3,1,3,4\n1,4,1,3,4\n");
      FAIL("the limit was not held");
    } catch (const Error& error) {
      CHECK(error.code() == bev::Errc::limit_exceeded);
      CHECK(std::string(error.what())
                .starts_with("p.csv line 4: predictions are too large"));
    }
  }

  TEST_CASE("many columns are found without going through all of them for each") {
    std::string head = "timestamp,track_id";
    for (int i = 0; i < 100'000; ++i) head += ",conf_" + std::to_string(i);
    PredictionReader reader("p.csv");
    reader.add(head + "\n");
    CHECK(reader.finish().empty());
  }

  TEST_CASE("text of any bytes is read or refused with a typed error") {
    const std::string file =
        "timestamp,track_id,conf_0,coord_x00,coord_y00\r\n1,2,1.0,3.0,4.0\r\n";
    const std::string bytes("\0\n\r,\"-.e9\xff=", 11);
    for (std::size_t at = 0; at <= file.size(); ++at) {
      for (const char byte : bytes) {
        auto text = file;
        if (at < text.size())
          text[at] = byte;
        else
          text += byte;
        try {
          PredictionReader reader("p.csv");
          reader.add(text);
          for (const auto& one : reader.finish()) check_prediction(one, 1, 1);
        } catch (const Error& error) {
          const bool typed = error.code() == bev::Errc::invalid_argument ||
                             error.code() == bev::Errc::missing_key;
          CHECK(typed);
        }
      }
    }
  }

  TEST_CASE("coordinates of any size are written with five decimals") {
    const std::vector<GroundTruth> records{{std::numeric_limits<std::int64_t>::min(),
                                            std::numeric_limits<std::int64_t>::max(),
                                            {1},
                                            {1e300, -0.000004}}};
    const auto text = write_gt_csv(records, 1);
    CHECK(text.find("\r\n-9223372036854775808,9223372036854775807,1.0,1") !=
          std::string::npos);
    CHECK(text.ends_with(".00000,-0.00000\r\n"));
    const auto back = read_gt_csv(text);
    CHECK(back[0].coords[0] == 1e300);
    CHECK(back[0].timestamp == records[0].timestamp);
    CHECK(back[0].track_id == records[0].track_id);
  }

  TEST_CASE("confidences are written so that they read back to the bit") {
    const std::vector<Prediction> records{{1, 2, {0.1, 0.2, 0.7}, {0, 0, 0, 0, 0, 0}}};
    const auto back = read_pred_csv(write_pred_csv(records, 1));
    CHECK(back.at(0).confidences == records[0].confidences);
  }

  TEST_CASE("a file without records has a header of its steps") {
    CHECK(write_pred_csv({}, 1, 1) ==
          "timestamp,track_id,conf_0,coord_x00,coord_y00\r\n");
    CHECK(read_pred_csv(write_pred_csv({}, 12)).empty());
    CHECK(write_gt_csv({}, 0) == "timestamp,track_id\r\n");
    CHECK(read_gt_csv("timestamp,track_id\r\n").empty());
  }

  TEST_CASE("a reader takes as many modes as the header has") {
    PredictionReader reader("p.csv");
    reader.add(
        "timestamp,track_id,conf_0,conf_1,coord_x00,coord_y00,coord_x10,coord_y10\n"
        "1,2,0.25,0.75,1,2,3,4\n");
    const auto read = reader.finish();
    REQUIRE(read.size() == 1);
    CHECK(read[0].confidences == std::vector<double>{0.25, 0.75});
    CHECK(read[0].coords == std::vector<double>{1, 2, 3, 4});
  }

  TEST_CASE("an error names the column that a header lacks") {
    PredictionReader reader("p.csv");
    try {
      reader.add("timestamp,track_id,coord_x00,coord_y00\n");
      FAIL("accepted");
    } catch (const Error& error) {
      CHECK(error.code() == bev::Errc::missing_key);
      CHECK(std::string(error.what()).starts_with("p.csv: column conf_0 not found"));
    }
    PredictionReader steps("p.csv");
    CHECK_THROWS_WITH_AS(
        steps.add("timestamp,track_id,conf_0,coord_x00\n"),
        "p.csv: wrong number of columns (found 4, expected 3 and 2 per step)", Error);
    PredictionReader gap("p.csv");  // conf_1 is not a mode without conf_0
    CHECK_THROWS_AS(gap.add("timestamp,track_id,conf_1,coord_x00,coord_y00\n"), Error);
  }

  TEST_CASE("values that are not finite are refused with their line") {
    const std::string head = "timestamp,track_id,conf_0,coord_x00,coord_y00\n";
    for (const std::string row : {"1,2,1,nan,0", "1,2,1,0,inf", "1,2,inf,0,0"}) {
      CAPTURE(row);
      PredictionReader reader("p.csv");
      CHECK_THROWS_WITH_AS(reader.add(head + row + "\n"),
                           doctest::Contains("p.csv line 2: "), Error);
    }
    PredictionReader negative("p.csv");
    CHECK_THROWS_WITH_AS(negative.add("timestamp,track_id,conf_0,conf_1\n1,2,2,-1\n"),
                         "p.csv line 2: negative confidence (found -1.0)", Error);
  }

  TEST_CASE("a line at the limit is read, one byte more is not") {
    const std::string head = "timestamp,track_id,conf_0,coord_x00,coord_y00\n";
    PredictionReader reader("p.csv", {.line = head.size() - 1});
    reader.add(head);
    CHECK(reader.finish().empty());
    PredictionReader shorter("p.csv", {.line = head.size() - 2});
    CHECK_THROWS_AS(shorter.add(head), Error);
  }

  TEST_CASE("a prediction of another shape is named by its track") {
    const Prediction prediction{1, 9, {0.5, 0.5}, {1, 2, 3, 4}};
    CHECK_NOTHROW(check_prediction(prediction, 2, 1));
    CHECK_THROWS_WITH_AS(check_prediction(prediction, 1, 1),
                         "prediction of track 9: wrong shape (found 2 modes and 4 "
                         "coordinates, expected 1 and 2)",
                         Error);
    CHECK_THROWS_AS(check_prediction(prediction, 2, 2), Error);
  }
}

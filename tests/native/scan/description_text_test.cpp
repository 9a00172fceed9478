#include "native/scan/description_text.hpp"

#include <doctest/doctest.h>

#include <string>

using bev::native::description_text;

TEST_SUITE("native/scan/description_text") {
  TEST_CASE("groups are lines with their name or value") {
    CHECK(
        description_text(R"({"rows": 3, "by": "label", "groups": [
      {"value": 3, "name": "CAR", "rows": 2, "columns": [
        {"name": "speed", "count": 2, "nan": 1, "infinite": 0, "min": -0.5, "max": "inf",
         "mean": 1.25, "std": 0, "quantiles": [[0.05, 1], [0.5, 1.5]],
         "histogram": {"begin": 1, "width": 1, "counts": [4, 0, 1, 2]}}]},
      {"value": "9007199254740993", "rows": 1, "columns": [
        {"name": "speed", "count": 1, "nan": 1, "infinite": 0, "min": null,
         "max": null, "mean": null, "std": null, "quantiles": [],
         "histogram": null}]}]})") ==
        "rows: 3\n"
        "label             field  count  nan   min  5%  25%  50%  75%  95%  max  mean  "
        "std  histogram\n"
        "CAR               speed      2    1  -0.5   1    -  1.5    -    -  inf  1.25  "
        "  0  |@ -+|\n"
        "9007199254740993  speed      1    1     -   -    -    -    -    -    -     -  "
        "  -  \n");
  }

  TEST_CASE("no rows are a table without lines") {
    CHECK(description_text(R"({"rows": 0, "columns": []})").find("rows: 0\nfield") ==
          0);
  }

  TEST_CASE("long histograms are drawn with 32 characters at most") {
    std::string counts = "1";
    for (int i = 1; i < 64; ++i) counts += ",1";
    const auto text = description_text(
        R"({"rows": 64, "columns": [{"name": "x", "count": 64, "nan": 0, "min": 0,
            "max": 63, "mean": 31.5, "std": 18, "quantiles": [],
            "histogram": {"begin": 0, "width": 1, "counts": [)" +
        counts + "]}}]}");
    CHECK(text.find("|" + std::string(32, '@') + "|") != std::string::npos);
  }
}

#include "core/convert/nuscenes_splits.hpp"

#include <doctest/doctest.h>

using bev::convert::nuscenes_splits;
using bev::convert::NuscenesSplits;

namespace nuscenes_splits_test {

TEST_SUITE("convert/nuscenes_splits") {
  TEST_CASE("a scene's name tells its splits") {
    // Reference  nuscenes-devkit, utils/splits.py
    CHECK(nuscenes_splits("scene-0001") == NuscenesSplits{"train", "train_val", ""});
    CHECK(nuscenes_splits("scene-0003") == NuscenesSplits{"val", "val", ""});
    CHECK(nuscenes_splits("scene-0077") == NuscenesSplits{"test", "", ""});
    CHECK(nuscenes_splits("scene-0551").split == "test");
    CHECK(nuscenes_splits("scene-0552").split == "val");
    CHECK(nuscenes_splits("scene-0565").split == "val");
    CHECK(nuscenes_splits("scene-0566").split == "train");
    CHECK(nuscenes_splits("scene-1110").split == "train");
  }

  TEST_CASE("the challenge's train_val are the first 200 scenes of train") {
    // Reference  nuscenes-devkit, eval/prediction/splits.py: these are numbers 200, 201
    CHECK(nuscenes_splits("scene-0300").prediction == "train_val");
    CHECK(nuscenes_splits("scene-0301").prediction == "train");
  }

  TEST_CASE("scenes of mini are also in a split of the whole") {
    CHECK(nuscenes_splits("scene-0061") ==
          NuscenesSplits{"train", "train_val", "mini_train"});
    CHECK(nuscenes_splits("scene-0796") == NuscenesSplits{"val", "val", "mini_train"});
    CHECK(nuscenes_splits("scene-0103") == NuscenesSplits{"val", "val", "mini_val"});
  }

  TEST_CASE("splits are tags") {
    CHECK(bev::convert::nuscenes_tags("scene-0103") ==
          std::vector<std::string>{"split:val", "prediction_split:val",
                                   "mini_split:mini_val"});
    CHECK(bev::convert::nuscenes_tags("scene-0000").empty());
  }

  TEST_CASE("other names are in no split") {
    for (const auto* name : {"", "scene-0000", "scene-1111", "scene-61", "scene-00610",
                             "scene-00a1", "Scene-0061", "scene--061"}) {
      CAPTURE(name);
      CHECK(nuscenes_splits(name) == NuscenesSplits{});
    }
  }
}

}  // namespace nuscenes_splits_test

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/engine/engine.hpp"
#include "core/engine/sample_query.hpp"
#include "tests/support/files.hpp"
#include "tests/support/goldens.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/npz.hpp"
#include "tests/support/png.hpp"

// Compares every pixel of every reference image: all configs, both data sets, ego and
// agents; and some RGB images.

using bev::Engine;
using bev::ImageForm;
using bev::ResultArray;
using bev::SampleKind;
using bev::SampleOptions;
using bev::map::AerialImage;
using bev::map::SemanticMap;
using bev::test::FolderStore;
using bev::test::goldens;
using bev::test::read_file;
using bev::test::read_npz;
using bev::test::read_text;
using nlohmann::json;
using Bytes = std::vector<std::uint8_t>;

namespace {

/// Counts of compared and different pixels, and the largest difference.
struct Tally {
  std::size_t pixels = 0;
  std::size_t different = 0;
  int most = 0;

  void add(std::span<const std::uint8_t> got, const Bytes& expected) {
    REQUIRE(got.size() == expected.size());
    pixels += got.size();
    if (std::memcmp(got.data(), expected.data(), got.size()) == 0) return;
    for (std::size_t i = 0; i < got.size(); ++i) {
      const int off = std::abs(int{got[i]} - int{expected[i]});
      different += off != 0;
      most = std::max(most, off);
    }
  }
};

std::span<const std::uint8_t> as_u8(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

/// The inputs of the reference images.
class Inputs {
 public:
  std::shared_ptr<const SemanticMap> semantic(const std::string& file) {
    auto& map = maps_[file];
    if (!map) {
      map = std::make_shared<const SemanticMap>(
          SemanticMap::parse(read_file(goldens() + "/inputs/" + file), meta_));
    }
    return map;
  }

  std::shared_ptr<const AerialImage> aerial(const std::string& file) {
    auto& image = images_[file];
    if (!image) {
      auto png = bev::test::parse_png(read_file(goldens() + "/inputs/" + file));
      image =
          std::make_shared<const AerialImage>(png.width, png.height, std::move(png.rgb),
                                              bev::map::aerial_from_world(meta_));
    }
    return image;
  }

 private:
  bev::map::Meta meta_ =
      bev::map::parse_meta(read_text(goldens() + "/inputs/meta.json"));
  std::map<std::string, std::shared_ptr<const SemanticMap>> maps_;
  std::map<std::string, std::shared_ptr<const AerialImage>> images_;
};

std::vector<std::int64_t> kept_rows(const std::string& mask) {
  const auto counts = read_npz(goldens() + "/" + mask).at("mask").as<std::uint32_t>();
  std::vector<std::int64_t> rows;
  for (std::size_t row = 0; row < counts.size() / 2; ++row) {
    if (counts[2 * row + 1] >= 1) rows.push_back(static_cast<std::int64_t>(row));
  }
  return rows;
}

/// Returns the data set's file, or the agents' mask, that a call names.
std::string named(const std::string& call, const char* folder, const char* ending) {
  const auto begin = call.find(folder);
  if (begin == std::string::npos) return "";
  const auto end = call.find(ending, begin);
  return call.substr(begin, end + std::strlen(ending) - begin);
}

std::string five_digits(std::int64_t index) {
  char text[16];
  std::snprintf(text, sizeof text, "%05lld", static_cast<long long>(index));
  return text;
}

class Images {
 public:
  explicit Images(ImageForm form)
      : form_(form), manifest_(json::parse(read_text(goldens() + "/manifest.json"))) {}

  const json& files() const { return manifest_["files"]; }

  /// Images of a config, by index in the data set.
  class Set {
   public:
    Set(Images& images, const std::string& config, const std::string& call)
        : store_(goldens() + "/" + named(call, "inputs/", ".zarr")),
          engine_(images.engines_[named(call, "inputs/", ".zarr")]) {
      const json& tree = images.manifest_["configs"][config];
      const auto mask = named(call, "outputs/select/", ".npz");
      if (!mask.empty()) rows_ = kept_rows(mask);
      SampleOptions options;
      options.config = tree.dump();
      options.kind = mask.empty() ? SampleKind::ego : SampleKind::agent;
      options.image = images.form_;
      const json& raster = tree["raster_params"];
      query_ =
          engine_.samples(options, images.inputs_.semantic(raster["semantic_map_key"]),
                          images.inputs_.aerial(raster["satellite_map_key"]));
    }

    ResultArray image(std::int64_t index) {
      if (rows_.empty()) {
        query_->at_frame(index);
      } else {
        query_->at_agent(rows_.at(static_cast<std::size_t>(index)));
      }
      return bev::test::run(engine_, *query_, store_)["image"];
    }

   private:
    FolderStore store_;
    Engine& engine_;
    std::vector<std::int64_t> rows_;  ///< rows of agents; empty for the ego vehicle
    std::unique_ptr<bev::SampleQuery> query_;
  };

 private:
  ImageForm form_;
  json manifest_;
  Inputs inputs_;
  std::map<std::string, Engine> engines_;
};

/// Returns the agents' mask for a call with the data set "single" or "multi".
std::string call_of(const json& files, const std::string& samples) {
  return files.at("outputs/samples/" + samples + ".npz").at("call");
}

}  // namespace

TEST_SUITE("engine/image_golden") {
  TEST_CASE("images equal L5Kit's in every pixel") {
    BEV_REQUIRE_GOLDENS();
    Images images(ImageForm::u8);
    std::map<std::string, Tally> tallies;
    std::size_t count = 0;
    for (const auto& file : images.files().items()) {
      const std::string& path = file.key();
      const auto& entry = file.value();
      if (!path.starts_with("outputs/samples/") || !path.ends_with(".npz")) continue;
      CAPTURE(path);
      Images::Set set(images, entry["config"], entry["call"]);
      const auto arrays = read_npz(goldens() + "/" + path);
      for (const auto index : arrays.at("indices").as<std::int64_t>()) {
        CAPTURE(index);
        const auto& expected = arrays.at(five_digits(index) + ".image");
        const ResultArray image = set.image(index);
        CHECK(image.shape == expected.shape);
        Tally& tally = tallies[entry["config"]];
        tally.add(as_u8(image.bytes), expected.as<std::uint8_t>());
        ++count;
      }
    }
    Tally all;
    for (const auto& [config, tally] : tallies) {
      std::printf("  %-16s %10zu pixels, %zu differ, by at most %d\n", config.c_str(),
                  tally.pixels, tally.different, tally.most);
      all.pixels += tally.pixels;
      all.different += tally.different;
      all.most = std::max(all.most, tally.most);
    }
    std::printf("  %zu images, %zu pixels, %zu differ\n", count, all.pixels,
                all.different);
    CHECK(tallies.size() == 25);
    CHECK(all.pixels == 312'183'296);
    CHECK(all.different == 0);
  }

  TEST_CASE("display images equal L5Kit's to_rgb") {
    BEV_REQUIRE_GOLDENS();
    Images images(ImageForm::rgba);
    std::size_t count = 0;
    for (const auto& file : images.files().items()) {
      const std::string& path = file.key();
      const auto& entry = file.value();
      if (!path.starts_with("outputs/rgb/")) continue;
      CAPTURE(path);
      const std::string name = path.substr(std::strlen("outputs/rgb/"));
      const auto last = name.rfind('_');
      Images::Set set(images, entry["config"],
                      call_of(images.files(), name.substr(0, last)));
      const auto png = bev::test::parse_png(read_file(goldens() + "/" + path));
      const ResultArray image = set.image(std::stoll(name.substr(last + 1)));
      REQUIRE(image.shape == std::vector<std::size_t>{png.height, png.width, 4});
      Bytes rgb;
      for (std::size_t i = 0; i < image.bytes.size(); ++i) {
        if (i % 4 != 3) rgb.push_back(as_u8(image.bytes)[i]);
      }
      Tally tally;
      tally.add(rgb, png.rgb);
      CHECK(tally.different == 0);
      ++count;
    }
    CHECK(count == 48);
  }

  TEST_CASE("a float32 image is its bytes divided by 255") {
    BEV_REQUIRE_GOLDENS();
    Images bytes(ImageForm::u8), floats(ImageForm::f32);
    const std::string call = call_of(bytes.files(), "B_sem_single_ego");
    Images::Set byte_set(bytes, "B_sem", call), float_set(floats, "B_sem", call);
    const ResultArray whole = byte_set.image(85), parts = float_set.image(85);
    CHECK(whole.dtype == "|u1");
    CHECK(parts.dtype == "<f4");
    CHECK(parts.shape == whole.shape);
    std::vector<float> values(whole.bytes.size());
    REQUIRE(parts.bytes.size() == values.size() * sizeof(float));
    std::memcpy(values.data(), parts.bytes.data(), parts.bytes.size());
    std::size_t different = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      different += values[i] != static_cast<float>(as_u8(whole.bytes)[i]) / 255.0F;
    }
    CHECK(different == 0);
  }
}

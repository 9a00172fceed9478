#include "native/source/run.hpp"

#include <doctest/doctest.h>

#include <map>

#include "core/base/error.hpp"

using bev::native::Source;

namespace {

constexpr auto* kArray =
    R"({"zarr_format": 2, "shape": [6], "chunks": [2], "dtype": "|u1", "order": "C",
        "compressor": null, "fill_value": 9, "filters": null})";

class MemorySource final : public Source {
 public:
  std::optional<std::vector<std::byte>> read(
      const std::string& key,
      const std::optional<bev::store::ByteRange>& range) override {
    if (key == failing) throw bev::Error(bev::Errc::network, key + ": broken disk");
    const auto hit = objects.find(key);
    if (hit == objects.end()) return std::nullopt;
    const auto bytes = std::as_bytes(std::span(hit->second));
    const auto begin = range ? range->begin : 0;
    const auto end = range ? range->end : bytes.size();
    return std::vector<std::byte>(bytes.begin() + static_cast<std::ptrdiff_t>(begin),
                                  bytes.begin() + static_cast<std::ptrdiff_t>(end));
  }
  std::optional<std::vector<bev::native::Listed>> list(const std::string&) override {
    return std::nullopt;
  }
  std::optional<std::uint64_t> size(const std::string&) override {
    return std::nullopt;
  }

  std::map<std::string, std::string> objects = {
      {".zarray", kArray}, {"0", "\x01\x02"}, {"2", "\x05\x06"}};
  std::string failing;
};

std::vector<int> all_rows(Source& source) {
  bev::Engine engine;
  const auto query = engine.rows({});
  bev::native::run(engine, *query, source);
  std::vector<int> values;
  for (const auto byte : query->build().front().bytes) {
    values.push_back(std::to_integer<int>(byte));
  }
  return values;
}

}  // namespace

TEST_SUITE("native/source/run") {
  TEST_CASE("what a query lacks is read, what is absent is the fill value") {
    MemorySource source;
    CHECK(all_rows(source) == std::vector<int>{1, 2, 9, 9, 5, 6});
  }

  TEST_CASE("a failed read is never a fill value") {
    MemorySource source;
    source.failing = "1";
    CHECK_THROWS_WITH_AS(all_rows(source), "1: broken disk", bev::Error);
  }
}

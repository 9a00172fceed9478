#include <doctest/doctest.h>

#include <bevscope/loader.hpp>
#include <bevscope/native.hpp>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "tests/support/error_code.hpp"
#include "tests/support/saved_rows.hpp"
#include "tests/support/temp_folder.hpp"

namespace download_test {

using bev::Errc;
using bev::test::error_code;
using bev::test::lz4_config;
using bev::test::save_all;
using bev::test::TempFolder;
namespace fs = std::filesystem;

namespace {

/// A folder that counts its reads of chunks, and may lack one.
class Remote final : public bev::Source {
 public:
  explicit Remote(const std::string& store) : folder_(store) {}

  std::optional<std::vector<std::byte>> read(
      const std::string& key, const std::optional<bev::ByteRange>& range) override {
    if (key.find(".z") == key.npos) ++chunks;
    if (key == lacking) return std::nullopt;
    if (on_read) on_read(key);
    return folder_.read(key, range);
  }

  int chunks = 0;
  std::string lacking;
  std::function<void(const std::string&)> on_read;

 private:
  bev::DirectorySource folder_;
};

struct Stored {
  Stored() : store(at.at("d.zarr")) { save_all(store, lz4_config()); }

  TempFolder at;
  std::string store;
};

std::vector<std::byte> rows_of(const std::string& folder) {
  bev::DataLoader loader(bev::open_source(folder));
  const auto found = loader.rows(0, loader.size());
  const auto bytes = found["image"].bytes();
  return {bytes.begin(), bytes.end()};
}

void append_to(const std::string& store) {
  bev::native::DataSaver saver(store, lz4_config(),
                               {.mode = bev::native::SaveMode::append});
  bev::test::save_batches(saver, lz4_config(), 1);
  saver.commit();
}

}  // namespace

TEST_SUITE("library/download") {
  TEST_CASE("a download has the same rows; a second one reads metadata only") {
    const Stored stored;
    Remote remote(stored.store);
    const auto to = stored.at.at("local");
    std::uint64_t last = 0, all = 0;
    const auto paths = bev::download(remote, to, {"", [&](auto done, auto objects) {
                                                    CHECK(done == last + 1);
                                                    last = done, all = objects;
                                                  }});
    CHECK(last == all);
    CHECK(paths.size() == all);
    for (const auto& path : paths) CHECK(fs::is_regular_file(path));
    CHECK(rows_of(to) == rows_of(stored.store));
    remote.chunks = 0;
    CHECK(bev::download(remote, to) == paths);
    CHECK(remote.chunks == 0);
  }

  TEST_CASE("a download of another commit is replaced; other folders are not") {
    const Stored stored;
    const auto to = stored.at.at("local");
    Remote first(stored.store);
    bev::download(first, to);
    append_to(stored.store);
    Remote second(stored.store);
    bev::download(second, to);
    CHECK(second.chunks > 0);
    CHECK(bev::DataLoader(bev::open_source(to)).commit() ==
          bev::DataLoader(bev::open_source(stored.store)).commit());

    const auto own = stored.at.at("own");
    fs::create_directory(own);
    std::ofstream(own + "/thesis.tex") << "x";
    const auto refused = [](const auto& call) {
      return error_code(call) == Errc::invalid_argument;
    };
    CHECK(refused([&] { bev::download(second, own); }));
    CHECK(refused([&] { bev::remove_download(own); }));
    CHECK(refused([&] { bev::download(second, stored.store); }));
    CHECK(refused([&] { bev::download(second, "s3://bucket/x"); }));
    CHECK(refused([&] { bev::download(second, stored.at.at("x.zip")); }));
    CHECK(fs::exists(own + "/thesis.tex"));
    bev::remove_download(to + "/");
    CHECK_FALSE(fs::exists(to));
    bev::remove_download(to);
    for (const auto& entry : fs::directory_iterator(stored.at.path())) {
      CHECK(entry.path().string().find(".removed") == std::string::npos);
    }
  }

  TEST_CASE("a failed download leaves nothing, and the previous one") {
    const Stored stored;
    const auto to = stored.at.at("local");
    Remote remote(stored.store);
    remote.lacking = "label/0";
    CHECK(error_code([&] { bev::download(remote, to); }) == Errc::missing_key);
    CHECK_FALSE(fs::exists(to));
    CHECK(error_code([&] {
            bev::download(remote, to, {"another", {}});
          }) == Errc::changed);
  }

  TEST_CASE("a data set that is replaced meanwhile is an error") {
    const Stored stored;
    Remote remote(stored.store);
    bool is_replaced = false;
    remote.on_read = [&](const std::string& key) {
      if (key != "label/0" || is_replaced) return;
      is_replaced = true;
      append_to(stored.store);
    };
    const auto code = error_code([&] { bev::download(remote, stored.at.at("local")); });
    CHECK(is_replaced);
    CHECK(code == Errc::changed);
    CHECK_FALSE(fs::exists(stored.at.at("local")));
  }
}

}  // namespace download_test

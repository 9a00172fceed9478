// Saving arrays to a folder, compared with copying the files that result, and loading
// rows. Usage: save_bench FOLDER [ROUNDS]
//
// The result is checked before anything is measured. Saving and copying take turns; the
// ratio is that of each turn's times. Both end with the data on the disk (fsync).

#include <sys/resource.h>

#include <algorithm>
#include <bevscope/loader.hpp>
#include <bevscope/native.hpp>
#include <bevscope/saver.hpp>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "native/files/write_file.hpp"

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kBatch = 256;
constexpr std::uint64_t kRows = kBatch * 1000;
constexpr std::size_t kPixels = std::size_t{28} * 28;

/// Wall-clock and processor seconds.
struct Seconds {
  double wall = 0;
  double cpu = 0;
};

double cpu_seconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto of = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return of(used.ru_utime) + of(used.ru_stime);
}

template <class Work>
Seconds seconds_of(const Work& work) {
  const auto cpu = cpu_seconds();
  const auto start = Clock::now();
  work();
  const std::chrono::duration<double> wall = Clock::now() - start;
  return {wall.count(), cpu_seconds() - cpu};
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Images and labels.
struct Digits {
  /// @param noise  every pixel is random; otherwise like MNIST's, most are 0
  explicit Digits(bool noise) : images(kRows * kPixels), labels(kRows) {
    std::mt19937_64 random(1);
    for (std::uint64_t row = 0; row < kRows; ++row) {
      labels[row] = static_cast<std::int64_t>(random() % 10);
      for (std::size_t at = noise ? 0 : 150; at < (noise ? kPixels : 630); ++at) {
        const auto value = random();
        if (!noise && value % 3 != 0) continue;
        images[row * kPixels + at] = static_cast<std::uint8_t>(value >> 8);
      }
    }
  }

  std::vector<std::uint8_t> images;
  std::vector<std::int64_t> labels;
};

void save(const Digits& digits, const std::string& store) {
  bev::DataSaver saver(
      store,
      R"({"name": "digits", "compressor": {"id": "blosc", "cname": "lz4"},
          "attributes": [{"name": "image", "dtype": "|u1", "shape": [28, 28]},
                         {"name": "label", "dtype": "<i8"}]})");
  const std::span images(digits.images);
  const std::span labels(digits.labels);
  for (std::uint64_t row = 0; row < kRows; row += kBatch) {
    const std::vector<bev::SavedArray> batch = {
        {"image",
         "|u1",
         {kBatch, 28, 28},
         std::as_bytes(images.subspan(row * kPixels, kBatch * kPixels))},
        {"label", "<i8", {kBatch}, std::as_bytes(labels.subspan(row, kBatch))}};
    saver.save(batch);
  }
  saver.commit();
}

void copy(const fs::path& from, const fs::path& to) {
  fs::copy(from, to, fs::copy_options::recursive);
  bev::native::sync_tree(to);
}

void check(const Digits& digits, const std::string& store) {
  bev::DataLoader loader(bev::open_source(store));
  bev::DataBatches batches(loader, 1000);
  std::size_t row = 0;
  while (const auto batch = batches.next()) {
    const auto images = batch->array<std::uint8_t>("image");
    const auto labels = batch->array<std::int64_t>("label");
    if (!std::equal(
            images.begin(), images.end(),
            digits.images.begin() + static_cast<std::ptrdiff_t>(row * kPixels)) ||
        !std::equal(labels.begin(), labels.end(),
                    digits.labels.begin() + static_cast<std::ptrdiff_t>(row))) {
      std::fprintf(stderr, "save_bench: wrong rows from %zu\n", row);
      std::exit(1);
    }
    row += labels.size();
  }
  if (row != kRows) std::exit(1);
}

void bench_loading(const std::string& store) {
  bev::DataLoader loader(bev::open_source(store));
  std::mt19937_64 random(2);
  const auto length = loader.attributes()[0].chunk_rows;
  loader.item(0);
  const auto before = loader.counters().chunks;
  std::vector<double> seconds;
  for (int i = 0; i < 1000; ++i) {
    const auto row = static_cast<std::int64_t>(random() % length);
    seconds.push_back(seconds_of([&] { loader.item(row); }).wall);
  }
  std::printf("load: 1000 rows of a chunk: %llu further reads, p50 %.2f us (goal 20)\n",
              static_cast<unsigned long long>(loader.counters().chunks - before),
              median(seconds) * 1e6);
  const auto all = seconds_of([&] {
    bev::DataLoader fresh(bev::open_source(store));
    bev::DataBatches batches(fresh, kBatch);
    while (batches.next()) continue;
  });
  std::printf("load: all rows in order: %.0f MB/s decoded, %.2f s of processor time\n",
              static_cast<double>(kRows * (kPixels + 8)) / 1e6 / all.wall, all.cpu);
}

void bench_saving(const Digits& digits, const fs::path& folder, int rounds) {
  const auto store = (folder / "digits.zarr").string();
  const auto other = (folder / "copy.zarr").string();
  save(digits, store);
  check(digits, store);
  const auto found = bev::list_datasets(store)[0];
  std::vector<double> ratios, walls, cpus, copies, copy_cpus;
  for (int round = 0; round < rounds; ++round) {
    fs::remove_all(store);
    const auto saving = seconds_of([&] { save(digits, store); });
    fs::remove_all(other);
    const auto copying = seconds_of([&] { copy(store, other); });
    ratios.push_back(copying.wall / saving.wall);
    walls.push_back(saving.wall);
    cpus.push_back(saving.cpu);
    copies.push_back(copying.wall);
    copy_cpus.push_back(copying.cpu);
  }
  constexpr double kMb = 1e6;
  const auto mb = static_cast<double>(found.bytes) / kMb;
  std::printf("save: %.0f MB as %llu objects of %.0f MB\n",
              static_cast<double>(kRows * (kPixels + 8)) / kMb,
              static_cast<unsigned long long>(found.objects), mb);
  std::printf("  saving:  %4.0f MB/s of encoded bytes, processor %.2f s\n",
              mb / median(walls), median(cpus));
  std::printf("  copying: %4.0f MB/s, processor %.2f s\n", mb / median(copies),
              median(copy_cpus));
  std::printf("  saving has %.2f of the rate of copying\n", median(ratios));
}

}  // namespace

int main(int count, char** words) {
  if (count < 2) return 2;
  const fs::path folder = words[1];
  const int rounds = count > 2 ? std::atoi(words[2]) : 7;
  for (const bool noise : {false, true}) {
    fs::remove_all(folder);
    fs::create_directories(folder);
    std::printf("%s\n", noise ? "noise" : "digits");
    bench_saving(Digits(noise), folder, rounds);
    bench_loading((folder / "digits.zarr").string());
  }
  fs::remove_all(folder);
  return 0;
}

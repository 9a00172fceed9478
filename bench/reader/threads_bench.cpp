// Reads a data set's agents with one thread and with two, in turns, and prints the ratio
// of their times. Checks first that both return the same bytes.
//
// Usage: threads_bench DATASET [ROUNDS]

#include <algorithm>
#include <bevscope/bevscope.hpp>
#include <bevscope/native.hpp>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

struct Case {
  const char* name;
  const char* plan;
};

constexpr Case kCases[] = {
    {"two fields, as stored",
     R"({"fields": ["centroid", "yaw"], "batch": {"size": 4096}})"},
    {"all fields, as stored", R"({"batch": {"size": 4096}})"},
    {"fast agents", R"({"where": "speed > 10", "fields": ["centroid", "yaw"]})"},
    {"blocks permuted",
     R"({"order": {"mode": "blocks", "seed": 7}, "fields": ["centroid", "yaw"]})"},
};

bev::Reader open(bev::Dataset& dataset, const Case& one, std::size_t threads) {
  return dataset.reader(one.plan, {}, {.threads = threads});
}

std::size_t hash_of(const std::string& path, const Case& one, std::size_t threads) {
  auto dataset = bev::open(path);
  auto reader = open(dataset, one, threads);
  std::size_t hash = 0;
  while (const auto batch = reader.next()) {
    for (const auto& array : batch->all()) {
      const auto bytes = array.bytes();
      const std::string_view text(reinterpret_cast<const char*>(bytes.data()),
                                  bytes.size());
      hash = hash * 31 + std::hash<std::string_view>()(text);
    }
  }
  return hash;
}

/// Returns the seconds of an epoch.
double seconds_of(const std::string& path, const Case& one, std::size_t threads) {
  auto dataset = bev::open(path);
  auto reader = open(dataset, one, threads);
  const auto begin = Clock::now();
  std::uint64_t items = 0;
  while (const auto batch = reader.next()) items += reader.batch_size();
  if (items == 0) std::exit(1);
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int count, char** words) {
  if (count < 2)
    return std::fprintf(stderr, "usage: threads_bench DATASET [ROUNDS]\n"), 2;
  const std::string path = words[1];
  const int rounds = count > 2 ? std::atoi(words[2]) : 9;
  std::printf("%u processors\n", std::thread::hardware_concurrency());
  for (const auto& one : kCases) {
    if (hash_of(path, one, 1) != hash_of(path, one, 2)) {
      std::printf("%s: the batches of one and two threads differ\n", one.name);
      return 1;
    }
    std::vector<double> ratios, alone, both;
    for (int i = 0; i < rounds; ++i) {
      alone.push_back(seconds_of(path, one, 1));
      both.push_back(seconds_of(path, one, 2));
      ratios.push_back(alone.back() / both.back());
    }
    std::printf("%-22s  1 thread %.3f s, 2 threads %.3f s, ratio %.2f (best %.2f)\n",
                one.name, median(alone), median(both), median(ratios),
                *std::max_element(ratios.begin(), ratios.end()));
  }
}

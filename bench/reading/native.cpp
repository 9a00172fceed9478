// Measures reading a data set's agents natively, compared with c-blosc on the same
// bytes. Takes the data set's directory; replies to each line of standard input with a
// line of JSON: to "check" with a checksum per column of the whole array, to any other
// line with the milliseconds of a round, so that other programs can be measured
// alternately.
#include <blosc.h>
#include <zlib.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/question.hpp"
#include "core/base/parallel.hpp"
#include "core/engine/host_loop.hpp"
#include "core/zarr/metadata.hpp"
#include "native/source/directory_source.hpp"
#include "native/source/workers.hpp"

namespace {

using bev::Engine;
using bev::bench::Question;
using bev::native::DirectorySource;
using Bytes = std::vector<std::byte>;

constexpr std::size_t kFew = 84;
constexpr std::size_t kMaxChunks = 50;
constexpr int kRepeats = 5;
const std::vector<std::string> kTwo{"centroid", "yaw"};

Bytes read(DirectorySource& source, const std::string& key) {
  auto bytes = source.read(key, {});
  if (!bytes) {
    std::fprintf(stderr, "%s: not there\n", key.c_str());
    std::exit(EXIT_FAILURE);
  }
  return *std::move(bytes);
}

bev::zarr::ArrayMeta metadata(DirectorySource& source) {
  const std::string key = "agents/.zarray";
  const Bytes bytes = read(source, key);
  return bev::zarr::parse_array_meta(
      {reinterpret_cast<const char*>(bytes.data()), bytes.size()}, key);
}

double milliseconds(const std::function<void()>& work) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  work();
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// The threads that the library and the program lend to the core; zarr-python, too,
/// decodes with a thread per processor.
class LentWorkers {
 public:
  LentWorkers() { bev::set_workers(bev::native::on_threads); }
  ~LentWorkers() { bev::set_workers(nullptr); }
  LentWorkers(const LentWorkers&) = delete;
  LentWorkers& operator=(const LentWorkers&) = delete;
};

/// Reads the whole array from files to columns and passes them to `use`.
double read_array(DirectorySource& source,
                  const std::function<void(const bev::ResultArray&)>& use) {
  const LentWorkers workers;
  Engine engine;
  bev::run(engine, *engine.open(), source);
  const auto query = engine.rows({"agents"});
  const double ms = milliseconds([&] {
    bev::run(engine, *query, source);
    bev::bench::keep(query->build()[0].bytes.data());
  });
  for (const auto& array : query->build()) use(array);
  return ms;
}

std::uint32_t checksum(const bev::ResultArray& array) {
  const auto* bytes = reinterpret_cast<const Bytef*>(array.bytes.data());
  return static_cast<std::uint32_t>(
      crc32_z(crc32_z(0, nullptr, 0), bytes, array.bytes.size()));
}

/// Rounds of the cases, each on a different chunk.
class Rounds {
 public:
  explicit Rounds(DirectorySource& source)
      : source_(source),
        meta_(metadata(source)),
        rows_(static_cast<std::size_t>(meta_.chunks[0])),
        records_(rows_ * meta_.dtype.size()),
        copy_(records_.size()) {
    const auto whole = static_cast<std::size_t>(meta_.shape[0]) / rows_;
    for (std::size_t i = 0; i < std::min(whole, kMaxChunks); ++i) {
      chunks_.push_back(read(source, "agents/" + std::to_string(i)));
    }
  }

  nlohmann::json next() {
    const Bytes& chunk = chunks_[round_++ % chunks_.size()];
    std::map<std::string, std::vector<double>> times;
    for (int k = 0; k < kRepeats; ++k) {
      times["c-blosc"].push_back(milliseconds([&] { decode(chunk); }));
      times["columns"].push_back(milliseconds([&] { columns_.ask(chunk); }));
      if (!columns_.is_answered(records_)) return "the columns are wrong";
      times["two"].push_back(milliseconds([&] { two_.ask(chunk); }));
      times["few"].push_back(few(few_));
      times["few of two"].push_back(few(few_of_two_));
      times["memcpy"].push_back(milliseconds([&] {
        std::memcpy(copy_.data(), records_.data(), copy_.size());
        bev::bench::keep(copy_.data());
      }));
    }
    // One run is not counted, as for zarr-python: the first read after a pause pays for
    // memory that was returned to the system.
    read_array(source_, [](const auto&) {});
    times["array"].push_back(read_array(source_, [](const auto&) {}));
    return times;
  }

 private:
  void decode(const Bytes& chunk) {
    blosc_decompress_ctx(chunk.data(), records_.data(), records_.size(), 1);
    bev::bench::keep(records_.data());
  }

  /// Measures reading a few rows of each chunk.
  double few(const Question& question) {
    const std::size_t begin = (reads_ * 1129 + reads_ * 131 % 1000) % (rows_ - kFew);
    ++reads_;
    const double ms = milliseconds([&] {
      for (const Bytes& chunk : chunks_) question.ask(chunk, begin);
    });
    return ms / static_cast<double>(chunks_.size());
  }

  DirectorySource& source_;
  bev::zarr::ArrayMeta meta_;
  std::size_t rows_;
  std::vector<Bytes> chunks_;
  Bytes records_;
  Bytes copy_;
  Question columns_{meta_, {0, rows_}, {}};
  Question two_{meta_, {0, rows_}, kTwo};
  Question few_{meta_, {0, kFew}, {}};
  Question few_of_two_{meta_, {0, kFew}, kTwo};
  std::size_t round_ = 0;
  std::size_t reads_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: reading_bench DATASET\n");
    return EXIT_FAILURE;
  }
  DirectorySource source(argv[1]);
  Rounds rounds(source);
  for (std::string line; std::getline(std::cin, line);) {
    nlohmann::json answer;
    if (line == "check") {
      read_array(source,
                 [&](const auto& array) { answer[array.name] = checksum(array); });
    } else {
      answer = rounds.next();
    }
    std::puts(answer.dump().c_str());
    std::fflush(stdout);
  }
  return EXIT_SUCCESS;
}

#pragma once

#include <cstdint>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "native/save/commit_parts.hpp"
#include "native/save/data_saver.hpp"
#include "native/save/parts_folder.hpp"
#include "tests/support/saved_rows.hpp"

namespace bev::test {

/// Batches by number, in the order of their rows.
using Batches = std::vector<unsigned>;

/// Whether every fault is tried (scripts/test --only faults), not some of each kind.
inline bool tries_all_faults() {
  return std::getenv("BEV_FAULTS") != nullptr;
}

/// Writes batches to a data set and finds them in it: the rows of each batch differ.
class BatchWriters {
 public:
  static constexpr unsigned kMaxBatches = 400;

  /// Writes one batch, after those of its part that an earlier writer has saved.
  void write(const std::string& store, unsigned batch, native::SaveMode mode) const {
    native::DataSaver saver(store, config, {.mode = mode});
    const MadeBatch made(config, batch * kBatchRows, kBatchRows);
    saver.save(made.arrays());
    saver.commit();
  }

  /// Goes on where a writer of the batch was interrupted.
  void go_on(const std::string& store, unsigned batch, native::SaveMode mode) const {
    native::DataSaver saver(store, config, {.mode = mode});
    if (saver.batches() == 0) {
      const MadeBatch made(config, batch * kBatchRows, kBatchRows);
      saver.save(made.arrays());
    }
    saver.commit();
  }

  /// Returns the batches that a store has.
  ///
  /// Throws  runtime_error unless all attributes have the same whole batches; bev::Error
  ///         for a store that cannot be read
  Batches read(const std::string& store) const {
    const auto images = batches_of(read_saved(store, "image").rows, 0);
    if (batches_of(read_saved(store, "label").rows, 1) != images) {
      throw std::runtime_error(store + ": attributes of different batches");
    }
    return images;
  }

  const save::DataConfig config = lz4_config();

 private:
  using Rows = std::vector<std::byte>;

  Batches batches_of(const Rows& rows, std::size_t attribute) const {
    const auto size = config.attributes()[attribute].row_bytes() * kBatchRows;
    if (rows.size() % size != 0) throw std::runtime_error("not whole batches");
    Batches out;
    for (auto at = rows.begin(); at != rows.end(); at += static_cast<long>(size)) {
      out.push_back(number_of({at, at + static_cast<long>(size)}, attribute));
    }
    return out;
  }

  static unsigned number_of(const Rows& rows, std::size_t attribute) {
    const auto& known = known_batches().at(attribute);
    const auto found = known.find(rows);
    if (found == known.end()) throw std::runtime_error("rows of no batch");
    return found->second;
  }

  static const std::vector<std::map<Rows, unsigned>>& known_batches() {
    static const auto known = [] {
      std::vector<std::map<Rows, unsigned>> out(2);
      for (unsigned batch = 0; batch < kMaxBatches; ++batch) {
        const MadeBatch made(lz4_config(), batch * kBatchRows, kBatchRows);
        for (std::size_t i = 0; i < out.size(); ++i) out[i][made.bytes(i)] = batch;
      }
      return out;
    }();
    return known;
  }
};

}  // namespace bev::test

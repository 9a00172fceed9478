#include "native/cat/cat.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <utility>

#include "core/base/checked.hpp"
#include "core/base/error.hpp"
#include "core/engine/host_loop.hpp"
#include "core/zarr/metadata.hpp"
#include "native/cat/selection.hpp"
#include "native/export/selection.hpp"
#include "native/source/nodes.hpp"
#include "native/source/read_options.hpp"

namespace bev::native {
namespace {

using zarr::ArrayMeta;

constexpr std::uint64_t kBatchBytes = std::uint64_t{64} << 20;
// All chunks of a box are held until it is read.
constexpr std::size_t kBoxBudget = std::size_t{4} << 30;
constexpr std::uint64_t kEndless = std::numeric_limits<std::uint64_t>::max();

std::uint64_t product_or_endless(std::uint64_t a, std::uint64_t b) {
  return checked_mul(a, b).value_or(kEndless);
}

/// Returns the layout of an array's rows along its first axis.
RowLayout layout_of(std::span<const std::size_t> shape, zarr::DType element,
                    std::string name) {
  RowLayout layout = {
      .row = std::move(element), .name = std::move(name), .count = std::nullopt};
  if (shape.empty()) return layout;
  layout.count = shape.front();
  layout.row.shape.insert(layout.row.shape.begin(), shape.begin() + 1, shape.end());
  return layout;
}

/// Number of rows per read. Chunks are not split unless necessary, because codecs other
/// than Blosc decode the whole chunk on every access.
struct Batches {
  std::uint64_t rows;
  /// For a batch's encoded chunks, plus half of the previous batch's
  std::size_t byte_budget;

  explicit Batches(const ArrayMeta& meta) {
    std::uint64_t band = meta.chunk_bytes();  // all chunks that share rows
    std::uint64_t row_bytes = std::max<std::uint64_t>(meta.dtype.size(), 1);
    for (std::size_t axis = 1; axis < meta.shape.size(); ++axis) {
      const auto chunks =
          (meta.shape[axis] + meta.chunks[axis] - 1) / meta.chunks[axis];
      band = product_or_endless(band, std::max<std::uint64_t>(chunks, 1));
      row_bytes =
          product_or_endless(row_bytes, std::max<std::uint64_t>(meta.shape[axis], 1));
    }
    const bool is_huge = band > 4 * kBatchBytes;
    const auto bands =
        std::max<std::uint64_t>(kBatchBytes / std::max<std::uint64_t>(band, 1), 1);
    rows = is_huge ? std::max<std::uint64_t>(kBatchBytes / row_bytes, 1)
                   : product_or_endless(bands, meta.chunk_rows());
    byte_budget = std::max(product_or_endless(2, band), 2 * kBatchBytes);
  }
};

using MakeWriter = std::function<std::unique_ptr<RowWriter>(RowLayout)>;

struct Job {
  const std::string& array;
  const ArrayMeta& meta;
  Selection selection;
  std::string name;  ///< name of a plain row in csv
  std::function<void(std::uint64_t done, std::uint64_t all)> progress;
};

/// Supplies zarr.json if the array has no .zarray and is therefore of version 3.
void supply_version(Engine& engine, const std::string& array, Source& source) {
  if (source.read(array.empty() ? ".zarray" : array + "/.zarray", std::nullopt)) return;
  const std::string root = "zarr.json";
  if (auto bytes = source.read(root, std::nullopt)) {
    engine.supply({root}, *std::move(bytes));
  }
}

void write_rows(const Job& job, const RowSlice& slice, Source& source,
                RowWriter& writer) {
  const Batches batches(job.meta);
  Engine engine(batches.byte_budget, source.missing());
  supply_version(engine, job.array, source);
  std::vector<std::byte> packed;
  std::uint64_t done = 0;
  for (auto begin = slice.begin; begin < slice.end;) {
    const auto left = slice.end - begin;
    const auto to_edge = batches.rows - begin % batches.rows;
    const RowSlice batch = {begin, begin + std::min(left, to_edge), slice.step};
    const auto query = engine.rows({.array = job.array,
                                    .begin = static_cast<std::int64_t>(batch.begin),
                                    .end = static_cast<std::int64_t>(batch.end),
                                    .step = static_cast<std::int64_t>(batch.step),
                                    .indices = std::nullopt,
                                    .fields = {},
                                    .layout = Rows::Layout::records});
    run(engine, *query, source);
    const auto stored = query->build().front().bytes;
    gather(job.selection, job.meta.dtype.size(), stored, packed);
    writer.rows(batch.count(), packed);
    done += batch.count();
    if (job.progress) job.progress(done, slice.count());
    const auto advance = product_or_endless(batch.count(), batch.step);
    begin = checked_add(begin, advance).value_or(kEndless);
  }
  writer.finish();
  warn_of_missing(source, engine.absent_chunks());
}

void write_box(const Job& job, const std::string& box, Source& source,
               const MakeWriter& make_writer) {
  Engine engine(kBoxBudget, source.missing());
  supply_version(engine, job.array, source);
  Rows rows;
  rows.array = job.array;
  rows.layout = Rows::Layout::records;
  rows.axes = parse_axis_slices(box);
  const auto query = engine.rows(std::move(rows));
  run(engine, *query, source);
  const auto& stored = query->build().front();
  std::vector<std::byte> packed;
  gather(job.selection, job.meta.dtype.size(), stored.bytes, packed);
  const auto writer =
      make_writer(layout_of(stored.shape, job.selection.type, job.name));
  writer->rows(stored.shape.empty() ? 1 : stored.shape.front(), packed);
  writer->finish();
  warn_of_missing(source, engine.absent_chunks());
}

/// Returns a plain row's name in csv: its field, or its array.
std::string row_name(const Selection& selection, const std::string& array) {
  if (!selection.name.empty()) return selection.name;
  const auto base = array.substr(array.rfind('/') + 1);
  return base.empty() ? "value" : base;
}

}  // namespace

void cat(Source& source, const std::string& array, const CatOptions& options,
         Write write) {
  const auto meta = array_meta_at(source, array);
  const bool is_single = meta.shape.empty();
  if (is_single && options.rows) {
    throw Error(Errc::invalid_argument,
                array + ": scalar array (expected at least one axis)");
  }
  auto selection = select_fields(meta.dtype, options.fields);
  auto name = row_name(selection, array);
  const Job job = {array, meta, std::move(selection), std::move(name),
                   options.progress};
  const auto make_writer = [&](RowLayout layout) {
    return make_row_writer(options.format, std::move(layout), std::move(write));
  };
  if (options.box) return write_box(job, *options.box, source, make_writer);
  const auto slice =
      parse_row_slice(options.rows.value_or(":"), is_single ? 1 : meta.shape.front());
  std::vector<std::size_t> shape(meta.shape.begin(), meta.shape.end());
  if (!is_single) shape.front() = slice.count();
  write_rows(job, slice, source,
             *make_writer(layout_of(shape, job.selection.type, job.name)));
}

}  // namespace bev::native

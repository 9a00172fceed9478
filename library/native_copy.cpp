#include <bevscope/copy.hpp>
#include <optional>
#include <utility>

#include "core/base/error.hpp"
#include "library/dataset_impl.hpp"
#include "native/copy/copy_dataset.hpp"

namespace bev {
namespace {

/// Reads a data set as stored, from any source.
class DatasetSource final : public native::CopySource {
 public:
  explicit DatasetSource(const Dataset& dataset)
      : stored_(Dataset::Impl::of(dataset), nullptr) {}

  std::string description() override { return stored_.engine.describe(); }

  std::span<const std::byte> read(std::string_view array,
                                  scene::Interval rows) override {
    records_ = stored_.answer(stored_.engine.rows({.array = std::string(array),
                                                   .begin = rows.begin,
                                                   .end = rows.end,
                                                   .layout = Rows::Layout::records}));
    return (*records_)["records"].bytes();
  }

  void check_unchanged() override { stored_.source->check_unchanged(); }

 private:
  Dataset::Impl stored_;
  std::optional<Arrays> records_;
};

scene::CopyLayout layout_of(const CopyOptions& options) {
  scene::CopyLayout layout;
  layout.chunk_rows.insert(options.chunk_rows.begin(), options.chunk_rows.end());
  layout.codec = options.codec;
  layout.level = options.level;
  layout.fields = options.fields;
  layout.columnar = options.columnar;
  layout.split_vectors = options.split_vectors;
  if (options.purpose == CopyPurpose::as_original) return layout;
  return scene::viewing_layout(std::move(layout));
}

}  // namespace

CopyReport copy(Dataset& dataset, const std::string& store,
                const CopyOptions& options) {
  const bool viewing = options.purpose == CopyPurpose::viewing;
  if (viewing && options.columnar) {
    fail(Errc::invalid_argument, {"copy: columns cannot be copied for viewing"});
  }
  native::CopyOptions copying;
  copying.scenes = {options.scenes.begin, options.scenes.end, options.scenes.step};
  copying.layout = layout_of(options);
  copying.statistics = options.statistics || viewing;
  copying.zarr_format = options.zarr_format;
  copying.chunks_per_shard = options.chunks_per_shard;
  copying.progress = options.progress;
  copying.overlay = Dataset::Impl::of(dataset).overlay;
  copying.existing =
      options.replace ? native::Existing::replace : native::Existing::refuse;
  DatasetSource source(dataset);
  auto copied = native::copy_dataset(source, store, copying);
  return {copied.scenes, std::move(copied.left_out), copied.has_statistics};
}

}  // namespace bev

#include "native/sample/mask_file.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/engine/host_loop.hpp"
#include "native/export/npy.hpp"
#include "native/files/file.hpp"
#include "native/files/zip_entry.hpp"
#include "native/source/read_options.hpp"

namespace bev::native {
namespace {

using MaskBytes = std::span<const std::byte>;
using zarr::Kind;

constexpr std::uint64_t kRowsAtOnce = std::uint64_t{1} << 20;

/// Converts successive rows of a mask to items.
class MaskItems {
 public:
  MaskItems(const std::string& name, scene::MaskMinima minima, std::uint64_t agents)
      : name_(name), minima_(minima), agents_(agents) {}

  /// Sets the rows' type and shape. Returns the bytes per row.
  std::size_t begin(const zarr::DType& type, const std::vector<std::uint64_t>& shape) {
    const bool numbers = type.kind == Kind::boolean || type.kind == Kind::signed_int ||
                         type.kind == Kind::unsigned_int;
    const bool is_list = shape.size() == 1;
    const bool is_counts =
        shape.size() == 2 && shape[1] == 2 && type.kind != Kind::boolean;
    if (!numbers || !(is_list || is_counts) || type.order == zarr::ByteOrder::big) {
      fail(": unsupported mask (found " + zarr::to_string(type) + " with " +
           std::to_string(shape.size()) +
           " axes, expected bool (n) or integers (n, 2))");
    }
    if (shape.front() != agents_) {
      fail(": wrong number of rows (found " + std::to_string(shape.front()) +
           ", expected " + std::to_string(agents_) + ", one per agent)");
    }
    width_ = type.item_size;
    is_signed_ = type.kind == Kind::signed_int;
    is_counts_ = is_counts;
    return width_ * (is_counts ? 2 : 1);
  }

  void append(MaskBytes bytes) {
    counts_.clear();
    flags_.clear();
    for (std::size_t at = 0; at + width_ <= bytes.size(); at += width_) {
      const auto value = value_at(bytes.data() + at);
      if (is_counts_) {
        counts_.push_back(value);
      } else {
        flags_.push_back(value == 0 ? 0 : 1);
      }
    }
    if (is_counts_) {
      index_->append_counts(counts_, minima_);
    } else {
      index_->append_mask(flags_);
    }
  }

  std::shared_ptr<const scene::AgentIndex> index() const { return index_; }

  [[noreturn]] void fail(const std::string& why) const {
    throw Error(Errc::invalid_argument, name_ + why);
  }

 private:
  /// Returns the value, clamped to 32 bits. Throws for negative counts.
  std::uint32_t value_at(const std::byte* at) const {
    std::uint64_t value = 0;
    for (std::size_t i = width_; i-- > 0;) {
      value = value << 8 | std::to_integer<std::uint64_t>(at[i]);
    }
    const bool negative = is_signed_ && (value >> (8 * width_ - 1) & 1) != 0;
    if (negative && is_counts_) fail(": negative count");
    constexpr std::uint64_t kMax = std::numeric_limits<std::uint32_t>::max();
    return static_cast<std::uint32_t>(std::min(value, kMax));
  }

  std::string name_;
  scene::MaskMinima minima_;
  std::uint64_t agents_;
  std::size_t width_ = 1;
  bool is_signed_ = false;
  bool is_counts_ = false;
  std::vector<std::uint32_t> counts_;
  std::vector<std::uint8_t> flags_;
  std::shared_ptr<scene::AgentIndex> index_ = std::make_shared<scene::AgentIndex>();
};

/// Reads bytes of an .npy from an offset; returns the number read.
using ReadAt = std::function<std::size_t(std::uint64_t, std::span<std::byte>)>;

void read_npy(const std::string& path, const ReadAt& read_at, std::uint64_t agents,
              MaskItems& items) {
  std::vector<std::byte> bytes(kLongestNpyHead);
  bytes.resize(read_at(0, bytes));
  const auto head = read_npy_head(bytes, path);
  const auto row_bytes = items.begin(head.type, head.shape);
  for (std::uint64_t row = 0; row < agents; row += kRowsAtOnce) {
    bytes.resize(std::min(kRowsAtOnce, agents - row) * row_bytes);
    if (read_at(head.data_offset + row * row_bytes, bytes) != bytes.size()) {
      items.fail(": truncated");
    }
    items.append(bytes);
  }
}

void read_file(const std::string& path, std::uint64_t agents, MaskItems& items) {
  const auto file = File::open(path, path);
  if (!file) throw Error(Errc::not_found, path + ": not found");
  if (!path.ends_with(".npz")) {
    const auto from_file = [&](std::uint64_t at, std::span<std::byte> out) {
      return file->read_at(at, out);
    };
    return read_npy(path, from_file, agents, items);
  }
  const auto entry = read_zip_entry(*file, path, "arr_0.npy");
  const auto from_entry = [&](std::uint64_t at, std::span<std::byte> out) {
    const auto begin = std::min<std::uint64_t>(at, entry.size());
    const auto count = std::min<std::uint64_t>(out.size(), entry.size() - begin);
    std::copy_n(entry.begin() + static_cast<std::ptrdiff_t>(begin), count, out.begin());
    return static_cast<std::size_t>(count);
  };
  read_npy(path, from_entry, agents, items);
}

void read_zarr(const std::string& path, std::uint64_t agents, MaskItems& items,
               const ReadOptions& options) {
  const auto address = find_array(path, options);
  const auto source = open_source(address.dataset, options);
  // A selection of agents must be complete.
  Engine engine(Engine::kByteBudget, source->missing().value_or(store::Missing::error));
  for (std::uint64_t row = 0; row == 0 || row < agents; row += kRowsAtOnce) {
    const auto query = engine.rows(
        {.array = address.array,
         .begin = static_cast<std::int64_t>(row),
         .end = static_cast<std::int64_t>(std::min(row + kRowsAtOnce, agents))});
    run(engine, *query, *source);
    if (row == 0) {
      const auto arrays = nlohmann::json::parse(engine.describe()).at("arrays");
      const auto& described = arrays.at(address.array);
      const auto type = zarr::parse_dtype(described.at("dtype"), path);
      items.begin(type, described.at("shape").get<std::vector<std::uint64_t>>());
    }
    items.append(query->build().front().bytes);
  }
  warn_of_missing(*source, engine.absent_chunks());
}

}  // namespace

std::shared_ptr<const scene::AgentIndex> read_mask(const std::string& path,
                                                   scene::MaskMinima minima,
                                                   std::uint64_t agent_count,
                                                   const ReadOptions& options) {
  MaskItems items(path, minima, agent_count);
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    read_zarr(path, agent_count, items, options);
  } else {
    read_file(path, agent_count, items);
  }
  return items.index();
}

}  // namespace bev::native

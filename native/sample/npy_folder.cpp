#include "native/sample/npy_folder.hpp"

#include <array>
#include <cinttypes>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <system_error>

#include "core/base/error.hpp"
#include "native/cli/output.hpp"
#include "native/export/npy.hpp"
#include "native/files/write_file.hpp"

namespace bev::native {
namespace {

RowLayout layout_of(const ResultArray& array) {
  if (array.dtype == "utf8") {
    throw Error(Errc::internal, array.name + ": unsupported dtype utf8");
  }
  RowLayout layout{.row = zarr::parse_dtype(nlohmann::json(array.dtype), array.name),
                   .name = array.name,
                   .count = std::nullopt};
  layout.row.shape = array.shape;
  return layout;
}

}  // namespace

std::string item_name(std::uint64_t item) {
  std::array<char, 24> name{};
  std::snprintf(name.data(), name.size(), "%05" PRIu64, item);
  return name.data();
}

void write_npy_folder(const std::filesystem::path& folder, std::uint64_t item,
                      std::span<const ResultArray> arrays) {
  const auto own = folder / item_name(item);
  std::error_code error;
  std::filesystem::create_directories(own, error);
  if (error) fail_write(own.string(), error.value());
  for (const auto& array : arrays) {
    cli::Output out((own / (array.name + ".npy")).string());
    out.write(npy_head(layout_of(array)));
    out.write(array.bytes);
    out.commit();
  }
}

}  // namespace bev::native

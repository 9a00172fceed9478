#include "native/sample/npy_folder.hpp"

#include <array>
#include <cinttypes>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <system_error>
#include <vector>

#include "core/base/error.hpp"
#include "native/export/npy.hpp"
#include "native/files/new_folder.hpp"
#include "native/files/output_path.hpp"
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
  refuse_url(folder.string());
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) fail_write(folder.string(), error.value());
  NewFolder own(folder / item_name(item), NewFolder::everything());
  for (const auto& array : arrays) {
    const auto head = npy_head(layout_of(array));
    const auto head_bytes = std::as_bytes(std::span(head));
    std::vector<std::byte> file(head_bytes.begin(), head_bytes.end());
    file.insert(file.end(), array.bytes.begin(), array.bytes.end());
    const auto path = own.path() / (array.name + ".npy");
    write_file(path, file, path.string());
  }
  own.commit();
}

}  // namespace bev::native

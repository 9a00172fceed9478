#include "native/config/data_root.hpp"

#include <cstdlib>
#include <system_error>

#include "core/base/error.hpp"
#include "native/s3/s3_address.hpp"

namespace bev::native {
namespace {

std::string folder_of(const std::optional<std::string>& given) {
  if (given) return *given;
  const char* const usual = std::getenv("L5KIT_DATA_FOLDER");
  if (usual != nullptr) return usual;
  throw Error(Errc::invalid_argument,
              "data root: not given (expected --root or the environment variable "
              "L5KIT_DATA_FOLDER)");
}

}  // namespace

DataRoot::DataRoot(const std::optional<std::string>& folder)
    : folder_(folder_of(folder)) {
  const auto& name = folder_.native();
  if (is_remote(name)) {
    throw Error(Errc::unsupported, name + ": not a folder (found a URL)");
  }
}

std::string DataRoot::require(const std::string& key) const {
  const auto path = folder_ / key;
  std::error_code error;
  if (std::filesystem::exists(path, error)) return path.string();
  throw Error(Errc::not_found,
              key + " is not present in local data folder " + folder_.string());
}

}  // namespace bev::native

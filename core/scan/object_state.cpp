#include "core/scan/object_state.hpp"

#include "core/base/error.hpp"
#include "core/zarr/crc32c.hpp"
#include "core/zip/member_read.hpp"

namespace bev {
namespace {

constexpr std::size_t kIdentityDigits = 32;
constexpr std::size_t kShortDigits = 16;  ///< enough of them in an address

}  // namespace

ObjectState state_of(std::span<const std::byte> bytes) {
  return {bytes.size(), zarr::crc32c(bytes), zip::crc32_of(bytes)};
}

void DataIdentity::add(std::string_view key, const ObjectState& state) {
  const auto line = state.size == ObjectState::kAbsent
                        ? joined({key, " absent\n"})
                        : joined({key, " ", state.size, " ", state.checksum, " ",
                                  state.zip_crc, "\n"});
  hash_.add(std::as_bytes(std::span(line)));
}

std::string DataIdentity::hex() {
  return hash_.hex().substr(0, kIdentityDigits);
}

bool is_data_identity(std::string_view text) noexcept {
  return text.size() == kIdentityDigits &&
         text.find_first_not_of("0123456789abcdef") == text.npos;
}

bool is_published_as(std::string_view address, std::string_view identity) noexcept {
  if (!is_data_identity(identity)) return false;
  constexpr std::string_view kFolder = "/data-";
  address = address.substr(0, address.find_first_of("?#"));
  for (auto at = address.find(kFolder); at != address.npos;
       at = address.find(kFolder, at + 1)) {
    auto name = address.substr(at + kFolder.size());
    name = name.substr(0, name.find('/'));
    for (auto rest = name;;) {
      const auto dash = rest.find('-');
      const auto part = rest.substr(0, dash);
      if (part.size() >= kShortDigits && identity.starts_with(part)) return true;
      if (dash == rest.npos) break;
      rest.remove_prefix(dash + 1);
    }
  }
  return false;
}

}  // namespace bev

#include "include/bevscope/source.hpp"

#include "core/base/error.hpp"

namespace bev {

Source::~Source() = default;

void Source::read_all(std::span<const ReadRequest> requests, const OnAnswer& take) {
  for (const auto& request : requests) take(request, read(request.key, request.range));
}

std::optional<std::uint64_t> Source::size(const std::string& key) {
  const auto bytes = read(key, std::nullopt);
  return bytes ? std::optional<std::uint64_t>(bytes->size()) : std::nullopt;
}

std::vector<std::optional<std::uint64_t>> Source::sizes(
    std::span<const std::string> keys) {
  std::vector<std::optional<std::uint64_t>> sizes;
  for (const auto& key : keys) sizes.push_back(size(key));
  return sizes;
}

std::optional<MappedObject> Source::map(const std::string& key) {
  fail_at(Errc::unsupported, key,
          {"only objects in folders of this machine can be mapped"});
}

std::string Source::version(const std::string&) {
  return {};
}

std::optional<std::uint32_t> Source::checksum(const std::string&) {
  return std::nullopt;
}

std::string Source::address() const {
  return {};
}

void Source::check_unchanged() {}

void Source::forget(const std::string&) {}

}  // namespace bev

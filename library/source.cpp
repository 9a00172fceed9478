#include <bevscope/source.hpp>
#include <bevscope/version.hpp>

namespace bev {

Source::~Source() = default;

void Source::read_all(std::span<const ReadRequest> requests, const OnAnswer& take) {
  for (const auto& request : requests) take(request, read(request.key, request.range));
}

std::optional<std::uint64_t> Source::size(const std::string& key) {
  const auto bytes = read(key, std::nullopt);
  return bytes ? std::optional<std::uint64_t>(bytes->size()) : std::nullopt;
}

std::string Source::version(const std::string&) {
  return {};
}

void Source::check_unchanged() {}

void Source::forget(const std::string&) {}

std::string_view version() noexcept {
  return BEVSCOPE_VERSION;
}

}  // namespace bev

#include "core/convert/chosen_ego.hpp"

#include <algorithm>

#include "core/base/error.hpp"

namespace bev::convert {

void fail_ego(std::string_view kind, std::string_view ego,
              std::span<const std::string> names) {
  constexpr std::size_t kNamed = 5;
  std::string expected = names.empty() ? "none" : "one of ";
  const auto named = names.first(std::min(names.size(), kNamed));
  for (const auto& name : named) {
    if (&name != named.data()) expected += ", ";
    expected += name;
  }
  if (names.size() > kNamed) {
    expected += joined({" and ", names.size() - kNamed, " others"});
  }
  fail(Errc::not_found,
       {"no ", kind, " ", ego, " for the ego vehicle (expected ", expected, ")"});
}

}  // namespace bev::convert

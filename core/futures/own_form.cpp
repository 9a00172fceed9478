#include "core/futures/own_form.hpp"

#include <charconv>

#include "core/base/error.hpp"

namespace bev::futures {

std::optional<std::uint64_t> own_agent_id(std::string_view text) noexcept {
  if (text == "AV") return kEgoId;
  std::uint64_t out = 0;
  const auto* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, out);
  const bool is_id = error == std::errc() && at == end && !text.empty() &&
                     out <= std::numeric_limits<std::int64_t>::max();
  return is_id ? std::optional(out) : std::nullopt;
}

void check_limits(std::size_t rollouts, std::size_t agents, std::size_t steps,
                  std::size_t values, const Limits& limits) {
  const auto check = [](const char* what, std::uint64_t found, std::uint64_t most) {
    if (found <= most) return;
    fail(Errc::limit_exceeded,
         {"too many ", what, " (found ", found, ", expected at most ", most, ")"});
  };
  check("rollouts or modes", rollouts, limits.rollouts);
  check("agents", agents, limits.agents);
  check("steps", steps, limits.steps);
  check("values", std::uint64_t{rollouts} * agents * steps * values, limits.values);
}

}  // namespace bev::futures

#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace bev::test {

/// Returns a whole number from Prometheus' text format, by the metric's name with labels.
inline std::uint64_t metric_value(const std::string& text, const std::string& name) {
  const auto at = text.find("\n" + name + " ");
  if (at == text.npos) throw std::runtime_error("no metric " + name);
  return std::stoull(text.substr(at + name.size() + 2));
}

}  // namespace bev::test

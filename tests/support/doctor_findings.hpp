#pragma once

#include <doctest/doctest.h>

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "native/doctor/finding.hpp"
#include "native/s3/s3_settings.hpp"

namespace bev::test {

/// An environment with these variables alone.
inline native::Environment environment(std::map<std::string, std::string> values) {
  return [values = std::move(values)](const std::string& name) {
    const auto found = values.find(name);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  };
}

inline bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Checks what every finding has: one line, and what to do unless all is well.
inline void check_form(const doctor::Finding& finding) {
  CHECK_FALSE(finding.name.empty());
  CHECK_FALSE(finding.found.empty());
  CHECK(finding.found.find('\n') == std::string::npos);
  CHECK((finding.level == doctor::Level::ok || !finding.remedy.empty()));
  CHECK_FALSE(finding.facts.empty());
}

}  // namespace bev::test

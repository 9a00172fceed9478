#include "native/doctor/finding.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>
#include <utility>

#include "core/base/secrets.hpp"

namespace bev::doctor {
namespace {

constexpr std::size_t kLevelWidth = 9;
constexpr std::size_t kNameWidth = 15;

std::string_view level_name(Level level) {
  switch (level) {
    case Level::ok: return "ok";
    case Level::warning: return "warning";
    default: return "problem";
  }
}

std::string in_column(std::string_view text, std::size_t width) {
  std::string out(text);
  out.resize(std::max(width, out.size() + 1), ' ');
  return out;
}

/// "1 warning", "2 problems"
std::string counted(std::span<const Finding> findings, Level level,
                    std::string_view one, std::string_view several) {
  const auto count = std::count_if(findings.begin(), findings.end(),
                                   [&](const auto& f) { return f.level == level; });
  return std::to_string(count) + " " + std::string(count == 1 ? one : several);
}

/// Removes what may be secret from all strings.
nlohmann::ordered_json plain_facts(nlohmann::ordered_json facts) {
  if (facts.is_string()) return without_secrets(facts.get<std::string>());
  if (!facts.is_structured()) return facts;
  for (auto& item : facts) item = plain_facts(std::move(item));
  return facts;
}

}  // namespace

std::string report_text(std::span<const Finding> findings) {
  std::string text = "bevscope " BEV_VERSION "\n\n";
  for (const auto& finding : findings) {
    text += in_column(level_name(finding.level), kLevelWidth);
    text += in_column(finding.name, kNameWidth) + finding.found + "\n";
    if (finding.remedy.empty()) continue;
    text += std::string(kLevelWidth + kNameWidth, ' ') + "-> " + finding.remedy + "\n";
  }
  text += "\n" + counted(findings, Level::ok, "ok", "ok") + ", " +
          counted(findings, Level::warning, "warning", "warnings") + ", " +
          counted(findings, Level::problem, "problem", "problems") + "\n";
  return without_secrets(text);
}

std::string report_json(std::span<const Finding> findings) {
  nlohmann::ordered_json report = {{"version", BEV_VERSION},
                                   {"ok", !has_problem(findings)},
                                   {"findings", nlohmann::ordered_json::array()}};
  for (const auto& finding : findings) {
    const auto remedy = finding.remedy.empty()
                            ? nlohmann::ordered_json()
                            : nlohmann::ordered_json(without_secrets(finding.remedy));
    report["findings"].push_back({{"name", finding.name},
                                  {"level", level_name(finding.level)},
                                  {"found", without_secrets(finding.found)},
                                  {"remedy", remedy},
                                  {"facts", plain_facts(finding.facts)}});
  }
  return report.dump(2) + "\n";
}

bool has_problem(std::span<const Finding> findings) {
  return std::any_of(findings.begin(), findings.end(),
                     [](const auto& f) { return f.level == Level::problem; });
}

std::string size_text(std::uint64_t bytes) {
  constexpr std::array kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  auto value = static_cast<double>(bytes);
  for (; value >= 1024 && unit + 1 < kUnits.size(); ++unit) value /= 1024;
  std::array<char, 32> text{};
  const int length =
      std::snprintf(text.data(), text.size(), "%.*f %s",
                    unit == 0 || value >= 100 ? 0 : 1, value, kUnits[unit]);
  return {text.data(), static_cast<std::size_t>(length)};
}

}  // namespace bev::doctor

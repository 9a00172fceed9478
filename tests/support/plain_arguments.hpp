#pragma once

#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/base/error.hpp"
#include "core/ops/arguments.hpp"

namespace bev::test {

/// Arguments written in a test: {{"dims", 2.0}, {"points", std::vector<double>{1, 2}}}.
class PlainArguments : public ops::Arguments {
 public:
  using Array = std::variant<std::vector<double>, std::vector<std::int64_t>,
                             std::vector<std::uint64_t>, std::vector<std::uint32_t>,
                             std::vector<std::uint8_t>>;
  using Value =
      std::variant<double, std::uint64_t, std::string, std::vector<std::string>, Array>;

  explicit PlainArguments(std::map<std::string, Value> all) : all_(std::move(all)) {}

  std::optional<double> number(const char* name) override { return get<double>(name); }
  std::optional<std::uint64_t> bits(const char* name) override {
    return get<std::uint64_t>(name);
  }
  std::optional<std::string> text(const char* name) override {
    return get<std::string>(name);
  }
  std::optional<std::vector<std::string>> texts(const char* name) override {
    return get<std::vector<std::string>>(name);
  }
  std::optional<std::size_t> array_size(const char* name,
                                        const char* /*dtype*/) override {
    array_ = get<Array>(name);
    if (!array_) return std::nullopt;
    return std::visit([](const auto& values) { return values.size(); }, *array_);
  }
  void copy_array(void* to) override {
    std::visit(
        [to](const auto& values) {
          if (!values.empty())
            std::memcpy(to, values.data(), values.size() * sizeof(values[0]));
        },
        *array_);
  }

 private:
  template <class T>
  std::optional<T> get(const char* name) const {
    const auto found = all_.find(name);
    if (found == all_.end()) return std::nullopt;
    if (const auto* const value = std::get_if<T>(&found->second)) return *value;
    fail(Errc::invalid_argument, {name, ": wrong kind"});
  }

  std::map<std::string, Value> all_;
  std::optional<Array> array_;
};

}  // namespace bev::test

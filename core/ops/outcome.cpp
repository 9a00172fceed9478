#include "core/ops/outcome.hpp"

namespace bev::ops {

// Not in the header: each operation would repeat them.
Outcome::Outcome() = default;
Outcome::Outcome(Outcome&& other) noexcept = default;
Outcome& Outcome::operator=(Outcome&& other) noexcept = default;
Outcome::~Outcome() = default;

Outcome::Outcome(std::string text) : kind_(Kind::text), text_(std::move(text)) {}

Outcome::Outcome(std::vector<std::string> texts)
    : kind_(Kind::texts), texts_(std::move(texts)) {}

Outcome::Outcome(std::vector<store::Request> requests)
    : kind_(Kind::requests), requests_(std::move(requests)) {}

Outcome::Outcome(std::span<const ResultArray> arrays, std::shared_ptr<const void> owner)
    : kind_(Kind::arrays),
      arrays_(arrays.begin(), arrays.end()),
      owners_{std::move(owner)} {}

Outcome& Outcome::add(std::string name, double number) & {
  const auto kept = std::make_shared<const double>(number);
  return keep(
      {std::move(name), kDtype<double>, {}, std::as_bytes(std::span(&*kept, 1))}, kept);
}

Outcome& Outcome::keep(ResultArray array, std::shared_ptr<const void> owner) {
  kind_ = Kind::arrays;
  arrays_.push_back(std::move(array));
  owners_.push_back(std::move(owner));
  return *this;
}

}  // namespace bev::ops

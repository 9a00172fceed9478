#include "core/ops/outcome.hpp"

namespace bev::ops {

Outcome& Outcome::add(std::string name, double number) {
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

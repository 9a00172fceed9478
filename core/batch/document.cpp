#include "core/batch/document.hpp"

#include "core/zarr/json_view.hpp"

namespace bev::batch {

std::string text_of(const nlohmann::json& value) {
  return value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

nlohmann::json parsed(std::string_view text, std::size_t limit, const Origin& from) {
  if (text.size() > limit) {
    fail_at(Errc::limit_exceeded, from.where,
            {"too long (found ", text.size(), " bytes, expected at most ", limit, ")"});
  }
  try {
    return zarr::parse_json(text, from.where);
  } catch (const Error& error) {
    throw Error(from.invalid, error.what());
  }
}

}  // namespace bev::batch

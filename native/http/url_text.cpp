#include "native/http/url_text.hpp"

#include <string>

namespace bev::native {

bool is_url(std::string_view dataset) {
  auto scheme = std::string(dataset.substr(0, dataset.find("//")));
  for (char& c : scheme)
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return scheme.size() < dataset.size() && (scheme == "http:" || scheme == "https:");
}

}  // namespace bev::native

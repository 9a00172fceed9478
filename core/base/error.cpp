#include "core/base/error.hpp"

#include "core/base/secrets.hpp"

namespace bev {

std::string_view to_string(Errc code) noexcept {
  switch (code) {
    case Errc::invalid_argument: return "invalid_argument";
    case Errc::invalid_metadata: return "invalid_metadata";
    case Errc::missing_key: return "missing_key";
    case Errc::out_of_range: return "out_of_range";
    case Errc::not_found: return "not_found";
    case Errc::corrupt_chunk: return "corrupt_chunk";
    case Errc::unsupported: return "unsupported";
    case Errc::network: return "network";
    case Errc::io: return "io";
    case Errc::changed: return "changed";
    case Errc::out_of_memory: return "out_of_memory";
    case Errc::limit_exceeded: return "limit_exceeded";
    case Errc::internal: return "internal";
  }
  return "internal";
}

void MessagePart::append_to(std::string& out) const {
  if (text_ != nullptr) {
    out.append(text_, static_cast<std::size_t>(number_));
  } else {
    if (negative_) out += '-';
    out += std::to_string(negative_ ? -number_ : number_);
  }
}

std::string joined(Message message) {
  std::string out;
  for (const MessagePart& part : message) part.append_to(out);
  return out;
}

void fail(Errc code, Message message) {
#ifdef __EMSCRIPTEN__  // errors in TypeScript remove them
  throw Error(code, joined(message));
#else
  throw Error(code, without_secrets(joined(message)));
#endif
}

void fail_index(Message thing, std::uint64_t index, std::uint64_t count) {
  fail(Errc::out_of_range,
       {joined(thing), index, " is out of range (count ", count, ")"});
}

void fail_at(Errc code, std::string_view thing, Message problem) {
  fail(code, {thing, ": ", joined(problem)});
}

}  // namespace bev

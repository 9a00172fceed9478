#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "include/bevscope/native.hpp"
#include "native/source/validated_source.hpp"

namespace bev::native {

/// A source of the program around the library, as a cache needs it: what it reads has the
/// state that the program gave just before, so that what is kept is at worst older than
/// its state, and fetched again, never newer.
///
/// Throws         `changed` for an object whose state has changed since it was read;
///                errors of the source and of the function
/// Thread safety  None: use one source from one thread.
class StatedSource final : public ValidatedSource {
 public:
  /// @param name  of the store; its objects are kept as `name`/key
  StatedSource(std::shared_ptr<bev::Source> source, std::string name,
               ObjectStates states);

  void read_all(std::span<const ReadRequest> requests, const OnAnswer& take) override;
  std::optional<std::vector<Listed>> list(const std::string& prefix) override;
  std::optional<std::uint64_t> size(const std::string& key) override;
  std::vector<std::optional<std::uint64_t>> sizes(
      std::span<const std::string> keys) override;
  std::string version(const std::string& key) override;
  std::optional<std::uint32_t> checksum(const std::string& key) override {
    return source_->checksum(key);
  }
  std::string address() const override { return source_->address(); }
  void check_unchanged() override;
  void forget(const std::string& key) override;

  std::string url_of(const std::string& key) const override;
  const Validator& answered_state() const override { return answered_; }
  std::uint64_t received_bytes() const override { return received_; }
  std::uint64_t state_requests() const override { return asked_; }
  std::vector<std::optional<Validator>> states(
      std::span<const std::string> keys) override;

 private:
  std::vector<std::string> ask(std::span<const std::string> keys);

  std::shared_ptr<bev::Source> source_;
  std::string name_;
  ObjectStates states_;
  std::map<std::string, std::string> known_;  ///< states by key
  Validator answered_;
  std::uint64_t received_ = 0;
  std::uint64_t asked_ = 0;
};

}  // namespace bev::native

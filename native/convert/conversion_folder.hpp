#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>

#include "core/base/sink.hpp"
#include "native/files/sinks.hpp"

namespace bev::native {

/// A folder for a conversion that continues after an interruption. Until commit(), it is
/// NAME.partial, which contains the objects, the last checkpoint and what identifies the
/// conversion; it remains if the process ends. python/bevscope/convert.py writes the
/// same names and contents, and either continues the other.
///
/// Throws         The constructor throws invalid_argument if NAME exists, another
///                process is writing it, or NAME.partial belongs to another conversion;
///                corrupt_chunk for a damaged checkpoint. All throw io with the system's
///                reason.
/// Thread safety  A folder belongs to one thread.
class ConversionFolder final : public NewStore {
 public:
  /// @param identity  settings and sources, a JSON object; a partial folder with
  ///                  another one is refused, one without a checkpoint is emptied
  ConversionFolder(const std::string& path, const nlohmann::json& identity);
  ~ConversionFolder() override;
  ConversionFolder(const ConversionFolder&) = delete;
  ConversionFolder& operator=(const ConversionFolder&) = delete;

  void put(std::string_view key, std::span<const std::byte> bytes) override;

  /// Appends bytes to an object that put() began.
  void append(std::string_view key, std::span<const std::byte> bytes);

  /// Scenarios of the last checkpoint, and the writer's state there: empty for 0.
  std::uint64_t done() const noexcept { return done_; }
  const std::string& state() const noexcept { return state_; }

  /// The report, if everything was written before the interruption; else empty.
  const std::string& report() const noexcept { return report_; }

  /// Replaces the checkpoint. All objects are durable before it is.
  void save(std::uint64_t done, const std::string& state);

  /// Notes that everything is written.
  void save_report(std::uint64_t done, const std::string& report);

  void commit() override;

 private:
  void lock();
  void restore();
  void clear(bool everything);
  void save_progress(std::uint64_t done, const std::string* report);
  void replace(const std::string& name, std::string_view content);
  std::string text_of(const std::string& name) const;

  std::filesystem::path path_, partial_;
  std::string identity_;  // JSON
  DirectorySink sink_;
  int lock_ = -1;
  std::uint64_t done_ = 0;
  std::string state_, report_;
};

}  // namespace bev::native

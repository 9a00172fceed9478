#include <array>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "core/engine/state.hpp"

namespace bev {

namespace {

struct Document {
  std::string_view key;
  bool required = false;
};

// Requested together, so that opening takes one round for any kind of store.
constexpr std::array kDocuments{Document{".zmetadata", false},
                                Document{".zgroup", false},
                                Document{".zattrs", false},
                                Document{"scenes/.zarray", true},
                                Document{"frames/.zarray", true},
                                Document{"agents/.zarray", true},
                                Document{"traffic_light_faces/.zarray", false}};

class OpenQuery final : public Query {
 public:
  explicit OpenQuery(std::shared_ptr<EngineState> state)
      : Query(std::move(state), "opening the store") {}

 private:
  bool gather(store::Reader& reader) override {
    bool known = true;
    for (const auto& document : kDocuments) {
      known = reader.known(document.key, document.required) && known;
    }
    if (!known) return false;
    auto& catalogue = reader.catalogue();
    if (catalogue.version3()) return open_version3(reader);
    if (catalogue.is_group()) return true;
    // Not a group: either a bare array or not a version 2 store.
    const bool array = reader.known(".zarray");
    const bool version3 = reader.known("zarr.json");
    if (!array || !version3) return false;
    if (catalogue.present(".zarray")) return !catalogue.arrays().empty();
    fail(Errc::missing_key,
         {"no zarr store (expected .zgroup, .zmetadata, .zarray or zarr.json)"});
  }

  // Metadata that is not consolidated at the root needs one more round.
  static bool open_version3(store::Reader& reader) {
    if (!reader.catalogue().is_group()) return true;
    bool known = true;
    for (const auto path : {"scenes", "frames", "agents", "traffic_light_faces"}) {
      known = reader.array(path, false).has_value() && known;
    }
    return known;
  }

  void derive(ResultSet&) override {}
};

}  // namespace

std::unique_ptr<Query> Engine::open() {
  return std::make_unique<OpenQuery>(state_);
}

}  // namespace bev

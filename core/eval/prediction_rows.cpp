#include "core/eval/prediction_rows.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <string>

namespace bev::eval {

std::vector<distribution::Column> prediction_columns() {
  std::vector<distribution::Column> out{{"model", kMaxModels},
                                        {"class", kSubjectCount},
                                        {"ade"},
                                        {"fde"},
                                        {"nll"},
                                        {"miss", 2},
                                        {"steps"},
                                        {"speed"},
                                        {"distance"},
                                        {"turn"}};
  for (const auto steps : kHorizonSteps) {
    out.push_back({"ade_" + std::to_string(steps)});
    out.push_back({"fde_" + std::to_string(steps)});
  }
  return out;
}

void append_predictions(distribution::Table& table, const Review& review,
                        std::uint32_t scene, std::uint32_t model) {
  constexpr std::size_t kColumns = 10 + 2 * kHorizonSteps.size();
  const auto& rows = review.rows();
  distribution::RowIds ids;
  std::vector<double> values(kColumns * rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& row = rows[i];
    ids.scenes.push_back(scene);
    ids.frames.push_back(row.frame);
    ids.tracks.push_back(row.track_id);
    const auto motion = review.motion(row);
    const auto& [ade, fde, nll] = row.score;
    const double miss = std::isnan(fde) ? fde : fde > kMissMetres ? 1.0 : 0.0;
    std::array<double, kColumns> of{static_cast<double>(model),
                                    static_cast<double>(row.subject),
                                    ade,
                                    fde,
                                    nll,
                                    miss,
                                    static_cast<double>(row.seen),
                                    motion.speed,
                                    motion.distance,
                                    motion.turn};
    for (std::size_t h = 0; h < kHorizonSteps.size(); ++h) {
      of[10 + 2 * h] = row.horizons[h].ade;
      of[11 + 2 * h] = row.horizons[h].fde;
    }
    for (std::size_t c = 0; c < kColumns; ++c) values[c * rows.size() + i] = of[c];
  }
  table.append(ids, values);
}

}  // namespace bev::eval

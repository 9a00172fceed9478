#include <algorithm>
#include <cmath>
#include <functional>

#include "core/base/error.hpp"
#include "library/sample_pipeline.hpp"
#include "library/samples_impl.hpp"

namespace bev {
namespace {

using library::Stack;

constexpr std::string_view kImage = "image";

/// Sets where images of a query are written, and resets it.
class DrawInto {
 public:
  DrawInto(SampleQuery& query, std::span<std::byte> place) : query_(query) {
    query.draw_into(place);
  }
  DrawInto(const DrawInto&) = delete;
  DrawInto& operator=(const DrawInto&) = delete;
  ~DrawInto() { query_.draw_into({}); }

 private:
  SampleQuery& query_;
};

Arrays built(SampleQuery& query) {
  return library::arrays_of(query.build(), nullptr);
}

using Select = std::function<void(SampleQuery& query, std::size_t i)>;

/// A batch that is being built.
class Batch {
 public:
  /// @param select  selects an item, by its position in the batch
  Batch(Samples::Impl& samples, std::size_t count, const Select& select,
        const BatchOptions& options)
      : samples_(samples), count_(count), select_(select), options_(options) {}

  Arrays build() {
    auto& query = *samples_.queries.front();
    gather(query, 0);
    const auto first = built(query);
    stack_ = std::make_shared<Stack>(first, count_, options_.outputs);
    stack_->put(0, first);
    const auto threads = std::min(options_.threads, count_ - 1);
    // Perturbations are drawn by one query, in order.
    if (threads < 2 || samples_.options.perturbation) {
      for (std::size_t i = 1; i < count_; ++i) {
        gather(query, i);
        draw(query, i);
      }
    } else {
      build_on(threads);
    }
    return Stack::arrays(stack_);
  }

 private:
  void gather(SampleQuery& query, std::size_t i) {
    select_(query, i);
    if (!options_.offsets.empty() && !std::isnan(options_.offsets[i][0])) {
      const auto& offset = options_.offsets[i];
      query.displace({offset[0], offset[1], offset[2]}, options_.min_displacement);
    }
    bev::run(samples_.dataset->engine, query, *samples_.dataset->source);
  }

  void draw(SampleQuery& query, std::size_t i) {
    const DrawInto direct(query, stack_->place(i, kImage));
    stack_->put(i, built(query));
  }

  void build_on(std::size_t threads) {
    // Twice as many queries as threads, so that none waits for the reading one.
    auto& queries = samples_.queries;
    while (queries.size() < std::min(2 * threads, count_ - 1)) {
      queries.push_back(samples_.dataset->engine.samples(samples_.options, samples_.map,
                                                         samples_.aerial));
      queries.back()->show_channel(samples_.channel);
    }
    std::vector<SampleQuery*> idle;
    idle.reserve(queries.size());
    for (const auto& query : queries) idle.push_back(query.get());
    library::SamplePipeline pipeline(
        idle, {[this](SampleQuery& query, std::size_t i) { gather(query, i); },
               [this](SampleQuery& query, std::size_t i) { draw(query, i); }});
    pipeline.run(1, count_, threads);
  }

  Samples::Impl& samples_;
  std::size_t count_;
  const Select& select_;
  const BatchOptions& options_;
  std::shared_ptr<Stack> stack_;
};

void check(std::size_t count, const BatchOptions& options) {
  if (count == 0) {
    fail(Errc::invalid_argument, {"batch: indices must not be empty"});
  }
  if (!options.offsets.empty() && options.offsets.size() != count) {
    fail(Errc::invalid_argument, {"batch: wrong number of offsets (found ",
                                  options.offsets.size(), ", expected ", count, ")"});
  }
}

}  // namespace

Arrays Samples::batch(std::span<const std::int64_t> indices,
                      const BatchOptions& options) {
  check(indices.size(), options);
  const Select select = [&](SampleQuery& query, std::size_t i) {
    impl_->select(query, indices[i]);
  };
  return Batch(*impl_, indices.size(), select, options).build();
}

Arrays Samples::batch_at(std::span<const TrackAt> subjects,
                         const BatchOptions& options) {
  check(subjects.size(), options);
  const Select select = [&](SampleQuery& query, std::size_t i) {
    query.at_track(subjects[i].scene, subjects[i].frame, subjects[i].track_id);
  };
  return Batch(*impl_, subjects.size(), select, options).build();
}

Arrays Samples::owned_sample(std::int64_t index) {
  auto& query = *impl_->queries.front();
  impl_->select(query, index);
  bev::run(impl_->dataset->engine, query, *impl_->dataset->source);
  auto stack = impl_->layout ? std::make_shared<Stack>(impl_->layout) : nullptr;
  const DrawInto direct(query,
                        stack ? stack->place(0, kImage) : std::span<std::byte>{});
  const auto sample = built(query);
  const auto unused = stack;  // may hold the image, which the next line copies
  if (!stack || !stack->accepts(sample)) {
    stack = std::make_shared<Stack>(sample);
    impl_->layout = stack->layout();
  }
  stack->put_accepted(0, sample);
  return Stack::arrays(stack);
}

}  // namespace bev

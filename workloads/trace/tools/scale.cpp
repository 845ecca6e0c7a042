// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/tools/scale.h"

#include <cmath>
#include <utility>
#include <vector>

#include "fmt/format.h"

namespace fabrictwin::trace::tools {
namespace {

constexpr double kMaxFactor = 1e9;

class ScaledEvents final : public format::EventSource {
 public:
  ScaledEvents(std::unique_ptr<format::EventSource> source, const ScaleOptions& options, std::string name,
               uint32_t rank)
      : source_(std::move(source)), options_(options), name_(std::move(name)), rank_(rank) {}

  absl::StatusOr<bool> next(format::Event& event) override {
    absl::StatusOr<bool> more = source_->next(event);
    if (!more.ok() || !*more) return more;
    bool fits = scale(event.duration);
    // Counts without a datatype are numbers of requests, or communicators and their members.
    if (format::action_shape(event.action).datatypes > 0) fits = scale_sizes(event) && fits;
    if (!fits) {
      return absl::InvalidArgumentError(fmt::format("{}: rank {}, event {}: becomes too large", name_, rank_, number_));
    }
    ++number_;
    return true;
  }

 private:
  bool scale_sizes(format::Event& event) const {
    bool fits = scale(event.count);
    fits = scale(event.receive_count) && fits;
    for (uint64_t& count : event.send_counts) fits = scale(count) && fits;
    for (uint64_t& count : event.receive_counts) fits = scale(count) && fits;
    return fits;
  }
  bool scale(uint64_t& count) const {
    if (options_.sizes == 1) return true;
    const double scaled = std::round(static_cast<double>(count) * options_.sizes);
    if (scaled > static_cast<double>(format::kMaxMessageBytes)) return false;
    count = static_cast<uint64_t>(scaled);
    return true;
  }
  bool scale(Time& time) const {
    if (options_.compute == 1) return true;
    const double scaled = std::round(static_cast<double>(time.fs()) * options_.compute);
    if (scaled >= static_cast<double>(Time::never().fs())) return false;
    time = Time::from_fs(static_cast<int64_t>(scaled));
    return true;
  }

  std::unique_ptr<format::EventSource> source_;
  const ScaleOptions options_;
  const std::string name_;
  const uint32_t rank_;
  uint64_t number_ = 0;
};

class ScaledTrace final : public format::Source {
 public:
  ScaledTrace(std::shared_ptr<const format::Source> source, const ScaleOptions& options)
      : source_(std::move(source)), options_(options), info_(source_->info()) {
    info_.source += fmt::format("; computation x {}, sizes x {}", options.compute, options.sizes);
  }
  const format::Info& info() const override { return info_; }
  std::string name() const override { return source_->name(); }
  std::unique_ptr<format::EventSource> rank(uint32_t rank) const override {
    return std::make_unique<ScaledEvents>(source_->rank(rank), options_, name(), rank);
  }

 private:
  std::shared_ptr<const format::Source> source_;
  ScaleOptions options_;
  format::Info info_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<const format::Source>> scale_trace(std::shared_ptr<const format::Source> source,
                                                                  const ScaleOptions& options) {
  for (const double factor : {options.compute, options.sizes}) {
    if (!(factor >= 0 && factor <= kMaxFactor))
      return absl::InvalidArgumentError(fmt::format("a factor must be a number from 0 to 1e9, not {}", factor));
  }
  return std::make_shared<const ScaledTrace>(std::move(source), options);
}

}  // namespace fabrictwin::trace::tools

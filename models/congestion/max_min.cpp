// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/congestion/max_min.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <string_view>
#include <utility>

#include "models/congestion/scheme_kind.h"

namespace fabrictwin::congestion {
namespace {

/// A queue that is too long is to drain in so many intervals.
constexpr int64_t kDrainIntervals = 8;
/// Packets of each flow that may wait for an output: flows that fill it exactly do not come evenly.
constexpr int64_t kPacketsOfAFlow = 2;
/// An output forgets a flow that has not asked in a whole period of so many intervals: it has another path, or has
/// stopped without a word.
constexpr int64_t kPeriodIntervals = 32;
constexpr int64_t kNoPeriod = -2;

class MaxMin final : public Scheme {
 public:
  explicit MaxMin(const MaxMinSpec& spec) : spec_(spec) {}

  std::string_view name() const override { return "max_min"; }
  std::unique_ptr<FlowControl> make_flow(const FlowControl::Path& path) const override {
    return std::make_unique<MaxMinFlow>(spec_, path);
  }
  std::unique_ptr<SwitchSide> make_switch(uint64_t /*seed*/, int64_t /*base_rate*/) const override {
    return std::make_unique<FairShares>(spec_);
  }
  bool wants_network_round_trip() const override { return true; }
  bool telemetry() const override { return true; }
  bool manages_hosts() const override { return true; }
  bool needs_one_path() const override { return true; }
  int32_t extra_bytes() const override { return spec_.telemetry; }

 private:
  MaxMinSpec spec_;
};

class MaxMinKind final : public SchemeKindOf<v1::Congestion::kMaxMin, v1::MaxMin> {
  std::shared_ptr<const Scheme> make(const v1::MaxMin& message,
                                     const experiment::MessageReader& reader) const override {
    return std::make_shared<const MaxMin>(
        MaxMinSpec{.target = check_share(reader, "target", message.target()),
                   .telemetry = check_telemetry(reader, "telemetry"),
                   .interval = reader.has("interval") ? check_time(reader, "interval") : 0});
  }
};

}  // namespace

MaxMinFlow::MaxMinFlow(const MaxMinSpec& spec, const Path& path) : FlowControl(path), spec_(spec) {
  // Flows that fill the link of their host exactly hold each other up.
  catches_up_ = path.round_trip;
  forget();
}

// A flow without allotments sends one packet, which asks for them, and waits for the answer.
void MaxMinFlow::forget() {
  allotments_.clear();
  rate_ = static_cast<double>(path_.line_rate);
  window_ = 1;
  records_ = true;
  leaving_ = false;
}

void MaxMinFlow::begin(PathRecord& record) {
  const int64_t interval = spec_.interval != 0 ? spec_.interval : std::max(path_.network_round_trip, path_.round_trip);
  record.allotments = {std::move(allotments_), 0, path_.max_packet, interval, leaving_};
  if (leaving_) return forget();
  // Until the answer is there, what the outputs will have is not known.
  records_ = false;
}

void MaxMinFlow::acknowledged(const Feedback& feedback) {
  if (feedback.path == nullptr) return;
  allotments_ = feedback.path->allotments.outputs;
  int64_t least = path_.line_rate;
  for (const Allotment& allotment : allotments_) least = std::min(least, allotment.rate);
  rate_ = static_cast<double>(std::max<int64_t>(least, 1));
  window_ = kUnlimited;
  records_ = true;
}

bool MaxMinFlow::leaves() {
  leaving_ = !allotments_.empty();
  return leaving_;
}

int64_t FairShares::capacity(const PortState& port, const Output& output, const Sums& sums,
                             const Allotments& asked) const {
  const double rate = spec_.target * static_cast<double>(port.bits_per_second);
  double given = rate - static_cast<double>(output.control_rate);
  const int64_t excess = port.queue_bytes - kPacketsOfAFlow * (sums.flows + 1) * asked.max_packet;
  if (excess > 0) given -= 8e15 * static_cast<double>(excess) / static_cast<double>(kDrainIntervals * asked.interval);
  return static_cast<int64_t>(std::max(given, rate / 2));
}

// Begins a new period or round if it is time.
void FairShares::turn(Output& output, int64_t now, int64_t interval) {
  const int64_t period = now / (kPeriodIntervals * interval);
  if (period != output.period) {
    output.before = period == output.period + 1 ? output.now : Sums();
    output.now = {};
    output.period = period;
  }
  if (now >= output.round_end) {
    output.most = now >= output.round_end + interval ? 0 : output.in_round;
    output.in_round = 0;
    const auto elapsed = static_cast<double>(std::max(now - output.round_begin, interval));
    output.control_rate = static_cast<int64_t>(8e15 * static_cast<double>(output.control_bytes) / elapsed);
    output.control_bytes = 0;
    output.round_begin = now;
    output.round_end = now + interval;
  }
}

// What acknowledgements take, no flow gets.
void FairShares::control(const PortState& port) { at(port).control_bytes += port.packet_bytes; }

// The flow is first taken for one that this output limits, and then it is seen whether another one gives it less.
void FairShares::record(const PortState& port, PathRecord& path) {
  Allotments& asked = path.allotments;
  Output& output = at(port);
  turn(output, port.now, asked.interval);
  const uint32_t index = asked.passed++;
  if (index >= asked.outputs.size()) {
    asked.outputs.push_back({.output = port.output, .period = kNoPeriod});
  } else if (asked.outputs[index].output != port.output) {
    // The flow has another path. The output of the one before forgets the flow with its period.
    asked.outputs[index] = {.output = port.output, .period = kNoPeriod};
  }
  Allotment& allotment = asked.outputs[index];
  if (allotment.period == output.period || allotment.period == output.period - 1) {
    Sums& sums = allotment.period == output.period ? output.now : output.before;
    --sums.flows;
    if (allotment.limited) {
      --sums.limited;
    } else {
      sums.elsewhere -= allotment.rate;
    }
  }
  if (asked.leaving) return;
  ++output.now.flows;
  const Sums sums = {output.now.flows + output.before.flows, output.now.limited + output.before.limited + 1,
                     output.now.elsewhere + output.before.elsewhere};
  const int64_t capacity = this->capacity(port, output, sums, asked);
  // No flow gets less than an equal share, even while the others take too much.
  const int64_t share = std::max((capacity - sums.elsewhere) / sums.limited, capacity / sums.flows);
  int64_t others = std::numeric_limits<int64_t>::max();
  for (const Allotment& other : asked.outputs) {
    if (&other != &allotment && !other.ignored) others = std::min(others, other.share);
  }
  allotment = {.output = port.output,
               .limited = others >= share,
               .ignored = share < output.most,
               .rate = std::min(share, others),
               .share = share,
               .period = output.period};
  if (allotment.limited) {
    ++output.now.limited;
    return;
  }
  output.now.elsewhere += allotment.rate;
  output.most = std::max(output.most, allotment.rate);
  output.in_round = std::max(output.in_round, allotment.rate);
}

const experiment::CongestionCheck& max_min() {
  static const MaxMinKind kind;
  return kind;
}

}  // namespace fabrictwin::congestion

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// HPCC: Li et al., "HPCC: high precision congestion control", SIGCOMM 2019. docs/models/hpcc.md
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "models/congestion/round_trips.h"
#include "models/congestion/scheme_kind.h"

namespace fabrictwin::congestion {
namespace {

struct HpccSpec {
  double target = 0;
  int32_t stages = 0;
  double additive_increase = 0;  ///< Rates in bits per second.
  double least_rate = 0;
  int32_t telemetry = 0;  ///< In bytes.
};

class HpccFlow final : public FlowControl {
 public:
  HpccFlow(const HpccSpec& spec, const Path& path)
      : FlowControl(path),
        spec_(spec),
        trip_(static_cast<double>(std::max(path.network_round_trip, path.round_trip))),
        most_(static_cast<double>(path.line_rate) * trip_ / 8e15),
        least_(std::min(spec.least_rate * trip_ / 8e15, most_)),
        step_(spec.additive_increase * trip_ / 8e15),
        reference_(most_) {
    set(most_);
  }

  void acknowledged(const Feedback& feedback) override {
    const bool over = trips_.over(feedback);
    const std::vector<Hop>& hops = feedback.path->hops;
    if (!measure(hops)) return;
    const bool shrinks = utilization_ >= spec_.target || stage_ >= spec_.stages;
    const double window =
        std::clamp(shrinks ? reference_ / (utilization_ / spec_.target) + step_ : reference_ + step_, least_, most_);
    if (over) {
      stage_ = shrinks ? 0 : stage_ + 1;
      reference_ = window;
    }
    set(window);
  }

 private:
  // The utilization of the most loaded hop: bytes in flight over what the hop holds in a round trip. False if there is
  // a hop that no earlier packet has recorded. Packets may take different paths, so a hop is compared with what the
  // last packet through the same output recorded.
  bool measure(const std::vector<Hop>& hops) {
    double most = 0;
    double interval = 0;
    bool known = true;
    for (size_t i = 0; i < hops.size(); ++i) {
      const Hop& hop = hops[i];
      const auto found = i < last_.size() && last_[i].output == hop.output
                             ? last_.begin() + static_cast<std::ptrdiff_t>(i)
                             : std::ranges::find(last_, hop.output, &Hop::output);
      if (found == last_.end()) {
        last_.push_back(hop);
        known = false;
        continue;
      }
      const Hop before = std::exchange(*found, hop);
      const auto time = static_cast<double>(hop.time - before.time);
      if (time <= 0) continue;
      const auto rate = static_cast<double>(hop.bits_per_second);
      const double sent = static_cast<double>(hop.sent_bytes - before.sent_bytes) * 8e15 / time;
      const auto queue = static_cast<double>(std::min(hop.queue_bytes, before.queue_bytes));
      const double load = sent / rate + queue * 8e15 / (rate * trip_);
      if (load > most) {
        most = load;
        interval = time;
      }
    }
    if (!known) return false;
    const double weight = std::min(interval, trip_) / trip_;
    utilization_ += weight * (most - utilization_);
    return true;
  }
  void set(double window) {
    window_ = static_cast<int64_t>(window);
    rate_ = window * 8e15 / trip_;
  }

  const HpccSpec& spec_;
  /// The largest round trip of an empty network, in femtoseconds: with one for all flows, those with short paths get no
  /// more than others, and no flow finds its path emptier than it is.
  const double trip_;
  const double most_;   ///< Windows in bytes: at line rate,
  const double least_;  ///< and at the least rate.
  const double step_;   ///< The additive increase.
  RoundTrips trips_;
  double reference_;  ///< The window of the last round trip.
  double utilization_ = 1;
  int32_t stage_ = 0;
  std::vector<Hop> last_;  ///< What was last recorded of each output.
};

class Hpcc final : public Scheme {
 public:
  explicit Hpcc(const HpccSpec& spec) : spec_(spec) {}

  std::string_view name() const override { return "hpcc"; }
  int64_t least_rate() const override { return static_cast<int64_t>(spec_.least_rate); }
  std::unique_ptr<FlowControl> make_flow(const FlowControl::Path& path) const override {
    return std::make_unique<HpccFlow>(spec_, path);
  }
  bool wants_network_round_trip() const override { return true; }
  bool telemetry() const override { return true; }
  int32_t extra_bytes() const override { return spec_.telemetry; }

 private:
  HpccSpec spec_;
};

class HpccKind final : public SchemeKindOf<v1::Congestion::kHpcc, v1::Hpcc> {
  std::shared_ptr<const Scheme> make(const v1::Hpcc& message, const experiment::MessageReader& reader) const override {
    return std::make_shared<const Hpcc>(
        HpccSpec{.target = check_share(reader, "target", message.target()),
                 .stages = reader.number("stages", 0, 100),
                 .additive_increase = static_cast<double>(check_rate(reader, "additive_increase")),
                 .least_rate = static_cast<double>(check_rate(reader, "least_rate")),
                 .telemetry = check_telemetry(reader, "telemetry")});
  }
};

}  // namespace

const experiment::CongestionCheck& hpcc() {
  static const HpccKind kind;
  return kind;
}

}  // namespace fabrictwin::congestion

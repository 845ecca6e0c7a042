// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// DCTCP for hosts that pace: Alizadeh et al., "Data center TCP (DCTCP)", SIGCOMM 2010. docs/models/dctcp.md
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>

#include "models/congestion/round_trips.h"
#include "models/congestion/scheme_kind.h"
#include "models/congestion/thresholds.h"

namespace fabrictwin::congestion {
namespace {

struct DctcpSpec {
  int64_t threshold = 0;  ///< In bytes.
  double gain = 0;
  double additive_increase = 0;  ///< In bits per second.
  double least_rate = 0;
};

/// The window is what `rate_` sends in the longest round trip of the empty network, so that flows with longer paths do
/// not have larger ones. It is cut once in a round trip.
class DctcpFlow final : public FlowControl {
 public:
  DctcpFlow(const DctcpSpec& spec, const Path& path) : FlowControl(path), spec_(spec) { set_window(); }

  void acknowledged(const Feedback& feedback) override {
    bytes_ += feedback.bytes;
    if (feedback.marked) marked_ += feedback.bytes;
    const bool over = trips_.over(feedback);
    if (over) {
      alpha_ += spec_.gain * (static_cast<double>(marked_) / static_cast<double>(bytes_) - alpha_);
      bytes_ = marked_ = 0;
    }
    if (feedback.acknowledged > reduced_until_) reducing_ = false;
    if (feedback.marked && !reducing_) {
      rate_ = std::max(rate_ * (1 - alpha_ / 2), spec_.least_rate);
      reducing_ = true;
      reduced_until_ = feedback.sent;
    } else if (over && !reducing_) {
      rate_ = std::min(rate_ + spec_.additive_increase, static_cast<double>(path_.line_rate));
    }
    set_window();
  }

 private:
  void set_window() {
    const int64_t trip = std::max(path_.network_round_trip, path_.round_trip);
    window_ = rate_ < static_cast<double>(path_.line_rate) ? bytes_in(rate_, trip) : full_window(path_, trip);
  }

  const DctcpSpec& spec_;
  RoundTrips trips_;
  double alpha_ = 1;
  int64_t bytes_ = 0;   ///< Acknowledged in this round trip,
  int64_t marked_ = 0;  ///< and of them with a mark.
  bool reducing_ = false;
  int64_t reduced_until_ = 0;  ///< The window is not cut again before these bytes are acknowledged.
};

class QueueMarking final : public SwitchSide {
 public:
  QueueMarking(const DctcpSpec& spec, int64_t base_rate) : spec_(spec), base_rate_(base_rate) {}
  bool marks(const PortState& port) const override {
    return static_cast<double>(port.queue_bytes) > threshold_at(spec_.threshold, port.bits_per_second, base_rate_);
  }

 private:
  const DctcpSpec& spec_;
  int64_t base_rate_;
};

class Dctcp final : public Scheme {
 public:
  explicit Dctcp(const DctcpSpec& spec) : spec_(spec) {}

  std::string_view name() const override { return "dctcp"; }
  int64_t least_rate() const override { return static_cast<int64_t>(spec_.least_rate); }
  bool wants_network_round_trip() const override { return true; }
  std::unique_ptr<FlowControl> make_flow(const FlowControl::Path& path) const override {
    return std::make_unique<DctcpFlow>(spec_, path);
  }
  std::unique_ptr<SwitchSide> make_switch(uint64_t /*seed*/, int64_t base_rate) const override {
    return std::make_unique<QueueMarking>(spec_, base_rate);
  }

 private:
  DctcpSpec spec_;
};

class DctcpKind final : public SchemeKindOf<v1::Congestion::kDctcp, v1::Dctcp> {
  std::shared_ptr<const Scheme> make(const v1::Dctcp& message, const experiment::MessageReader& reader) const override {
    return std::make_shared<const Dctcp>(
        DctcpSpec{.threshold = check_size(reader, "threshold"),
                  .gain = check_share(reader, "gain", message.gain()),
                  .additive_increase = static_cast<double>(check_rate(reader, "additive_increase")),
                  .least_rate = static_cast<double>(check_rate(reader, "least_rate"))});
  }
};

}  // namespace

const experiment::CongestionCheck& dctcp() {
  static const DctcpKind kind;
  return kind;
}

}  // namespace fabrictwin::congestion

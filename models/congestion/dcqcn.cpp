// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/congestion/dcqcn.h"

#include <memory>
#include <optional>
#include <string_view>

#include "models/congestion/scheme_kind.h"
#include "models/congestion/thresholds.h"

namespace fabrictwin::congestion {
namespace {

class Dcqcn final : public Scheme {
 public:
  explicit Dcqcn(const DcqcnSpec& spec) : spec_(spec) {}

  std::string_view name() const override { return "dcqcn"; }
  int64_t least_rate() const override { return static_cast<int64_t>(spec_.least_rate); }
  std::unique_ptr<FlowControl> make_flow(const FlowControl::Path& path) const override {
    return std::make_unique<DcqcnFlow>(spec_, path);
  }
  std::unique_ptr<SwitchSide> make_switch(uint64_t seed, int64_t base_rate) const override {
    return std::make_unique<RedMarking>(spec_, seed, base_rate);
  }
  bool notifies(ReceiverState& receiver, bool marked, int64_t now) const override {
    if (!marked || (receiver.last_notice >= 0 && now < receiver.last_notice + spec_.notice_interval)) return false;
    receiver.last_notice = now;
    return true;
  }

 private:
  DcqcnSpec spec_;
};

class DcqcnKind final : public SchemeKindOf<v1::Congestion::kDcqcn, v1::Dcqcn> {
  std::shared_ptr<const Scheme> make(const v1::Dcqcn& message, const experiment::MessageReader& reader) const override {
    DcqcnSpec spec;
    spec.kmin = reader.quantity<Bytes>("kmin", parse_bytes).count;
    const std::optional<int64_t> kmax = check_positive(reader, "kmax");
    check_order(reader, "kmin", spec.kmin, "kmax", kmax, "marking begins at kmin and is certain from kmax on");
    spec.kmax = kmax.value_or(1);
    spec.pmax = check_share(reader, "pmax", message.pmax());
    spec.notice_interval = reader.quantity<Time>("notice_interval", parse_time).fs();
    spec.alpha_timer = check_time(reader, "alpha_timer");
    spec.increase_timer = check_time(reader, "increase_timer");
    spec.byte_counter = reader.quantity<Bytes>("byte_counter", parse_bytes).count;
    spec.gain = check_share(reader, "gain", message.gain());
    spec.fast_recovery = reader.number("fast_recovery", 1, 100);
    spec.additive_increase = static_cast<double>(check_rate(reader, "additive_increase"));
    spec.hyper_increase = static_cast<double>(check_rate(reader, "hyper_increase"));
    spec.least_rate = static_cast<double>(check_rate(reader, "least_rate"));
    spec.cut_interval = reader.quantity<Time>("cut_interval", parse_time).fs();
    spec.clamp_target = reader.flag("clamp_target");
    return std::make_shared<const Dcqcn>(spec);
  }
};

}  // namespace

void DcqcnFlow::cut() {
  if (spec_.clamp_target || timers_ > 0 || counters_ > 0 || !limited_) target_ = rate_;
  rate_ = std::max(rate_ * (1 - alpha_ / 2), spec_.least_rate);
  alpha_ = (1 - spec_.gain) * alpha_ + spec_.gain;
  timers_ = counters_ = 0;
  counted_ = 0;
}

void DcqcnFlow::increase_by_timer() {
  ++timers_;
  increase();
}

void DcqcnFlow::increase_by_bytes() {
  ++counters_;
  increase();
}

// Fast recovery halves the distance to the target; then the target itself rises.
void DcqcnFlow::increase() {
  const bool timer_only = spec_.byte_counter == 0;
  const int32_t beyond = (timer_only ? timers_ : std::min(timers_, counters_)) - spec_.fast_recovery;
  if (beyond > 0) {
    target_ += (timer_only ? 1 : beyond) * spec_.hyper_increase;
  } else if (std::max(timers_, counters_) >= spec_.fast_recovery) {
    target_ += spec_.additive_increase;
  }
  target_ = std::min(target_, static_cast<double>(path_.line_rate));
  rate_ = (rate_ + target_) / 2;
}

void DcqcnFlow::sent(int64_t /*now*/, int64_t /*bytes*/, int64_t wire_bytes) {
  if (!limited_ || spec_.byte_counter == 0) return;
  for (counted_ += wire_bytes; counted_ >= spec_.byte_counter; counted_ -= spec_.byte_counter) increase_by_bytes();
}

void DcqcnFlow::notified(int64_t now) {
  if (spec_.cut_interval == 0) {
    react(now);
  } else if (cut_due_ == kNever) {
    if (first_notice_ < 0) first_notice_ = now;
    cut_due_ = now + spec_.cut_interval - (now - first_notice_) % spec_.cut_interval;
  }
  find_timer();
}

void DcqcnFlow::react(int64_t now) {
  cut();
  limited_ = true;
  alpha_due_ = now + spec_.alpha_timer;
  increase_due_ = now + spec_.increase_timer;
}

void DcqcnFlow::timer(int64_t now) {
  if (cut_due_ <= now) {
    cut_due_ = kNever;
    react(now);
  }
  if (alpha_due_ <= now) {
    decay();
    alpha_due_ += spec_.alpha_timer;
  }
  if (increase_due_ <= now) {
    increase_by_timer();
    increase_due_ += spec_.increase_timer;
  }
  // At line rate nothing is left to recover; a new flow would be in the same state but for alpha, which keeps decaying
  // only as long as that could matter.
  const double line = static_cast<double>(path_.line_rate);
  if (rate_ >= line * (1 - 1e-9) && target_ >= line) {
    rate_ = line;
    increase_due_ = kNever;
    if (alpha_ < 1e-9) alpha_due_ = kNever;
  }
  find_timer();
}

double RedMarking::probability(int64_t queue_bytes, int64_t rate) const {
  const auto queue = static_cast<double>(queue_bytes);
  const double kmin = threshold_at(spec_.kmin, rate, base_rate_);
  const double kmax = threshold_at(spec_.kmax, rate, base_rate_);
  if (queue >= kmax) return 1;
  return queue <= kmin ? 0 : spec_.pmax * (queue - kmin) / (kmax - kmin);
}

bool RedMarking::marks(const PortState& port) const {
  const double probability = this->probability(port.queue_bytes, port.bits_per_second);
  if (probability <= 0 || probability >= 1) return probability > 0;
  const uint64_t element = uint64_t{port.element} << 16 | static_cast<uint64_t>(port.port);
  return RandomStream(seed_, element, RandomPurpose::kCongestionMark).unit_at(port.sent_packets) < probability;
}

const experiment::CongestionCheck& dcqcn() {
  static const DcqcnKind kind;
  return kind;
}

}  // namespace fabrictwin::congestion

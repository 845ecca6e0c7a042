// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/congestion/ib_cca.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string_view>
#include <utility>

#include "cosim/base/random.h"
#include "fmt/format.h"
#include "models/congestion/scheme_kind.h"
#include "models/congestion/thresholds.h"

namespace fabrictwin::congestion {
namespace {

constexpr int64_t kTimerUnit = 1'024'000'000;  ///< In femtoseconds.
constexpr int32_t kSizeUnit = 64;              ///< In bytes.
constexpr int32_t kSteps = 16;                 ///< The threshold is in this many steps.
/// The multiplier of a table entry has 14 bits, its shift two, an index 14.
constexpr int32_t kMostMultiplier = (1 << 14) - 1;
constexpr int32_t kMostShift = 3;
constexpr int32_t kMost16Bits = 65'535;

class IbCca final : public Scheme {
 public:
  explicit IbCca(IbCcaSpec spec) : spec_(std::move(spec)) {}

  std::string_view name() const override { return "ib_cca"; }
  std::unique_ptr<FlowControl> make_flow(const FlowControl::Path& path) const override {
    return std::make_unique<IbCcaFlow>(spec_, path);
  }
  std::unique_ptr<SwitchSide> make_switch(uint64_t seed, int64_t base_rate) const override {
    return std::make_unique<CcaMarking>(spec_, seed, base_rate);
  }
  bool notifies(ReceiverState& /*receiver*/, bool marked, int64_t /*now*/) const override { return marked; }

 private:
  IbCcaSpec spec_;
};

class IbCcaKind final : public SchemeKindOf<v1::Congestion::kIbCca, v1::IbCca> {
  std::shared_ptr<const Scheme> make(const v1::IbCca& message, const experiment::MessageReader& reader) const override {
    IbCcaSpec spec;
    spec.threshold = reader.number("threshold", 0, kSteps - 1);
    spec.buffer = check_size(reader, "buffer");
    spec.marking_rate = reader.number("marking_rate", 0, kMost16Bits);
    spec.least_packet = kSizeUnit * reader.number("packet_size", 0, 255);
    spec.victim_mask = reader.flag("victim_mask");
    spec.increase = reader.number("increase", 1, kMostMultiplier);
    spec.limit = reader.number("limit", 1, kMostMultiplier);
    spec.least = reader.number("least", 0, kMostMultiplier);
    spec.timer = kTimerUnit * reader.number("timer", 1, kMost16Bits);
    if (spec.least > spec.limit) {
      reader.complain_near("least",
                           fmt::format("least {} is above limit {}: they bound the index into the table; write a least "
                                       "of at most that",
                                       spec.least, spec.limit));
    }
    spec.gaps = table(message, reader, spec.limit);
    return std::make_shared<const IbCca>(std::move(spec));
  }

  static std::vector<double> table(const v1::IbCca& message, const experiment::MessageReader& reader, int32_t limit) {
    const double scale = std::ldexp(1, -reader.number("shift", 0, kMostShift));
    std::vector<double> gaps;
    if (message.table().empty()) {
      for (int32_t i = 0; i <= limit; ++i) gaps.push_back(scale * i);
      return gaps;
    }
    for (const int32_t entry : reader.numbers("table", 0, kMostMultiplier)) gaps.push_back(scale * entry);
    const auto entries = static_cast<int32_t>(gaps.size());
    if (limit >= entries) {
      reader.complain_near("limit", fmt::format("limit {} is beyond the table, which has {} entries; write a limit "
                                                "below that, or more entries",
                                                limit, entries));
      gaps.resize(static_cast<size_t>(limit) + 1, 0);
    }
    return gaps;
  }
};

}  // namespace

void IbCcaFlow::set_rate() {
  rate_ = static_cast<double>(path_.line_rate) / (1 + spec_.gaps[static_cast<size_t>(index_)]);
}

void IbCcaFlow::raise() {
  index_ = std::min(index_ + spec_.increase, spec_.limit);
  set_rate();
}

void IbCcaFlow::fall() {
  index_ = std::max(index_ - 1, spec_.least);
  set_rate();
}

void IbCcaFlow::notified(int64_t now) {
  raise();
  if (next_timer_ == kNever) next_timer_ = now + spec_.timer;
}

void IbCcaFlow::timer(int64_t now) {
  fall();
  next_timer_ = index_ > spec_.least ? now + spec_.timer : kNever;
}

bool CcaMarking::marks(const PortState& port) const {
  if (spec_.threshold == 0 || port.packet_bytes < spec_.least_packet) return false;
  const double threshold =
      threshold_at(spec_.buffer, port.bits_per_second, base_rate_) * (kSteps - spec_.threshold) / kSteps;
  if (static_cast<double>(port.queue_bytes) <= threshold) return false;
  const bool root = !port.blocked || (spec_.victim_mask && port.to_host);
  if (!root) return false;
  if (spec_.marking_rate == 0) return true;
  const uint64_t element = uint64_t{port.element} << 16 | static_cast<uint64_t>(port.port);
  return RandomStream(seed_, element, RandomPurpose::kCongestionMark).unit_at(port.sent_packets) *
             (spec_.marking_rate + 1) <
         1;
}

const experiment::CongestionCheck& ib_cca() {
  static const IbCcaKind kind;
  return kind;
}

}  // namespace fabrictwin::congestion

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/congestion/ib_cca.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string_view>
#include <utility>

#include "cosim/base/random.h"
#include "cosim/experiment/hardware_congestion.h"
#include "cosim/link/packet.h"
#include "fmt/format.h"
#include "models/congestion/scheme_kind.h"
#include "models/congestion/thresholds.h"

namespace fabrictwin::congestion {
namespace {

using experiment::GapReaction;
using experiment::HardwareCongestion;

constexpr int32_t kSizeUnit = 64;  ///< In bytes.
constexpr int32_t kMostSize = 255;
constexpr int32_t kSteps = HardwareCongestion::kSteps;
/// The multiplier of a table entry has 14 bits, its shift two, an index 14.
constexpr int32_t kMostMultiplier = (1 << 14) - 1;
constexpr int32_t kMostShift = 3;
constexpr int32_t kMost16Bits = 65'535;
/// The largest packet of routers that only mark, in units of `packet_size`.
constexpr int32_t kMostHardwareSize = link::kMaxPacketWords * link::kWordBytes / kSizeUnit;

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
    spec.least_packet = kSizeUnit * reader.number("packet_size", 0, kMostSize);
    spec.victim_mask = reader.flag("victim_mask");
    spec.increase = reader.number("increase", 1, kMostMultiplier);
    spec.limit = reader.number("limit", 1, kMostMultiplier);
    spec.least = reader.number("least", 0, kMostMultiplier);
    spec.timer = GapReaction::kTimerUnit * reader.number("timer", 1, kMost16Bits);
    check_bounds(spec.least, spec.limit, reader);
    const double scale = std::ldexp(1, -reader.number("shift", 0, kMostShift));
    for (const int32_t entry : table(message, reader, spec.limit)) spec.gaps.push_back(scale * entry);
    return std::make_shared<const IbCca>(std::move(spec));
  }

  bool in_hardware() const override { return true; }

  HardwareCongestion check_hardware(const v1::Congestion& congestion, const experiment::TopologyTraits& traits,
                                    experiment::FieldChecker& fields) const override {
    const v1::IbCca& message = congestion.ib_cca();
    const experiment::MessageReader reader(message, "congestion.ib_cca", fields);
    HardwareCongestion made;
    made.threshold = reader.number("threshold", 0, kSteps - 1);
    if (reader.has("buffer")) made.buffer = Bytes{check_size(reader, "buffer")};
    made.buffer_location = fields.locations().find(reader.has("buffer") ? reader.path_of("buffer") : reader.path());
    made.marking_rate = reader.number("marking_rate", 0, kMost16Bits);
    const int32_t size = reader.number("packet_size", 0, kMostSize, reader.exanet_default_number("packet_size"));
    if (size > kMostHardwareSize) {
      reader.complain("packet_size",
                      fmt::format("packet_size {}: no packet of these routers has {} bytes; write at most {}, which is "
                                  "the default",
                                  size, kSizeUnit * size, kMostHardwareSize));
    }
    made.least_words = (kSizeUnit * size + link::kWordBytes - 1) / link::kWordBytes;
    made.hosts = reader.flag("victim_mask");
    GapReaction& reaction = made.reaction;
    reaction.increase = reader.number("increase", 1, GapReaction::kEntries - 1);
    reaction.limit = reader.number("limit", 1, GapReaction::kEntries - 1);
    reaction.least = reader.number("least", 0, GapReaction::kEntries - 1);
    reaction.timer = reader.number("timer", 1, kMost16Bits);
    check_bounds(reaction.least, reaction.limit, reader);
    reaction.table = table(message, reader, reaction.limit);
    reaction.shift = reader.number("shift", 0, kMostShift);
    if (reaction.table.size() > GapReaction::kEntries) {
      reader.complain(fmt::format("table[{}]", GapReaction::kEntries),
                      fmt::format("the table has {} entries, and that of these network interfaces {}; leave the last "
                                  "ones out",
                                  reaction.table.size(), GapReaction::kEntries));
    }
    if (traits.nodes) check_gaps(reaction, reader);
    return made;
  }

  /// A node that waits too long for the next cell of a transfer gives it up, so that its sender would begin anew again
  /// and again. Other network interfaces wait for any time.
  static void check_gaps(const GapReaction& reaction, const experiment::MessageReader& reader) {
    constexpr int64_t kCell = link::kMaxPacketWords;
    // From one cell to the next one. The last tick may have begun before the first cell came.
    constexpr int64_t kMost = (GapReaction::kLifetime - 1) * GapReaction::kTickWords;
    // An index of zero is no gap, and indices below the least do not occur.
    for (int32_t index = std::max(1, reaction.least); index <= reaction.limit; ++index) {
      const int64_t gap = reaction.gap(kCell, index);
      if (kCell + gap <= kMost) continue;
      return reader.complain(
          fmt::format("table[{}]", index),
          fmt::format("table {}: the gap behind a full cell would be {} cycles, and nodes give up a transfer of which "
                      "nothing comes for {} (lifetime, {} ticks of {}); write at most {}, or a larger shift",
                      reaction.table[static_cast<size_t>(index)], gap, GapReaction::kLifetime * GapReaction::kTickWords,
                      GapReaction::kLifetime, GapReaction::kTickWords,
                      (((kMost - kCell + 1) << reaction.shift) - 1) / kCell));
    }
  }

  static void check_bounds(int32_t least, int32_t limit, const experiment::MessageReader& reader) {
    if (least <= limit) return;
    complain_of_order(reader, {.low_name = "least",
                               .low = fmt::to_string(least),
                               .high_name = "limit",
                               .high = fmt::to_string(limit),
                               .why = "they bound the index into the table"});
  }

  static std::vector<int32_t> table(const v1::IbCca& message, const experiment::MessageReader& reader, int32_t limit) {
    std::vector<int32_t> entries;
    if (message.table().empty()) {
      for (int32_t i = 0; i <= limit; ++i) entries.push_back(i);
      return entries;
    }
    entries = reader.numbers("table", 0, kMostMultiplier);
    const auto count = static_cast<int32_t>(entries.size());
    if (limit >= count) {
      const bool written = reader.has("limit");
      reader.complain(
          written ? "limit" : fmt::format("table[{}]", count - 1),
          fmt::format("limit {}{} is beyond the table, which has {} {}; write {}{} entries or more", limit,
                      written ? "" : " (its default)", count, count == 1 ? "entry" : "entries",
                      count > 1 ? fmt::format("a limit of at most {}, or ", count - 1) : std::string(), limit + 1));
      entries.resize(static_cast<size_t>(limit) + 1, 0);
    }
    return entries;
  }
};

}  // namespace

void IbCcaFlow::set_rate() {
  rate_ = static_cast<double>(path_.line_rate) / (1 + spec_.gaps[static_cast<size_t>(index_.index())]);
}

void IbCcaFlow::raise() {
  index_.raise();
  set_rate();
}

void IbCcaFlow::fall() {
  index_.fall();
  set_rate();
}

void IbCcaFlow::notified(int64_t now) {
  index_.notified(now);
  next_timer_ = index_.next_timer();
  set_rate();
}

void IbCcaFlow::timer(int64_t now) {
  index_.timer(now);
  next_timer_ = index_.next_timer();
  set_rate();
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

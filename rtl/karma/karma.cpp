// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "rtl/karma/karma.h"

#include <cmath>

#include "fmt/format.h"

namespace fabrictwin::rtl::karma {
namespace {

constexpr uint32_t kPings = 8;
// Far longer than the largest packet takes through everything there is.
constexpr uint64_t kPatience = 20'000;

absl::Status check(const Options& options) {
  if (options.payload_bytes < 0 || options.payload_bytes > kKarmaMaxPayload) {
    return absl::InvalidArgumentError(
        fmt::format("a packet has 0 to {} bytes of payload, not {}", kKarmaMaxPayload, options.payload_bytes));
  }
  if (options.senders < 1 || options.senders > 2) {
    return absl::InvalidArgumentError(fmt::format("there are 1 or 2 senders, not {}", options.senders));
  }
  if (options.packets < 2) return absl::InvalidArgumentError("bandwidth is measured between packets: at least 2");
  if (!(options.error_rate >= 0 && options.error_rate < 1)) {
    return absl::InvalidArgumentError(fmt::format("an error rate is from 0 to below 1, not {}", options.error_rate));
  }
  const bool node = options.top == TopKind::kNode;
  const int most = node ? kKarmaNodes - 1 : 0;
  if (options.hops < 0 || options.hops > most) {
    return absl::InvalidArgumentError(
        node ? fmt::format("the row of {} nodes has 0 to {} hops, not {}", kKarmaNodes, most, options.hops)
             : "hops are for the row of nodes (--top node)");
  }
  if (options.top == TopKind::kRouter && options.error_rate > 0) {
    return absl::InvalidArgumentError("a router alone has no link on which bits could be wrong");
  }
  return absl::OkStatus();
}

class SelfTest {
 public:
  explicit SelfTest(const Options& options) : options_(options), top_(Top::create(options.top)) {
    pins_.payload_bytes = static_cast<uint16_t>(options.payload_bytes);
    pins_.hops = static_cast<uint8_t>(options.hops);
  }

  absl::StatusOr<Result> run() {
    if (absl::Status status = measure_latency(); !status.ok()) return status;
    if (absl::Status status = measure_bandwidth(); !status.ok()) return status;
    result_.cycles = cycles_;
    return result_;
  }

 private:
  absl::Status measure_latency() {
    pins_.ping = true;
    pins_.senders = 1;
    pins_.packets = kPings;
    begin();
    wait([this] { return top_->echo().packets; }, kPings);
    const Counts echo = top_->echo();
    if (echo.packets != kPings) return stopped("answers", echo.packets, kPings);
    // What sums up the answers has waited for the question, too.
    result_.one_way_cycles = top_->sink().latency_min;
    result_.round_trip_ns = echo.latency_min * kKarmaCycleNs;
    result_.errors += echo.errors + top_->sink().errors;
    return absl::OkStatus();
  }

  absl::Status measure_bandwidth() {
    const bool both_arrive = options_.senders == 2 && options_.top != TopKind::kLink;
    const uint64_t expected = uint64_t{options_.packets} * (both_arrive ? 2 : 1);
    pins_.ping = false;
    pins_.senders = options_.senders == 2 ? 3 : 1;
    pins_.packets = options_.packets;
    pins_.error_rate = static_cast<uint32_t>(std::ldexp(options_.error_rate, 32));
    begin();
    wait([this] { return top_->sink().packets; }, expected);
    const Counts sink = top_->sink();
    if (sink.packets < expected && options_.error_rate == 0) return stopped("packets", sink.packets, expected);
    if (top_->busy()) return absl::InternalError("a generator of the RTL is busy after its last packet has arrived");
    if (options_.top != TopKind::kLink && top_->echo().begun > 0)
      return absl::InternalError("the receiver of the RTL sends packets as well");
    result_.packets = sink.packets;
    result_.errors += sink.errors + (expected - sink.packets);
    const bool link = options_.top == TopKind::kLink || options_.hops > 0;
    if (sink.cycles > 0) {
      const double bytes_a_cycle = static_cast<double>(sink.bytes) / sink.cycles;
      result_.efficiency = bytes_a_cycle / (link ? 8 : 16);
      result_.payload_gbps = bytes_a_cycle * 8 / kKarmaCycleNs;
    }
    return absl::OkStatus();
  }

  void begin() {
    Pins reset = pins_;
    reset.reset = true;
    for (int i = 0; i < 4; ++i) edge(reset);
    // Links begin with a word or two of their own.
    for (int i = 0; i < 200; ++i) edge(pins_);
    Pins start = pins_;
    start.start = true;
    edge(start);
  }

  // Until as many have arrived, or for a long time none.
  template <class Count>
  void wait(const Count& arrived, uint64_t expected) {
    uint64_t seen = 0;
    for (uint64_t quiet = 0; seen < expected && quiet < kPatience; ++quiet) {
      edge(pins_);
      const uint64_t now = arrived();
      if (now != seen) quiet = 0;
      seen = now;
    }
  }

  void edge(const Pins& pins) {
    top_->edge(pins);
    ++cycles_;
  }

  absl::Status stopped(const char* what, uint64_t arrived, uint64_t expected) const {
    return absl::DeadlineExceededError(
        fmt::format("the RTL stands still at cycle {}: {} of {} {} have arrived", cycles_, arrived, expected, what));
  }

  Options options_;
  std::unique_ptr<Top> top_;
  Pins pins_;
  Result result_;
  uint64_t cycles_ = 0;
};

}  // namespace

absl::StatusOr<Result> run_karma(const Options& options) {
  if (absl::Status status = check(options); !status.ok()) return status;
  return SelfTest(options).run();
}

}  // namespace fabrictwin::rtl::karma

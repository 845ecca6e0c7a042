// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Swift: Kumar et al., "Swift: delay is simple and effective for congestion control in the datacenter", SIGCOMM 2020.
// docs/models/swift.md
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>

#include "fmt/format.h"
#include "models/congestion/scheme_kind.h"

namespace fabrictwin::congestion {
namespace {

/// Times are femtoseconds, windows packets.
struct SwiftSpec {
  double base_target = 0;
  double hop_target = 0;
  double additive_increase = 0;
  double decrease = 0;
  double most_decrease = 0;
  double flow_range = 0;
  double least_flow_window = 0;
  double most_flow_window = 0;
  double least_window = 0;
  double most_window = 0;  ///< 0: by the target.
};

class SwiftFlow final : public FlowControl {
 public:
  SwiftFlow(const SwiftSpec& spec, const Path& path)
      : FlowControl(path),
        spec_(spec),
        target_(spec.base_target + spec.hop_target * path.switches),
        most_(std::max(spec.most_window > 0 ? spec.most_window : packets_in(2 * target_), spec.least_window)),
        packets_(std::clamp(packets_in(static_cast<double>(path.round_trip)), spec.least_window, most_)) {
    set(static_cast<double>(path.round_trip));
  }

  /// The largest window, in packets.
  double most() const { return most_; }

  void acknowledged(const Feedback& feedback) override {
    const auto delay = static_cast<double>(feedback.round_trip);
    const double target = target_ + for_window();
    if (delay < target) {
      const double acknowledged = static_cast<double>(feedback.bytes) / path_.payload;
      packets_ += spec_.additive_increase * acknowledged / std::max(packets_, 1.0);
    } else if (feedback.now - last_decrease_ >= feedback.round_trip) {
      const double factor = 1 - spec_.decrease * (delay - target) / delay;
      packets_ *= std::max(factor, 1 - spec_.most_decrease);
      last_decrease_ = feedback.now;
    }
    packets_ = std::clamp(packets_, spec_.least_window, most_);
    set(delay);
  }

 private:
  /// Packets that the line rate sends in a time.
  double packets_in(double time) const {
    return static_cast<double>(path_.line_rate) * time / (8e15 * path_.max_packet);
  }
  /// What a small window adds to the target.
  double for_window() const {
    const double least = 1 / std::sqrt(spec_.most_flow_window);
    const double most = 1 / std::sqrt(spec_.least_flow_window);
    return spec_.flow_range * std::clamp((1 / std::sqrt(packets_) - least) / (most - least), 0.0, 1.0);
  }
  // Below one packet, the window is a rate: a packet in so many round trips.
  void set(double round_trip) {
    const auto line = static_cast<double>(path_.line_rate);
    window_ = static_cast<int64_t>(std::max(packets_, 1.0) * path_.payload);
    rate_ = packets_ >= 1 ? line : std::min(line, 8e15 * path_.max_packet * packets_ / round_trip);
  }

  const SwiftSpec& spec_;
  const double target_;  ///< Without what depends on the window.
  const double most_;
  double packets_;  ///< The window.
  int64_t last_decrease_ = std::numeric_limits<int64_t>::min() / 2;
};

class Swift final : public Scheme {
 public:
  explicit Swift(const SwiftSpec& spec) : spec_(spec) {}

  std::string_view name() const override { return "swift"; }
  std::unique_ptr<FlowControl> make_flow(const FlowControl::Path& path) const override {
    return std::make_unique<SwiftFlow>(spec_, path);
  }
  std::optional<WindowBounds> window_bounds(const FlowControl::Path& path) const override {
    // One packet may always be sent, and a most_window that is written is not below least_window.
    if (spec_.least_window <= 1 || spec_.most_window > 0) return std::nullopt;
    SwiftSpec free = spec_;
    free.least_window = 0;
    const double most = SwiftFlow(free, path).most();
    return WindowBounds{.least = spec_.least_window,
                        .most = most,
                        .least_text = fmt::to_string(spec_.least_window),
                        .most_text = fmt::format("have {:.1f} packets at most, what the link of a host sends in twice "
                                                 "the target",
                                                 most)};
  }

 private:
  SwiftSpec spec_;
};

class SwiftKind final : public SchemeKindOf<v1::Congestion::kSwift, v1::Swift> {
  std::shared_ptr<const Scheme> make(const v1::Swift& message, const experiment::MessageReader& reader) const override {
    constexpr double kLeast = 1e-4;
    constexpr double kMost = 1e6;
    constexpr double kRangeOfBase = 5;
    const auto number = [&](std::string_view name, double value) {
      return check_real(reader, name, value, kLeast, kMost, reader.default_real(name));
    };
    SwiftSpec spec;
    spec.base_target = static_cast<double>(check_time(reader, "base_target"));
    spec.hop_target = static_cast<double>(reader.quantity<Time>("hop_target", parse_time).fs());
    spec.additive_increase = number("additive_increase", message.additive_increase());
    spec.decrease = check_share(reader, "decrease", message.decrease());
    spec.most_decrease = check_share(reader, "most_decrease", message.most_decrease());
    spec.flow_range =
        reader.has("flow_range")
            ? static_cast<double>(reader.parsed<Time>("flow_range", parse_time).value_or(Time::zero()).fs())
            : kRangeOfBase * spec.base_target;
    spec.least_flow_window = number("least_flow_window", message.least_flow_window());
    spec.most_flow_window = number("most_flow_window", message.most_flow_window());
    // A window that was refused has been told of.
    const auto taken = [&](std::string_view name, double written, double value) {
      return !reader.has(name) || written == value;
    };
    if (spec.least_flow_window >= spec.most_flow_window &&
        taken("least_flow_window", message.least_flow_window(), spec.least_flow_window) &&
        taken("most_flow_window", message.most_flow_window(), spec.most_flow_window)) {
      complain_of_order(reader, {.low_name = "least_flow_window",
                                 .low = fmt::to_string(spec.least_flow_window),
                                 .high_name = "most_flow_window",
                                 .high = fmt::to_string(spec.most_flow_window),
                                 .why = "the target falls from the one to the other",
                                 .equal = false});
    }
    spec.least_window = number("least_window", message.least_window());
    spec.most_window = check_real(reader, "most_window", message.most_window(), kLeast, kMost, 0);
    if (spec.most_window > 0 && spec.least_window > spec.most_window &&
        taken("least_window", message.least_window(), spec.least_window)) {
      complain_of_order(reader, {.low_name = "least_window",
                                 .low = fmt::to_string(spec.least_window),
                                 .high_name = "most_window",
                                 .high = fmt::to_string(spec.most_window),
                                 .why = "the window stays between the two"});
    }
    return std::make_shared<const Swift>(spec);
  }
};

}  // namespace

const experiment::CongestionCheck& swift() {
  static const SwiftKind kind;
  return kind;
}

}  // namespace fabrictwin::congestion

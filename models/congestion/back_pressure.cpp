// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Back-pressure for each pair of hosts, in the manner of Slingshot: De Sensi et al., "An in-depth analysis of the
// Slingshot interconnect", SC 2020. docs/models/back-pressure.md
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "cosim/base/quantity.h"
#include "fmt/format.h"
#include "models/congestion/round_trips.h"
#include "models/congestion/scheme_kind.h"

namespace fabrictwin::congestion {
namespace {

struct BackPressureSpec {
  StopAndResume thresholds;
  int64_t least_window = 0;  ///< In bytes.
};

/// The window is at first what the path holds. Once in a round trip it is halved, or grows by an eighth.
class BackPressureFlow final : public FlowControl {
 public:
  BackPressureFlow(const BackPressureSpec& spec, const Path& path)
      : FlowControl(path), spec_(spec), most_(std::max<int64_t>(full_window(path, path.round_trip), path.payload)) {
    window_ = most_;
  }

  void acknowledged(const Feedback& feedback) override {
    if (!trips_.over(feedback) || feedback.path->hops.empty()) return;
    const int64_t queue = feedback.path->hops.back().queue_bytes;
    if (queue > spec_.thresholds.stop) {
      window_ = std::max(window_ / 2, std::min(spec_.least_window, most_));
    } else if (queue < spec_.thresholds.resume) {
      window_ = std::min(window_ + std::max<int64_t>(window_ / 8, path_.payload), most_);
    }
  }

 private:
  const BackPressureSpec& spec_;
  const int64_t most_;
  RoundTrips trips_;
};

/// Outputs to hosts tell how much waits for the host.
class LastOutput final : public SwitchSide {
 public:
  void record(const PortState& port, PathRecord& path) override {
    if (port.to_host) add_hop(port, path);
  }
};

class BackPressure final : public Scheme {
 public:
  explicit BackPressure(const BackPressureSpec& spec) : spec_(spec) {}

  std::string_view name() const override { return "back_pressure"; }
  std::optional<WindowBounds> window_bounds(const FlowControl::Path& path) const override {
    // A packet may always be sent.
    if (spec_.least_window <= path.payload) return std::nullopt;
    const int64_t most = BackPressureFlow(spec_, path).window();
    return WindowBounds{.least = static_cast<double>(spec_.least_window),
                        .most = static_cast<double>(most),
                        .least_text = to_string(Bytes{spec_.least_window}),
                        .most_text = fmt::format("begin with {} at most, what the link of a host sends in a round trip "
                                                 "of the empty network, rounded up to packets where they are few",
                                                 to_string(Bytes{most}))};
  }
  std::unique_ptr<FlowControl> make_flow(const FlowControl::Path& path) const override {
    return std::make_unique<BackPressureFlow>(spec_, path);
  }
  std::unique_ptr<SwitchSide> make_switch(uint64_t /*seed*/, int64_t /*base_rate*/) const override {
    return std::make_unique<LastOutput>();
  }
  bool telemetry() const override { return true; }

 private:
  BackPressureSpec spec_;
};

class BackPressureKind final : public SchemeKindOf<v1::Congestion::kBackPressure, v1::BackPressure> {
  std::shared_ptr<const Scheme> make(const v1::BackPressure& /*message*/,
                                     const experiment::MessageReader& reader) const override {
    BackPressureSpec spec;
    spec.thresholds = check_stop(reader);
    // One packet may always be on its way.
    spec.least_window = reader.has("least_window") ? check_size(reader, "least_window") : 1;
    return std::make_shared<const BackPressure>(spec);
  }
};

}  // namespace

const experiment::CongestionCheck& back_pressure() {
  static const BackPressureKind kind;
  return kind;
}

}  // namespace fabrictwin::congestion

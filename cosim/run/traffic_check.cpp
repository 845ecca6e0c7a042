// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/traffic_check.h"

#include <fmt/format.h>

#include <limits>
#include <string>

#include "cosim/run/experiment_syntax.h"

namespace fabrictwin {
namespace {

constexpr int64_t kMinPayload = 32;
constexpr int64_t kMaxPayload = 256;
constexpr int32_t kMaxCycles = 1'000'000'000;
constexpr int32_t kMaxSamples = 1'000'000;

void check_hotspot(const v1::Traffic& traffic, TrafficSpec& spec, FieldChecker& fields) {
  static constexpr std::string_view kFraction = "workload.traffic.hotspot_fraction";
  if (fields.places().has(std::string(kFraction))) {
    spec.hotspot_fraction = traffic.hotspot_fraction();
    if (!(spec.hotspot_fraction > 0 && spec.hotspot_fraction <= 1)) {
      fields.complain(kFraction, fmt::format("hotspot_fraction {}: it is a share of the packets, above 0 and at most 1",
                                             spec.hotspot_fraction));
    } else if (spec.pattern != v1::HOTSPOT) {
      fields.complain(kFraction, "hotspot_fraction is for pattern: HOTSPOT; write that, or leave it out");
    }
  }
  if (traffic.hotspot_hosts().empty()) return;
  spec.hotspot_hosts.assign(traffic.hotspot_hosts().begin(), traffic.hotspot_hosts().end());
  if (spec.pattern != v1::HOTSPOT) {
    fields.complain("workload.traffic.hotspot_hosts[0]",
                    "hotspot_hosts are for pattern: HOTSPOT; write that, or leave them out");
  }
}

void check_samples(const v1::Traffic& traffic, TrafficSpec& spec, FieldChecker& fields) {
  spec.sample_cycles = fields.number("workload.traffic.sample_cycles", traffic.sample_cycles(), 5000, 1, kMaxCycles);
  spec.warmup_samples = fields.number("workload.traffic.warmup_samples", traffic.warmup_samples(), 3, 1, kMaxSamples);
  spec.max_samples = fields.number("workload.traffic.max_samples", traffic.max_samples(), 10, 2, kMaxSamples);
  spec.latency_limit_cycles =
      fields.number("workload.traffic.latency_limit_cycles", traffic.latency_limit_cycles(), 3000, 1, kMaxCycles);
  if (spec.max_samples <= spec.warmup_samples) {
    fields.complain(
        fields.places().has("workload.traffic.max_samples") ? "workload.traffic.max_samples"
                                                            : "workload.traffic.warmup_samples",
        fmt::format("{} samples with {} of warm-up: nothing would be measured; write max_samples: {} or more",
                    spec.max_samples, spec.warmup_samples, spec.warmup_samples + 1));
  }
}

}  // namespace

TrafficSpec check_traffic(const Experiment& experiment, FieldChecker& fields) {
  const v1::Traffic& traffic = experiment.message.workload().traffic();
  const PlaceMap& places = fields.places();
  TrafficSpec spec;
  spec.pattern = traffic.pattern() == v1::TRAFFIC_PATTERN_UNSPECIFIED ? v1::UNIFORM : traffic.pattern();
  if (!v1::TrafficPattern_IsValid(traffic.pattern())) {
    fields.complain("workload.traffic.pattern", fmt::format("unknown pattern; write one of {}",
                                                            comma_list(enum_names(*v1::TrafficPattern_descriptor()))));
    spec.pattern = v1::UNIFORM;
  }
  spec.load = traffic.load();
  if (spec.load == 0 && !places.has("workload.traffic.load")) {
    fields.complain("workload.traffic",
                    "the traffic has no load; write load: 0.3, a fraction of the link rate above 0 and at most 1");
  } else if (!(spec.load > 0 && spec.load <= 1)) {
    fields.complain("workload.traffic.load",
                    fmt::format("load {}: it is a fraction of the link rate, above 0 and at most 1", spec.load));
  }
  spec.payload = fields.quantity<Bytes>("workload.traffic.payload", traffic.payload(), "256B", parse_bytes)
                     .value_or(Bytes{kMaxPayload});
  if (spec.payload.count < kMinPayload || spec.payload.count > kMaxPayload) {
    fields.complain(
        "workload.traffic.payload",
        fmt::format("payload {}: a packet holds an envelope of {} bytes and {} bytes in all; write {}B to {}B",
                    to_string(spec.payload), kMinPayload, kMaxPayload, kMinPayload, kMaxPayload));
    spec.payload = Bytes{kMaxPayload};
  }
  check_hotspot(traffic, spec, fields);
  spec.include_self = traffic.include_self();

  const bool sampled = experiment.router.model == v1::INPUT_QUEUED;
  const auto duration = fields.quantity<Time>("workload.traffic.duration", traffic.duration(), "20us", parse_time);
  spec.duration = duration.value_or(Time::from_us(20));
  if (sampled) {
    check_samples(traffic, spec, fields);
    if (places.has("workload.traffic.duration")) {
      fields.complain("workload.traffic.duration",
                      "traffic through routers of the model INPUT_QUEUED is measured in sample periods; write "
                      "sample_cycles, warmup_samples and max_samples instead of duration");
    }
    return spec;
  }
  if (duration.has_value() && *duration == Time::zero()) {
    fields.complain("workload.traffic.duration",
                    "duration 0: no packet would be generated; write a time such as \"20us\"");
  }
  for (const std::string_view field : {"sample_cycles", "warmup_samples", "max_samples", "latency_limit_cycles"}) {
    const std::string path = fmt::format("workload.traffic.{}", field);
    if (places.has(path)) {
      fields.complain(path, fmt::format("{} is for routers of the model INPUT_QUEUED, and these are EXANET; write "
                                        "duration instead",
                                        field));
    }
  }
  return spec;
}

}  // namespace fabrictwin

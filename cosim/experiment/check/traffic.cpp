// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/experiment/check/traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "cosim/experiment/syntax.h"

namespace fabrictwin::experiment {
namespace {

constexpr int64_t kMinPayload = 32;
constexpr int64_t kMaxPayload = 256;
constexpr int32_t kMaxCycles = 1'000'000'000;
constexpr int32_t kMaxSamples = 1'000'000;
constexpr int32_t kMaxWindow = 65536;
constexpr double kMaxBurst = 1e6;

/// Checks the numbers of hosts in a list: no number may be negative or appear twice.
void check_hosts(std::string_view field, const std::vector<int32_t>& hosts, FieldChecker& fields) {
  std::set<int32_t> known;
  for (size_t i = 0; i < hosts.size(); ++i) {
    const std::string path = fmt::format("workload.traffic.{}[{}]", field, i);
    if (hosts[i] < 0) fields.complain(path, fmt::format("{} {}: hosts are numbered from 0", field, hosts[i]));
    if (!known.insert(hosts[i]).second)
      fields.complain(path, fmt::format("{} has host {} twice; write each host once", field, hosts[i]));
  }
}

void check_hotspot(const v1::Traffic& traffic, TrafficSpec& spec, FieldChecker& fields) {
  static constexpr std::string_view kFraction = "workload.traffic.hotspot_fraction";
  if (fields.locations().has(std::string(kFraction))) {
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
  } else {
    check_hosts("hotspot_hosts", spec.hotspot_hosts, fields);
  }
}

/// Adds a diagnostic if a field is written that needs `kind` ("pattern: INCAST") and this traffic is of another kind.
void only_with(std::string_view field, std::string_view kind, bool is_kind, FieldChecker& fields) {
  const std::string path = fmt::format("workload.traffic.{}", field);
  if (is_kind || !(fields.locations().has(path) || fields.locations().has(path + "[0]"))) return;
  fields.complain(path, fmt::format("{} is for {}; write that, or leave it out", field, kind));
}

/// Reads a number from `least` to `most`, or `fallback` if it was left out.
double real_number(std::string_view field, double value, double fallback, double least, double most,
                   FieldChecker& fields) {
  const std::string path = fmt::format("workload.traffic.{}", field);
  if (!fields.locations().has(path)) return fallback;
  if (value >= least && value <= most) return value;
  fields.complain(path, fmt::format("{} {}: write {} to {}; the default is {}", field, value, least, most, fallback));
  return fallback;
}

// Whether the hosts exist is checked when the workload is built.
void check_incast(const v1::Traffic& traffic, TrafficSpec& spec, FieldChecker& fields) {
  const bool incast = spec.pattern == v1::INCAST;
  for (const std::string_view field : {"incast_sources", "incast_fan_in", "incast_destination"})
    only_with(field, "pattern: INCAST", incast, fields);
  if (!incast) return;
  spec.incast_sources.assign(traffic.incast_sources().begin(), traffic.incast_sources().end());
  spec.incast_destination = traffic.incast_destination();
  check_hosts("incast_sources", spec.incast_sources, fields);
  for (size_t i = 0; i < spec.incast_sources.size(); ++i) {
    if (spec.incast_sources[i] != spec.incast_destination) continue;
    fields.complain(fmt::format("workload.traffic.incast_sources[{}]", i),
                    fmt::format("incast_sources has host {}, which is incast_destination; a host does not send to "
                                "itself",
                                spec.incast_destination));
  }
  if (spec.incast_destination < 0) {
    fields.complain("workload.traffic.incast_destination",
                    fmt::format("incast_destination {}: hosts are numbered from 0", spec.incast_destination));
  }
  static constexpr std::string_view kFanIn = "workload.traffic.incast_fan_in";
  spec.incast_fan_in = traffic.incast_fan_in();
  if (spec.incast_fan_in < 1 && fields.locations().has(std::string(kFanIn))) {
    fields.complain(kFanIn, fmt::format("incast_fan_in {}: write 1 to the number of hosts less one; by default all "
                                        "others send",
                                        spec.incast_fan_in));
  }
  if (spec.incast_fan_in > 0 && !spec.incast_sources.empty())
    fields.complain(kFanIn, "incast_fan_in and incast_sources say the same; write one of them");
}

void check_permutation(const v1::Traffic& traffic, TrafficSpec& spec, FieldChecker& fields) {
  const bool permutation = spec.pattern == v1::PERMUTATION;
  only_with("permutation_file", "pattern: PERMUTATION", permutation, fields);
  if (!permutation) return;
  spec.permutation_file = traffic.permutation_file();
  if (spec.permutation_file.empty()) {
    fields.complain("workload.traffic.pattern",
                    "pattern PERMUTATION needs permutation_file: \"FILE\", a text file with the destination of each "
                    "host");
  }
}

void check_load(const v1::Traffic& traffic, TrafficSpec& spec, FieldChecker& fields) {
  static constexpr std::string_view kLoad = "workload.traffic.load";
  spec.load = traffic.load();
  if (spec.process == v1::CLOSED_LOOP) {
    if (spec.load != 0) {
      fields.complain(kLoad,
                      fmt::format("load {}: with process: CLOSED_LOOP the window decides how much is sent; leave load "
                                  "out (--set {}=0)",
                                  spec.load, kLoad));
    }
  } else if (spec.load == 0 && !fields.locations().has(std::string(kLoad))) {
    fields.complain("workload.traffic",
                    "the traffic has no load; write load: 0.3, a fraction of the link rate above 0 and at most 1");
  } else if (!(spec.load > 0 && spec.load <= 1)) {
    fields.complain(kLoad, fmt::format("load {}: it is a fraction of the link rate, above 0 and at most 1", spec.load));
  }
}

void check_process(const v1::Traffic& traffic, TrafficSpec& spec, FieldChecker& fields) {
  spec.process = traffic.process() == v1::TRAFFIC_PROCESS_UNSPECIFIED ? v1::BERNOULLI : traffic.process();
  if (!v1::TrafficProcess_IsValid(traffic.process())) {
    fields.complain("workload.traffic.process", "unknown process; write BERNOULLI, BURSTY or CLOSED_LOOP");
    spec.process = v1::BERNOULLI;
  }
  check_load(traffic, spec, fields);
  const bool bursty = spec.process == v1::BURSTY;
  for (const std::string_view field : {"burst_packets", "burst_load"})
    only_with(field, "process: BURSTY", bursty, fields);
  if (bursty) {
    spec.burst_packets = real_number("burst_packets", traffic.burst_packets(), 8, 1, kMaxBurst, fields);
    static constexpr std::string_view kBurstLoad = "workload.traffic.burst_load";
    if (fields.locations().has(std::string(kBurstLoad))) spec.burst_load = traffic.burst_load();
    if (!(spec.burst_load >= spec.load && spec.burst_load <= 1)) {
      fields.complain(kBurstLoad, fmt::format("burst_load {}: while a burst lasts, the load is at least the mean, {}, "
                                              "and at most 1",
                                              spec.burst_load, spec.load));
    }
  }
  const bool closed = spec.process == v1::CLOSED_LOOP;
  for (const std::string_view field : {"window", "think_time"})
    only_with(field, "process: CLOSED_LOOP", closed, fields);
  if (closed) {
    spec.window = fields.number("workload.traffic.window", traffic.window(), 1, 1, kMaxWindow);
    spec.think_time = fields.time("workload.traffic.think_time", traffic.think_time(), "0ns");
  }
}

void check_samples(const v1::Traffic& traffic, TrafficSpec& spec, FieldChecker& fields) {
  spec.sample_cycles = fields.number("workload.traffic.sample_cycles", traffic.sample_cycles(), 5000, 1, kMaxCycles);
  spec.warmup_samples = fields.number("workload.traffic.warmup_samples", traffic.warmup_samples(), 3, 1, kMaxSamples);
  spec.max_samples = fields.number("workload.traffic.max_samples", traffic.max_samples(), 10, 2, kMaxSamples);
  spec.latency_limit_cycles =
      fields.number("workload.traffic.latency_limit_cycles", traffic.latency_limit_cycles(), 3000, 1, kMaxCycles);
  static constexpr std::string_view kTarget = "workload.traffic.confidence_target";
  if (fields.locations().has(std::string(kTarget))) {
    spec.confidence_target = traffic.confidence_target();
    if (!(*spec.confidence_target > 0 && *spec.confidence_target < 1)) {
      fields.complain(kTarget,
                      fmt::format("confidence_target {}: it is a share of the mean, above 0 and below 1, such as "
                                  "0.02",
                                  *spec.confidence_target));
    }
  }
  if (spec.max_samples <= spec.warmup_samples) {
    fields.complain(
        fields.locations().has("workload.traffic.max_samples") ? "workload.traffic.max_samples"
                                                               : "workload.traffic.warmup_samples",
        fmt::format("{} samples with {} of warm-up: nothing would be measured; write max_samples: {} or more",
                    spec.max_samples, spec.warmup_samples, spec.warmup_samples + 1));
  }
}

/// What is written says how the traffic is measured; if nothing is, it is what each model is used for.
void check_method(v1::RouterModel model, const v1::Traffic& traffic, TrafficSpec& spec, FieldChecker& fields) {
  static constexpr std::string_view kDuration = "workload.traffic.duration";
  const auto duration = fields.quantity<Time>(kDuration, traffic.duration(), "20us", parse_time);
  spec.duration = duration.value_or(Time::from_us(20));
  if (duration.has_value() && *duration == Time::zero())
    fields.complain(kDuration, "duration 0: no packet would be generated; write a time such as \"20us\"");
  const bool timed = !traffic.duration().empty();
  spec.sampled = model == v1::INPUT_QUEUED && !timed;
  for (const std::string_view field :
       {"sample_cycles", "warmup_samples", "max_samples", "latency_limit_cycles", "confidence_target"}) {
    if (!fields.locations().has(fmt::format("workload.traffic.{}", field))) continue;
    spec.sampled = true;
    if (!timed) break;
    fields.complain(
        kDuration, fmt::format("duration measures for a fixed time, and {} in samples; leave one of them out (duration "
                               "is left out with --set {}=)",
                               field, kDuration));
    break;
  }
  if (spec.sampled) check_samples(traffic, spec, fields);
}

}  // namespace

TrafficSpec check_traffic(const Experiment& experiment, FieldChecker& fields) {
  const v1::Traffic& traffic = experiment.message.workload().traffic();
  TrafficSpec spec;
  spec.pattern = traffic.pattern() == v1::TRAFFIC_PATTERN_UNSPECIFIED ? v1::UNIFORM : traffic.pattern();
  if (!v1::TrafficPattern_IsValid(traffic.pattern())) {
    fields.complain("workload.traffic.pattern", fmt::format("unknown pattern; write one of {}",
                                                            comma_list(enum_names(*v1::TrafficPattern_descriptor()))));
    spec.pattern = v1::UNIFORM;
  }
  check_process(traffic, spec, fields);
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
  check_incast(traffic, spec, fields);
  check_permutation(traffic, spec, fields);
  spec.include_self = traffic.include_self();

  check_method(experiment.router.model, traffic, spec, fields);
  return spec;
}

HostDemand host_demand(const TrafficSpec& spec) {
  HostDemand most;
  const auto add = [&](std::string_view field, int index, int32_t host) {
    if (host + int64_t{1} > most.hosts) most = {host + int64_t{1}, std::string(field), index};
  };
  const auto add_all = [&](std::string_view field, const std::vector<int32_t>& hosts) {
    for (size_t i = 0; i < hosts.size(); ++i) add(field, static_cast<int>(i), hosts[i]);
  };
  if (spec.pattern == v1::HOTSPOT) add_all("hotspot_hosts", spec.hotspot_hosts);
  if (spec.pattern != v1::INCAST) return most;
  add("incast_destination", -1, spec.incast_destination);
  add_all("incast_sources", spec.incast_sources);
  // Incast needs that many sources and the destination.
  add("incast_fan_in", -1, spec.incast_fan_in);
  return most;
}

SourceLocation pattern_location(const TrafficSpec& spec, const LocationMap& locations) {
  const HostDemand demand = host_demand(spec);
  if (demand.field.empty()) return locations.find("workload.traffic.pattern");
  const std::string path = fmt::format("workload.traffic.{}", demand.field);
  return locations.find(demand.index < 0 ? path : fmt::format("{}[{}]", path, demand.index));
}

}  // namespace fabrictwin::experiment

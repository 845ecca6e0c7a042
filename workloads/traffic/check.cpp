// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/check.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cosim/base/text.h"
#include "cosim/experiment/syntax.h"
#include "fmt/format.h"

namespace fabrictwin::traffic {
namespace {

using experiment::MessageReader;

constexpr int64_t kMinPayload = 32;
constexpr int64_t kMaxPayload = 256;
constexpr int32_t kMaxCycles = 1'000'000'000;
constexpr int32_t kMaxSamples = 1'000'000;
constexpr int32_t kMaxWindow = 65536;
constexpr double kMaxBurst = 1e6;

/// Checks the numbers of hosts in a list: no number may be negative or appear twice.
void check_hosts(std::string_view field, const std::vector<int32_t>& hosts, const MessageReader& reader) {
  std::set<int32_t> known;
  for (size_t i = 0; i < hosts.size(); ++i) {
    const std::string element = fmt::format("{}[{}]", field, i);
    if (hosts[i] < 0) reader.complain(element, fmt::format("{} {}: hosts are numbered from 0", field, hosts[i]));
    if (!known.insert(hosts[i]).second)
      reader.complain(element, fmt::format("{} has host {} twice; write each host once", field, hosts[i]));
  }
}

void check_hotspot(const v1::Traffic& traffic, TrafficSpec& spec, const MessageReader& reader) {
  static constexpr std::string_view kFraction = "hotspot_fraction";
  spec.hotspot_fraction = reader.default_real(kFraction);
  if (reader.has(kFraction)) {
    spec.hotspot_fraction = traffic.hotspot_fraction();
    if (!(spec.hotspot_fraction > 0 && spec.hotspot_fraction <= 1)) {
      reader.complain(kFraction, fmt::format("hotspot_fraction {}: it is a share of the packets, above 0 and at most 1",
                                             spec.hotspot_fraction));
    } else if (spec.pattern != v1::HOTSPOT) {
      reader.complain(kFraction, "hotspot_fraction is for pattern: HOTSPOT; write that, or leave it out");
    }
  }
  spec.hotspot_hosts.assign(traffic.hotspot_hosts().begin(), traffic.hotspot_hosts().end());
  if (spec.hotspot_hosts.empty()) {
    spec.hotspot_hosts.push_back(reader.default_number("hotspot_hosts"));
  } else if (spec.pattern != v1::HOTSPOT) {
    reader.complain("hotspot_hosts[0]", "hotspot_hosts are for pattern: HOTSPOT; write that, or leave them out");
  } else {
    check_hosts("hotspot_hosts", spec.hotspot_hosts, reader);
  }
}

/// Adds a diagnostic if a field is written that needs `kind` ("pattern: INCAST") and this traffic is of another kind.
void only_with(std::string_view field, std::string_view kind, bool is_kind, const MessageReader& reader) {
  if (is_kind || !(reader.has(field) || reader.has(fmt::format("{}[0]", field)))) return;
  reader.complain(field, fmt::format("{} is for {}; write that, or leave it out", field, kind));
}

// Whether the hosts exist is checked when the workload is built.
void check_incast(const v1::Traffic& traffic, TrafficSpec& spec, const MessageReader& reader) {
  const bool incast = spec.pattern == v1::INCAST;
  for (const std::string_view field : {"incast_sources", "incast_fan_in", "incast_destination"})
    only_with(field, "pattern: INCAST", incast, reader);
  if (!incast) return;
  spec.incast_sources.assign(traffic.incast_sources().begin(), traffic.incast_sources().end());
  spec.incast_destination = traffic.incast_destination();
  check_hosts("incast_sources", spec.incast_sources, reader);
  for (size_t i = 0; i < spec.incast_sources.size(); ++i) {
    if (spec.incast_sources[i] != spec.incast_destination) continue;
    reader.complain(fmt::format("incast_sources[{}]", i),
                    fmt::format("incast_sources has host {}, which is incast_destination; a host does not send to "
                                "itself",
                                spec.incast_destination));
  }
  if (spec.incast_destination < 0) {
    reader.complain("incast_destination",
                    fmt::format("incast_destination {}: hosts are numbered from 0", spec.incast_destination));
  }
  static constexpr std::string_view kFanIn = "incast_fan_in";
  spec.incast_fan_in = traffic.incast_fan_in();
  if (spec.incast_fan_in < 1 && reader.has(kFanIn)) {
    reader.complain(kFanIn, fmt::format("incast_fan_in {}: write 1 to the number of hosts less one; by default all "
                                        "others send",
                                        spec.incast_fan_in));
  }
  if (spec.incast_fan_in > 0 && !spec.incast_sources.empty())
    reader.complain(kFanIn, "incast_fan_in and incast_sources say the same; write one of them");
}

void check_permutation(const v1::Traffic& traffic, TrafficSpec& spec, const MessageReader& reader) {
  const bool permutation = spec.pattern == v1::PERMUTATION;
  only_with("permutation_file", "pattern: PERMUTATION", permutation, reader);
  if (!permutation) return;
  spec.permutation_file = traffic.permutation_file();
  if (spec.permutation_file.empty()) {
    reader.complain("pattern",
                    "pattern PERMUTATION needs permutation_file: \"FILE\", a text file with the destination of each "
                    "host");
  }
}

void check_load(const v1::Traffic& traffic, TrafficSpec& spec, const MessageReader& reader) {
  static constexpr std::string_view kLoad = "load";
  spec.load = traffic.load();
  if (spec.process == v1::CLOSED_LOOP) {
    if (spec.load != 0) {
      reader.complain(kLoad,
                      fmt::format("load {}: with process: CLOSED_LOOP the window decides how much is sent; leave load "
                                  "out (--set {}=0)",
                                  spec.load, reader.path_of(kLoad)));
    }
  } else if (spec.load == 0 && !reader.has(kLoad)) {
    reader.complain({}, "the traffic has no load; write load: 0.3, a fraction of the link rate above 0 and at most 1");
  } else if (!(spec.load > 0 && spec.load <= 1)) {
    reader.complain(kLoad, fmt::format("load {}: it is a fraction of the link rate, above 0 and at most 1", spec.load));
  }
}

void check_bursts(const v1::Traffic& traffic, TrafficSpec& spec, const MessageReader& reader) {
  const bool bursty = spec.process == v1::BURSTY;
  for (const std::string_view field : {"burst_packets", "burst_load"})
    only_with(field, "process: BURSTY", bursty, reader);
  spec.burst_packets = reader.default_real("burst_packets");
  spec.burst_load = reader.default_real("burst_load");
  if (!bursty) return;
  if (reader.has("burst_packets")) {
    const double packets = traffic.burst_packets();
    if (packets >= 1 && packets <= kMaxBurst) {
      spec.burst_packets = packets;
    } else {
      reader.complain("burst_packets", fmt::format("burst_packets {}: write {} to {}; the default is {}", packets, 1,
                                                   kMaxBurst, spec.burst_packets));
    }
  }
  if (reader.has("burst_load")) spec.burst_load = traffic.burst_load();
  if (!(spec.burst_load >= spec.load && spec.burst_load <= 1)) {
    reader.complain("burst_load", fmt::format("burst_load {}: while a burst lasts, the load is at least the mean, {}, "
                                              "and at most 1",
                                              spec.burst_load, spec.load));
  }
}

void check_process(const v1::Traffic& traffic, TrafficSpec& spec, const MessageReader& reader) {
  spec.process = reader.choice<v1::TrafficProcess>("process");
  if (!v1::TrafficProcess_IsValid(spec.process)) {
    reader.complain("process", "unknown process; write BERNOULLI, BURSTY or CLOSED_LOOP");
    spec.process = reader.default_choice<v1::TrafficProcess>("process");
  }
  check_load(traffic, spec, reader);
  check_bursts(traffic, spec, reader);
  const bool closed = spec.process == v1::CLOSED_LOOP;
  for (const std::string_view field : {"window", "think_time"})
    only_with(field, "process: CLOSED_LOOP", closed, reader);
  if (!closed) return;
  spec.window = reader.number("window", 1, kMaxWindow);
  spec.think_time = reader.quantity<Time>("think_time", parse_time);
}

void check_samples(const v1::Traffic& traffic, TrafficSpec& spec, const MessageReader& reader) {
  spec.sample_cycles = reader.number("sample_cycles", 1, kMaxCycles);
  spec.warmup_samples = reader.number("warmup_samples", 1, kMaxSamples);
  spec.max_samples = reader.number("max_samples", 2, kMaxSamples);
  spec.latency_limit_cycles = reader.number("latency_limit_cycles", 1, kMaxCycles);
  static constexpr std::string_view kTarget = "confidence_target";
  if (reader.has(kTarget)) {
    spec.confidence_target = traffic.confidence_target();
    if (!(*spec.confidence_target > 0 && *spec.confidence_target < 1)) {
      reader.complain(kTarget,
                      fmt::format("confidence_target {}: it is a share of the mean, above 0 and below 1, such as "
                                  "0.02",
                                  *spec.confidence_target));
    }
  }
  if (spec.max_samples <= spec.warmup_samples) {
    reader.complain(
        reader.has("max_samples") ? "max_samples" : "warmup_samples",
        fmt::format("{} samples with {} of warm-up: nothing would be measured; write max_samples: {} or more",
                    spec.max_samples, spec.warmup_samples, spec.warmup_samples + 1));
  }
}

/// What is written says how the traffic is measured; if nothing is, it is what each model is used for.
void check_method(v1::RouterModel model, const v1::Traffic& traffic, TrafficSpec& spec, const MessageReader& reader) {
  static constexpr std::string_view kDuration = "duration";
  spec.duration = reader.quantity<Time>(kDuration, parse_time);
  if (spec.duration == Time::zero())
    reader.complain(kDuration, "duration 0: no packet would be generated; write a time such as \"20us\"");
  const bool timed = !traffic.duration().empty();
  spec.sampled = model == v1::INPUT_QUEUED && !timed;
  for (const std::string_view field :
       {"sample_cycles", "warmup_samples", "max_samples", "latency_limit_cycles", "confidence_target"}) {
    if (!reader.has(field)) continue;
    spec.sampled = true;
    if (!timed) break;
    reader.complain(kDuration,
                    fmt::format("duration measures for a fixed time, and {} in samples; leave one of them out "
                                "(duration is left out with --set {}=)",
                                field, reader.path_of(kDuration)));
    break;
  }
  if (spec.sampled) check_samples(traffic, spec, reader);
}

experiment::SourceLocation pattern_location(const TrafficSpec& spec, const MessageReader& reader) {
  const HostDemand demand = host_demand(spec);
  std::string field = demand.field.empty() ? "pattern" : demand.field;
  if (demand.index >= 0) field += fmt::format("[{}]", demand.index);
  return reader.fields().locations().find(reader.path_of(field));
}

}  // namespace

TrafficSpec check_traffic(const v1::Traffic& traffic, v1::RouterModel model, const MessageReader& reader) {
  TrafficSpec spec;
  spec.pattern = reader.choice<v1::TrafficPattern>("pattern");
  if (!v1::TrafficPattern_IsValid(spec.pattern)) {
    reader.complain("pattern", fmt::format("unknown pattern; write one of {}",
                                           comma_list(experiment::enum_names(*v1::TrafficPattern_descriptor()))));
    spec.pattern = reader.default_choice<v1::TrafficPattern>("pattern");
  }
  check_process(traffic, spec, reader);
  spec.payload = reader.quantity<Bytes>("payload", parse_bytes);
  if (spec.payload.count < kMinPayload || spec.payload.count > kMaxPayload) {
    reader.complain("payload",
                    fmt::format("payload {}: a packet holds an envelope of {} bytes and {} bytes in all; write {}B to "
                                "{}B",
                                to_string(spec.payload), kMinPayload, kMaxPayload, kMinPayload, kMaxPayload));
    spec.payload = Bytes{kMaxPayload};
  }
  check_hotspot(traffic, spec, reader);
  check_incast(traffic, spec, reader);
  check_permutation(traffic, spec, reader);
  spec.include_self = traffic.include_self();

  check_method(model, traffic, spec, reader);
  spec.pattern_location = pattern_location(spec, reader);
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

}  // namespace fabrictwin::traffic

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/check.h"

#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "workloads/traffic/class_check.h"

namespace fabrictwin::traffic {
namespace {

using experiment::MessageReader;

constexpr int32_t kMaxCycles = 1'000'000'000;
constexpr int32_t kMaxSamples = 1'000'000;

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
  const bool timed = reader.has_text(kDuration);
  spec.duration = reader.quantity<Time>(kDuration, parse_time);
  if (spec.duration == Time::zero())
    reader.complain(kDuration, "duration 0: no packet would be generated; write a time such as \"20us\"");
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

}  // namespace

TrafficSpec check_traffic(const v1::Traffic& traffic, v1::RouterModel model, const MessageReader& reader) {
  TrafficSpec spec;
  if (traffic.class__size() > 0) {
    spec.classes = check_classes(traffic, reader);
  } else {
    check_only_class(traffic, spec, reader);
  }
  check_method(model, traffic, spec, reader);
  for (size_t i = 0; i < spec.classes.size(); ++i) {
    if (spec.sampled || spec.classes[i].start < spec.duration) continue;
    const MessageReader of_class = reader.of(traffic.class_(static_cast<int>(i)), fmt::format("class[{}]", i));
    of_class.complain("start", fmt::format("start {} is not before the end of the traffic, which has the duration {}; "
                                           "write an earlier start or a longer duration",
                                           to_string(spec.classes[i].start), to_string(spec.duration)));
  }
  return spec;
}

HostDemand host_demand(const ClassSpec& spec) {
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

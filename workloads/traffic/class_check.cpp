// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/class_check.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cosim/base/text.h"
#include "cosim/experiment/host_ranges.h"
#include "cosim/experiment/syntax.h"
#include "fmt/format.h"
#include "workloads/traffic/check.h"

namespace fabrictwin::traffic {
namespace {

using experiment::MessageReader;

constexpr int64_t kMinPayload = 32;
constexpr int64_t kMaxPayload = 256;
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

template <typename Message>
void check_hotspot(const Message& traffic, ClassSpec& spec, const MessageReader& reader) {
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
template <typename Message>
void check_incast(const Message& traffic, ClassSpec& spec, const MessageReader& reader) {
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

template <typename Message>
void check_permutation(const Message& traffic, ClassSpec& spec, const MessageReader& reader) {
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

template <typename Message>
void check_load(const Message& traffic, ClassSpec& spec, const MessageReader& reader) {
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

template <typename Message>
void check_bursts(const Message& traffic, ClassSpec& spec, const MessageReader& reader) {
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

template <typename Message>
void check_process(const Message& traffic, ClassSpec& spec, const MessageReader& reader) {
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

/// Of an incast, either `hosts` says who sends, or the fields of the pattern do.
void check_hosts_of_incast(const v1::TrafficClass& message, const ClassSpec& spec, const MessageReader& reader) {
  if (spec.pattern != v1::INCAST || spec.hosts.empty()) return;
  const bool sources = message.incast_sources_size() > 0;
  if (!sources && message.incast_fan_in() == 0) return;
  reader.complain("hosts", fmt::format("hosts and {} both say who sends; leave one of them out",
                                       sources ? "incast_sources" : "incast_fan_in"));
}

experiment::SourceLocation pattern_location(const ClassSpec& spec, const MessageReader& reader) {
  const HostDemand demand = host_demand(spec);
  std::string field = demand.field.empty() ? "pattern" : demand.field;
  if (demand.index >= 0) field += fmt::format("[{}]", demand.index);
  return reader.fields().locations().find(reader.path_of(field));
}

template <typename Message>
void check_generated(const Message& traffic, ClassSpec& spec, const MessageReader& reader) {
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
  // An argument may try the patterns of one file in turn.
  const auto overridden = [&](std::string_view field) {
    return reader.fields().locations().overridden(reader.path_of(field));
  };
  if (spec.include_self && spec.pattern != v1::UNIFORM && spec.pattern != v1::HOTSPOT &&
      (overridden("include_self") || !overridden("pattern"))) {
    reader.complain(
        "include_self",
        fmt::format("include_self is for patterns with random destinations among all hosts, UNIFORM and HOTSPOT, and "
                    "this is {}; leave it out",
                    v1::TrafficPattern_Name(spec.pattern)));
  }
  spec.pattern_location = pattern_location(spec, reader);
}

void check_senders(const std::string& text, ClassSpec& spec, const MessageReader& reader) {
  static constexpr std::string_view kHosts = "hosts";
  spec.hosts_location = reader.fields().locations().find(reader.path_of(kHosts));
  if (!reader.has(kHosts) || text == reader.default_of(kHosts)) return;
  absl::StatusOr<experiment::HostRanges> ranges = experiment::parse_host_ranges(text);
  if (!ranges.ok()) {
    const bool twice = absl::IsAlreadyExists(ranges.status());
    return reader.complain(kHosts, fmt::format("hosts \"{}\": {}{}", text, message_of(ranges.status()),
                                               twice ? "" : ", or leave hosts out"));
  }
  spec.hosts = *std::move(ranges);
  std::ranges::sort(spec.hosts);
}

void check_window(const v1::TrafficClass& message, ClassSpec& spec, const MessageReader& reader) {
  spec.start = reader.quantity<Time>("start", parse_time);
  if (!reader.has_text("stop") || message.stop() == reader.default_of("stop")) return;
  const std::optional<Time> stop = reader.parsed<Time>("stop", parse_time);
  if (!stop.has_value()) return;
  spec.stop = *stop;
  if (spec.start < spec.stop) return;
  reader.complain("stop", fmt::format("stop {} is not after start {}, so the class would never be generated; write a "
                                      "later stop, or leave it out",
                                      to_string(spec.stop), to_string(spec.start)));
}

std::string check_name(const v1::TrafficClass& message, int index, const MessageReader& reader) {
  if (message.name().empty()) return fmt::format("class{}", index);
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  if (!std::ranges::all_of(message.name(), allowed)) {
    reader.complain(
        "name", fmt::format("name \"{}\": write letters, digits, '_' and '-' only, as in \"victims\"", message.name()));
  }
  return message.name();
}

}  // namespace

void check_only_class(const v1::Traffic& traffic, ClassSpec& spec, const MessageReader& reader) {
  check_generated(traffic, spec, reader);
}

std::vector<ClassSpec> check_classes(const v1::Traffic& traffic, const MessageReader& reader) {
  std::vector<ClassSpec> classes;
  if (traffic.class__size() > kMaxClasses) {
    reader.complain(fmt::format("class[{}]", kMaxClasses),
                    fmt::format("{} classes: {} is the most; write fewer", traffic.class__size(), kMaxClasses));
    return classes;
  }
  // What belongs to classes is not written beside them.
  const auto* fields = v1::TrafficClass::descriptor();
  for (int i = 0; i < fields->field_count(); ++i) {
    const std::string& field = fields->field(i)->name();
    if (v1::Traffic::descriptor()->FindFieldByName(field) == nullptr) continue;
    const std::string element = field + "[0]";
    if (!reader.has(field) && !reader.has(element)) continue;
    reader.complain(reader.has(field) ? field : element,
                    fmt::format("{} belongs to a class where there are classes; write it in one of them, or leave the "
                                "classes out",
                                field));
  }
  std::set<std::string> names;
  for (int i = 0; i < traffic.class__size(); ++i) {
    const v1::TrafficClass& message = traffic.class_(i);
    const MessageReader of_class = reader.of(message, fmt::format("class[{}]", i));
    ClassSpec& spec = classes.emplace_back();
    spec.name = check_name(message, i, of_class);
    if (!names.insert(spec.name).second) {
      of_class.complain_near("name", fmt::format("another class is called \"{}\" too; rename one of them", spec.name));
    }
    check_senders(message.hosts(), spec, of_class);
    check_window(message, spec, of_class);
    check_generated(message, spec, of_class);
    check_hosts_of_incast(message, spec, of_class);
  }
  return classes;
}

}  // namespace fabrictwin::traffic

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// N:1 incast in an experiment: docs/congestion.md.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "cosim/base/random.h"
#include "fmt/format.h"
#include "workloads/flows/flow_kind.h"

namespace fabrictwin::flows {
namespace {

constexpr int32_t kMostHosts = 1 << 24;
constexpr int32_t kMostRounds = 1'000'000;

/// See Incast in flows.proto, which has the defaults.
struct IncastSpec {
  int32_t sources = 0;
  Bytes bytes;
  int32_t destination = 0;
  Time start;
  int32_t rounds = 0;
  Time period;
  Time jitter;
  int32_t storm_rounds = 0;  ///< Of each storm; 0: there is one storm with all of them.
  Time on;
  Time off;
  experiment::SourceLocation sources_location;
  experiment::SourceLocation destination_location;
  experiment::SourceLocation rounds_location;
};

/// When a round begins, after the first one, in femtoseconds.
template <typename Number>
Number begin_of(const IncastSpec& spec, int32_t round) {
  const int32_t storm = spec.storm_rounds > 0 ? round / spec.storm_rounds : 0;
  const int32_t in_storm = round - storm * spec.storm_rounds;
  const Number begin = static_cast<Number>(spec.period.fs()) * in_storm;
  if (storm == 0) return begin;
  return begin + (static_cast<Number>(spec.on.fs()) + static_cast<Number>(spec.off.fs())) * storm;
}

void check_storms(const experiment::MessageReader& reader, IncastSpec& spec) {
  const bool on = reader.has_text("on");
  if (!on && !reader.has_text("off")) return;
  if (on != reader.has_text("off")) {
    return reader.complain(on ? "on" : "off",
                           "storms have an on, for which rounds begin, and an off, for which none do; write both");
  }
  spec.on = reader.parsed<Time>("on", parse_time).value_or(Time::from_fs(1));
  spec.off = reader.parsed<Time>("off", parse_time).value_or(Time::from_fs(1));
  for (const auto& [name, time] : {std::pair("on", spec.on), std::pair("off", spec.off)}) {
    if (time == Time::zero())
      reader.complain(name, fmt::format("{} 0: storms need a time; write one, or leave on and off out", name));
  }
  if (spec.on == Time::zero() || spec.off == Time::zero()) return;
  if (spec.rounds == 1 || spec.period == Time::zero())
    return reader.complain("on", "storms have several rounds; write rounds and period, or leave on and off out");
  const int64_t rounds = (spec.on.fs() - 1) / spec.period.fs() + 1;
  spec.storm_rounds = static_cast<int32_t>(std::min<int64_t>(rounds, spec.rounds));
}

class IncastKind final : public FlowKindOf<v1::Workload::kIncast, v1::Job::kIncast, v1::Incast, IncastSpec> {
  IncastSpec check(v1::Incast& message, const experiment::FileChecker& /*files*/,
                   const experiment::MessageReader& reader) const override {
    IncastSpec spec;
    spec.sources = reader.required("sources", kMostHosts, "sources: 8");
    if (message.bytes().empty()) {
      reader.complain("", "the incast has no bytes; write what each source sends, bytes: \"1MB\"");
    } else {
      spec.bytes = reader.parsed<Bytes>("bytes", parse_bytes).value_or(Bytes{1});
      if (spec.bytes.count == 0)
        reader.complain("bytes", "bytes 0: nothing would be sent; write a size such as \"1MB\"");
      if (spec.bytes.count > static_cast<int64_t>(kMaxFlowBytes))
        reader.complain(
            "bytes", fmt::format("bytes {}: a flow has at most 1024GiB; write a smaller size", to_string(spec.bytes)));
    }
    spec.destination = reader.number("destination", 0, kMostHosts);
    spec.start = reader.quantity<Time>("start", parse_time);
    spec.rounds = reader.number("rounds", 1, kMostRounds);
    spec.jitter = reader.quantity<Time>("jitter", parse_time);
    if (reader.has_text("period")) spec.period = reader.parsed<Time>("period", parse_time).value_or(Time::zero());
    if (spec.rounds > 1 && spec.period == Time::zero() && !(reader.has("period") && message.period().empty())) {
      reader.complain_near("period",
                           fmt::format("{} rounds would all begin at once; write the time from one to the next, "
                                       "period: \"1ms\"",
                                       spec.rounds));
    }
    const bool one_round = !reader.has("rounds") || message.rounds() == 1;
    if (one_round && !message.period().empty()) {
      reader.complain("period",
                      "period is the time from one round to the next, and there is one round; write rounds, or leave "
                      "period out");
    }
    check_storms(reader, spec);
    // Beyond the range of times, the start of a round would be an earlier one.
    const double last = spec.start.seconds() + begin_of<double>(spec, spec.rounds - 1) * 1e-15 + spec.jitter.seconds();
    if (last >= kLatestSeconds) {
      reader.complain(spec.rounds > 1            ? "period"
                      : spec.start > spec.jitter ? "start"
                                                 : "jitter",
                      fmt::format("the last flow may begin at {:.0f} s, and simulated time ends at {:.0f} s; "
                                  "write less",
                                  last, kLatestSeconds));
      spec.rounds = 1;
    }
    const auto location = [&](std::string_view field) {
      return reader.fields().locations().find(reader.path_of(field));
    };
    spec.sources_location = location("sources");
    spec.destination_location = location("destination");
    spec.rounds_location = location("rounds");
    return spec;
  }
  std::string text(const IncastSpec& spec) const override {
    std::string text =
        fmt::format("incast of {} from {} hosts to host {}", to_string(spec.bytes), spec.sources, spec.destination);
    if (spec.rounds > 1) text += fmt::format(", {} times, each {}", spec.rounds, to_string(spec.period));
    if (spec.storm_rounds > 0)
      text += fmt::format(", for {}, then none for {}", to_string(spec.on), to_string(spec.off));
    return text;
  }
  absl::StatusOr<FlowList> list(const IncastSpec& spec, const FlowSite& site) const override {
    const int32_t hosts = site.hosts;
    if (spec.sources > hosts - 1) {
      return wrong_flows(
          spec.sources_location,
          fmt::format("an incast from {} hosts to another one needs more than the {} hosts that there are; write "
                      "at most {} sources",
                      spec.sources, hosts, hosts - 1));
    }
    if (spec.destination >= hosts)
      return wrong_flows(
          spec.destination_location,
          fmt::format("destination {}: there are hosts 0 to {}; write one of them", spec.destination, hosts - 1));
    if (int64_t{spec.sources} * spec.rounds > kMostFlows) {
      return wrong_flows(spec.rounds_location, fmt::format("{} rounds of {} flows are more than {}; write fewer rounds",
                                                           spec.rounds, spec.sources, kMostFlows));
    }
    FlowList flows;
    for (int32_t round = 0; round < spec.rounds; ++round) {
      for (int32_t i = 0; i < spec.sources; ++i) {
        // Evenly spread over the hosts that are not the destination.
        int32_t source = static_cast<int32_t>(int64_t{i} * (hosts - 1) / spec.sources);
        if (source >= spec.destination) ++source;
        Flow flow;
        flow.source = source;
        flow.destination = spec.destination;
        flow.bytes = static_cast<uint64_t>(spec.bytes.count);
        flow.start = spec.start + Time::from_fs(begin_of<int64_t>(spec, round));
        if (spec.jitter > Time::zero()) {
          RandomStream random(site.seed, static_cast<uint64_t>(source), RandomPurpose::kFlow);
          const double later = random.unit_at(static_cast<uint64_t>(round)) * static_cast<double>(spec.jitter.fs());
          flow.start = flow.start + Time::from_fs(static_cast<int64_t>(later));
        }
        flows.push_back(flow);
      }
    }
    return flows;
  }
};

}  // namespace

const FlowKind& incast() {
  static const IncastKind kind;
  return kind;
}

}  // namespace fabrictwin::flows

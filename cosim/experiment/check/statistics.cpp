// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/experiment/check/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "cosim/base/clock.h"
#include "cosim/experiment/check/message_reader.h"

namespace fabrictwin::experiment {
namespace {

constexpr int32_t kMaxPackets = 100'000;
constexpr int kMostTrees = 1000;

// Checks the file name: the file is in the folder of the reports, which must not be overwritten.
void check_file(const v1::PacketTrace& trace, PacketTraceSpec& spec, FieldChecker& fields) {
  if (trace.file().empty()) return;
  static constexpr std::string_view kFile = "statistics.packet_trace.file";
  const std::string& file = trace.file();
  if (file.find('/') != std::string::npos || file.find('\0') != std::string::npos || file == "." || file == "..") {
    fields.complain(kFile, fmt::format("file \"{}\": it is a name in the folder that --out names; write a name without "
                                       "folders such as \"packets.perfetto.json\"",
                                       file));
  } else if (file == "report.json" || file == "report.txt") {
    fields.complain(kFile, fmt::format("file \"{}\": the report of the run has this name; write another", file));
  } else {
    spec.file = file;
  }
}

/// An interval between samples; zero if none is written.
Time check_interval(const Experiment& experiment, std::string_view name, const std::string& text,
                    FieldChecker& fields) {
  const std::string path = fmt::format("statistics.{}", name);
  if (text.empty() && !fields.locations().has(path)) return Time::zero();
  const auto interval = fields.quantity<Time>(path, text, "", parse_time);
  const Time cycle = Clock(experiment.router.clock).edge(1);
  if (!interval.has_value() || *interval >= cycle) return interval.value_or(Time::zero());
  fields.complain(
      path, fmt::format("{} {}: routers change at the edges of their clock only; write at least {}, one cycle", name,
                        to_string(*interval), to_string(cycle)));
  return Time::zero();
}

/// What only MPI jobs have.
bool check_of_ranks(const Experiment& experiment, std::string_view name, bool wanted, FieldChecker& fields) {
  if (!wanted || experiment.workload_traits.ranks) return wanted;
  fields.complain(fmt::format("statistics.{}", name),
                  fmt::format("{} tells of the ranks of MPI jobs, and the workload has none; leave it out", name));
  return false;
}

/// The times of snapshots, which rise.
std::vector<Time> check_tree_at(const v1::Statistics& statistics, FieldChecker& fields) {
  std::vector<Time> times;
  if (statistics.tree_at_size() > kMostTrees) {
    fields.complain("statistics.tree_at",
                    fmt::format("tree_at has {} times; write at most {}", statistics.tree_at_size(), kMostTrees));
    return times;
  }
  for (int i = 0; i < statistics.tree_at_size(); ++i) {
    const std::string path = fmt::format("statistics.tree_at[{}]", i);
    const auto time = fields.quantity<Time>(path, statistics.tree_at(i), "", parse_time);
    if (!time.has_value()) continue;
    if (*time <= Time::zero()) {
      fields.complain(
          path, fmt::format("tree_at {}: nothing waits at the beginning; write a time above 0", statistics.tree_at(i)));
    } else if (!times.empty() && *time <= times.back()) {
      fields.complain(path, fmt::format("tree_at {}: it is not after the one before, {}; write times in rising order",
                                        statistics.tree_at(i), to_string(times.back())));
    } else {
      times.push_back(*time);
    }
  }
  return times;
}

/// Whether hosts receive flows or traffic, alone or as one of several jobs.
bool has_goodput(const Experiment& experiment) {
  return experiment.workload_traits.flows || experiment.workload_traits.bare_packets ||
         std::ranges::any_of(experiment.message.workload().jobs().job(),
                             [](const v1::Job& job) { return job.has_traffic(); });
}

std::optional<GoodputWindowSpec> check_goodput_window(const Experiment& experiment, FieldChecker& fields) {
  const v1::GoodputWindow& window = experiment.message.statistics().goodput_window();
  const MessageReader reader(window, "statistics.goodput_window", fields);
  if (!has_goodput(experiment)) {
    reader.complain("", "a goodput_window is for flows and traffic, and the workload has neither; leave it out");
    return std::nullopt;
  }
  if (!reader.has_text("until")) {
    reader.complain("", "the goodput_window has no end; write until: \"40ms\"");
    return std::nullopt;
  }
  const std::optional<Time> from = reader.valid<Time>("from", parse_time);
  const std::optional<Time> until = reader.parsed<Time>("until", parse_time);
  if (!from.has_value() || !until.has_value()) return std::nullopt;
  if (*from >= *until) {
    reader.complain("until", fmt::format("the goodput_window is empty: it begins at {} and ends at {}; write an until "
                                         "that is after from",
                                         to_string(*from), to_string(*until)));
    return std::nullopt;
  }
  if (*until > experiment.stop_after) {
    reader.complain("until", fmt::format("the goodput_window ends at {}, and stop.after_simulated ends the run at {}; "
                                         "write an until that is not after that",
                                         to_string(*until), to_string(experiment.stop_after)));
    return std::nullopt;
  }
  return GoodputWindowSpec{*from, *until};
}

/// The first rule by which anything is not a model of the depth of the experiment; null if there is none.
const UseSpec* find_other(const Experiment& experiment) {
  const auto other = std::ranges::find_if(experiment.uses, [&](const UseSpec& use) {
    const bool other_depth = use.depth != v1::ROUTER_MODEL_UNSPECIFIED && use.depth != experiment.router.model;
    return use.implementation != v1::MODEL || other_depth;
  });
  return other == experiment.uses.end() ? nullptr : &*other;
}

/// Whether what waits in routers is counted.
bool check_counts_queues(const Experiment& experiment, const StatisticsSpec& spec, FieldChecker& fields) {
  const bool asked = experiment.message.statistics().queues();
  const RouterCapabilities& router = experiment.capabilities.of(experiment.router.model);
  // A series and trees tell of queues, but not of those of routers of words: nobody looks into RTL and boards, and a
  // series is the same whatever is which.
  if (router.content != link::LinkType::Content::kWords)
    return asked || spec.series_interval > Time::zero() || !spec.tree_at.empty();
  if (!asked || !router.queue_meters) return asked;
  if (const UseSpec* const other = find_other(experiment); other != nullptr) {
    fields.complain("statistics.queues",
                    fmt::format("queues of all routers are counted, in models of one depth only, and \"{}\" is "
                                "something else; leave out that rule or queues",
                                other->select));
  }
  return asked;
}

PacketTraceSpec check_packet_trace(const Experiment& experiment, FieldChecker& fields) {
  static constexpr std::string_view kTrace = "statistics.packet_trace";
  static constexpr std::string_view kSample = "statistics.packet_trace.sample";
  const v1::PacketTrace& trace = experiment.message.statistics().packet_trace();
  PacketTraceSpec spec;
  spec.sample = trace.sample();
  if (spec.sample == 0 && !fields.locations().has(std::string(kSample))) {
    fields.complain(kTrace,
                    "no packet would be followed; write sample: 0.01, a share of the packets above 0 and at "
                    "most 1");
  } else if (!(spec.sample > 0 && spec.sample <= 1)) {
    fields.complain(kSample,
                    fmt::format("sample {}: it is a share of the packets, above 0 and at most 1", spec.sample));
  }
  const MessageReader reader(trace, std::string(kTrace), fields);
  spec.max_packets = reader.number("max_packets", 1, kMaxPackets);
  spec.file = reader.default_of("file");
  check_file(trace, spec, fields);
  if (experiment.topology_traits.nodes) {
    fields.complain(kTrace,
                    "packets are followed through the routers of a torus, and this topology has logic of its "
                    "own; leave packet_trace out");
  }
  if (const UseSpec* const other = find_other(experiment); other != nullptr) {
    fields.complain(kTrace, fmt::format("packets are followed through models of one depth only, and \"{}\" is "
                                        "something else; leave out that rule or packet_trace",
                                        other->select));
  }
  const bool answers =
      experiment.message.has_congestion() || (experiment.message.host().nic() != v1::Host::NIC_UNSPECIFIED &&
                                              experiment.message.host().nic() != v1::Host::PLAIN);
  const auto placed = std::find_if(experiment.uses.begin(), experiment.uses.end(),
                                   [](const UseSpec& use) { return use.place != "inproc"; });
  if (answers && placed != experiment.uses.end()) {
    fields.complain(kTrace,
                    fmt::format("packets with answers that no host has sent are followed in one process only, and "
                                "\"{}\" is elsewhere; leave out that rule, packet_trace, or host.nic and congestion",
                                placed->select));
  }
  return spec;
}

}  // namespace

StatisticsSpec check_statistics(const Experiment& experiment, FieldChecker& fields) {
  const v1::Statistics& statistics = experiment.message.statistics();
  StatisticsSpec spec;
  spec.latency_histogram = statistics.latency_histogram();
  spec.per_node = statistics.per_node();
  if (spec.per_node && !experiment.workload_traits.bare_packets) {
    fields.complain("statistics.per_node",
                    "per_node is the accepted load of traffic { ... }, and the workload is "
                    "another; leave it out");
  }
  spec.occupancy_interval = check_interval(experiment, "occupancy_interval", statistics.occupancy_interval(), fields);
  spec.series_interval = check_interval(experiment, "series_interval", statistics.series_interval(), fields);
  spec.tree_at = check_tree_at(statistics, fields);
  spec.queues = check_counts_queues(experiment, spec, fields);
  spec.message_matrix = check_of_ranks(experiment, "message_matrix", statistics.message_matrix(), fields);
  spec.rank_timeline = check_of_ranks(experiment, "rank_timeline", statistics.rank_timeline(), fields);
  spec.link_interval = check_interval(experiment, "link_interval", statistics.link_interval(), fields);
  if (statistics.has_goodput_window()) spec.goodput_window = check_goodput_window(experiment, fields);
  if (statistics.has_packet_trace()) spec.packet_trace = check_packet_trace(experiment, fields);
  return spec;
}

}  // namespace fabrictwin::experiment

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/metrics/run_metrics.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <string_view>
#include <utility>

#include "cosim/link/record.h"
#include "cosim/run/metrics/partition_metrics.h"
#include "cosim/run/metrics/result_metrics.h"

namespace fabrictwin::run::metrics {
namespace {

const metric::Gauge kRunInfo{{.name = "fabrictwin_run_info",
                              .help = "Always 1; its labels say what is being run",
                              .labels = {"run", "experiment", "commit", "version", "topology", "seed", "place"},
                              .order = 100,
                              .in_report = false}};
const metric::Counter kSimulatedSeconds{{.name = "fabrictwin_simulated_seconds_total",
                                         .unit = "seconds",
                                         .help = "Simulated time that the slowest partition has reached",
                                         .order = 110,
                                         .in_report = false}};
const metric::Counter kWallSeconds{{.name = "fabrictwin_wall_seconds_total",
                                    .unit = "seconds",
                                    .help = "Wall-clock time since the simulation began",
                                    .order = 120,
                                    .in_report = false}};

const metric::Gauge kState{{.name = "fabrictwin_run_state",
                            .help = "What has become of the run: 0 it goes on, 1 it is complete, 2 it has ended early",
                            .order = 130,
                            .in_report = false}};
const metric::Gauge kProgress{{.name = "fabrictwin_progress_ratio",
                               .help = "The share of the workload that is done, where that is known",
                               .order = 140,
                               .in_report = false}};
const metric::Gauge kRemaining{{.name = "fabrictwin_remaining_seconds",
                                .unit = "seconds",
                                .help = "Wall-clock time to the end of the run, if the rest is as fast as what is done",
                                .order = 150,
                                .in_report = false}};
const metric::Counter kDelivered{{.name = "fabrictwin_packets_delivered_total",
                                  .help =
                                      "Packets that have come over the links to hosts, acknowledgements and notices "
                                      "included",
                                  .order = 160,
                                  .in_report = false}};
const metric::Gauge kClassLinks{{.name = "fabrictwin_link_class_links",
                                 .help = "Directions of links from hosts (class injection), to hosts (ejection), or "
                                         "between routers (network), how many there are",
                                 .labels = {"class"},
                                 .order = 170,
                                 .in_report = false}};
const metric::Counter kClassBytes{
    {.name = "fabrictwin_link_class_bytes_total",
     .unit = "bytes",
     .help = "Bytes put on the wires of all links of a class, headers and footers included",
     .labels = {"class"},
     .order = 175,
     .in_report = false}};
const metric::Gauge kClassBusiest{{.name = "fabrictwin_link_class_busiest_bytes",
                                   .unit = "bytes",
                                   .help = "Bytes put on the wire of the link of a class that has carried most",
                                   .labels = {"class"},
                                   .order = 180,
                                   .in_report = false}};
// The largest of many counters never falls.
const metric::Counter kClassUse{
    {.name = "fabrictwin_link_class_busiest_use_seconds_total",
     .unit = "seconds",
     .help = "Simulated time in which the wire of the link of a class that was used for longest has carried words",
     .labels = {"class"},
     .order = 182,
     .in_report = false}};
const metric::Counter kClassPackets{{.name = "fabrictwin_link_class_packets_total",
                                     .help = "Packets whose footers were put on the wires of all links of a class",
                                     .labels = {"class"},
                                     .order = 185,
                                     .in_report = false}};
const metric::Counter kClassStall{
    {.name = "fabrictwin_link_class_credit_stall_seconds_total",
     .unit = "seconds",
     .help =
         "Simulated time in which routed packets waited for links of a class only for want of credits, all together",
     .labels = {"class"},
     .order = 190,
     .in_report = false}};

const metric::Counter kLinkBytes{
    {.name = "fabrictwin_link_bytes_total",
     .unit = "bytes",
     .help = "Bytes put on the wire of one direction of a link, headers and footers included",
     .labels = {"link"},
     .order = 200,
     .in_report = false}};
const metric::Counter kLinkPackets{{.name = "fabrictwin_link_packets_total",
                                    .help = "Packets whose footer was put on the wire of one direction of a link",
                                    .labels = {"link"},
                                    .order = 210,
                                    .in_report = false}};
const metric::Counter kLinkCreditStall{
    {.name = "fabrictwin_link_credit_stall_seconds_total",
     .unit = "seconds",
     .help = "Simulated time in which a routed packet waited for this link only for want of credits",
     .labels = {"link"},
     .order = 220,
     .in_report = false}};
const metric::Gauge kLinkStallToFlit{
    {.name = "fabrictwin_link_stall_to_flit_ratio",
     .help = "Router cycles in which a packet waited for this link only for want of credits, over words sent since the "
             "beginning",
     .labels = {"link"},
     .order = 230,
     .in_report = false}};

const metric::Gauge kPartitionSimulated{{.name = "fabrictwin_partition_simulated_seconds",
                                         .unit = "seconds",
                                         .help = "Simulated time that a partition has reached",
                                         .labels = {"partition"},
                                         .order = 532,
                                         .in_report = false}};
const metric::Gauge kPartitionLookahead{
    {.name = "fabrictwin_partition_lookahead_seconds",
     .unit = "seconds",
     .help = "Simulated time by which a partition may be ahead of its neighbours: the least latency of the links that "
             "enter it",
     .labels = {"partition"},
     .order = 534,
     .in_report = false}};
const metric::Gauge kPartitionWaitsFor{
    {.name = "fabrictwin_partition_waits_for",
     .help = "Whether a partition can do nothing before its neighbour `peer` has come further: 1 if so, 0 if not",
     .labels = {"partition", "peer"},
     .order = 536,
     .in_report = false}};

const metric::Counter kTransportRecords{{.name = "fabrictwin_transport_records_total",
                                         .help = "Records that crossed between processes, in both directions",
                                         .labels = {"transport"},
                                         .order = 600,
                                         .in_report = false}};
const metric::Counter kTransportMessages{
    {.name = "fabrictwin_transport_messages_total",
     .help = "Messages in which records crossed between processes, in both directions",
     .labels = {"transport"},
     .order = 610,
     .in_report = false}};
const metric::Counter kTransportBytes{{.name = "fabrictwin_transport_bytes_total",
                                       .unit = "bytes",
                                       .help = "Bytes in which records crossed between processes, in both directions",
                                       .labels = {"transport"},
                                       .order = 620,
                                       .in_report = false}};

}  // namespace

RunMetrics::RunMetrics(const experiment::Experiment& experiment, const system::Plan& plan, RunIdentity identity,
                       SeriesSelection selection)
    : identity_(std::move(identity)),
      selection_(selection),
      topology_(plan.graph.topology),
      seed_(std::to_string(experiment.seed)),
      experiment_(experiment.file),
      partitions_(plan, selection.busiest_partitions, selection.all_partitions_up_to),
      cycle_seconds_(static_cast<double>(plan.graph.router_clock.numerator()) /
                     static_cast<double>(plan.graph.router_clock.denominator()) * 1e-15),
      word_bytes_(plan.graph.words.word_bits / 8) {
  const auto channels = static_cast<size_t>(plan.graph.channel_count());
  link_names_.reserve(channels);
  const auto is_host = [&](const system::LinkEnd& end) { return end.element < plan.graph.host_count(); };
  for (int32_t channel = 0; channel < plan.graph.channel_count(); ++channel) {
    link_names_.push_back(plan.graph.channel_name(channel));
    const system::Link& link = plan.graph.channel_link(channel);
    const auto rate = static_cast<double>(link.rate.bits_per_second);
    word_seconds_.push_back(rate > 0 ? link.word_bits / rate : 0);
    classes_.push_back(is_host(plan.graph.channel_source(channel))   ? kInjection
                       : is_host(plan.graph.channel_target(channel)) ? kEjection
                                                                     : kNetwork);
  }
  selected_.assign(channels, channels <= selection_.all_up_to);
  for (const system::PartitionPlan& partition : plan.partitions) partition_names_.push_back(partition.name);
  lookaheads_.assign(partition_names_.size(), Time::never());
  for (const int32_t channel : plan.cut_channels) {
    const auto target = static_cast<size_t>(plan.target_partition(channel));
    lookaheads_[target] = std::min(lookaheads_[target], plan.channel_link(channel).latency);
  }
}

void RunMetrics::measure(const RunSample& sample, std::span<const link::LinkCounters> links, metric::Sink& sink) {
  sink.add(kRunInfo, 1,
           {identity_.run, experiment_, identity_.commit, identity_.version, topology_, seed_, identity_.host});
  measure_progress(sample, sink);
  measure_classes(links, sink);
  measure_links(links, sink);
  observe::send_metrics(sample.measures, "", sink);
  measure_partitions(sample, sink);
  if (sample.result != nullptr) measure_result(*sample.result, sink);
  for (const TransportCounters& counters : sample.transports) {
    sink.add(kTransportRecords, static_cast<double>(counters.records), {counters.transport});
    sink.add(kTransportMessages, static_cast<double>(counters.messages), {counters.transport});
    sink.add(kTransportBytes, static_cast<double>(counters.bytes), {counters.transport});
  }
}

void RunMetrics::measure_partitions(const RunSample& sample, metric::Sink& sink) {
  partitions_.update(sample);
  measure_kinds(sample.partitions, sink);
  for (const v1::PartitionReport& partition : sample.partitions)
    if (partitions_.contains(partition.name())) measure_partition(partition, sink);
  measure_look(sample.look, sink);
}

void RunMetrics::measure_look(const RunLook& look, metric::Sink& sink) {
  const size_t count = std::min(look.partitions.size(), partition_names_.size());
  for (size_t p = 0; p < count; ++p) {
    if (!partitions_.contains(p)) continue;
    const std::string& name = partition_names_[p];
    const std::set<int32_t>& neighbours = partitions_.neighbours(p);
    sink.add(kPartitionSimulated, look.partitions[p].now.seconds(), {name});
    if (!neighbours.empty()) sink.add(kPartitionLookahead, lookaheads_[p].seconds(), {name});
    for (const int32_t peer : neighbours) {
      const bool waits = look.partitions[p].waits_for == peer;
      if (partitions_.contains_pair(p, peer, waits))
        sink.add(kPartitionWaitsFor, waits ? 1 : 0, {name, partition_names_[static_cast<size_t>(peer)]});
    }
  }
}

void RunMetrics::measure_progress(const RunSample& sample, metric::Sink& sink) const {
  sink.add(kSimulatedSeconds, sample.simulated.seconds());
  if (sample.wall_seconds >= 0) sink.add(kWallSeconds, sample.wall_seconds);
  sink.add(kState, static_cast<double>(sample.state));
  if (sample.done < 0) return;
  // Traffic in samples may end before the most samples that it may take.
  sink.add(kProgress, sample.state == RunState::kComplete ? 1 : sample.done);
  if (sample.done > 0 && sample.wall_seconds >= 0 && sample.state == RunState::kRunning)
    sink.add(kRemaining, sample.wall_seconds * (1 - sample.done) / sample.done);
}

void RunMetrics::measure_classes(std::span<const link::LinkCounters> links, metric::Sink& sink) const {
  struct Sums {
    uint64_t links = 0;
    uint64_t words = 0;
    uint64_t packets = 0;
    uint64_t stalls = 0;
    uint64_t most_words = 0;
    double longest_use = 0;
  };
  std::array<Sums, kClasses> classes{};
  const size_t count = std::min(links.size(), link_names_.size());
  for (size_t channel = 0; channel < count; ++channel) {
    Sums& sums = classes[classes_[channel]];
    const uint64_t words = links[channel].words.get();
    ++sums.links;
    sums.words += words;
    sums.packets += links[channel].packets.get();
    sums.stalls += links[channel].credit_stall_cycles.get();
    sums.most_words = std::max(sums.most_words, words);
    sums.longest_use = std::max(sums.longest_use, static_cast<double>(words) * word_seconds_[channel]);
  }
  if (classes[kEjection].links > 0) sink.add(kDelivered, static_cast<double>(classes[kEjection].packets));
  constexpr std::array<std::string_view, kClasses> kNames{"injection", "ejection", "network"};
  for (size_t i = 0; i < kClasses; ++i) {
    const Sums& sums = classes[i];
    if (sums.links == 0) continue;
    sink.add(kClassLinks, static_cast<double>(sums.links), {kNames[i]});
    sink.add(kClassBytes, static_cast<double>(sums.words) * word_bytes_, {kNames[i]});
    sink.add(kClassBusiest, static_cast<double>(sums.most_words) * word_bytes_, {kNames[i]});
    sink.add(kClassUse, sums.longest_use, {kNames[i]});
    sink.add(kClassPackets, static_cast<double>(sums.packets), {kNames[i]});
    sink.add(kClassStall, static_cast<double>(sums.stalls) * cycle_seconds_, {kNames[i]});
  }
}

void RunMetrics::select_most(std::span<const link::LinkCounters> links, link::Counter link::LinkCounters::*counter) {
  std::vector<std::pair<uint64_t, size_t>> most;
  for (size_t channel = 0; channel < links.size(); ++channel)
    if (const uint64_t value = (links[channel].*counter).get(); value > 0) most.emplace_back(value, channel);
  const size_t kept = std::min(selection_.busiest, most.size());
  std::partial_sort(most.begin(), most.begin() + static_cast<std::ptrdiff_t>(kept), most.end(), std::greater<>());
  for (size_t i = 0; i < kept && selected_count_ < 4 * selection_.busiest; ++i) {
    if (selected_[most[i].second]) continue;
    selected_[most[i].second] = true;
    ++selected_count_;
  }
}

void RunMetrics::select_links(std::span<const link::LinkCounters> links) {
  if (links.size() <= selection_.all_up_to) return;
  select_most(links, &link::LinkCounters::words);
  select_most(links, &link::LinkCounters::credit_stall_cycles);
}

void RunMetrics::measure_links(std::span<const link::LinkCounters> links, metric::Sink& sink) {
  const size_t count = std::min(links.size(), link_names_.size());
  select_links(links.first(count));
  for (size_t channel = 0; channel < count; ++channel) {
    if (!selected_[channel]) continue;
    const std::string& name = link_names_[channel];
    const auto words = static_cast<double>(links[channel].words.get());
    const auto stalls = static_cast<double>(links[channel].credit_stall_cycles.get());
    sink.add(kLinkBytes, words * word_bytes_, {name});
    sink.add(kLinkPackets, static_cast<double>(links[channel].packets.get()), {name});
    sink.add(kLinkCreditStall, stalls * cycle_seconds_, {name});
    sink.add(kLinkStallToFlit, words > 0 ? stalls / words : 0, {name});
  }
}

}  // namespace fabrictwin::run::metrics

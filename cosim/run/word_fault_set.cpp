// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/word_fault_set.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "cosim/metric/metric.h"
#include "fmt/format.h"

namespace fabrictwin::run {
namespace {

/// A number of a fault: its metric, and its field in the report.
struct Measure {
  metric::Counter metric;
  link::Counter link::WordFaultCounters::*counter;
  uint64_t (v1::FaultReport::*get)() const;
  void (v1::FaultReport::*set)(uint64_t);
};

const Measure kMeasures[] = {
    {metric::Counter{{.name = "fabrictwin_fault_wrong_bits_total",
                      .help = "Bits that a fault has made wrong",
                      .labels = {"fault", "link"},
                      .order = 471}},
     &link::WordFaultCounters::wrong_bits, &v1::FaultReport::wrong_bits, &v1::FaultReport::set_wrong_bits},
    {metric::Counter{{.name = "fabrictwin_fault_corrected_headers_total",
                      .help = "Headers of packets in which a fault has made one bit wrong, which was corrected",
                      .labels = {"fault", "link"},
                      .order = 472}},
     &link::WordFaultCounters::corrected_headers, &v1::FaultReport::corrected_headers,
     &v1::FaultReport::set_corrected_headers},
    {metric::Counter{{.name = "fabrictwin_fault_damaged_packets_total",
                      .help = "Packets that were delivered with the mark of a damaged one because of a fault",
                      .labels = {"fault", "link"},
                      .order = 473}},
     &link::WordFaultCounters::damaged_packets, &v1::FaultReport::damaged_packets,
     &v1::FaultReport::set_damaged_packets},
    {metric::Counter{{.name = "fabrictwin_fault_lost_packets_total",
                      .help = "Packets that were not delivered because of a fault",
                      .labels = {"fault", "link"},
                      .order = 474}},
     &link::WordFaultCounters::lost_packets, &v1::FaultReport::lost_packets, &v1::FaultReport::set_lost_packets},
    {metric::Counter{{.name = "fabrictwin_fault_lost_words_total",
                      .help = "Words of packets that were not delivered because of a fault, whose credits came back",
                      .labels = {"fault", "link"},
                      .order = 475}},
     &link::WordFaultCounters::lost_words, &v1::FaultReport::lost_words, &v1::FaultReport::set_lost_words},
    {metric::Counter{{.name = "fabrictwin_fault_late_credits_total",
                      .help = "Credits that came with a later frame because of a fault",
                      .labels = {"fault", "link"},
                      .order = 476}},
     &link::WordFaultCounters::late_credits, &v1::FaultReport::late_credits, &v1::FaultReport::set_late_credits},
    {metric::Counter{{.name = "fabrictwin_fault_held_words_total",
                      .help = "Words that waited for a link that had failed",
                      .labels = {"fault", "link"},
                      .order = 477}},
     &link::WordFaultCounters::held_words, &v1::FaultReport::held_words, &v1::FaultReport::set_held_words},
};

bool is_board(const system::Plan& plan, int32_t partition) {
  return plan.partitions[static_cast<size_t>(partition)].implementation == v1::BOARD;
}

std::vector<link::WordFault> faults_of(const experiment::Experiment& experiment, const system::Plan& plan,
                                       int32_t channel) {
  std::vector<link::WordFault> faults;
  for (const system::ChannelFault& fault : plan.faults) {
    if (fault.channel != channel) continue;
    const experiment::FaultSpec& spec = experiment.faults[static_cast<size_t>(fault.fault)];
    faults.push_back({spec.at, spec.until, spec.bit_error_rate});
  }
  return faults;
}

}  // namespace

WordFaultSet::WordFaultSet(const experiment::Experiment& experiment, const system::Plan& plan, int32_t place)
    : plan_(plan) {
  for (const system::ChannelFault& fault : plan.faults) {
    const int32_t channel = fault.channel;
    if (system::fault_place(plan, channel) != place || by_channel_.contains(channel)) continue;
    const system::Link& link = plan.channel_link(channel);
    link::WordFaults::Config config;
    config.seed = experiment.seed;
    config.channel = channel;
    config.word_clock = link.word_clock();
    config.latency = link.latency;
    config.back_latency = plan.channel_link(channel ^ 1).latency;
    config.refresh = link.refresh;
    config.faults = faults_of(experiment, plan, channel);
    config.back_faults = faults_of(experiment, plan, channel ^ 1);
    by_channel_.emplace(channel, std::make_unique<link::WordFaults>(std::move(config)));
  }
}

link::WordFaults* WordFaultSet::of(int32_t channel) const {
  const auto found = by_channel_.find(channel);
  return found == by_channel_.end() ? nullptr : found->second.get();
}

bool WordFaultSet::at_receiver(int32_t channel) const { return is_board(plan_, plan_.source_partition(channel)); }

void WordFaultSet::measure(metric::Sink& sink) const {
  std::map<int32_t, size_t> next;
  for (const system::ChannelFault& fault : plan_.faults) {
    const link::WordFaults* const faults = of(fault.channel);
    if (faults == nullptr) continue;
    const link::WordFaultCounters& counters = faults->counters()[next[fault.channel]++];
    const std::string number = std::to_string(fault.fault);
    const std::string name = plan_.graph.channel_name(fault.channel);
    for (const Measure& measure : kMeasures)
      sink.add(measure.metric, static_cast<double>((counters.*measure.counter).get()), {number, name});
  }
}

void report_word_faults(const experiment::Experiment& experiment, const system::Plan& plan, v1::Report& report) {
  if (plan.faults.empty()) return;
  for (const experiment::FaultSpec& fault : experiment.faults) {
    v1::FaultReport& line = *report.add_faults();
    line.set_link(fault.link);
    line.set_at_seconds(fault.at.seconds());
    if (!fault.until.is_never()) line.set_until_seconds(fault.until.seconds());
    line.set_bit_error_rate(fault.bit_error_rate);
    for (const Measure& measure : kMeasures) (line.*measure.set)(0);
  }
  for (const v1::MetricReport& series : report.metrics()) {
    for (const Measure& measure : kMeasures) {
      int32_t fault = 0;
      if (series.name() != measure.metric.name() || series.labels().empty() ||
          !absl::SimpleAtoi(series.labels(0).value(), &fault) || fault < 0 || fault >= report.faults_size())
        continue;
      v1::FaultReport& line = *report.mutable_faults(fault);
      (line.*measure.set)((line.*measure.get)() + static_cast<uint64_t>(series.value()));
    }
  }
}

std::string failed_links(const experiment::Experiment& experiment, const system::Plan& plan, Time now) {
  std::string lines;
  int32_t last = -1;
  for (const system::ChannelFault& channel : plan.faults) {
    const experiment::FaultSpec& fault = experiment.faults[static_cast<size_t>(channel.fault)];
    if (std::exchange(last, channel.fault) == channel.fault) continue;
    if (fault.bit_error_rate > 0 || !fault.until.is_never() || fault.at > now) continue;
    lines += fmt::format("\n  {} has failed at {} and does not return", fault.link, to_string(fault.at));
  }
  return lines;
}

}  // namespace fabrictwin::run

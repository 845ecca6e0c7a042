// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Flows of a file or a distribution in an experiment: docs/congestion.md.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "cosim/base/random.h"
#include "fmt/format.h"
#include "workloads/flows/flow_file.h"
#include "workloads/flows/flow_kind.h"
#include "workloads/flows/results_text.h"
#include "workloads/flows/size_distribution.h"

namespace fabrictwin::flows {
namespace {

/// See Flows in flows.proto.
struct FlowsSpec {
  std::string file;   ///< A path that can be opened; or
  std::string sizes;  ///< the name of a distribution, or the path of its file.
  double load = 0;
  Time duration;
  experiment::SourceLocation file_location;
  experiment::SourceLocation duration_location;
};

bool known(const std::string& sizes) { return sizes == "WEBSEARCH" || sizes == "HADOOP"; }

absl::StatusOr<SizeDistribution> distribution(const std::string& sizes) {
  if (sizes == "WEBSEARCH") return SizeDistribution::web_search();
  if (sizes == "HADOOP") return SizeDistribution::hadoop();
  return SizeDistribution::read(sizes);
}

/// Each host is the source of a Poisson process; random numbers of flow i of a host depend on the host and i only.
FlowList random_flows(const FlowsSpec& spec, const SizeDistribution& sizes, int32_t hosts, int64_t rate,
                      uint64_t seed) {
  FlowList flows;
  const double gap = sizes.mean() * 8e15 / (spec.load * static_cast<double>(rate));
  for (int32_t host = 0; host < hosts; ++host) {
    RandomStream random(seed, static_cast<uint64_t>(host), RandomPurpose::kFlow);
    double start = 0;
    for (;;) {
      start -= std::log(1 - random.next_unit()) * gap;
      if (start >= static_cast<double>(spec.duration.fs())) break;
      Flow flow;
      flow.source = host;
      flow.destination = static_cast<int32_t>(random.next_below(static_cast<uint64_t>(hosts) - 1));
      if (flow.destination >= host) ++flow.destination;
      flow.bytes = sizes.at(random.next_unit());
      flow.start = Time::from_fs(static_cast<int64_t>(start));
      flows.push_back(flow);
    }
  }
  std::stable_sort(flows.begin(), flows.end(), [](const Flow& a, const Flow& b) { return a.start < b.start; });
  return flows;
}

class FlowsKind final : public FlowKindOf<v1::Workload::kFlows, v1::Job::kFlows, v1::Flows, FlowsSpec> {
  FlowsSpec check(v1::Flows& message, const experiment::FileChecker& files,
                  const experiment::MessageReader& reader) const override {
    FlowsSpec spec;
    if (message.file().empty() == message.sizes().empty()) {
      reader.complain("",
                      message.file().empty()
                          ? "the workload has no flows; write file: \"flows.csv\", or sizes: \"WEBSEARCH\" load: 0.5"
                          : "flows come from a file or have sizes of a distribution; write file or sizes, not both");
      return spec;
    }
    if (!message.file().empty()) {
      for (const std::string_view field : {"load", "duration"}) {
        if (reader.has(field))
          reader.complain(
              field, fmt::format("{} is for sizes, and flows of a file have their own starts; leave it out", field));
      }
      spec.file_location = reader.fields().locations().find(reader.path_of("file"));
      spec.file = files.find(reader.path_of("file"), message.file(), "a CSV file with flows",
                             "write one with the columns source,destination,bytes,start");
      message.set_file(spec.file);
      return spec;
    }
    spec.sizes = message.sizes();
    if (!known(spec.sizes)) {
      spec.sizes = files.find(reader.path_of("sizes"), spec.sizes, "WEBSEARCH, HADOOP or a CSV file with sizes",
                              "write WEBSEARCH, HADOOP, or a file with the columns bytes,percent");
      message.set_sizes(spec.sizes);
    }
    spec.load = message.load();
    if (!(spec.load > 0 && spec.load < 1)) {
      reader.complain_near(
          "load", fmt::format("load {}: flows with sizes need a load above 0 and below 1; write load: 0.5", spec.load));
      spec.load = 0.5;
    }
    spec.duration_location = reader.fields().locations().find(reader.path_of("duration"));
    spec.duration = reader.quantity<Time>("duration", parse_time);
    if (spec.duration == Time::zero()) {
      reader.complain("duration", "duration 0: no flow would start; write a time such as \"10ms\"");
      spec.duration = Time::from_us(1);
    }
    if (spec.duration > kLastTime) {
      reader.complain("duration", fmt::format("duration {}: simulated time ends at {:.0f} s; write a shorter one",
                                              to_string(spec.duration), kLatestSeconds));
      spec.duration = Time::from_us(1);
    }
    return spec;
  }
  void add_results(const v1::Report& report, std::string& text) const override { flows::add_results(report, text); }
  std::string text(const FlowsSpec& spec) const override {
    if (!spec.file.empty()) return fmt::format("flows of {}", spec.file);
    return fmt::format("flows with sizes {}, load {}, starts within {}", spec.sizes, spec.load,
                       to_string(spec.duration));
  }
  absl::StatusOr<FlowList> list(const FlowsSpec& spec, const FlowSite& site) const override {
    if (site.hosts < 2) return wrong_flows(site.location, "flows need at least two hosts");
    if (spec.file.empty()) return random_list(spec, site);
    absl::StatusOr<FlowList> flows = read_flows(spec.file, site.hosts, site.endless);
    if (!flows.ok()) return flows.status();
    const bool stops =
        std::ranges::any_of(*flows, [](const Flow& flow) { return flow.bytes == 0 || !flow.stop.is_never(); });
    if (stops && !site.transport) {
      return wrong_flows(spec.file_location,
                         "flows with a stop need hosts with a transport; write router { model: PACKET "
                         "} and leave host.nic out, or leave the column stop out");
    }
    return flows;
  }

  static absl::StatusOr<FlowList> random_list(const FlowsSpec& spec, const FlowSite& site) {
    const absl::StatusOr<SizeDistribution> sizes = distribution(spec.sizes);
    if (!sizes.ok()) return sizes.status();
    const double flows =
        spec.load * static_cast<double>(site.rate) * spec.duration.seconds() * site.hosts / (8 * sizes->mean());
    if (flows > static_cast<double>(kMostFlows)) {
      return wrong_flows(spec.duration_location,
                         fmt::format("this would be {:.0f} flows, and a run has at most {}; write a shorter "
                                     "duration",
                                     flows, kMostFlows));
    }
    FlowList list = random_flows(spec, *sizes, site.hosts, site.rate, site.seed);
    if (list.empty()) {
      const double each = std::min(static_cast<double>(spec.duration.fs()) / flows, 9e18);
      return wrong_flows(
          spec.duration_location,
          fmt::format("no flow starts within {}: with load {} and sizes of {:.0f} B there is one each {} "
                      "on average; write a longer duration or a higher load",
                      to_string(spec.duration), spec.load, sizes->mean(),
                      to_string(Time::from_fs(std::llround(each)))));
    }
    return list;
  }
};

}  // namespace

const FlowKind& flows() {
  static const FlowsKind kind;
  return kind;
}

}  // namespace fabrictwin::flows

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/experiment/check/host.h"

#include <fmt/format.h>
#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cosim/experiment/check/message_reader.h"
#include "cosim/experiment/host_profiles.h"

namespace fabrictwin::experiment {
namespace {

constexpr Bandwidth kMaxBandwidth{100'000'000'000'000};
constexpr Time kMaxLatency = Time::from_us(1000);
// The limit is far beyond the overhead of any software, and far below the range of simulated time.
constexpr Time kMaxOverhead = Time::from_us(1'000'000);
constexpr Time kMaxAllreduceTimeout = Time::from_us(10'000'000);
constexpr Time kMaxPageFaultTime = Time::from_us(1000);
constexpr int64_t kMaxBurst = 4096;
constexpr int32_t kMaxOutstanding = 4096;
constexpr int32_t kMaxCores = 1024;

/// A rate above zero, at most kMaxBandwidth; zero if it is wrong or was left out.
Bandwidth check_rate(std::string_view path, const std::string& text, FieldChecker& fields) {
  if (!fields.written(path, text)) return {};
  const auto rate = fields.quantity<Bandwidth>(path, text, "", parse_bandwidth);
  if (!rate.has_value()) return {};
  if (*rate > Bandwidth{} && *rate <= kMaxBandwidth) return *rate;
  fields.complain(path, fmt::format("{} of {}: write a rate above zero, at most {}", path.substr(path.rfind('.') + 1),
                                    to_string(*rate), to_string(kMaxBandwidth)));
  return {};
}

Time check_time(std::string_view path, const std::string& text, Time most, FieldChecker& fields) {
  const Time time = fields.time(path, text, "0ns");
  if (time <= most) return time;
  fields.complain(path, fmt::format("{} of {} is more than {}, the longest that is allowed",
                                    path.substr(path.rfind('.') + 1), to_string(time), to_string(most)));
  return {};
}

HostMemorySpec check_memory(const v1::HostMemory& memory, FieldChecker& fields) {
  const MessageReader reader(memory, "host.memory", fields);
  HostMemorySpec spec;
  if (!reader.has_text("bandwidth")) {
    fields.complain("host.memory",
                    "the memory has no bandwidth, and there is no usual one; write bandwidth: \"16GB/s\"");
  }
  spec.bandwidth = check_rate("host.memory.bandwidth", memory.bandwidth(), fields);
  spec.latency = check_time("host.memory.latency", memory.latency(), kMaxLatency, fields);
  spec.outstanding = reader.number("outstanding", 1, kMaxOutstanding);
  spec.burst = reader.quantity<Bytes>("burst", parse_bytes);
  if (spec.burst.count < 1 || spec.burst.count > kMaxBurst) {
    fields.complain("host.memory.burst",
                    fmt::format("burst of {}: write 1B to {}", to_string(spec.burst), to_string(Bytes{kMaxBurst})));
    spec.burst = Bytes{1};
  }
  if (memory.has_load()) {
    spec.load_cores = fields.number("host.memory.load.cores", memory.load().cores(), 1, 1, kMaxCores);
    if (memory.load().cores() == 0 && !fields.locations().has("host.memory.load.cores"))
      fields.complain("host.memory.load", "the load has no cores; write load { cores: 3 rate: \"2GB/s\" }");
    if (!fields.written("host.memory.load.rate", memory.load().rate()))
      fields.complain("host.memory.load", "the load has no rate; write load { cores: 3 rate: \"2GB/s\" }");
    spec.load_rate = check_rate("host.memory.load.rate", memory.load().rate(), fields);
  }
  spec.compute_traffic = check_rate("host.memory.compute_traffic", memory.compute_traffic(), fields);
  spec.page_fault_time = check_time("host.memory.page_fault_time", memory.page_fault_time(), kMaxPageFaultTime, fields);
  return spec;
}

Time overhead(std::string_view path, const std::string& text, Time of_profile, FieldChecker& fields) {
  return fields.written(path, text) ? check_time(path, text, kMaxOverhead, fields) : of_profile;
}

Bandwidth rate_or(std::string_view path, const std::string& text, Bandwidth of_profile, FieldChecker& fields) {
  return fields.written(path, text) ? check_rate(path, text, fields) : of_profile;
}

CollectiveSpec check_collectives(const v1::CollectiveCosts& costs, const MpiOverheads& profile, FieldChecker& fields) {
  CollectiveSpec spec;
  spec.request = overhead("host.collectives.request", costs.request(), profile.request, fields);
  spec.reduction = overhead("host.collectives.reduction", costs.reduction(), profile.reduce, fields);
  spec.buffer = overhead("host.collectives.buffer", costs.buffer(), profile.buffer, fields);
  spec.rate = rate_or("host.collectives.rate", costs.rate(), profile.local_rate, fields);
  return spec;
}

// Takes the overheads from the profile and replaces those that are written.
void check_overheads(const v1::Host& host, FieldChecker& fields, HostSpec& spec) {
  spec.profile = host.profile().empty() ? "none" : host.profile();
  const MpiOverheads* profile = find_mpi_overheads(spec.profile);
  if (profile == nullptr) {
    std::vector<std::string_view> names;
    for (const MpiOverheads& each : mpi_overheads()) names.push_back(each.name);
    fields.complain("host.profile",
                    fmt::format("host profile '{}' is not known; write one of {}", spec.profile, comma_list(names)));
    profile = &mpi_overheads()[0];
    spec.profile = profile->name;
  }
  spec.send_overhead = overhead("host.send_overhead", host.send_overhead(), profile->send, fields);
  spec.receive_overhead = overhead("host.receive_overhead", host.receive_overhead(), profile->receive, fields);
  spec.eager_limit = MessageReader(host, "host", fields).quantity<Bytes>("eager_limit", parse_bytes);
  spec.match_overhead = overhead("host.match_overhead", host.match_overhead(), profile->match, fields);
  spec.copy_rate = rate_or("host.copy_rate", host.copy_rate(), profile->copy_rate, fields);
  spec.collectives = check_collectives(host.collectives(), *profile, fields);
  spec.loopback_latency = overhead("host.loopback_latency", host.loopback_latency(), profile->loopback_latency, fields);
  spec.loopback_rate = rate_or("host.loopback_rate", host.loopback_rate(), profile->loopback_rate, fields);
}

bool has(const v1::Host& host, std::string_view field) {
  return !field.empty() &&
         host.GetReflection()->HasField(host, host.GetDescriptor()->FindFieldByName(std::string(field)));
}

v1::Host::Nic check_nic(const Experiment& experiment, FieldChecker& fields) {
  static constexpr std::string_view kPath = "host.nic";
  const v1::Host::Nic nic = experiment.message.host().nic();
  if (!fields.locations().has(std::string(kPath))) return v1::Host::PLAIN;
  if (!v1::Host::Nic_IsValid(nic)) {
    std::vector<std::string_view> names;
    for (const NicCapabilities* one : experiment.capabilities.nics) names.push_back(v1::Host::Nic_Name(one->nic));
    fields.complain(kPath, fmt::format("unknown nic; write one of {}", comma_list(names)));
  } else if (experiment.topology_traits.nodes) {
    fields.complain(kPath, fmt::format("the nodes of {} bring their own network interfaces, which are logic; leave nic "
                                       "out, or write another topology",
                                       topology_text(experiment.topology)));
  } else if (const NicCapabilities& chosen = experiment.capabilities.of(nic);
             chosen.topology != v1::Topology::KIND_NOT_SET && experiment.topology != chosen.topology) {
    const auto replaces = [&chosen](const NicCapabilities& other) {
      return other.topology == v1::Topology::KIND_NOT_SET && other.memory == chosen.memory;
    };
    fields.complain(kPath, fmt::format("the network interfaces of {} are those of {} and its generations; write that "
                                       "topology, or nic: {}",
                                       v1::Host::Nic_Name(nic), topology_text(chosen.topology),
                                       experiment.capabilities.nics_with(replaces)));
  }
  return nic == v1::Host::NIC_UNSPECIFIED ? v1::Host::PLAIN : nic;
}

/// The fields that hosts of this topology have and no others, and those of others.
void check_topology_fields(Experiment& experiment, const Tenants& tenants, FieldChecker& fields) {
  for (const TopologyCheck* topology : tenants.topologies) {
    if (topology->kind() == experiment.topology) {
      topology->check_host(experiment, fields);
      continue;
    }
    for (const HostField& field : topology->host_fields()) {
      const std::string path = fmt::format("host.{}", field.name);
      if (!fields.locations().has(path)) continue;
      fields.complain(path, fmt::format("{} is that of {} in {}; leave it out", field.name, field.part,
                                        topology_text(topology->kind())));
    }
  }
}

/// Whether hosts have hardware that reduces: nodes, and barrier interfaces beside routers that they can be beside.
bool reduces(const Experiment& experiment, const HostSpec& spec) {
  const Capabilities& known = experiment.capabilities;
  return experiment.topology_traits.nodes || (known.of(spec.nic).reduces && known.of(experiment.router.model).barriers);
}

void check_allreduce(const Experiment& experiment, const Tenants& tenants, FieldChecker& fields, HostSpec& spec) {
  const v1::Host& host = experiment.message.host();
  static constexpr std::string_view kPath = "host.allreduce";
  if (!v1::Host::Allreduce_IsValid(host.allreduce()))
    fields.complain(kPath, "nobody of that name reduces; write SOFTWARE or ACCELERATOR");
  spec.allreduce_accelerator = host.allreduce() == v1::Host::ACCELERATOR;
  spec.allreduce_timeout = check_time("host.allreduce_timeout", host.allreduce_timeout(), kMaxAllreduceTimeout, fields);
  if (spec.allreduce_accelerator && !reduces(experiment, spec)) {
    fields.complain(
        kPath, fmt::format("the Allreduce accelerator is logic of the nodes of {}, and the barrier interface that of "
                           "nic: {} beside routers of the model {}; write one of these, or allreduce: SOFTWARE",
                           tenants.node_topologies(), experiment.capabilities.nics_with(&NicCapabilities::reduces),
                           experiment.capabilities.models_with(&RouterCapabilities::barriers)));
  }
  if (!host.allreduce_timeout().empty() && !(spec.allreduce_accelerator && experiment.topology_traits.nodes)) {
    fields.complain("host.allreduce_timeout",
                    fmt::format("allreduce_timeout is that of the Allreduce accelerators of {}; write allreduce: "
                                "ACCELERATOR, or leave it out",
                                tenants.node_topologies()));
  }
}

}  // namespace

void check_host(Experiment& experiment, const Tenants& tenants, FieldChecker& fields) {
  const v1::Host& host = experiment.message.host();
  const LocationMap& locations = fields.locations();
  HostSpec& spec = experiment.host;
  check_overheads(host, fields, spec);
  if (host.has_memory()) spec.memory = check_memory(host.memory(), fields);
  spec.nic = check_nic(experiment, fields);
  for (const NicCheck* nic : tenants.nics) {
    const std::string_view name = v1::Host::Nic_Name(nic->capabilities().nic);
    if (nic->capabilities().nic == spec.nic) {
      spec.nic_spec = nic->check(experiment, fields);
    } else if (has(host, nic->field())) {
      fields.complain(
          fmt::format("host.{}", nic->field()),
          fmt::format("{0} is for network interfaces of {1}; write nic: {1}, or leave {0} out", nic->field(), name));
    }
  }
  check_allreduce(experiment, tenants, fields, spec);
  check_topology_fields(experiment, tenants, fields);
  experiment.allreduce_location = locations.find("host.allreduce");
  experiment.memory_location = locations.find("host.memory");
  experiment.firmware_location = locations.find("host.firmware_delay");

  const NicCapabilities& nic = experiment.capabilities.of(spec.nic);
  if (host.has_memory() && !experiment.topology_traits.nodes && !nic.memory) {
    fields.complain("host.memory", fmt::format("memory is for hosts whose network interface reads and writes it: those "
                                               "of {}, and with nic: {}; leave it out",
                                               tenants.node_topologies(),
                                               experiment.capabilities.nics_with(&NicCapabilities::memory)));
  }
  if (nic.memory && !host.memory().page_fault_time().empty()) {
    fields.complain("host.memory.page_fault_time",
                    fmt::format("page_fault_time is for hosts of {}: network interfaces of {} reach registered memory "
                                "only, whose pages are there; leave it out",
                                tenants.node_topologies(), v1::Host::Nic_Name(nic.nic)));
  }
  spec.memory_is_bus = nic.memory && !nic.core_memory;
  if (spec.memory_is_bus && !host.memory().compute_traffic().empty()) {
    fields.complain(
        "host.memory.compute_traffic",
        fmt::format("compute_traffic goes through the memory of a host, and with nic: {} memory {{ }} is the bus of "
                    "the adapter, which no core uses; leave it out",
                    v1::Host::Nic_Name(nic.nic)));
  }
  if (host.has_ip() && experiment.workload != v1::Workload::kIp && experiment.workload != v1::Workload::KIND_NOT_SET) {
    fields.complain("host.ip",
                    "ip is the network stack of programs in workload { ip { } }: this workload sends no IP packets; "
                    "leave it out");
  }
  // Without a workload, which is a mistake of its own, it is not known who runs on the hosts.
  if (experiment.workload_traits.ranks || experiment.workload == v1::Workload::KIND_NOT_SET) return;
  for (const std::string_view path : {"host.send_overhead", "host.receive_overhead"}) {
    if (!locations.has(std::string(path))) continue;
    fields.complain(path, fmt::format("{} is of MPI jobs, as of workload {{ mpi_trace {{ }} }}: no software sends this "
                                      "workload; leave it out",
                                      path.substr(path.rfind('.') + 1)));
  }
  for (const std::string_view path :
       {"host.copy_rate", "host.eager_limit", "host.match_overhead", "host.loopback_latency", "host.loopback_rate",
        "host.collectives", "host.memory.compute_traffic", "host.allreduce"}) {
    if (!locations.has(std::string(path))) continue;
    fields.complain(path, fmt::format("{} is for workload {{ mpi_trace {{ }} }}: traffic neither computes nor copies; "
                                      "leave it out",
                                      path.substr(path.rfind('.') + 1)));
  }
}

}  // namespace fabrictwin::experiment

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/experiment/check/host.h"

#include <fmt/format.h>
#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <bit>
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
constexpr Time kMaxFirmwareDelay = Time::from_us(1000);
constexpr int32_t kMaxReceiveWindows = 64;
constexpr int32_t kMaxRingEntries = 4096;
constexpr Time kMaxAllreduceTimeout = Time::from_us(10'000'000);
constexpr Time kMaxPageFaultTime = Time::from_us(1000);
constexpr int64_t kMaxBurst = 4096;
constexpr int32_t kMaxOutstanding = 4096;
constexpr int32_t kMaxCores = 1024;

/// A rate above zero, at most kMaxBandwidth; zero if it is wrong or was left out (`text` is empty).
Bandwidth check_rate(std::string_view path, const std::string& text, FieldChecker& fields) {
  if (text.empty()) return {};
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
  if (memory.bandwidth().empty()) {
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
    if (memory.load().rate().empty())
      fields.complain("host.memory.load", "the load has no rate; write load { cores: 3 rate: \"2GB/s\" }");
    spec.load_rate = check_rate("host.memory.load.rate", memory.load().rate(), fields);
  }
  spec.compute_traffic = check_rate("host.memory.compute_traffic", memory.compute_traffic(), fields);
  spec.page_fault_time = check_time("host.memory.page_fault_time", memory.page_fault_time(), kMaxPageFaultTime, fields);
  return spec;
}

Time overhead(std::string_view path, const std::string& text, Time of_profile, FieldChecker& fields) {
  return text.empty() ? of_profile : check_time(path, text, kMaxOverhead, fields);
}

CollectiveSpec check_collectives(const v1::CollectiveCosts& costs, const MpiOverheads& profile, FieldChecker& fields) {
  CollectiveSpec spec;
  spec.request = overhead("host.collectives.request", costs.request(), profile.request, fields);
  spec.reduction = overhead("host.collectives.reduction", costs.reduction(), profile.reduce, fields);
  spec.buffer = overhead("host.collectives.buffer", costs.buffer(), profile.buffer, fields);
  spec.rate = costs.rate().empty() ? profile.local_rate : check_rate("host.collectives.rate", costs.rate(), fields);
  return spec;
}

// Takes the overheads from the profile and replaces those that are written.
void check_overheads(const v1::Host& host, bool exanest, FieldChecker& fields, HostSpec& spec) {
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
  spec.eager_limit =
      fields.quantity<Bytes>("host.eager_limit", host.eager_limit(), "32B", parse_bytes).value_or(spec.eager_limit);
  spec.match_overhead = overhead("host.match_overhead", host.match_overhead(), profile->match, fields);
  spec.copy_rate =
      host.copy_rate().empty() ? profile->copy_rate : check_rate("host.copy_rate", host.copy_rate(), fields);
  spec.collectives = check_collectives(host.collectives(), *profile, fields);
  spec.loopback_latency = overhead("host.loopback_latency", host.loopback_latency(), profile->loopback_latency, fields);
  spec.loopback_rate = host.loopback_rate().empty() ? profile->loopback_rate
                                                    : check_rate("host.loopback_rate", host.loopback_rate(), fields);
  // The network interface of ExaNeSt can send to its own node, and ExaNet-MPI has no other path within an MPSoC.
  if (exanest && host.loopback_latency().empty() && host.loopback_rate().empty()) spec.loopback_latency = Time::never();
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
  } else if (experiment.topology == v1::Topology::kExanest) {
    fields.complain(kPath,
                    "the nodes of topology { exanest { } } bring their own network interfaces, which are logic; leave "
                    "nic out, or write another topology");
  } else if (const v1::Topology::KindCase only = experiment.capabilities.of(nic).topology;
             only != v1::Topology::KIND_NOT_SET && experiment.topology != only) {
    fields.complain(kPath,
                    fmt::format("the network interfaces of {} are those of topology {{ {} {{ }} }} and its "
                                "generations; write that topology, or nic: RDMA",
                                v1::Host::Nic_Name(nic), v1::Topology::descriptor()->FindFieldByNumber(only)->name()));
  }
  return nic == v1::Host::NIC_UNSPECIFIED ? v1::Host::PLAIN : nic;
}

/// What the RDMA unit of the nodes of exanest does.
void check_rdma_unit(const v1::Host& host, bool exanest, FieldChecker& fields, HostSpec& spec) {
  if (!host.firmware_delay().empty())
    spec.firmware_delay = check_time("host.firmware_delay", host.firmware_delay(), kMaxFirmwareDelay, fields);
  spec.translation_cache = host.translation_cache();
  spec.receive_windows = MessageReader(host, "host", fields).number("receive_windows", 1, kMaxReceiveWindows);
  if (exanest) return;
  for (const std::string_view path : {"host.firmware_delay", "host.translation_cache", "host.receive_windows"}) {
    if (!fields.locations().has(std::string(path))) continue;
    fields.complain(path, fmt::format("{} is that of the RDMA unit in topology {{ exanest {{ }} }}; leave it out",
                                      path.substr(path.rfind('.') + 1)));
  }
}

/// Where the mailboxes of the nodes of exanest have their rings.
void check_mailbox(const v1::Host& host, bool exanest, FieldChecker& fields, HostSpec& spec) {
  for (const std::string_view path : {"host.mailbox_rings", "host.mailbox_entries"}) {
    if (exanest || !fields.locations().has(std::string(path))) continue;
    fields.complain(path, fmt::format("{} is that of the mailbox in topology {{ exanest {{ }} }}; leave it out",
                                      path.substr(path.rfind('.') + 1)));
  }
  if (!v1::Host::MailboxRings_IsValid(host.mailbox_rings()))
    fields.complain("host.mailbox_rings", "unknown mailbox_rings; write BLOCK_RAM or MEMORY");
  const int32_t entries = MessageReader(host, "host", fields).number("mailbox_entries", 2, kMaxRingEntries);
  if (!std::has_single_bit(static_cast<uint32_t>(entries))) {
    fields.complain("host.mailbox_entries",
                    fmt::format("mailbox_entries {}: a ring in memory has a power of two of them; write {}", entries,
                                std::bit_ceil(static_cast<uint32_t>(entries))));
  }
  if (host.mailbox_rings() == v1::Host::MEMORY) {
    spec.memory_ring_entries = entries;
  } else if (exanest && host.has_mailbox_entries()) {
    fields.complain("host.mailbox_entries",
                    "mailbox_entries is that of rings in memory, and those in block RAM have 16; write mailbox_rings: "
                    "MEMORY, or leave it out");
  }
}

/// Whether hosts have hardware that reduces: nodes of exanest, and barrier interfaces beside routers that carry
/// packets.
bool reduces(const Experiment& experiment, const HostSpec& spec) {
  if (experiment.topology == v1::Topology::kExanest) return true;
  const v1::RouterModel model = experiment.message.router().model();
  return spec.nic == v1::Host::TOFU && (model == v1::PACKET || model == v1::INPUT_QUEUED);
}

void check_allreduce(const Experiment& experiment, FieldChecker& fields, HostSpec& spec) {
  const v1::Host& host = experiment.message.host();
  static constexpr std::string_view kPath = "host.allreduce";
  if (!v1::Host::Allreduce_IsValid(host.allreduce()))
    fields.complain(kPath, "nobody of that name reduces; write SOFTWARE or ACCELERATOR");
  spec.allreduce_accelerator = host.allreduce() == v1::Host::ACCELERATOR;
  spec.allreduce_timeout = check_time("host.allreduce_timeout", host.allreduce_timeout(), kMaxAllreduceTimeout, fields);
  if (spec.allreduce_accelerator && !reduces(experiment, spec)) {
    fields.complain(kPath,
                    "the Allreduce accelerator is logic of the nodes of topology { exanest { } }, and the barrier "
                    "interface that of nic: TOFU beside routers of the models PACKET and INPUT_QUEUED; write one of "
                    "these, or allreduce: SOFTWARE");
  }
  const bool exanest = experiment.topology == v1::Topology::kExanest;
  if (!host.allreduce_timeout().empty() && !(spec.allreduce_accelerator && exanest)) {
    fields.complain(
        "host.allreduce_timeout",
        "allreduce_timeout is that of the Allreduce accelerators of exanest; write allreduce: ACCELERATOR, or leave it "
        "out");
  }
}

}  // namespace

void check_host(Experiment& experiment, const Tenants& tenants, FieldChecker& fields) {
  const v1::Host& host = experiment.message.host();
  const LocationMap& locations = fields.locations();
  HostSpec& spec = experiment.host;
  const bool exanet = experiment.topology == v1::Topology::kExanest;
  check_overheads(host, exanet, fields, spec);
  check_rdma_unit(host, exanet, fields, spec);
  check_mailbox(host, exanet, fields, spec);
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
  check_allreduce(experiment, fields, spec);
  experiment.allreduce_location = locations.find("host.allreduce");
  experiment.memory_location = locations.find("host.memory");
  experiment.firmware_location = locations.find("host.firmware_delay");

  const NicCapabilities& nic = experiment.capabilities.of(spec.nic);
  if (host.has_memory() && !exanet && !nic.memory) {
    fields.complain("host.memory",
                    "memory is for hosts whose network interface reads and writes it: those of topology { exanest { } "
                    "}, and with nic: TOFU or RDMA; leave it out");
  }
  if (nic.memory && !host.memory().page_fault_time().empty()) {
    fields.complain("host.memory.page_fault_time",
                    "page_fault_time is for hosts of topology { exanest { } }: network interfaces of TOFU and RDMA "
                    "reach registered memory only, whose pages are there; leave it out");
  }
  spec.memory_is_bus = nic.memory && !nic.core_memory;
  if (spec.memory_is_bus && !host.memory().compute_traffic().empty()) {
    fields.complain("host.memory.compute_traffic",
                    "compute_traffic goes through the memory of a host, and with nic: RDMA memory { } is the bus of "
                    "the adapter, which no core uses; leave it out");
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

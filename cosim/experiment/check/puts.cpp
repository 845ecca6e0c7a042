// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/experiment/check/puts.h"

#include <fmt/format.h>

#include <string>

namespace fabrictwin::experiment {
namespace {

constexpr std::string_view kPath = "workload.puts";
constexpr int kMaxStreams = 4096;
constexpr int kMaxSizes = 256;
constexpr int32_t kMaxCount = 1'000'000;
constexpr int32_t kMaxWindow = 1024;
constexpr int64_t kMaxMessage = int64_t{1} << 30;

std::string path_of(std::string_view field) { return fmt::format("{}.{}", kPath, field); }

v1::Puts::Operation check_operation(const Experiment& experiment, FieldChecker& fields) {
  const v1::Puts::Operation operation = experiment.message.workload().puts().operation();
  if (!v1::Puts::Operation_IsValid(operation)) {
    fields.complain(path_of("operation"), "unknown operation; write PUT or GET");
  } else if (operation == v1::Puts::GET) {
    const v1::Host::Nic nic = experiment.message.host().nic();
    if (nic == v1::Host::TOFU || nic == v1::Host::RDMA) return operation;
    fields.complain(path_of("operation"),
                    "network interfaces that are PLAIN cannot read from others; write host { nic: TOFU } or nic: RDMA, "
                    "or operation: PUT");
  }
  return v1::Puts::PUT;
}

std::vector<int32_t> check_destinations(const v1::Puts& puts, FieldChecker& fields) {
  if (puts.destinations_size() > kMaxStreams) {
    fields.complain(path_of("destinations"), fmt::format("{} streams are more than the {} that are allowed",
                                                         puts.destinations_size(), kMaxStreams));
  }
  std::vector<int32_t> destinations(puts.destinations().begin(), puts.destinations().end());
  if (destinations.empty()) destinations.push_back(1);
  for (size_t i = 0; i < destinations.size(); ++i) {
    if (destinations[i] >= 0 && destinations[i] != puts.source()) continue;
    const std::string path = path_of(fmt::format("destinations[{}]", i));
    fields.complain(fields.places().has(path) ? path : path_of("destinations"),
                    fmt::format("destination {}: a network interface reaches other hosts; write a host that is not "
                                "the source, {}",
                                destinations[i], puts.source()));
  }
  return destinations;
}

std::vector<Bytes> check_sizes(const v1::Puts& puts, FieldChecker& fields) {
  std::vector<Bytes> sizes;
  if (puts.sizes_size() > kMaxSizes)
    fields.complain(path_of("sizes"),
                    fmt::format("{} sizes are more than the {} that are allowed", puts.sizes_size(), kMaxSizes));
  for (int i = 0; i < puts.sizes_size(); ++i) {
    std::string path = path_of(fmt::format("sizes[{}]", i));
    if (!fields.places().has(path)) path = path_of("sizes");
    const auto size = fields.quantity<Bytes>(path, puts.sizes(i), "", parse_bytes);
    if (!size.has_value()) continue;
    if (size->count < 1 || size->count > kMaxMessage) {
      fields.complain(path,
                      fmt::format("a Put of {}: write 1B to {}", to_string(*size), to_string(Bytes{kMaxMessage})));
    }
    sizes.push_back(*size);
  }
  if (sizes.empty()) sizes.push_back(Bytes{8});
  return sizes;
}

}  // namespace

PutsSpec check_puts(const Experiment& experiment, FieldChecker& fields) {
  const v1::Puts& puts = experiment.message.workload().puts();
  PutsSpec spec;
  if (experiment.topology == v1::Topology::kExanest) {
    fields.complain(kPath,
                    "puts measure what host { nic: } names, and the nodes of topology { exanest { } } bring their own "
                    "network interfaces; write another topology, or another workload");
  }
  spec.operation = check_operation(experiment, fields);
  spec.source = puts.source();
  if (spec.source < 0)
    fields.complain(path_of("source"), fmt::format("source {}: hosts are numbered from 0", spec.source));
  spec.destinations = check_destinations(puts, fields);
  spec.sizes = check_sizes(puts, fields);
  spec.count = fields.number(path_of("count"), puts.count(), 1, 1, kMaxCount);
  spec.window = fields.number(path_of("window"), puts.window(), 1, 1, kMaxWindow);
  return spec;
}

}  // namespace fabrictwin::experiment

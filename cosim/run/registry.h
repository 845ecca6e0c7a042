// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Factories with which the command line gives a run the parts that the run itself does not know.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/engine/partition.h"
#include "cosim/experiment/experiment.h"
#include "cosim/experiment/tenants.h"
#include "cosim/link/counters.h"
#include "cosim/observe/digest.h"
#include "cosim/observe/message_log.h"
#include "cosim/observe/packet_trace.h"
#include "cosim/run/cut_port.h"
#include "cosim/run/metric_sampler.h"
#include "cosim/run/word_fault_set.h"
#include "cosim/system/plan.h"
#include "fabrictwin/v1/hosts_report.pb.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::run {

/// A waveform that the user asked for.
struct WaveRequest {
  std::string select;  ///< Element selector.
  std::string file;    ///< FST file; with several elements, the element's name is added before the extension.
  Time from;
  Time to = Time::never();
};

/// Who is told of what happens in a partition. Each may be null, and outlives the partition.
struct Observers {
  observe::PacketTrace* packet_trace = nullptr;  ///< Where models report packets.
  observe::MessageLog* messages = nullptr;       ///< Where hosts record messages.
  MetricSampler* metrics = nullptr;              ///< What the partition of the hosts gives its metrics to.
};

/// Everything that a factory needs to build a partition. Everything pointed to must outlive the partition.
struct PartitionContext {
  const experiment::Experiment* experiment = nullptr;
  const system::Plan* plan = nullptr;
  int32_t partition = 0;  ///< Index into plan->partitions.
  std::vector<CutPort> ports;
  std::span<link::LinkCounters>
      link_counters;  ///< By channel; the partition counts on channels whose source is one of its elements.
  std::span<observe::EndpointDigest> digests;  ///< By the node number of the host.
  std::vector<WaveRequest> waves;
  Observers observers;
  int32_t threads = 1;                   ///< Threads that it may use, including the executor's.
  const WordFaultSet* faults = nullptr;  ///< For links that are not cut. May be null: there are none.
};

using PartitionFactory = std::function<absl::StatusOr<std::unique_ptr<engine::Partition>>(const PartitionContext&)>;

/// The parts that a process can build. A worker without RTL, for example, leaves `rtl` empty.
struct Registry {
  experiment::Tenants tenants;  ///< What experiments can name.
  std::function<absl::StatusOr<system::SystemGraph>(const experiment::Experiment&)> topology;
  PartitionFactory model;
  PartitionFactory rtl;
  /// Reports a workload of which each of several partitions has measured a part. Not for workers.
  std::function<absl::Status(const experiment::Experiment&, const system::SystemGraph&,
                             const google::protobuf::RepeatedPtrField<v1::WorkloadPart>&, v1::Report&)>
      merge_parts;
};

}  // namespace fabrictwin::run

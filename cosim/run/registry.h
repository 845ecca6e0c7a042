// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How the engine gets parts that it knows nothing about: factories that the command line hands to it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/engine/partition.h"
#include "cosim/link/channel_receiver.h"
#include "cosim/link/channel_sender.h"
#include "cosim/run/counters.h"
#include "cosim/run/digest.h"
#include "cosim/run/experiment.h"
#include "cosim/run/message_log.h"
#include "cosim/run/packet_trace.h"
#include "cosim/run/plan.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin {

/// A waveform that the user asked for.
struct WaveRequest {
  std::string select;  ///< Element selector.
  std::string file;    ///< FST file; with several elements, the element's name is added before the extension.
  Time from;
  Time to = Time::never();
};

/// One cut port of a partition.
struct CutPort {
  ElementId element = 0;
  int32_t port = 0;
  ChannelSender* sender = nullptr;
  ChannelReceiver* receiver = nullptr;
};

/// Everything that a factory needs to build a partition. What it points to outlives the partition.
struct PartitionContext {
  const Experiment* experiment = nullptr;
  const Plan* plan = nullptr;
  int32_t partition = 0;  ///< Index into plan->partitions.
  std::vector<CutPort> ports;
  std::span<LinkCounters>
      link_counters;                  ///< By channel; the partition counts on channels whose source element is its own.
  std::span<EndpointDigest> digests;  ///< By host node.
  std::vector<WaveRequest> waves;
  PacketTrace* packet_trace = nullptr;  ///< Where models tell of packets; null if nobody wants to know.
  MessageLog* messages = nullptr;       ///< Where hosts record their messages; nullptr: nowhere.
  int32_t threads = 1;                  ///< That it may use, with that of the executor, if it can.
};

using PartitionFactory = std::function<absl::StatusOr<std::unique_ptr<Partition>>(const PartitionContext&)>;

/// The parts that a process can build. A worker without RTL, for example, leaves `rtl` empty.
struct Registry {
  std::function<absl::StatusOr<SystemGraph>(const Experiment&)> topology;
  PartitionFactory model;
  PartitionFactory rtl;
};

}  // namespace fabrictwin

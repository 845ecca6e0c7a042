// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a network is refused for that only shows once it has been planned.
#include <algorithm>
#include <cstdint>
#include <string_view>

#include "cosim/base/text.h"
#include "cosim/experiment/experiment.h"
#include "fmt/format.h"
#include "models/fabric/router_fields.h"
#include "models/partition/fabric_partition.h"
#include "models/routing/routing_algorithm.h"

namespace fabrictwin::partition {

// Whether routers and hosts can have the queues of a scheme: what depends on other parts of the experiment.
absl::Status FabricPartition::check_queues(const routing::RoutingAlgorithm& routing) const {
  const experiment::Experiment& experiment = *context_.experiment;
  const experiment::QueuesSpec& queues = experiment.queues;
  if (queues.scheme == v1::Queues::ONE) {
    if (queues.admittance == v1::Queues::SINGLE) return absl::OkStatus();
    return at_queues(
        "with the scheme ONE nothing holds up some packets of a host and not others, so several queues in hosts "
        "would change nothing; write another scheme, or leave admittance out");
  }
  const std::string_view scheme = v1::Queues::Scheme_Name(queues.scheme);
  if (!routing.deterministic()) {
    return at_queues(
        fmt::format("with {} the sender must know the output that a packet takes in the next router, or "
                    "what waits before it, and adaptive routing decides that there; write another routing "
                    "algorithm, or leave queues out",
                    scheme));
  }
  if (!plain()) return at_queues("queues is for plain network interfaces; leave nic out, or queues");
  if (queues.scheme != v1::Queues::FBICM) return absl::OkStatus();
  const int32_t packet =
      fabric::packet_flits(experiment.capabilities.of(experiment.host.nic), experiment.router.packet_payload);
  const int32_t fit = experiment.router.buffer_words / packet;
  const int32_t most = std::max(queues.detect, queues.stop);
  if (most < fit) return absl::OkStatus();
  return at_queues(
      fmt::format("the buffer of a VC holds {} of the largest packets, so that {} {} would hardly be reached; write "
                  "router {{ vc_buffer_flits: {} }} or more, or a smaller one",
                  fit, queues.detect >= fit ? "detect" : "stop", most, (most + 1) * packet));
}

absl::Status FabricPartition::at_queues(std::string_view what) const {
  return absl::InvalidArgumentError(experiment::format_diagnostic(context_.experiment->queues_location, what));
}

// What is wrong with a network whose routers pause is mostly what `pfc` says.
absl::Status FabricPartition::at_pause(const absl::Status& error) const {
  if (!context_.experiment->message.has_pfc()) return error;
  return absl::Status(error.code(),
                      experiment::format_diagnostic(context_.experiment->pfc_location, message_of(error)));
}

}  // namespace fabrictwin::partition

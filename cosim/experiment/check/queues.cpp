// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/experiment/check/queues.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "cosim/experiment/capabilities.h"
#include "cosim/experiment/check/message_reader.h"

namespace fabrictwin::experiment {
namespace {

constexpr int32_t kMostFlits = 4096;
constexpr int32_t kMostQueues = 64;
constexpr int32_t kMostSetAside = 32;
constexpr int32_t kMostPackets = 4096;

/// The queues of a scheme that has as many as `count` says.
void check_count(QueuesSpec& spec, const MessageReader& reader) {
  switch (spec.scheme) {
    case v1::Queues::DBBM:
    case v1::Queues::OBQA:
      spec.count = reader.number("count", 2, kMostQueues);
      return;
    case v1::Queues::FBICM:
      spec.count = reader.number("count", 1, kMostSetAside);
      return;
    default:
      if (!reader.has("count")) return;
      reader.complain("count", fmt::format("count is for the schemes DBBM, OBQA and FBICM, and {} has as many queues "
                                           "as the network needs; write scheme: DBBM, or leave count out",
                                           v1::Queues::Scheme_Name(spec.scheme)));
  }
}

void check_flits(const Experiment& experiment, QueuesSpec& spec, const MessageReader& reader) {
  if (!reader.has("flits")) return;
  if (!experiment.capabilities.of(experiment.router.model).queue_flits) {
    reader.complain("flits",
                    fmt::format("flits is for routers of the model {}, and these are {}, whose queues share the "
                                "buffer of their VC; write router {{ vc_buffer_flits: }}, or leave flits out",
                                experiment.capabilities.models_with(&RouterCapabilities::queue_flits),
                                v1::RouterModel_Name(experiment.router.model)));
  } else if (spec.scheme == v1::Queues::ONE) {
    reader.complain("flits",
                    "the scheme ONE has the buffers of VCs; write router { vc_buffer_flits: }, or another scheme");
  } else {
    spec.flits = experiment.message.queues().flits();
    if (spec.flits >= 1 && spec.flits <= kMostFlits) return;
    reader.complain("flits", fmt::format("flits {}: write 1 to {}", spec.flits, kMostFlits));
  }
}

void check_set_aside(QueuesSpec& spec, const MessageReader& reader) {
  if (spec.scheme != v1::Queues::FBICM) {
    for (const std::string_view name : {"detect", "stop", "resume"}) {
      if (!reader.has(name)) continue;
      reader.complain(name, fmt::format("{0} is for the scheme FBICM, and this is {1}; write scheme: FBICM, or leave "
                                        "{0} out",
                                        name, v1::Queues::Scheme_Name(spec.scheme)));
    }
    return;
  }
  spec.detect = reader.number("detect", 1, kMostPackets);
  spec.stop = reader.number("stop", 1, kMostPackets);
  // By default it is below a `stop` that is less than its own default, too.
  spec.resume = reader.has("resume") ? reader.number("resume", 0, kMostPackets)
                                     : std::min(reader.default_number("resume"), spec.stop - 1);
  if (spec.resume < spec.stop) return;
  reader.complain_near("resume", fmt::format("resume {} is not below stop {}: a queue that has stopped the one before "
                                             "it would let it go on at once; write a smaller one, such as {}",
                                             spec.resume, spec.stop, spec.stop / 2));
}

}  // namespace

void check_queues(Experiment& experiment, FieldChecker& fields) {
  if (!experiment.message.has_queues()) return;
  const RouterCapabilities& router = experiment.capabilities.of(experiment.router.model);
  if (!router.queues) {
    fields.complain(
        "queues", fmt::format("queues is for routers of the model {}, and these are {}; write router {{ model: {} }}, "
                              "or leave queues out",
                              experiment.capabilities.models_with(&RouterCapabilities::queues),
                              v1::RouterModel_Name(router.model),
                              experiment.capabilities.models_with(&RouterCapabilities::queues)));
    return;
  }
  const MessageReader reader(experiment.message.queues(), "queues", fields);
  QueuesSpec spec;
  spec.scheme = reader.choice<v1::Queues::Scheme>("scheme");
  if (!v1::Queues::Scheme_IsValid(spec.scheme)) {
    reader.complain("scheme", "unknown scheme; write ONE, VOQSW, VOQNET, DBBM, OBQA or FBICM");
    return;
  }
  if (experiment.message.has_pfc() && spec.scheme != v1::Queues::ONE) {
    reader.complain("scheme", fmt::format("switches with pfc have a queue for each output and none at inputs, and {} "
                                          "is a scheme of queues at inputs; leave pfc or queues out",
                                          v1::Queues::Scheme_Name(spec.scheme)));
  }
  check_count(spec, reader);
  check_flits(experiment, spec, reader);
  check_set_aside(spec, reader);
  spec.admittance = reader.choice<v1::Queues::Admittance>("admittance");
  if (experiment.transport.has_value() && reader.has("admittance") && spec.admittance != v1::Queues::SINGLE) {
    reader.complain("admittance",
                    "hosts with a transport have a queue pair for each destination or flow, and one that may not send "
                    "holds up no other; leave admittance out");
  }
  if (!v1::Queues::Admittance_IsValid(spec.admittance)) {
    reader.complain("admittance", "unknown admittance; write SINGLE, AS_ROUTER or PER_DESTINATION");
    spec.admittance = v1::Queues::SINGLE;
  }
  experiment.queues = spec;
}

}  // namespace fabrictwin::experiment

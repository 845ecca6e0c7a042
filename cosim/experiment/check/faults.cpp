// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/experiment/check/faults.h"

#include <fmt/format.h>

#include <string>

#include "cosim/experiment/check/message_reader.h"

namespace fabrictwin::experiment {
namespace {

constexpr int kMostFaults = 1024;
/// A packet on a link that is slower than that would take as long as a run.
constexpr double kLeastRate = 0.0001;

FaultSpec check_fault(const v1::Fault& fault, const MessageReader& reader) {
  FaultSpec spec;
  spec.link = fault.link();
  spec.source = reader.fields().locations().find(reader.has("link") ? reader.path_of("link") : reader.path());
  if (fault.link().empty()) {
    reader.complain_near("link",
                         "the fault names no link; write a port of a router or a host, as in link: \"router[0].x+\" or "
                         "link: \"host[3]\"");
  }
  spec.at = reader.quantity<Time>("at", parse_time);
  if (reader.has("until")) {
    spec.until = reader.parsed<Time>("until", parse_time).value_or(Time::never());
    if (spec.until <= spec.at) {
      reader.complain("until", fmt::format("until {}: the fault begins at {} and ends after that; write a later time, "
                                           "or leave until out for a fault that stays",
                                           to_string(spec.until), to_string(spec.at)));
      spec.until = Time::never();
    }
  }
  spec.rate = fault.rate();
  spec.one_way = fault.one_way();
  if (spec.rate != 0 && !(spec.rate >= kLeastRate && spec.rate < 1)) {
    reader.complain("rate", fmt::format("rate {}: it is the share of its rate that the link keeps; write {} to below "
                                        "1, or 0 for a link that fails",
                                        spec.rate, kLeastRate));
    spec.rate = 0;
  }
  return spec;
}

}  // namespace

void check_faults(Experiment& experiment, FieldChecker& fields) {
  const v1::Experiment& message = experiment.message;
  if (message.fault_size() == 0) return;
  const Capabilities& known = experiment.capabilities;
  if (const RouterCapabilities& router = known.of(experiment.router.model); !router.faults) {
    fields.complain("fault[0]",
                    fmt::format("faults are for links of routers of the model {}, and these are {}; write router {{ "
                                "model: {} }}, or leave fault out",
                                known.models_with(&RouterCapabilities::faults), v1::RouterModel_Name(router.model),
                                known.models_with(&RouterCapabilities::faults)));
    return;
  }
  if (message.fault_size() > kMostFaults) {
    fields.complain(fmt::format("fault[{}]", kMostFaults),
                    fmt::format("{} faults are more than the {} that a run can have; leave some out",
                                message.fault_size(), kMostFaults));
    return;
  }
  for (int i = 0; i < message.fault_size(); ++i) {
    experiment.faults.push_back(
        check_fault(message.fault(i), MessageReader(message.fault(i), fmt::format("fault[{}]", i), fields)));
  }
}

}  // namespace fabrictwin::experiment

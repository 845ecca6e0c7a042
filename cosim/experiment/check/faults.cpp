// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/experiment/check/faults.h"

#include <fmt/format.h>

#include <string>

#include "cosim/base/clock.h"
#include "cosim/base/quantity.h"
#include "cosim/experiment/check/message_reader.h"

namespace fabrictwin::experiment {
namespace {

constexpr int kMostFaults = 1024;
/// A packet on a link that is slower than that would take as long as a run.
constexpr double kLeastRate = 0.0001;
/// Beyond it no packet of the largest size arrives whole; below it a run sees no error.
constexpr double kMostErrors = 0.001;
constexpr double kLeastErrors = 1e-18;
/// RefreshCycles of an APElink, and of the router's clock: how long one that is supervised stays down after a reset,
/// twice as long as the other end is patient (docs/models/apelink.md#supervision).
constexpr int64_t kRefreshCycles = 4096;
constexpr int64_t kResetCycles = 2 * (4 * kRefreshCycles + 64);

void check_bit_errors(const v1::Fault& fault, const MessageReader& reader, FaultSpec& spec) {
  const double rate = fault.bit_error_rate();
  if (rate == 0) return;
  if (rate >= kLeastErrors && rate <= kMostErrors) {
    spec.bit_error_rate = rate;
  } else {
    reader.complain("bit_error_rate",
                    fmt::format("bit_error_rate {}: it is the probability of an error in each bit; write {} to {}, as "
                                "in bit_error_rate: 1e-9",
                                rate, kLeastErrors, kMostErrors));
  }
}

/// Links that carry words have bit errors or fail, and others degrade or fail; lanes have bit errors.
void check_kind(const Experiment& experiment, const RouterCapabilities& router, const MessageReader& reader,
                FaultSpec& spec) {
  const std::string model = v1::RouterModel_Name(router.model);
  if (router.content == link::LinkType::Content::kWords) {
    if (reader.has("rate") && spec.rate != 0) {
      const bool nodes = experiment.topology_traits.nodes;
      reader.complain("rate", fmt::format("rate {}: links between routers of the model {} keep their rate; leave it "
                                          "out for a link that fails, or write {}",
                                          spec.rate, model, nodes ? "bit_error_rate" : "router { model: PACKET }"));
      spec.rate = 0;
    }
  } else if (router.lanes && experiment.topology_traits.lanes) {
    if (spec.bit_error_rate > 0 && spec.rate != 0) {
      reader.complain("rate", "a lane with bit errors keeps its rate; leave rate or bit_error_rate out");
      spec.rate = 0;
    }
  } else if (reader.has("bit_error_rate")) {
    reader.complain("bit_error_rate",
                    fmt::format("bit_error_rate is for links that carry words, and between routers of the model {} "
                                "packets have none; leave it out, or write router {{ model: EXANET }}",
                                model));
  }
}

/// What a reset has beside its times: nothing.
void check_reset(const MessageReader& reader) {
  for (const char* const field : {"link", "rate", "bit_error_rate", "one_way"}) {
    if (!reader.has(field)) continue;
    reader.complain(field, fmt::format("{} is for faults of one link, and this one resets an element with all of its "
                                       "links; leave one of both out",
                                       field));
  }
}

void check_name(const v1::Fault& fault, const MessageReader& reader, FaultSpec& spec) {
  spec.reset = reader.has("reset");
  spec.link = spec.reset ? fault.reset() : fault.link();
  const char* const field = spec.reset ? "reset" : "link";
  spec.source = reader.fields().locations().find(reader.has(field) ? reader.path_of(field) : reader.path());
  if (spec.reset) check_reset(reader);
  if (spec.link.empty()) {
    reader.complain_near("link",
                         "the fault names no link; write a port of a router or a host, as in link: \"router[0].x+\" or "
                         "link: \"host[3]\", or what is reset, as in reset: \"router[0]\"");
  }
}

/// When links are up again after a reset: never, where that is later than times can say.
Time end_of_reset(Time at, Frequency router_clock) {
  const Clock clock(router_clock);
  if (clock.period().fs() > Time::never().fs() / kResetCycles) return Time::never();
  return at + clock.edge(kResetCycles);
}

FaultSpec check_fault(const v1::Fault& fault, const MessageReader& reader, Frequency router_clock) {
  FaultSpec spec;
  check_name(fault, reader, spec);
  spec.at = reader.quantity<Time>("at", parse_time);
  if (spec.reset && router_clock.hertz > 0) spec.until = end_of_reset(spec.at, router_clock);
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
  check_bit_errors(fault, reader, spec);
  return spec;
}

}  // namespace

void check_faults(Experiment& experiment, FieldChecker& fields) {
  const v1::Experiment& message = experiment.message;
  if (message.fault_size() == 0) return;
  const Capabilities& known = experiment.capabilities;
  if (const RouterCapabilities& router = known.of(experiment.router.model); !router.faults) {
    fields.complain("fault[0]",
                    fmt::format("faults are for links of routers of the model {}, and these are {}; write "
                                "another router.model, or leave fault out",
                                known.models_with(&RouterCapabilities::faults), v1::RouterModel_Name(router.model)));
    return;
  }
  if (message.fault_size() > kMostFaults) {
    fields.complain(fmt::format("fault[{}]", kMostFaults),
                    fmt::format("{} faults are more than the {} that a run can have; leave some out",
                                message.fault_size(), kMostFaults));
    return;
  }
  for (int i = 0; i < message.fault_size(); ++i) {
    const MessageReader reader(message.fault(i), fmt::format("fault[{}]", i), fields);
    FaultSpec& spec = experiment.faults.emplace_back(check_fault(message.fault(i), reader, experiment.router.clock));
    check_kind(experiment, known.of(experiment.router.model), reader, spec);
  }
}

}  // namespace fabrictwin::experiment

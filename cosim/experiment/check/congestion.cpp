// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/experiment/check/congestion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <google/protobuf/descriptor.h>

#include <string>
#include <string_view>
#include <vector>

#include "cosim/base/text.h"
#include "cosim/experiment/check/message_reader.h"

namespace fabrictwin::experiment {
namespace {

constexpr int64_t kMostHeader = 1024;
constexpr Time kMostDelay = Time::from_us(1'000'000);

/// Whether routers and network interfaces can carry what `field` asks for.
bool check_carriers(const Experiment& experiment, std::string_view field, bool RouterCapabilities::*capability,
                    bool transport, FieldChecker& fields) {
  const RouterCapabilities& router = experiment.capabilities.of(experiment.router.model);
  if (!(router.*capability)) {
    fields.complain(
        field, fmt::format("{} is for routers of the model {}, and these are {}; write router {{ model: {} }}, "
                           "or leave {} out",
                           field, experiment.capabilities.models_with(capability), v1::RouterModel_Name(router.model),
                           experiment.capabilities.models_with(capability), field));
    return false;
  }
  const NicCapabilities& nic = experiment.capabilities.of(experiment.host.nic);
  if (transport && !nic.transport) {
    fields.complain(field,
                    fmt::format("{} needs network interfaces with a transport, {}, and these are {}; leave nic out, "
                                "or {}",
                                field, experiment.capabilities.nics_with(&NicCapabilities::transport),
                                v1::Host::Nic_Name(nic.nic), field));
    return false;
  }
  return true;
}

int64_t check_size(const MessageReader& reader, std::string_view name, int64_t least) {
  const auto bytes = reader.parsed<Bytes>(name, parse_bytes);
  if (!bytes.has_value()) return least;
  if (bytes->count >= least && bytes->count <= kMostHeader) return bytes->count;
  reader.complain(name, fmt::format("{} {}: write {}B to {}B", name, to_string(*bytes), least, kMostHeader));
  return least;
}

/// How much longer acknowledgements without bytes take.
Time check_delay(const TransportSpec& spec, const MessageReader& reader) {
  constexpr std::string_view kDelay = "acknowledgement_delay";
  if (!reader.has_text(kDelay)) return Time::zero();
  const Time delay = reader.quantity<Time>(kDelay, parse_time);
  if (spec.acknowledgement != 0) {
    reader.complain(kDelay,
                    "acknowledgement_delay is for acknowledgements that go past the network, and these take its links; "
                    "write acknowledgement: \"0B\" too, or leave it out");
  } else if (delay < Time::zero() || delay > kMostDelay) {
    reader.complain(kDelay,
                    fmt::format("acknowledgement_delay {}: write 0ns to {}", to_string(delay), to_string(kMostDelay)));
  }
  return delay;
}

TransportSpec check_transport(const Experiment& experiment, FieldChecker& fields) {
  const v1::Transport& message = experiment.message.transport();
  const MessageReader reader(message, "transport", fields);
  TransportSpec spec;
  if (reader.has("header")) spec.header = check_size(reader, "header", 1);
  spec.acknowledgement = reader.has("acknowledgement") ? check_size(reader, "acknowledgement", 0)
                                                       : reader.quantity<Bytes>("acknowledgement", parse_bytes).count;
  spec.acknowledgement_delay = check_delay(spec, reader);
  spec.acknowledgements_with_data = reader.flag("acknowledgements_with_data");
  if (spec.acknowledgements_with_data && (!experiment.message.has_pfc() || spec.acknowledgement == 0)) {
    reader.complain(
        "acknowledgements_with_data",
        fmt::format("acknowledgements_with_data changes nothing {}; leave it out",
                    spec.acknowledgement == 0 ? "with acknowledgement 0B, as acknowledgements go past the network"
                                              : "without pfc, as acknowledgements have no class of their own"));
  }
  spec.arbitration = message.arbitration();
  if (!v1::Transport::Arbitration_IsValid(spec.arbitration)) {
    reader.complain("arbitration", "unknown arbitration; write ROUND_ROBIN or OLDEST_FIRST");
  } else if (spec.arbitration == v1::Transport::ARBITRATION_UNSPECIFIED) {
    spec.arbitration = experiment.workload_traits.flows ? v1::Transport::ROUND_ROBIN : v1::Transport::OLDEST_FIRST;
  }
  return spec;
}

/// The scheme that an experiment names; a diagnostic and null if this program has none such.
const CongestionCheck* find_scheme(const v1::Congestion& message, const Tenants& tenants, FieldChecker& fields) {
  if (message.scheme_case() == v1::Congestion::SCHEME_NOT_SET) {
    std::vector<std::string_view> names;
    for (const CongestionCheck* scheme : tenants.congestion)
      names.push_back(v1::Congestion::descriptor()->FindFieldByNumber(scheme->kind())->name());
    fields.complain("congestion",
                    fmt::format("congestion names no scheme; write one of {} in it, as in {} {{ }}, or leave it out",
                                comma_list(names), names.empty() ? "" : names.front()));
    return nullptr;
  }
  for (const CongestionCheck* scheme : tenants.congestion) {
    if (scheme->kind() == message.scheme_case()) return scheme;
  }
  fields.complain("congestion",
                  fmt::format("this program has no scheme {}; write another one",
                              v1::Congestion::descriptor()->FindFieldByNumber(message.scheme_case())->name()));
  return nullptr;
}

/// The schemes that can do with routers that only mark: "ib_cca".
std::string hardware_schemes(const Tenants& tenants) {
  std::vector<std::string_view> names;
  for (const CongestionCheck* scheme : tenants.congestion) {
    if (scheme->in_hardware()) names.push_back(v1::Congestion::descriptor()->FindFieldByNumber(scheme->kind())->name());
  }
  return fmt::format("{}", fmt::join(names, " or "));
}

/// Makes checked values of a scheme beside routers that only mark.
void check_hardware(Experiment& experiment, const CongestionCheck& scheme, const Tenants& tenants,
                    FieldChecker& fields) {
  const Capabilities& capabilities = experiment.capabilities;
  if (!scheme.in_hardware()) {
    // An argument may have chosen the scheme.
    const std::string path =
        fmt::format("congestion.{}", v1::Congestion::descriptor()->FindFieldByNumber(scheme.kind())->name());
    fields.complain(fields.locations().has(path) ? path : "congestion",
                    fmt::format("congestion is for routers of the model {0}, and these are {1}, which only mark "
                                "packets, as {2} wants; write congestion {{ {2} {{ }} }} or router {{ model: {0} }}, "
                                "or leave congestion out",
                                capabilities.models_with(&RouterCapabilities::marks),
                                v1::RouterModel_Name(experiment.router.model), hardware_schemes(tenants)));
    return;
  }
  if (!capabilities.of(experiment.host.nic).gaps) {
    fields.complain(
        "congestion",
        fmt::format("beside routers of the model {}, congestion needs network interfaces that answer marks "
                    "by gaps, {}, and these are {}; leave nic out, or congestion",
                    v1::RouterModel_Name(experiment.router.model), capabilities.nics_with(&NicCapabilities::gaps),
                    v1::Host::Nic_Name(experiment.host.nic)));
    return;
  }
  experiment.hardware_congestion =
      scheme.check_hardware(experiment.message.congestion(), experiment.topology_traits, fields);
}

/// Makes checked values of `congestion`. Returns whether routers and network interfaces can have a scheme with a
/// transport.
bool check_scheme(Experiment& experiment, const Tenants& tenants, FieldChecker& fields) {
  const v1::Congestion& message = experiment.message.congestion();
  const RouterCapabilities& router = experiment.capabilities.of(experiment.router.model);
  const bool carried =
      router.only_marks || check_carriers(experiment, "congestion", &RouterCapabilities::marks, true, fields);
  const CongestionCheck* scheme = find_scheme(message, tenants, fields);
  if (scheme == nullptr) return carried;
  if (router.only_marks) {
    check_hardware(experiment, *scheme, tenants, fields);
  } else {
    experiment.congestion_spec = scheme->check(message, fields);
  }
  return carried;
}

}  // namespace

void check_congestion(Experiment& experiment, const Tenants& tenants, FieldChecker& fields) {
  const v1::Experiment& message = experiment.message;
  if (experiment.statistics.series_interval > Time::zero())
    check_carriers(experiment, "statistics.series_interval", &RouterCapabilities::series, false, fields);
  if (experiment.statistics.goodput_window.has_value())
    check_carriers(experiment, "statistics.goodput_window", &RouterCapabilities::series, false, fields);
  if (message.has_pfc()) check_carriers(experiment, "pfc", &RouterCapabilities::pause, false, fields);
  bool carried = true;
  if (message.has_congestion()) carried = check_scheme(experiment, tenants, fields);
  if (message.has_transport())
    carried = check_carriers(experiment, "transport", &RouterCapabilities::marks, true, fields) && carried;
  const bool possible = experiment.capabilities.of(experiment.router.model).marks &&
                        experiment.capabilities.of(experiment.host.nic).transport;
  if (carried && possible && (message.has_congestion() || message.has_transport() || experiment.workload_traits.flows))
    experiment.transport = check_transport(experiment, fields);
  if (!experiment.statistics.tree_at.empty())
    check_carriers(experiment, "statistics.tree_at", &RouterCapabilities::trees, false, fields);
  if (message.statistics().queues())
    check_carriers(experiment, "statistics.queues", &RouterCapabilities::queue_meters, false, fields);
}

}  // namespace fabrictwin::experiment

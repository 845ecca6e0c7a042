// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/experiment/check/routing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "cosim/experiment/check/message_reader.h"

namespace fabrictwin::experiment {
namespace {

constexpr int32_t kMaxBias = 4096;
constexpr double kMostThreshold = 1000;
/// The parameters that not every algorithm has.
constexpr std::string_view kParameters[] = {"order",     "table",         "root",         "bias",
                                            "threshold", "queue_measure", "notification", "own_vcs"};

/// Adds a diagnostic about a parameter that the algorithm does not have.
void check_owner(std::string_view parameter, v1::RoutingKind algorithm, const Tenants& tenants, FieldChecker& fields) {
  const std::string path = fmt::format("routing.{}", parameter);
  if (!fields.locations().has(path)) return;
  std::vector<std::string_view> owners;
  for (const RoutingCheck& routing : tenants.routings) {
    if (std::ranges::find(routing.parameters, parameter) == routing.parameters.end()) continue;
    if (routing.kind == algorithm) return;
    const std::string_view name = v1::RoutingKind_Name(routing.kind);
    if (std::ranges::find(owners, name) == owners.end()) owners.push_back(name);
  }
  fields.complain(path, fmt::format("{} is for routing by {}, and this is {}; write one of these, or leave {} out",
                                    parameter, fmt::join(owners, ", "), v1::RoutingKind_Name(algorithm), parameter));
}

/// A path of the table that can be opened: beside the experiment, or in the working directory if it was given as an
/// argument.
std::string find_table(const Experiment& experiment, const std::string& path, bool check_files, FieldChecker& fields) {
  namespace fs = std::filesystem;
  static constexpr std::string_view kPath = "routing.table";
  if (path.find('\0') != std::string::npos) {
    fields.complain(kPath, "the path has a zero byte in it, which no file name can have");
    return path;
  }
  std::error_code error;
  fs::path found = fs::path(experiment.file).parent_path() / path;
  if (fields.locations().overridden(std::string(kPath)) && fs::exists(path, error)) found = path;
  const fs::path absolute = fs::absolute(found, error);
  if (!error) found = absolute.lexically_normal();
  if (check_files && (!fs::is_regular_file(found, error) || access(found.c_str(), R_OK) != 0)) {
    fields.complain(kPath, fmt::format("there is no file {} that can be read; name a file with lines of router, "
                                       "destination and port (docs/models/routing.md)",
                                       found.string()));
  }
  return found.string();
}

/// When UGAL takes detours.
void check_detours(const v1::Routing& routing, v1::RouterModel model, const Capabilities& known, RoutingSpec& spec,
                   FieldChecker& fields) {
  const MessageReader reader(routing, "routing", fields);
  spec.threshold = reader.default_real("threshold");
  if (reader.has("threshold")) {
    spec.threshold = routing.threshold();
    if (!(spec.threshold > 0 && spec.threshold <= kMostThreshold)) {
      reader.complain("threshold", fmt::format("threshold {}: it is a factor of the queue of a detour; write a number "
                                               "above 0, at most {}",
                                               spec.threshold, kMostThreshold));
      spec.threshold = reader.default_real("threshold");
    }
  }
  spec.queue_measure = reader.choice<v1::Routing::QueueMeasure>("queue_measure");
  if (!v1::Routing::QueueMeasure_IsValid(spec.queue_measure)) {
    reader.complain("queue_measure", "unknown measure of queues; write IN_FLIGHT or WAITING");
  }
  if (!routing.has_notification()) return;
  if (!known.of(model).notices) {
    reader.complain("notification",
                    fmt::format("notices of hot outputs are for routers of the model {0}, and these "
                                "are {1}; write router {{ model: {0} }}, or leave notification out",
                                known.models_with(&RouterCapabilities::notices), v1::RouterModel_Name(model)));
    return;
  }
  const MessageReader notices = reader.of(routing.notification(), "notification");
  NotificationSpec& notification = spec.notification.emplace();
  notification.threshold = notices.quantity<Bytes>("threshold", parse_bytes);
  notification.interval = notices.quantity<Time>("interval", parse_time);
  if (notification.interval <= Time::zero()) {
    notices.complain("interval",
                     "interval 0: a router would look at its outputs without end; write a time such as \"1us\"");
    spec.notification.reset();
  }
}

}  // namespace

void check_routing(Experiment& experiment, const Tenants& tenants, bool check_files, FieldChecker& fields) {
  const LocationMap& locations = fields.locations();
  const bool written = locations.has("routing") || locations.has("routing.algorithm");
  experiment.routing_location = written ? locations.find("routing.algorithm") : experiment.topology_location;
  // If the default has too few VCs, the mistake is located at the routing, which needs more.
  experiment.vcs_location = locations.has("router.vcs") ? locations.find("router.vcs") : experiment.routing_location;
  experiment.order_location = locations.find("routing.order");
  experiment.table_location = locations.find("routing.table");
  experiment.root_location = locations.find("routing.root");
  experiment.own_vcs_location = locations.find("routing.own_vcs");
  if (!experiment.message.has_routing()) {
    check_detours(experiment.message.routing(), experiment.router.model, experiment.capabilities, experiment.routing,
                  fields);
    return;
  }
  v1::Routing& routing = *experiment.message.mutable_routing();
  RoutingSpec& spec = experiment.routing;
  if (!v1::RoutingKind_IsValid(routing.algorithm())) {
    fields.complain("routing.algorithm", "unknown routing; `fabrictwin describe --list routing` names all");
    return;
  }
  spec.algorithm = routing.algorithm() == v1::ROUTING_KIND_UNSPECIFIED ? v1::DEFAULT : routing.algorithm();
  if (experiment.topology_traits.nodes) {
    fields.complain("routing", fmt::format("the nodes of {} route as their RTL does; leave routing out, or write "
                                           "another topology",
                                           topology_text(experiment.topology)));
    return;
  }
  for (const std::string_view parameter : kParameters) check_owner(parameter, spec.algorithm, tenants, fields);
  spec.order = routing.order();
  spec.root = routing.root();
  spec.bias = routing.bias();
  spec.own_vcs = routing.own_vcs();
  if (spec.bias < 0 || spec.bias > kMaxBias)
    fields.complain("routing.bias", fmt::format("bias {}: write 0 to {} flits", spec.bias, kMaxBias));
  check_detours(routing, experiment.router.model, experiment.capabilities, spec, fields);
  if (spec.algorithm != v1::TABLE) return;
  if (routing.table().empty()) {
    fields.complain("routing.table", "the table has no file; write table: \"FILE\" (docs/models/routing.md)");
    return;
  }
  spec.table = find_table(experiment, routing.table(), check_files, fields);
  routing.set_table(spec.table);
}

}  // namespace fabrictwin::experiment

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/experiment/check/router.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "cosim/experiment/check/message_reader.h"
#include "cosim/experiment/check/topology.h"

namespace fabrictwin::experiment {
namespace {

constexpr int64_t kMaxHertz = 1'000'000'000'000;
/// The fields that all models have.
constexpr std::string_view kCommonFields[] = {"clock", "model"};

Frequency check_clock(const v1::Router& router, const std::string& fallback, FieldChecker& fields) {
  const auto clock = fields.quantity<Frequency>("router.clock", router.clock(), fallback, parse_frequency);
  if (clock.has_value() && clock->hertz > 0 && clock->hertz <= kMaxHertz) return *clock;
  if (clock.has_value()) {
    fields.complain("router.clock",
                    fmt::format("router clock {}: a clock must run, at most at 1000 GHz; the default is {}",
                                to_string(*clock), fallback));
  }
  return Frequency{156'250'000};
}

bool contains(const std::vector<std::string_view>& fields, std::string_view field) {
  return std::ranges::find(fields, field) != fields.end();
}

/// Refuses fields that routers of this model do not have.
void refuse_others(const RouterCheck& router, const Tenants& tenants, const NicCapabilities& nic,
                   const MessageReader& reader) {
  const std::string_view model = v1::RouterModel_Name(router.capabilities().model);
  const std::vector<std::string_view> own = router.fields(nic);
  const google::protobuf::Descriptor& message = *v1::Router::descriptor();
  for (int i = 0; i < message.field_count(); ++i) {
    const std::string& field = message.field(i)->name();
    if (std::ranges::find(kCommonFields, field) != std::end(kCommonFields) || contains(own, field)) continue;
    // The location of a repeated field is that of its first element.
    const std::string name = reader.has(field) ? field : field + "[0]";
    if (!reader.has(name)) continue;
    std::string reason = router.refusal(field);
    if (reason.empty()) {
      std::vector<std::string_view> owners;
      for (const RouterCheck* other : tenants.routers) {
        if (contains(other->fields(nic), field)) owners.push_back(v1::RouterModel_Name(other->capabilities().model));
      }
      reason = fmt::format("{0} is for routers of the model {1}, and these are {2}; write model: {1}, or leave {0} out",
                           field, fmt::join(owners, " or "), model);
    }
    reader.complain(name, reason);
  }
}

std::string names_of(const std::vector<const RouterCheck*>& routers) {
  std::string names;
  for (size_t i = 0; i < routers.size(); ++i) {
    if (i > 0) names += i + 1 < routers.size() ? ", " : " or ";
    names += v1::RouterModel_Name(routers[i]->capabilities().model);
  }
  return names;
}

}  // namespace

void check_router(Experiment& experiment, const Tenants& tenants, const FileChecker& files, FieldChecker& fields) {
  const v1::Router& router = experiment.message.router();
  experiment.router.clock = check_clock(router, default_router_clock(experiment.message.topology(), tenants), fields);
  const RouterCheck* model = tenants.router(router.model());
  if (model == nullptr) {
    fields.complain("router.model", fmt::format("unknown model of routers; write {}", names_of(tenants.routers)));
    return;
  }
  experiment.router.model = model->capabilities().model;
  const MessageReader reader(router, "router", fields);
  refuse_others(*model, tenants, experiment.capabilities.of(experiment.message.host().nic()), reader);
  model->check(experiment, reader);
  if (router.library().empty() || experiment.router.model != v1::EXTERNAL) return;
  experiment.router.library =
      files.find("router.library", router.library(), "a shared library",
                 "build it as docs/examples/own-router does, or leave library out if all routers are elsewhere");
  experiment.message.mutable_router()->set_library(experiment.router.library);
}

void complete_router(Experiment& experiment, const Tenants& tenants, FieldChecker& fields) {
  const RouterCapabilities& router = experiment.capabilities.of(experiment.router.model);
  if (experiment.topology_traits.nodes && !router.nodes) {
    fields.complain(
        "router.model",
        fmt::format("this topology has logic of its own: the nodes of {} have routers of the model {}, "
                    "joined with their network interfaces, and these are {}; write another topology, such "
                    "as torus {{ ... }}, or leave model out",
                    topology_text(experiment.topology), experiment.capabilities.models_with(&RouterCapabilities::nodes),
                    v1::RouterModel_Name(router.model)));
  }
  const RouterCheck* model = tenants.router(experiment.message.router().model());
  if (model != nullptr) model->complete(experiment, {experiment.message.router(), "router", fields});
}

}  // namespace fabrictwin::experiment

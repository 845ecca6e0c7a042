// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/model_router.h"

#include <utility>
#include <vector>

#include "models/routing/lattice/torus_routing.h"
#include "models/routing/table/routing.h"

namespace fabrictwin::test {
namespace {

std::shared_ptr<const routing::Routing> routing(const rtl::router::Config& config) {
  if (config.routes.empty()) {
    return std::make_shared<routing::lattice::TorusRouting>(
        std::vector<int32_t>(config.dims.begin(), config.dims.end()),
        std::vector<int32_t>(config.coordinates.begin(), config.coordinates.end()));
  }
  auto table = std::make_shared<system::RouteTable>(std::vector<int32_t>{rtl::router::kLargeRouterPorts},
                                                    config.route_destinations);
  for (int32_t i = 0; i < static_cast<int32_t>(config.routes.size()); ++i)
    table->set(0, i / config.route_destinations, i % config.route_destinations, config.routes[i]);
  return std::make_shared<routing::table::TableRouting>(std::move(table), 0);
}

router::exanet::Router::Config model_config(const rtl::router::Config& config) {
  router::exanet::Router::Config model;
  model.name = config.name;
  model.routing = routing(config);
  model.clock = config.router_clock;
  for (const rtl::router::PortConfig& port : config.ports)
    model.ports.push_back({port.enabled, port.word_clock, port.initial_credits, false, port.to_host});
  model.marking = config.marking;
  // What a model is made of depends on its ports.
  while (model.ports.size() > rtl::router::kRouterPorts && !model.ports.back().connected) model.ports.pop_back();
  return model;
}

}  // namespace

ModelRouter::ModelRouter(const rtl::router::Config& config)
    : config_(config), router_(router::exanet::Router::create(model_config(config), *this)) {}

absl::Status ModelRouter::advance(Time until) {
  for (int p = 0; p < rtl::router::kLargeRouterPorts; ++p) {
    if (config_.ports[p].enabled) take_records(p, until);
  }
  const int64_t end = config_.router_clock.edge_at_or_after(until);
  while (router_->next_cycle() < end) {
    router_->step(router_->next_cycle());
    ++steps_;
  }
  return router_->failure().empty() ? absl::OkStatus() : absl::DataLossError(router_->failure());
}

Time ModelRouter::next_event() const {
  return router_->next_cycle() == router::exanet::Router::kNever ? Time::never()
                                                                 : config_.router_clock.edge(router_->next_cycle());
}

void ModelRouter::take_records(int port, Time until) {
  link::ChannelReceiver& receiver = *config_.ports[port].receiver;
  const link::ChannelSpec& spec = receiver.spec();
  for (const link::Record* record = receiver.front(); record != nullptr && record->time() < until;
       record = receiver.front()) {
    if (record->kind == link::RecordKind::kCredit) {
      router_->receive_credit(port, record->time(), record->vc, record->count);
    } else {
      const int64_t slot = receiver.first_slot(*record);
      for (int i = 0; i < record->count; ++i) {
        uint8_t flags = 0;
        if (i == 0) flags |= record->flags & link::kStartOfPacket;
        if (i + 1 == record->count) flags |= record->flags & link::kEndOfPacket;
        router_->receive_word(port, spec.word_clock.edge(slot + i + 1) + spec.latency, record->vc, flags,
                              record->words[i]);
      }
    }
    receiver.pop();
  }
}

void ModelRouter::transmit(int32_t, int32_t port, int64_t slot, uint8_t vc, uint8_t flags, const link::Word& word) {
  config_.ports[port].sender->send_word(slot, vc, flags, word);
}

void ModelRouter::return_credit(int32_t, int32_t port, int64_t cycle, uint8_t vc, uint8_t count) {
  config_.ports[port].sender->send_credit(config_.router_clock.edge(cycle), vc, count);
}

absl::StatusOr<std::unique_ptr<engine::Partition>> make_model_router(const rtl::router::Config& config) {
  return std::make_unique<ModelRouter>(config);
}

}  // namespace fabrictwin::test

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/ip/process.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "fmt/format.h"
#include "fmt/ranges.h"

namespace fabrictwin::ip {

using host::ip::Datagram;
using host::ip::Packet;

Process::Process(int32_t node, std::shared_ptr<State> state, observe::EndpointDigest* digest)
    : HostProcess(node),
      state_(std::move(state)),
      digest_(digest),
      stack_(state_->spec.costs, *this),
      programs_(programs_of(node, *state_, stack_)) {}

bool Process::takes_part() const {
  return std::any_of(programs_.begin(), programs_.end(), [](const auto& program) { return program != nullptr; });
}

void Process::begin() {
  for (const auto& program : programs_) {
    if (program) program->begin();
  }
  decide();
}

void Process::decide() {
  stack_.set_time(now());
  for (int32_t i = std::exchange(transferred_, 0); i > 0; --i) stack_.transferred();
  // Those of one host come in the order in which it sent them.
  std::stable_sort(messages_.begin(), messages_.end(),
                   [](const auto& one, const auto& other) { return one.source < other.source; });
  for (const nic::IncomingMessage& message : messages_) take(message);
  messages_.clear();
  stack_.run();
  if (!finished_ && is_done()) {
    finished_ = true;
    finish_time_ = now();
  }
  if (const Time next = stack_.next(); !next.is_never()) wake_at(next);
}

void Process::take(const nic::IncomingMessage& message) {
  const std::optional<Packet> packet = host::ip::packet_of(message, node());
  if (!packet.has_value() || !is_known(packet->datagram)) {
    if (failure_.empty())
      failure_ =
          fmt::format("host {} at {}: what came from host {} is no IP packet of the workload, or has a wrong byte",
                      node(), to_string(now()), message.source);
    return;
  }
  const std::array<uint64_t, 6> facts = {static_cast<uint64_t>(message.source),
                                         static_cast<uint64_t>(node()),
                                         message.envelope.bytes,
                                         message.envelope.user[0],
                                         message.envelope.user[1],
                                         message.body_hash};
  digest_->add_message(observe::hash_values(facts));
  stack_.arrived(*packet);
}

bool Process::is_known(const Datagram& datagram) const {
  return datagram.flow < programs_.size() && programs_[datagram.flow] != nullptr;
}

void Process::received(const Datagram& datagram) { programs_[datagram.flow]->received(datagram, now()); }

void Process::dropped(const Datagram& datagram) { programs_[datagram.flow]->dropped(); }

void Process::replied(const Datagram& request) { programs_[request.flow]->replied(); }

bool Process::is_done() const {
  return stack_.idle() && std::all_of(programs_.begin(), programs_.end(),
                                      [](const auto& program) { return program == nullptr || program->done(); });
}

std::string Process::waits_for() const {
  if (finished_) return {};
  std::vector<std::string> waits;
  for (const auto& program : programs_) {
    if (program && !program->done()) waits.push_back(program->waits_for());
  }
  if (waits.empty()) waits.emplace_back("for packets to leave");
  return fmt::format("host {} waits {}", node(), fmt::join(waits, ", "));
}

}  // namespace fabrictwin::ip

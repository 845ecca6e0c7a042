// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/exanet/processor.h"

#include <algorithm>
#include <utility>

#include "fmt/format.h"
#include "models/nic/exanet/mailbox.h"

namespace fabrictwin::nic::exanet {
namespace {

constexpr int32_t kRegisterBytes = 8;
constexpr int32_t kDescriptorWords = 4;
/// Words read before the length of a message is known.
constexpr int32_t kFirstWords = 4;

int32_t registers(int32_t bytes) { return (bytes + kRegisterBytes - 1) / kRegisterBytes; }

}  // namespace

Processor::Processor(Context& context, Packetizer& packetizer, RdmaSender& sender, int32_t configuration)
    : context_(context), packetizer_(packetizer), sender_(sender) {
  free_ = context.timing.clock.edge_at_or_after(context.timing.host_latency) +
          int64_t{configuration} * context.timing.register_write;
}

void Processor::access(int32_t cycles, Action effect, Action answer) {
  const Clock& clock = context_.timing.clock;
  const int64_t begin = std::max(clock.edge_at_or_after(context_.now() + context_.timing.host_latency), free_);
  free_ = begin + cycles;
  if (effect) context_.at(clock.edge(begin), std::move(effect));
  if (answer) context_.at(clock.edge(free_ - 1) + context_.timing.host_latency, std::move(answer));
}

void Processor::send_message(int32_t channel, Node node, int32_t interface, std::span<const std::byte> payload) {
  int32_t writes = registers(static_cast<int32_t>(payload.size()));
  if (channel >= 0 && channel < kNiChannels) {
    // The register keeps the destination.
    Destination& destination = destinations_[static_cast<size_t>(channel)];
    if (destination.node != node || destination.interface != interface) ++writes;
    destination = {node, interface};
  }
  for (int32_t i = 0; i < writes; ++i) access(context_.timing.register_write, nullptr, nullptr);
  const Time rung = context_.now();
  access(
      context_.timing.control_write,
      [this, channel, node, interface, copy = std::vector<std::byte>(payload.begin(), payload.end())] {
        if (packetizer_.send(channel, node, interface, copy)) return;
        context_.client->ni_failed(fmt::format("channel {} of the packetizer cannot send {} bytes to {} now", channel,
                                               copy.size(), Context::name_of(node)));
      },
      [this, channel, rung] { poll(channel, rung); });
}

void Processor::poll(int32_t channel, Time rung) {
  auto state = std::make_shared<std::optional<MessageState>>();
  access(
      context_.timing.register_read, [this, channel, state] { *state = packetizer_.state(channel); },
      [this, channel, rung, state] {
        if (state->has_value()) return context_.client->message_done(channel, **state);
        const Time waited = context_.now() - rung;
        context_.at(context_.now() + Time::from_fs(waited.fs() / 8 + 1),
                    [this, channel, rung] { poll(channel, rung); });
      });
}

void Processor::message_in_ring(const Message& message, std::function<void()> taken) {
  const auto interface = static_cast<size_t>(message.interface);
  const uint64_t number = delivered_[interface] + entries_[interface].size();
  entries_[interface].push_back({message});
  const auto complete = [this, interface, number] {
    entries_[interface][number - delivered_[interface]].complete = true;
    deliver(interface);
  };
  const int32_t more = registers(message.bytes) - kFirstWords;
  // The description gives the length; once the rest is read, the entry is freed.
  access(context_.timing.register_read, nullptr, [this, more, complete, taken = std::move(taken)] {
    for (int32_t i = 1; i < more; ++i) access(context_.timing.register_read, nullptr, nullptr);
    if (more > 0) access(context_.timing.register_read, nullptr, complete);
    access(context_.timing.control_write, taken, nullptr);
  });
  for (int32_t i = 1; i < kFirstWords; ++i) access(context_.timing.register_read, nullptr, nullptr);
  access(context_.timing.register_read, nullptr, more > 0 ? Action() : Action(complete));
}

void Processor::message_in_memory(const Message& message, std::function<void()> taken) {
  access(context_.timing.control_write, std::move(taken), nullptr);
  context_.client->message_arrived(message);
}

void Processor::interrupted(Mailbox& mailbox) {
  auto bits = std::make_shared<uint64_t>(0);
  const auto read = [&mailbox, bits] { *bits = mailbox.pending(); };
  access(context_.timing.register_read, read, [this, &mailbox, bits] {
    const auto seen = [&mailbox, bits] { mailbox.clear(*bits); };
    if (mailbox.in_memory())
      return access(context_.timing.register_write, seen, [&mailbox, bits] { find(mailbox, *bits); });
    access(context_.timing.register_write, seen, nullptr);
    for (int32_t interface = 0; interface < kNiInterfaces; ++interface) {
      if ((*bits >> interface & 1) == 0) continue;
      auto entries = std::make_shared<std::vector<Message>>();
      access(
          context_.timing.register_read, [&mailbox, interface, entries] { *entries = mailbox.look(interface); },
          [&mailbox, entries] {
            for (const Message& message : *entries) mailbox.found(message);
          });
    }
  });
}

void Processor::find(Mailbox& mailbox, uint64_t bits) {
  for (int32_t interface = 0; interface < kNiInterfaces; ++interface) {
    if ((bits >> interface & 1) == 0) continue;
    for (const Message& message : mailbox.look(interface)) mailbox.found(message);
  }
}

void Processor::deliver(size_t interface) {
  std::deque<Entry>& entries = entries_[interface];
  while (!entries.empty() && entries.front().complete) {
    const Message message = entries.front().message;
    entries.pop_front();
    ++delivered_[interface];
    context_.client->message_arrived(message);
  }
}

void Processor::start_transfer(int32_t channel, const Transfer& transfer) {
  for (int32_t i = 1; i < kDescriptorWords; ++i) access(context_.timing.descriptor_write, nullptr, nullptr);
  access(
      context_.timing.descriptor_write,
      [this, channel, transfer] {
        if (sender_.start(channel, transfer)) return;
        context_.client->ni_failed(fmt::format("RDMA channel {} cannot start a transfer of {} bytes to {}", channel,
                                               transfer.bytes, Context::name_of(transfer.node)));
      },
      nullptr);
}

void Processor::transfer_seen() {
  free_ = std::max(context_.timing.clock.edge_at_or_after(context_.now()), free_) + context_.timing.register_read;
}

}  // namespace fabrictwin::nic::exanet

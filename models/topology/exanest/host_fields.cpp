// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/exanest/host_fields.h"

#include <bit>
#include <cstdint>

#include "cosim/experiment/check/message_reader.h"
#include "fmt/format.h"

namespace fabrictwin::topology::exanest {
namespace {

constexpr Time kMaxFirmwareDelay = Time::from_us(1000);
constexpr int32_t kMaxReceiveWindows = 64;
constexpr int32_t kMaxRingEntries = 4096;
constexpr Time kMaxInterruptTime = Time::from_us(1000);
constexpr int32_t kMaxInterruptMessages = 65535;
constexpr std::string_view kRdmaUnit = "the RDMA unit";
constexpr std::string_view kMailbox = "the mailbox";

void check_rdma_unit(const v1::Host& host, const experiment::MessageReader& reader, experiment::HostSpec& spec) {
  if (reader.has_text("firmware_delay")) {
    spec.firmware_delay = reader.parsed<Time>("firmware_delay", parse_time).value_or(Time::zero());
    if (*spec.firmware_delay > kMaxFirmwareDelay) {
      reader.complain("firmware_delay", fmt::format("firmware_delay of {} is more than {}, the longest that is allowed",
                                                    to_string(*spec.firmware_delay), to_string(kMaxFirmwareDelay)));
      spec.firmware_delay = Time::zero();
    }
  }
  spec.translation_cache = host.translation_cache();
  spec.receive_windows = reader.number("receive_windows", 1, kMaxReceiveWindows);
}

/// Where the mailboxes have their rings.
void check_mailbox(const v1::Host& host, const experiment::MessageReader& reader, experiment::HostSpec& spec) {
  if (!v1::Host::MailboxRings_IsValid(host.mailbox_rings()))
    reader.complain("mailbox_rings", "unknown mailbox_rings; write BLOCK_RAM or MEMORY");
  const int32_t entries = reader.number("mailbox_entries", 2, kMaxRingEntries);
  if (!std::has_single_bit(static_cast<uint32_t>(entries))) {
    reader.complain("mailbox_entries",
                    fmt::format("mailbox_entries {}: a ring in memory has a power of two of them; write {}", entries,
                                std::bit_ceil(static_cast<uint32_t>(entries))));
  }
  if (host.mailbox_rings() == v1::Host::MEMORY) {
    spec.memory_ring_entries = entries;
  } else if (host.has_mailbox_entries()) {
    reader.complain("mailbox_entries",
                    "mailbox_entries is that of rings in memory, and those in block RAM have 16; write mailbox_rings: "
                    "MEMORY, or leave it out");
  }
}

Time check_interrupt_time(std::string_view name, const experiment::MessageReader& reader) {
  const auto time = reader.quantity<Time>(name, parse_time);
  if (time >= Time::zero() && time <= kMaxInterruptTime) return time;
  reader.complain(name, fmt::format("{} {}: write at most {}", name, to_string(time), to_string(kMaxInterruptTime)));
  return Time::zero();
}

/// How the processor hears of messages.
void check_interrupt(const v1::Host& host, const experiment::MessageReader& reader, experiment::HostSpec& spec) {
  if (!v1::Host::Mailbox_IsValid(host.mailbox()))
    reader.complain("mailbox", "unknown mailbox; write POLL or INTERRUPT");
  if (host.mailbox() != v1::Host::INTERRUPT) {
    for (const std::string_view name : {"interrupt_latency", "interrupt_delay", "interrupt_messages"}) {
      if (!reader.has(name)) continue;
      reader.complain(name, fmt::format("{} is that of the interrupt of the mailbox, which is polled; write mailbox: "
                                        "INTERRUPT, or leave it out",
                                        name));
    }
    return;
  }
  experiment::InterruptSpec& interrupt = spec.mailbox_interrupt.emplace();
  interrupt.latency = check_interrupt_time("interrupt_latency", reader);
  interrupt.delay = check_interrupt_time("interrupt_delay", reader);
  if (!host.has_interrupt_messages()) return;
  interrupt.messages = host.interrupt_messages();
  if (interrupt.messages < 1 || interrupt.messages > kMaxInterruptMessages) {
    reader.complain("interrupt_messages",
                    fmt::format("interrupt_messages {}: write 1 to {}", interrupt.messages, kMaxInterruptMessages));
  } else if (interrupt.delay == Time::zero()) {
    reader.complain("interrupt_messages",
                    "interrupt_messages has no effect without interrupt_delay, the longest that a message waits for "
                    "others; write interrupt_delay, or leave it out");
  }
}

}  // namespace

std::vector<experiment::HostField> host_fields() {
  return {{"firmware_delay", kRdmaUnit},   {"translation_cache", kRdmaUnit}, {"receive_windows", kRdmaUnit},
          {"mailbox_rings", kMailbox},     {"mailbox_entries", kMailbox},    {"mailbox", kMailbox},
          {"interrupt_latency", kMailbox}, {"interrupt_delay", kMailbox},    {"interrupt_messages", kMailbox}};
}

void check_host(experiment::Experiment& experiment, experiment::FieldChecker& fields) {
  const v1::Host& host = experiment.message.host();
  const experiment::MessageReader reader(host, "host", fields);
  experiment::HostSpec& spec = experiment.host;
  check_rdma_unit(host, reader, spec);
  check_mailbox(host, reader, spec);
  check_interrupt(host, reader, spec);
  // The network interface can send to its own node, and ExaNet-MPI has no other path within an MPSoC.
  if (host.loopback_latency().empty() && host.loopback_rate().empty()) spec.loopback_latency = Time::never();
}

}  // namespace fabrictwin::topology::exanest

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/exanet/driver/register_mailbox.h"

#include <bit>
#include <cstring>
#include <utility>

#include "fmt/format.h"
#include "models/nic/exanet/driver/layout.h"

namespace fabrictwin::nic::exanet::driver {
namespace {

constexpr uint32_t kRegisterBytes = 8;
constexpr uint32_t kMailbox = 0x40000;
constexpr uint32_t kTail = 0x800;
constexpr uint32_t kHead = 0x808;
constexpr uint32_t kConfiguration = 0x80008;
constexpr uint32_t kRingPlace = 0x80010;
constexpr uint32_t kPending = 0xc0018;
constexpr uint32_t kInterruptEnable = 0xc0020;
constexpr uint32_t kModeration = 0xc0028;
constexpr int kDelayLow = 16;  ///< Bits 39..16 of that register: the delay; below, the messages.
constexpr uint64_t kInMemory = uint64_t{1} << 63;
constexpr uint64_t kTellEntries = uint64_t{1} << 62;
constexpr int kEntriesLow = 39;  ///< Bits 42..39 of that register: the logarithm of the entries.
constexpr int kDescription = 8;  ///< The word of an entry with its description.
constexpr int kFirstWords = 4;   ///< Words read before the length is known.
constexpr uint64_t kEnable = uint64_t{1} << 63;
constexpr int kPageShift = 12;

uint32_t page_of(int32_t interface) { return kMailbox + (static_cast<uint32_t>(interface) << kPageShift); }

}  // namespace

void RegisterMailbox::configure(int32_t interfaces, uint16_t pdid) {
  for (int32_t i = 0; i < interfaces; ++i) {
    if (in_memory_) {
      const auto bits = static_cast<uint64_t>(std::countr_zero(depth_));
      port_.write(link::HostRegion::kMessages, kRingPlace + (static_cast<uint32_t>(i) << kPageShift), kRegisterBytes,
                  {kInMemory | (interrupt_ ? kTellEntries : 0) | bits << kEntriesLow | mailbox_ring(i), 0},
                  [this, i](uint32_t response) { check(i, response); });
    }
    port_.write(link::HostRegion::kMessages, kConfiguration + (static_cast<uint32_t>(i) << kPageShift), kRegisterBytes,
                {kEnable | pdid, 0}, [this, i](uint32_t response) { check(i, response); });
  }
  if (interrupt_) configure_interrupt(interfaces);
}

void RegisterMailbox::configure_interrupt(int32_t interfaces) {
  const auto set = [this](uint32_t address, uint64_t value) {
    port_.write(link::HostRegion::kMessages, address, kRegisterBytes, {value, 0},
                [this](uint32_t response) { check_interrupt(response); });
  };
  set(kModeration, static_cast<uint64_t>(interrupt_->delay) << kDelayLow | static_cast<uint64_t>(interrupt_->messages));
  set(kInterruptEnable, (uint64_t{1} << interfaces) - 1);
}

void RegisterMailbox::interrupt() {
  if (!interrupt_) return port_.fail("an interrupt of the mailbox, which is not enabled");
  if (interrupt_->latency == Time::zero()) return look();
  port_.after(interrupt_->latency, [this] { look(); });
}

void RegisterMailbox::look() {
  port_.read(link::HostRegion::kMessages, kPending, kRegisterBytes, [this](uint32_t response, const link::Word& value) {
    if (check_interrupt(response)) look(value.lo);
  });
}

// What is pending is cleared before the rings are looked at, so nothing that comes in between is left there.
void RegisterMailbox::look(uint64_t pending) {
  port_.write(link::HostRegion::kMessages, kPending, kRegisterBytes, {pending, 0}, [this](uint32_t response) {
    if (!check_interrupt(response) || !in_memory_) return;
    for (Ring& ring : rings_) {
      const std::deque<Message> entries = std::move(ring.unseen);
      ring.unseen.clear();
      for (const Message& message : entries) take(message);
    }
  });
  if (in_memory_) return;
  for (int32_t interface = 0; interface < kNiInterfaces; ++interface) {
    if ((pending >> interface & 1) != 0) read_tail(interface);
  }
}

void RegisterMailbox::read_tail(int32_t interface) {
  port_.read(link::HostRegion::kMessages, page_of(interface) + kTail, kRegisterBytes,
             [this, interface](uint32_t response, const link::Word& value) {
               if (!check(interface, response)) return;
               const Ring& ring = rings_[static_cast<size_t>(interface)];
               const uint64_t more = (value.lo - ring.tail) % (2 * depth_);
               if (value.lo >= 2 * depth_ || more > depth_) {
                 return port_.fail(fmt::format("mailbox interface {} has the tail {}, and the processor has seen {}",
                                               interface, value.lo, ring.tail));
               }
               for (uint64_t i = 0; i < more; ++i) add_entry(interface);
             });
}

void RegisterMailbox::event(int32_t interface) {
  // The processor has the interrupt instead.
  if (interrupt_) return;
  if (in_memory_)
    return port_.fail(fmt::format("an event of mailbox interface {}, whose ring is in memory", interface));
  if (interface < 0 || interface >= kNiInterfaces)
    return port_.fail(fmt::format("an event of mailbox interface {}, which does not exist", interface));
  add_entry(interface);
}

void RegisterMailbox::add_entry(int32_t interface) {
  Ring& ring = rings_[static_cast<size_t>(interface)];
  const uint32_t slot = ring.tail % depth_;
  ring.tail = (ring.tail + 1) % (2 * depth_);
  const uint64_t number = ring.delivered + ring.entries.size();
  Entry& entry = ring.entries.emplace_back();
  entry.message.interface = interface;
  entry.words_asked = kFirstWords;
  ask(interface, number, slot, kDescription);
  for (int word = 0; word < kFirstWords; ++word) ask(interface, number, slot, word);
}

void RegisterMailbox::ask(int32_t interface, uint64_t number, uint32_t slot, int word) {
  const uint32_t address = page_of(interface) + slot * 0x80 + static_cast<uint32_t>(word) * kRegisterBytes;
  port_.read(link::HostRegion::kMessages, address, kRegisterBytes,
             [this, interface, number, slot, word](uint32_t response, const link::Word& value) {
               if (!check(interface, response)) return;
               if (word == kDescription) {
                 take_description(interface, number, slot, value.lo);
               } else {
                 take_word(interface, number, word, value.lo);
               }
             });
}

void RegisterMailbox::take_description(int32_t interface, uint64_t number, uint32_t slot, uint64_t value) {
  Ring& ring = rings_[static_cast<size_t>(interface)];
  Entry& entry = ring.entries[number - ring.delivered];
  Message& message = entry.message;
  describe(value, message);
  entry.described = true;
  if (message.bytes > kNiMessageBytes) {
    return port_.fail(fmt::format("mailbox interface {} has a message of {} bytes from node {:#x}", interface,
                                  message.bytes, message.source));
  }
  const int words = (message.bytes + 7) / 8;
  for (int word = kFirstWords; word < words; ++word) ask(interface, number, slot, word);
  if (words > kFirstWords) entry.words_asked = words;
  // Accesses are made in order, so the entry has been read when it is freed.
  advance_head(interface);
}

void RegisterMailbox::describe(uint64_t value, Message& message) const {
  message.bytes = static_cast<int32_t>(value >> 57);
  message.source = static_cast<Node>(value >> 32 & 0x3fffff);
  message.channel = static_cast<int32_t>(value >> 24 & 0xff);
  message.sequence = static_cast<uint32_t>(value & 0xffffff);
}

void RegisterMailbox::advance_head(int32_t interface) {
  Ring& ring = rings_[static_cast<size_t>(interface)];
  ring.head = (ring.head + 1) % (2 * depth_);
  port_.write(link::HostRegion::kMessages, page_of(interface) + kHead, kRegisterBytes, {ring.head, 0},
              [this, interface](uint32_t response) { check(interface, response); });
}

void RegisterMailbox::memory_written(uint64_t address, std::span<const std::byte> bytes,
                                     const std::array<uint64_t, 4>& strobes) {
  const Region region = region_of(address);
  if (!in_memory_ || region.kind != Region::Kind::kRing) return;
  const int32_t interface = region.index;
  Ring& ring = rings_[static_cast<size_t>(interface)];
  const uint32_t slot = ring.tail % depth_;
  const uint64_t offset = region.offset % kRingEntryBytes;
  const bool description = offset == kDescription * kRegisterBytes;
  const uint64_t written = bytes.size() < 64 ? (uint64_t{1} << bytes.size()) - 1 : ~uint64_t{0};
  if (region.offset / kRingEntryBytes != slot || (!description && offset != 0) || bytes.size() > kNiMessageBytes ||
      (description && bytes.size() != link::kWordBytes) || strobes[0] != written) {
    return port_.fail(
        fmt::format("the logic writes {} bytes at {} of the ring of mailbox interface {}, whose next "
                    "entry is {}",
                    bytes.size(), region.offset, interface, slot));
  }
  if (!description) {
    std::memcpy(ring.payload.data(), bytes.data(), bytes.size());
    return;
  }
  std::array<uint64_t, 2> words{};
  std::memcpy(words.data(), bytes.data(), sizeof words);
  if (words[1] != ring.lap) {
    return port_.fail(fmt::format("entry {} of the ring of mailbox interface {} has {:#x} for the lap, and {} is due",
                                  slot, interface, words[1], ring.lap));
  }
  take_entry(interface, slot, words[0]);
}

void RegisterMailbox::take_entry(int32_t interface, uint32_t slot, uint64_t description) {
  Ring& ring = rings_[static_cast<size_t>(interface)];
  Message message;
  message.interface = interface;
  describe(description, message);
  if (message.bytes > kNiMessageBytes) {
    return port_.fail(fmt::format("mailbox interface {} has a message of {} bytes from node {:#x}", interface,
                                  message.bytes, message.source));
  }
  std::memcpy(message.payload.data(), ring.payload.data(), static_cast<size_t>(message.bytes));
  ring.tail = (ring.tail + 1) % (2 * depth_);
  if (slot + 1 == depth_) ring.lap ^= 1;
  if (interrupt_) {
    ring.unseen.push_back(message);
  } else {
    take(message);
  }
}

void RegisterMailbox::take(const Message& message) {
  advance_head(message.interface);
  client_.message_arrived(message);
}

void RegisterMailbox::take_word(int32_t interface, uint64_t number, int word, uint64_t value) {
  Ring& ring = rings_[static_cast<size_t>(interface)];
  Entry& entry = ring.entries[number - ring.delivered];
  std::memcpy(entry.message.payload.data() + word * 8, &value, sizeof value);
  ++entry.words_here;
  deliver(interface);
}

void RegisterMailbox::deliver(int32_t interface) {
  Ring& ring = rings_[static_cast<size_t>(interface)];
  while (!ring.entries.empty() && ring.entries.front().complete()) {
    const Message message = ring.entries.front().message;
    ring.entries.pop_front();
    ++ring.delivered;
    client_.message_arrived(message);
  }
}

bool RegisterMailbox::check_interrupt(uint32_t response) {
  if (response == 0) return true;
  port_.fail(fmt::format("the interrupt of the mailbox answered an access with {}", axi_response_name(response)));
  return false;
}

bool RegisterMailbox::check(int32_t interface, uint32_t response) {
  if (response == 0) return true;
  port_.fail(fmt::format("mailbox interface {} answered an access with {}", interface, axi_response_name(response)));
  return false;
}

}  // namespace fabrictwin::nic::exanet::driver

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/board/shell/identity.h"

#include <algorithm>
#include <bit>

#include "bridges/board/registers.h"
#include "bridges/board/shell/record.h"
#include "fmt/format.h"
#include "rtl/shell/shell_registers.h"

namespace fabrictwin::bridges::board::shell {
namespace {

namespace registers = rtl::shell::registers;

constexpr uint32_t kVersion = 1;
/// Types of elements, as the registers have them.
constexpr uint32_t kRouter = 1;
constexpr uint32_t kExternalRouter = 2;
/// The minor version since which registers say what links carry.
constexpr uint32_t kLinksSince = 1;
constexpr uint32_t kLeastSlots = 3;  ///< As powers of two, here and below.
constexpr uint32_t kMostSlots = 16;
constexpr uint32_t kMostDestinations = 16;
constexpr std::chrono::milliseconds kLook{100};
constexpr int64_t kBeats = 3;

absl::Status check_magic(const Device& device) {
  const uint32_t magic = device.read32(registers::kIdentificationOffset);
  if (magic == kAllOnes) {
    return absl::UnavailableError(
        fmt::format("{}: reads all ones: the board is not on its bus, or not configured, or its memory is switched off",
                    device.name()));
  }
  if (magic == static_cast<uint32_t>(kBoardMagic)) {
    return absl::FailedPreconditionError(
        fmt::format("{}: is the window of a soft board, which has no shell; only boards with a shell have a self-test",
                    device.name()));
  }
  if (magic != registers::kIdentificationReset) {
    return absl::FailedPreconditionError(
        fmt::format("{}: is no board's memory window (wrong magic {:#010x})", device.name(), magic));
  }
  return absl::OkStatus();
}

absl::StatusOr<link::LinkType> read_link(const Device& device) {
  const uint32_t bits = device.read32(registers::kLinkOffset);
  const auto number = [bits](int low, int width) { return static_cast<int32_t>(field(bits, low, width)); };
  const link::LinkType words{.vcs = number(registers::kLinkVcsLow, registers::kLinkVcsWidth),
                             .word_bits = number(registers::kLinkWordBitsLow, registers::kLinkWordBitsWidth),
                             .credit_words = number(registers::kLinkCreditWordsLow, registers::kLinkCreditWordsWidth)};
  if (!is_possible(words)) {
    return absl::FailedPreconditionError(
        fmt::format("{}: links of the board's shell carry words of {} bits on {} VCs, with credits for {} words; known "
                    "are words of "
                    "32, 64 and 128 bits on 1 to {} VCs, with credits for at least one",
                    device.name(), words.word_bits, words.vcs, words.credit_words, kMostVcs));
  }
  return words;
}

}  // namespace

int Identity::vc_bits() const {
  return std::max(1, static_cast<int>(std::bit_width(static_cast<uint32_t>(words.vcs - 1))));
}

absl::StatusOr<Identity> read_identity(const Device& device) {
  if (absl::Status status = check_magic(device); !status.ok()) return status;
  const uint32_t version = device.read32(registers::kVersionOffset);
  const uint32_t major = field(version, registers::kVersionMajorLow, registers::kVersionMajorWidth);
  if (major != kVersion) {
    return absl::FailedPreconditionError(
        fmt::format("{}: the board's shell has version {}, this agent speaks {}", device.name(), major, kVersion));
  }
  const uint32_t shape = device.read32(registers::kShapeOffset);
  Identity identity;
  const uint32_t element = field(shape, registers::kShapeElementLow, registers::kShapeElementWidth);
  identity.ports = static_cast<int32_t>(field(shape, registers::kShapePortsLow, registers::kShapePortsWidth));
  const uint32_t slots = field(shape, registers::kShapeSlotsLow, registers::kShapeSlotsWidth);
  const uint32_t destinations =
      field(shape, registers::kShapeRouteDestinationsLow, registers::kShapeRouteDestinationsWidth);
  identity.ring_offset = device.read32(registers::kRingOffsetOffset);
  identity.clock_hertz = device.read32(registers::kClockOffset);
  if ((element != kRouter && element != kExternalRouter) || identity.ports < 2 || identity.ports > kBoardBasePorts ||
      slots < kLeastSlots || slots > kMostSlots || destinations > kMostDestinations ||
      identity.ring_offset % kSlotBytes != 0) {
    return absl::FailedPreconditionError(fmt::format(
        "{}: the board's shell has an element of type {} with {} ports, rings of 2^{} slots at {:#x}; known "
        "are routers of 2 to {} ports with rings of 2^{} to 2^{} at multiples of {}",
        device.name(), element, identity.ports, slots, identity.ring_offset, kBoardBasePorts, kLeastSlots, kMostSlots,
        kSlotBytes));
  }
  const bool says_links = field(version, registers::kVersionMinorLow, registers::kVersionMinorWidth) >= kLinksSince;
  if (element == kExternalRouter && !says_links) {
    return absl::FailedPreconditionError(
        fmt::format("{}: the shell of a user's own router has version {}.0, which does not say what its links carry",
                    device.name(), major));
  }
  if (element == kExternalRouter) identity.element = board::Element::kExternalRouter;
  if (says_links) {
    const absl::StatusOr<link::LinkType> words = read_link(device);
    if (!words.ok()) return words.status();
    identity.words = *words;
    identity.buffer_credits = static_cast<int32_t>(field(
        device.read32(registers::kLinkOffset), registers::kLinkBufferCreditsLow, registers::kLinkBufferCreditsWidth));
  }
  if (identity.element == board::Element::kRouter && identity.words != link::LinkType()) {
    return absl::FailedPreconditionError(fmt::format(
        "{}: the board's shell has an ExaNet router whose links carry words of {} bits on {} VCs, with credits for {}",
        device.name(), identity.words.word_bits, identity.words.vcs, identity.words.credit_words));
  }
  identity.slots = uint32_t{1} << slots;
  identity.route_destinations = destinations == 0 ? 0 : 1 << destinations;
  const size_t end = identity.ring_offset + 2 * size_t{identity.slots} * kSlotBytes;
  if (identity.ring_offset == 0 || end > device.bytes()) {
    return absl::FailedPreconditionError(
        fmt::format("{}: the rings end at {:#x}, the window at {:#x}", device.name(), end, device.bytes()));
  }
  return identity;
}

absl::Status check_bus(const Device& device) {
  if (device.read32(registers::kIdentificationOffset) != kAllOnes) return absl::OkStatus();
  return absl::UnavailableError(
      fmt::format("the board at {} reads all ones: it has fallen off its bus", device.name()));
}

std::chrono::milliseconds heartbeat_patience(const Identity& identity, std::chrono::milliseconds least) {
  if (identity.clock_hertz == 0) return least;
  const std::chrono::milliseconds beats(kBeats * kCyclesOfHeartbeat * 1000 / identity.clock_hertz);
  return std::max(least, beats);
}

absl::Status Pulse::check() {
  const SteadyClock::time_point now = SteadyClock::now();
  if (now - looked_ < std::min<SteadyClock::duration>(kLook, heartbeat_.patience())) return absl::OkStatus();
  looked_ = now;
  const uint32_t heartbeat = device_.read32(registers::kHeartbeatOffset);
  if (heartbeat == kAllOnes) {
    if (absl::Status status = check_bus(device_); !status.ok()) return status;
  }
  return heartbeat_.check(heartbeat, device_.name());
}

}  // namespace fabrictwin::bridges::board::shell

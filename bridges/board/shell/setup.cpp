// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/board/shell/setup.h"

#include <sched.h>

#include <algorithm>
#include <string>
#include <utility>

#include "bridges/board/shell/phases.h"
#include "fmt/format.h"
#include "rtl/shell/shell_registers.h"

namespace fabrictwin::bridges::board::shell {
namespace {

namespace registers = rtl::shell::registers;

constexpr int32_t kMostCredits = (1 << registers::kPortCreditsWidth) - 1;

std::string words_text(const link::LinkType& words) {
  return fmt::format("{} VCs of {}-bit words with a credit for {}", words.vcs, words.word_bits, words.credit_words);
}

void write(Device& device, uint32_t offset, int64_t value) { device.write32(offset, static_cast<uint32_t>(value)); }

// So many edges are due in so many cycles of the shell's clock: the ratio of the two frequencies, in lowest terms or so
// near that it does not matter in years.
absl::Status write_pace(Device& device, const Identity& identity, const Config& config, ClockMode mode) {
  if (mode == ClockMode::kGated) return absl::OkStatus();
  constexpr int64_t kFemtoseconds = 1'000'000'000'000'000;
  const Clock& clock = config.router_clock;
  __int128 edges = static_cast<__int128>(kFemtoseconds) * clock.denominator();
  __int128 cycles = static_cast<__int128>(clock.numerator()) * identity.clock_hertz;
  if (edges > cycles) {
    return absl::InvalidArgumentError(fmt::format(
        "{}: the board at {} is {}, and its shell's clock of {} Hz is slower than the element's; a gated board "
        "may be",
        config.name, device.name(), name_of(mode), identity.clock_hertz));
  }
  __int128 a = cycles;
  __int128 b = edges;
  while (b != 0) a = std::exchange(b, a % b);
  edges /= a;
  cycles /= a;
  while (cycles >> 32 != 0) {
    edges >>= 1;
    cycles >>= 1;
  }
  write(device, registers::kPaceNumeratorOffset, static_cast<int64_t>(edges));
  write(device, registers::kPaceDenominatorOffset, static_cast<int64_t>(cycles));
  return absl::OkStatus();
}

// An agent of before may have had the ring elsewhere. The ring to the board, which it follows in the window, nobody
// moves.
void write_ring(Device& device, const Identity& identity) {
  uint64_t address = device.host_address();
  if (device.host_memory() == nullptr) {
    address = device.read32(registers::kToBoardLowOffset) | uint64_t{device.read32(registers::kToBoardHighOffset)}
                                                                << 32;
    address += uint64_t{identity.slots} * kSlotBytes;
  }
  write(device, registers::kFromBoardLowOffset, static_cast<int64_t>(address & 0xffff'ffff));
  write(device, registers::kFromBoardHighOffset, static_cast<int64_t>(address >> 32));
}

void write_place(Device& device, const Config& config) {
  int64_t coordinates = 0;
  int64_t lattice = 0;
  for (int d = 0; d < kBoardDims; ++d) {
    coordinates |= int64_t{config.coordinates[d]} << (8 * d);
    lattice |= int64_t{config.dims[d] - 1} << (8 * d);
  }
  write(device, registers::kCoordinatesOffset, coordinates);
  write(device, registers::kLatticeOffset, lattice);
}

void write_clocks(Device& device, const Config& config, const Setup& setup) {
  const Period period(config.router_clock);
  write(device, registers::kPeriodLowOffset, period.whole);
  write(device, registers::kPeriodHighOffset, period.whole >> 32);
  write(device, registers::kPeriodNumeratorOffset, period.numerator);
  write(device, registers::kPeriodDenominatorOffset, period.denominator);
  for (uint32_t c = 0; c < kWordClocks; ++c) {
    // Those that no link has are kept like the first one.
    const std::vector<Clock>& clocks = setup.word_clocks;
    const Period word(clocks.empty() ? config.router_clock : clocks[c < clocks.size() ? c : 0]);
    write(device, registers::kWordPeriodLowOffset + c * registers::kStride, word.whole);
    write(device, registers::kWordPeriodHighOffset + c * registers::kStride, word.whole >> 32);
    write(device, registers::kWordNumeratorOffset + c * registers::kStride, word.numerator);
    write(device, registers::kWordDenominatorOffset + c * registers::kStride, word.denominator);
  }
}

void write_ports(Device& device, const Identity& identity, const Config& config, const Setup& setup) {
  for (uint32_t p = 0; p < static_cast<uint32_t>(identity.ports); ++p) {
    const PortConfig& port = config.ports[p];
    // Routers of ExaNet know of hosts only to mark what goes there.
    const bool to_host = port.to_host && (config.marking.hosts || config.element == board::Element::kExternalRouter);
    const int64_t bits = !port.enabled ? 0
                                       : 1 << registers::kPortEnableLow | (to_host ? 1 : 0) << registers::kPortHostLow |
                                             setup.clock[p] << registers::kPortWordClockLow |
                                             port.initial_credits << registers::kPortCreditsLow;
    write(device, registers::kPortOffset + p * registers::kStride, bits);
  }
}

}  // namespace

absl::StatusOr<Setup> make_setup(const Device& device, const Identity& identity, const Config& config) {
  const auto refuse = [&](const std::string& what) {
    return absl::InvalidArgumentError(fmt::format("{}: the board at {} {}", config.name, device.name(), what));
  };
  if (config.element == board::Element::kNode) return refuse("is a router and cannot be a node");
  if (config.element != identity.element) {
    return refuse(identity.element == board::Element::kExternalRouter
                      ? "is a router of a user's own (EXTERNAL) and cannot be one of ExaNet"
                      : "is a router of ExaNet and cannot be one of a user's own (EXTERNAL)");
  }
  if (config.words != identity.words) {
    return refuse(fmt::format("has links with {}, and those of the experiment have {}", words_text(identity.words),
                              words_text(config.words)));
  }
  if (config.route_destinations > identity.route_destinations) {
    return refuse(fmt::format("has a route table of {} destinations, and {} are needed", identity.route_destinations,
                              config.route_destinations));
  }
  if (device.host_memory() != nullptr && size_t{identity.slots} * kSlotBytes > device.host_memory()->bytes()) {
    return refuse(fmt::format("has rings of {} slots, and host memory for {}: leave --ring-memory out", identity.slots,
                              device.host_memory()->bytes() / kSlotBytes));
  }
  if (!Period(config.router_clock).fits()) return refuse("cannot keep a clock of such a period");
  Setup setup;
  for (uint32_t p = 0; p < config.ports.size(); ++p) {
    const PortConfig& port = config.ports[p];
    if (!port.enabled) continue;
    if (p >= static_cast<uint32_t>(identity.ports))
      return refuse(fmt::format("has {} ports, but no port {}", identity.ports, p));
    if (port.initial_credits > kMostCredits) {
      return refuse(
          fmt::format("counts at most {} credits of a VC, and there are {} at port {}; write a smaller router {{ "
                      "buffer_words }} or a larger words {{ credit_words }}",
                      kMostCredits, port.initial_credits, p));
    }
    // What is sent to it has credits for buffers like those of its neighbours.
    if (config.element == board::Element::kExternalRouter && port.initial_credits != identity.buffer_credits) {
      return refuse(fmt::format(
          "has buffers for {} credits of each VC, and those of the experiment are for {}; write router {{ "
          "buffer_words: {} }}, or make the board with others",
          identity.buffer_credits, port.initial_credits, identity.buffer_credits * identity.words.credit_words));
    }
    if (port.word_clock.period() < config.router_clock.period() || !Period(port.word_clock).fits())
      return refuse(fmt::format("cannot keep the word clock of the link at port {}", p));
    const auto known = std::find(setup.word_clocks.begin(), setup.word_clocks.end(), port.word_clock);
    setup.clock[p] = static_cast<int>(known - setup.word_clocks.begin());
    if (known == setup.word_clocks.end()) setup.word_clocks.push_back(port.word_clock);
    setup.ports.push_back(p);
  }
  if (setup.word_clocks.size() > size_t{kWordClocks}) {
    return refuse(fmt::format("keeps {} word clocks, and its links have {}", kWordClocks, setup.word_clocks.size()));
  }
  return setup;
}

absl::Status change_run(Device& device, Pulse& pulse, uint32_t run) {
  device.write32(registers::kRunOffset, run);
  while (device.read32(registers::kStatusRunOffset) != run) {
    if (absl::Status status = pulse.check(); !status.ok()) return status;
    sched_yield();
  }
  return absl::OkStatus();
}

absl::Status write_setup(Device& device, const Identity& identity, const Config& config, const Setup& setup,
                         ClockMode mode) {
  write(device, registers::kFromBoardConsumedOffset, 0);
  write_ring(device, identity);
  write(device, registers::kModeOffset, static_cast<int64_t>(mode));
  if (absl::Status status = write_pace(device, identity, config, mode); !status.ok()) return status;
  write_clocks(device, config, setup);
  write_place(device, config);
  write(device, registers::kMarkingOffset, config.marking.threshold_words | int64_t{config.marking.marking_rate} << 16);
  write(device, registers::kMarkingPacketsOffset, config.marking.least_words);
  write(device, registers::kRoutingOffset, config.route_destinations > 0 ? 1 : 0);
  // Shells of ExaNet routers may be older than this register.
  if (config.element == board::Element::kExternalRouter) write(device, registers::kNodeOffset, config.node);
  write_ports(device, identity, config, setup);
  return absl::OkStatus();
}

std::vector<Slot> route_records(const Identity& identity, const Config& config) {
  const auto destinations = static_cast<size_t>(config.route_destinations);
  const int port_bits = 32 - __builtin_clz(static_cast<uint32_t>(identity.ports - 1));
  const auto valid = static_cast<uint8_t>(1 << (port_bits + 1));
  std::vector<Slot> records;
  for (size_t begin = 0; begin < config.routes.size();) {
    const size_t first = begin % destinations;
    const size_t count = std::min({kRouteBytes, destinations - first, config.routes.size() - begin});
    Slot& slot = records.emplace_back();
    slot.kind = Kind::kRoutes;
    slot.port = static_cast<uint32_t>(begin / destinations);
    slot.edge = static_cast<int64_t>(first);
    slot.count = static_cast<uint8_t>(count);
    for (size_t i = 0; i < count; ++i) {
      const system::RouteTable::Entry entry = config.routes[begin + i];
      const uint64_t byte = entry == system::RouteTable::kNoRoute ? 0 : static_cast<uint8_t>(valid | entry);
      slot.words[i / 8] |= byte << (8 * (i % 8));
    }
    begin += count;
  }
  return records;
}

}  // namespace fabrictwin::bridges::board::shell

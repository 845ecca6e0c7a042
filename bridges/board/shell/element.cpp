// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/board/shell/element.h"

#include <sched.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "bridges/board/registers.h"
#include "bridges/board/shell/phases.h"
#include "cosim/base/text.h"
#include "fmt/format.h"
#include "rtl/shell/shell_registers.h"

namespace fabrictwin::bridges::board::shell {
namespace {

namespace registers = rtl::shell::registers;
using SteadyClock = std::chrono::steady_clock;

constexpr uint32_t kVersion = 1;
constexpr uint32_t kRouter = 1;
constexpr uint32_t kAllOnes = ~uint32_t{0};
constexpr std::chrono::milliseconds kLook{100};
/// Looks at the ring before another thread may need the core, and before looking at more than the ring.
constexpr uint32_t kSpins = 200;
constexpr uint32_t kLooksBeforePulse = 1000;
/// A jump costs the board about as much as ticking through so many edges.
constexpr int64_t kLeastJump = 24;
/// The agent tells the board what it has taken when this part of the ring is used.
constexpr uint32_t kTellPart = 4;

constexpr uint32_t kStateFailed = 2;

uint32_t field(uint32_t value, int low, int width) { return value >> low & (width == 32 ? ~0u : (1u << width) - 1); }

}  // namespace

absl::StatusOr<Identity> read_identity(const Device& device) {
  const uint32_t magic = device.read32(registers::kIdentificationOffset);
  if (magic == kAllOnes) {
    return absl::UnavailableError(
        fmt::format("{}: reads all ones: the board is not on its bus, or not configured", device.name()));
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
  const uint32_t version = device.read32(registers::kVersionOffset);
  const uint32_t major = field(version, registers::kVersionMajorLow, registers::kVersionMajorWidth);
  if (major != kVersion) {
    return absl::FailedPreconditionError(
        fmt::format("{}: the board's shell has version {}, this agent speaks {}", device.name(), major, kVersion));
  }
  const uint32_t shape = device.read32(registers::kShapeOffset);
  Identity identity;
  identity.element = field(shape, registers::kShapeElementLow, registers::kShapeElementWidth);
  identity.ports = static_cast<int32_t>(field(shape, registers::kShapePortsLow, registers::kShapePortsWidth));
  const uint32_t slots = field(shape, registers::kShapeSlotsLow, registers::kShapeSlotsWidth);
  const uint32_t destinations =
      field(shape, registers::kShapeRouteDestinationsLow, registers::kShapeRouteDestinationsWidth);
  identity.ring_offset = device.read32(registers::kRingOffsetOffset);
  identity.clock_hertz = device.read32(registers::kClockOffset);
  if (identity.element != kRouter || identity.ports < 2 || identity.ports > kBoardBasePorts || slots < 3 ||
      slots > 16 || destinations > 16 || identity.ring_offset % kSlotBytes != 0) {
    return absl::FailedPreconditionError(fmt::format(
        "{}: the board's shell has an element of type {} with {} ports, rings of 2^{} slots at {:#x}; known "
        "are routers of 2 to {} ports with rings of 2^3 to 2^16",
        device.name(), identity.element, identity.ports, slots, identity.ring_offset, kBoardBasePorts));
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

absl::Status Pulse::check() {
  const SteadyClock::time_point now = SteadyClock::now();
  if (now - looked_ < std::min<SteadyClock::duration>(kLook, patience_)) return absl::OkStatus();
  looked_ = now;
  const uint32_t heartbeat = device_.read32(registers::kHeartbeatOffset);
  if (heartbeat == kAllOnes && device_.read32(registers::kIdentificationOffset) == kAllOnes) {
    return absl::UnavailableError(
        fmt::format("the board at {} reads all ones: it has fallen off its bus", device_.name()));
  }
  if (heartbeat != heartbeat_) {
    heartbeat_ = heartbeat;
    lived_ = now;
  } else if (now - lived_ >= patience_) {
    return absl::UnavailableError(fmt::format("the board at {} does not answer: its heartbeat has stood for {} ms",
                                              device_.name(), patience_.count()));
  }
  return absl::OkStatus();
}

void Element::Arrivals::pop(size_t count) {
  head_ += count;
  if (empty()) {
    entries_.clear();
    head_ = 0;
  } else if (head_ > 64 && head_ * 2 > entries_.size()) {
    entries_.erase(entries_.begin(), entries_.begin() + static_cast<ptrdiff_t>(head_));
    head_ = 0;
  }
}

std::string_view name_of(ClockMode mode) {
  return mode == ClockMode::kGated ? "gated" : mode == ClockMode::kPaced ? "paced" : "free";
}

std::optional<ClockMode> clock_mode(std::string_view name) {
  for (const ClockMode mode : {ClockMode::kGated, ClockMode::kPaced, ClockMode::kFree}) {
    if (name == name_of(mode)) return mode;
  }
  return std::nullopt;
}

absl::StatusOr<std::unique_ptr<Element>> Element::create(Device& device, const Config& config, ClockMode mode) {
  const absl::StatusOr<Identity> identity = read_identity(device);
  if (!identity.ok()) return identity.status();
  std::unique_ptr<Element> element(new Element(device, config, *identity, mode));
  if (absl::Status status = element->configure(); !status.ok()) return status;
  return element;
}

Element::Element(Device& device, const Config& config, const Identity& identity, ClockMode mode)
    : device_(device),
      config_(config),
      identity_(identity),
      mode_(mode),
      to_board_(device, identity.ring_offset, identity.slots),
      from_board_(device, identity.ring_offset + size_t{identity.slots} * kSlotBytes, identity.slots),
      pulse_(device),
      counted_(SteadyClock::now()) {
  for (const PortConfig& port : config.ports) ports_.emplace_back(port, config.router_clock);
}

Element::~Element() { device_.write32(registers::kRunOffset, 0); }

absl::Status Element::configure() {
  const auto refuse = [&](const std::string& what) {
    return absl::InvalidArgumentError(fmt::format("{}: the board at {} {}", config_.name, device_.name(), what));
  };
  if (config_.element != board::Element::kRouter) return refuse("is a router and cannot be a node");
  if (config_.route_destinations > identity_.route_destinations) {
    return refuse(fmt::format("has a route table of {} destinations, and {} are needed", identity_.route_destinations,
                              config_.route_destinations));
  }
  if (!Period(config_.router_clock).fits()) return refuse("cannot keep a clock of such a period");
  for (uint32_t p = 0; p < ports_.size(); ++p) {
    Port& port = ports_[p];
    if (!port.config.enabled) continue;
    if (p >= static_cast<uint32_t>(identity_.ports))
      return refuse(fmt::format("has {} ports, but no port {}", identity_.ports, p));
    if (port.config.word_clock.period() < config_.router_clock.period() || !Period(port.config.word_clock).fits())
      return refuse(fmt::format("cannot keep the word clock of the link at port {}", p));
    const auto known = std::find(word_clocks_.begin(), word_clocks_.end(), port.config.word_clock);
    port.word_clock = static_cast<int>(known - word_clocks_.begin());
    if (known == word_clocks_.end()) word_clocks_.push_back(port.config.word_clock);
    enabled_ports_.push_back(p);
  }
  if (word_clocks_.size() > size_t{kWordClocks}) {
    return refuse(fmt::format("keeps {} word clocks, and its links have {}", kWordClocks, word_clocks_.size()));
  }
  run_ = device_.read32(registers::kRunOffset) + 1;
  device_.write32(registers::kRunOffset, 0);
  if (absl::Status status = wait_for_run(0); !status.ok()) return status;
  for (size_t slot = 0; slot < 2 * size_t{identity_.slots}; ++slot)
    device_.write64(identity_.ring_offset + slot * kSlotBytes + kSlotBytes - sizeof(uint64_t), 0);
  if (absl::Status status = write_registers(); !status.ok()) return status;
  Device::order_writes();
  // Run number zero means no run.
  if (run_ == 0) ++run_;
  device_.write32(registers::kRunOffset, run_);
  if (absl::Status status = wait_for_run(run_); !status.ok()) return status;
  if (absl::Status status = send_routes(); !status.ok()) return status;
  return push(jump_to(0));
}

absl::Status Element::write_registers() {
  const auto write = [&](uint32_t offset, int64_t value) { device_.write32(offset, static_cast<uint32_t>(value)); };
  const Period period(config_.router_clock);
  write(registers::kFromBoardConsumedOffset, 0);
  write(registers::kModeOffset, static_cast<int64_t>(mode_));
  if (absl::Status status = write_pace(); !status.ok()) return status;
  write(registers::kPeriodLowOffset, period.whole);
  write(registers::kPeriodHighOffset, period.whole >> 32);
  write(registers::kPeriodNumeratorOffset, period.numerator);
  write(registers::kPeriodDenominatorOffset, period.denominator);
  int64_t coordinates = 0;
  int64_t lattice = 0;
  for (int d = 0; d < kBoardDims; ++d) {
    coordinates |= int64_t{config_.coordinates[d]} << (8 * d);
    lattice |= int64_t{config_.dims[d] - 1} << (8 * d);
  }
  write(registers::kCoordinatesOffset, coordinates);
  write(registers::kLatticeOffset, lattice);
  write(registers::kMarkingOffset, config_.marking.threshold_words | int64_t{config_.marking.marking_rate} << 16);
  write(registers::kMarkingPacketsOffset, config_.marking.least_words);
  write(registers::kRoutingOffset, config_.route_destinations > 0 ? 1 : 0);
  for (uint32_t c = 0; c < kWordClocks; ++c) {
    // Those that no link has are kept like the first one.
    const Period word(word_clocks_.empty() ? config_.router_clock : word_clocks_[c < word_clocks_.size() ? c : 0]);
    write(registers::kWordPeriodLowOffset + c * registers::kStride, word.whole);
    write(registers::kWordPeriodHighOffset + c * registers::kStride, word.whole >> 32);
    write(registers::kWordNumeratorOffset + c * registers::kStride, word.numerator);
    write(registers::kWordDenominatorOffset + c * registers::kStride, word.denominator);
  }
  for (uint32_t p = 0; p < static_cast<uint32_t>(identity_.ports); ++p) {
    const Port& port = ports_[p];
    const int64_t bits = !port.config.enabled
                             ? 0
                             : 1 << registers::kPortEnableLow |
                                   (port.config.to_host && config_.marking.hosts ? 1 : 0) << registers::kPortHostLow |
                                   port.word_clock << registers::kPortWordClockLow |
                                   port.config.initial_credits << registers::kPortCreditsLow;
    write(registers::kPortOffset + p * registers::kStride, bits);
  }
  return absl::OkStatus();
}

// So many edges are due in so many cycles of the shell's clock: the ratio of the two frequencies, in lowest terms or so
// near that it does not matter in years.
absl::Status Element::write_pace() {
  if (mode_ == ClockMode::kGated) return absl::OkStatus();
  constexpr int64_t kFemtoseconds = 1'000'000'000'000'000;
  const Clock& clock = config_.router_clock;
  __int128 edges = static_cast<__int128>(kFemtoseconds) * clock.denominator();
  __int128 cycles = static_cast<__int128>(clock.numerator()) * identity_.clock_hertz;
  if (edges > cycles) {
    return absl::InvalidArgumentError(fmt::format(
        "{}: the board at {} is {}, and its shell's clock of {} Hz is slower than the element's; a gated board "
        "may be",
        config_.name, device_.name(), name_of(mode_), identity_.clock_hertz));
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
  device_.write32(registers::kPaceNumeratorOffset, static_cast<uint32_t>(edges));
  device_.write32(registers::kPaceDenominatorOffset, static_cast<uint32_t>(cycles));
  return absl::OkStatus();
}

absl::Status Element::send_routes() {
  const auto destinations = static_cast<size_t>(config_.route_destinations);
  const int port_bits = 32 - __builtin_clz(static_cast<uint32_t>(identity_.ports - 1));
  const auto valid = static_cast<uint8_t>(1 << (port_bits + 1));
  for (size_t begin = 0; begin < config_.routes.size();) {
    const size_t input = begin / destinations;
    const size_t first = begin % destinations;
    const size_t count = std::min({kRouteBytes, destinations - first, config_.routes.size() - begin});
    Slot slot;
    slot.kind = Kind::kRoutes;
    slot.port = static_cast<uint32_t>(input);
    slot.edge = static_cast<int64_t>(first);
    slot.count = static_cast<uint8_t>(count);
    for (size_t i = 0; i < count; ++i) {
      const system::RouteTable::Entry entry = config_.routes[begin + i];
      const uint64_t byte = entry == system::RouteTable::kNoRoute ? 0 : static_cast<uint8_t>(valid | entry);
      slot.words[i / 8] |= byte << (8 * (i % 8));
    }
    if (absl::Status status = push(slot); !status.ok()) return status;
    begin += count;
  }
  return absl::OkStatus();
}

absl::Status Element::wait_for_run(uint32_t run) {
  while (device_.read32(registers::kStatusRunOffset) != run) {
    if (absl::Status status = pulse_.check(); !status.ok()) return status;
    sched_yield();
  }
  return absl::OkStatus();
}

absl::Status Element::advance(Time until) {
  for (const uint32_t p : enabled_ports_) {
    if (absl::Status status = take_records(ports_[p], until); !status.ok()) return status;
  }
  const int64_t end = config_.router_clock.edge_at_or_after(until);
  if (end > kMaxEdge) {
    return absl::OutOfRangeError(
        fmt::format("{} at {}: its shell counts 2^{} edges and no more", config_.name, to_string(until), kEdgeBits));
  }
  end_ = end;
  // What is idle stays so until something arrives; but a clock that follows wall-clock time goes on.
  const int64_t arrival = next_arrival();
  const bool still = idle_ && mode_ == ClockMode::kGated;
  if (still && arrival >= end) return absl::OkStatus();
  if (still && arrival - edge_ >= kLeastJump && may_jump(arrival)) {
    if (absl::Status status = push(jump_to(arrival)); !status.ok()) return status;
  }
  if (absl::Status status = send_arrivals(end); !status.ok()) return status;
  Slot limit;
  limit.edge = end;
  if (absl::Status status = push(limit); !status.ok()) return status;
  return wait_until(end);
}

absl::Status Element::take_records(Port& port, Time until) {
  link::ChannelReceiver& receiver = *port.config.receiver;
  const link::ChannelSpec& spec = receiver.spec();
  for (const link::Record* record = receiver.front(); record != nullptr && record->time() < until;
       record = receiver.front()) {
    if (record->kind == link::RecordKind::kBurst) {
      const int64_t slot = receiver.first_slot(*record);
      for (int i = 0; i < record->count; ++i) {
        uint8_t flags = 0;
        if (i == 0) flags |= record->flags & link::kStartOfPacket;
        if (i == record->count - 1) flags |= record->flags & link::kEndOfPacket;
        port.words.push({port.word_sampler.sample(spec.word_clock.edge(slot + i + 1) + spec.latency),
                         record->words[static_cast<size_t>(i)], record->vc, 0, flags});
      }
    } else if (record->kind == link::RecordKind::kCredit) {
      port.credits.push({port.credit_sampler.sample(record->time()), {}, record->vc, record->count, record->flags});
    } else {
      return absl::DataLossError(
          fmt::format("{} at {}: {} carries a record of kind {}, but a router takes only words and credits",
                      config_.name, to_string(record->time()), spec.name, static_cast<int>(record->kind)));
    }
    receiver.pop();
  }
  return absl::OkStatus();
}

int64_t Element::next_arrival() const {
  int64_t next = kNever;
  for (const uint32_t p : enabled_ports_)
    next = std::min({next, ports_[p].words.next_edge(), ports_[p].credits.next_edge()});
  return next;
}

// A jump takes it for granted that the slot after a link's last word is past.
bool Element::may_jump(int64_t edge) const {
  const Time at = config_.router_clock.edge(edge);
  return std::all_of(enabled_ports_.begin(), enabled_ports_.end(), [&](uint32_t p) {
    const Port& port = ports_[p];
    return port.serializer.last_slot() + 1 < port.config.word_clock.edge_at_or_after(at);
  });
}

Slot Element::jump_to(int64_t edge) const { return jump_record(config_.router_clock, word_clocks_, edge); }

// Records go in the order of their edges, so that each is a limit for all ports.
absl::Status Element::send_arrivals(int64_t end) {
  while (true) {
    int64_t next = end;
    uint32_t port = 0;
    bool words = false;
    for (const uint32_t p : enabled_ports_) {
      if (ports_[p].words.next_edge() < next) {
        next = ports_[p].words.next_edge();
        port = p;
        words = true;
      }
      if (ports_[p].credits.next_edge() < next) {
        next = ports_[p].credits.next_edge();
        port = p;
        words = false;
      }
    }
    if (next == end) return absl::OkStatus();
    if (absl::Status status = push(words ? take_words(port, end) : take_credits(port, end)); !status.ok())
      return status;
  }
}

Slot Element::take_credits(uint32_t port, int64_t end) {
  Arrivals& credits = ports_[port].credits;
  Slot slot;
  slot.kind = Kind::kCredits;
  slot.edge = credits.front().edge;
  slot.port = port;
  slot.flags = credits.front().flags;
  int64_t last = slot.edge;
  while (slot.count < kCreditEntries && !credits.empty()) {
    const Arrival& next = credits.front();
    if (next.flags != slot.flags || next.edge >= end || next.edge - last > kMaxDelta) break;
    slot.add_credit({static_cast<uint8_t>(next.edge - last), next.vc, next.count});
    last = next.edge;
    credits.pop(1);
  }
  return slot;
}

Slot Element::take_words(uint32_t port, int64_t end) {
  Arrivals& words = ports_[port].words;
  Slot slot;
  slot.kind = Kind::kWords;
  slot.edge = words.front().edge;
  slot.port = port;
  slot.vc = words.front().vc;
  slot.flags = words.front().flags;
  slot.count = 1;
  slot.set_word(0, words.front().word);
  while (slot.count < link::kRecordWords && words.size() > slot.count && (slot.flags & link::kEndOfPacket) == 0) {
    const Arrival& next = words.front(slot.count);
    const int64_t delta = next.edge - words.front(slot.count - size_t{1}).edge;
    if (next.vc != slot.vc || (next.flags & link::kStartOfPacket) != 0 || next.edge >= end || delta > kMaxDelta) break;
    slot.delta[slot.count - size_t{1}] = static_cast<uint8_t>(delta);
    slot.set_word(slot.count, next.word);
    slot.flags |= next.flags;
    ++slot.count;
  }
  words.pop(slot.count);
  return slot;
}

absl::Status Element::push(const Slot& slot) {
  while (to_board_.full()) {
    const absl::StatusOr<bool> some = collect();
    if (!some.ok()) return some.status();
  }
  to_board_.push(slot);
  return absl::OkStatus();
}

absl::Status Element::wait_until(int64_t end) {
  settled_ = false;
  while (!settled_ || to_board_.consumed() != to_board_.produced() ||
         (edge_ < end && !(idle_ && mode_ == ClockMode::kGated))) {
    const absl::StatusOr<bool> some = collect();
    if (!some.ok()) return some.status();
  }
  if (SteadyClock::now() - counted_ >= kLook) count_links(Time());
  return absl::OkStatus();
}

absl::StatusOr<bool> Element::collect() {
  bool some = false;
  Slot slot;
  while (from_board_.pop(slot)) {
    some = true;
    if (absl::Status status = take(slot); !status.ok()) return status;
    if (from_board_.consumed() - told_consumed_ >= identity_.slots / kTellPart) {
      told_consumed_ = from_board_.consumed();
      device_.write32(registers::kFromBoardConsumedOffset, told_consumed_);
    }
  }
  if (some) {
    fruitless_ = 0;
    return true;
  }
  if (++fruitless_ % kSpins == 0) sched_yield();
  if (fruitless_ % kLooksBeforePulse == 0) {
    if (absl::Status status = check_pulse(); !status.ok()) return status;
  }
  return false;
}

absl::Status Element::check_pulse() {
  const uint32_t state = device_.read32(registers::kStatusOffset);
  if (state != kAllOnes && field(state, registers::kStatusStateLow, registers::kStatusStateWidth) == kStateFailed)
    return failure();
  absl::Status status = pulse_.check();
  if (status.ok()) return status;
  return absl::Status(status.code(), fmt::format("{} at {}: {}", config_.name,
                                                 to_string(config_.router_clock.edge(edge_)), message_of(status)));
}

absl::Status Element::failure() const {
  const uint32_t state = device_.read32(registers::kStatusOffset);
  const std::string at = fmt::format("{} at {}: ", config_.name, to_string(config_.router_clock.edge(edge_)));
  if ((state & 1u << registers::kStatusRecordErrorLow) != 0) {
    return absl::InternalError(at + "the board's shell does not understand a record of its agent");
  }
  if ((state & 1u << registers::kStatusBusErrorLow) != 0) {
    return absl::InternalError(at + "the board cannot read or write its rings: its bus answers with an error");
  }
  const uint32_t broken = device_.read32(registers::kErrorPortsOffset);
  std::string names;
  for (const uint32_t p : enabled_ports_) {
    if ((broken >> p & 1) == 0) continue;
    if (!names.empty()) names += ", ";
    names += ports_[p].config.receiver->spec().name;
  }
  return absl::DataLossError(
      fmt::format("{}the router reports a broken packet, a lost word or too many credits on {}", at, names));
}

absl::Status Element::take(const Slot& slot) {
  if (slot.kind == Kind::kStatus) {
    edge_ = slot.edge;
    idle_ = (slot.flags & kIdle) != 0;
    settled_ = (slot.flags & kSettled) != 0;
    executed_.set(slot.words[0]);
    to_board_.set_consumed(static_cast<uint32_t>(slot.words[1]));
    if (config_.late != nullptr) config_.late->set(slot.words[1] >> 32);
    return absl::OkStatus();
  }
  const bool words = slot.kind == Kind::kWords;
  if ((!words && slot.kind != Kind::kCredits) || slot.port >= ports_.size() || !ports_[slot.port].config.enabled ||
      slot.vc >= link::kVcs || slot.count == 0 || slot.count > (words ? link::kRecordWords : kCreditEntries)) {
    return absl::DataLossError(fmt::format(
        "{} at {}: the board sends a record of kind {} for port {}, VC {}, of {}: it is no shell, or broken",
        config_.name, to_string(config_.router_clock.edge(slot.edge)), static_cast<int>(slot.kind), slot.port, slot.vc,
        slot.count));
  }
  Port& port = ports_[slot.port];
  int64_t edge = slot.edge;
  if (!words) {
    for (int i = 0; i < slot.count; ++i) {
      const CreditEntry entry = slot.credit(i);
      edge += entry.delta;
      port.config.sender->send_credit(config_.router_clock.edge(edge), entry.vc, entry.count, slot.flags);
    }
    return absl::OkStatus();
  }
  for (int i = 0; i < slot.count; ++i) {
    if (i > 0) edge += slot.delta[static_cast<size_t>(i - 1)];
    if (!port.serializer.ready(edge)) {
      return absl::DataLossError(fmt::format("{} at {}: the board sends a word on {} before that link is ready",
                                             config_.name, to_string(config_.router_clock.edge(edge)),
                                             port.config.sender->spec().name));
    }
    uint8_t flags = 0;
    if (i == 0) flags |= slot.flags & link::kStartOfPacket;
    if (i == slot.count - 1) flags |= slot.flags & link::kEndOfPacket;
    port.config.sender->send_word(port.serializer.accept(edge), slot.vc, flags, slot.word(i));
    if (port.config.counters != nullptr) {
      port.config.counters->words.add(1);
      if ((flags & link::kEndOfPacket) != 0) port.config.counters->packets.add(1);
    }
  }
  return absl::OkStatus();
}

void Element::count_links(Time) {
  counted_ = SteadyClock::now();
  for (const uint32_t p : enabled_ports_) {
    link::LinkCounters* counters = ports_[p].config.counters;
    // The register has the lower half of the count.
    if (counters == nullptr) continue;
    const uint64_t before = counters->credit_stall_cycles.get();
    const uint32_t now = device_.read32(registers::kStallsOffset + p * registers::kStride);
    counters->credit_stall_cycles.set(before + (now - static_cast<uint32_t>(before)));
  }
}

Time Element::next_event() const {
  // A free board may be beyond where the run is, and what it has sent since its last status not yet here.
  if (!idle_) return config_.router_clock.edge(mode_ == ClockMode::kFree ? end_ : edge_);
  const int64_t arrival = next_arrival();
  return arrival == kNever ? Time::never() : config_.router_clock.edge(std::max(edge_, arrival));
}

std::vector<std::string> Element::waits() const {
  std::vector<std::string> lines;
  const uint32_t waiting = device_.read32(registers::kWaitingOffset);
  for (const uint32_t p : enabled_ports_) {
    if ((waiting >> p & 1) != 0)
      lines.push_back(fmt::format("{} waits for credits on {}", config_.name, ports_[p].config.sender->spec().name));
  }
  return lines;
}

}  // namespace fabrictwin::bridges::board::shell

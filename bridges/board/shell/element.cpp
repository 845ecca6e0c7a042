// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/board/shell/element.h"

#include <sched.h>

#include <algorithm>
#include <utility>

#include "bridges/board/shell/phases.h"
#include "cosim/base/text.h"
#include "fmt/format.h"
#include "rtl/shell/shell_registers.h"

namespace fabrictwin::bridges::board::shell {
namespace {

namespace registers = rtl::shell::registers;
using SteadyClock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kCount{100};
/// Looks at the ring before another thread may need the core, and before looking at more than the ring.
constexpr uint32_t kSpins = 200;
constexpr uint32_t kLooksBeforePulse = 1000;
/// A jump costs the board about as much as ticking through so many edges.
constexpr int64_t kLeastJump = 24;
/// The agent tells the board what it has taken when this part of the ring is used.
constexpr uint32_t kTellPart = 4;

constexpr uint32_t kStateFailed = 2;

}  // namespace

absl::StatusOr<std::unique_ptr<Element>> Element::create(Device& device, const Config& config, ClockMode mode) {
  const absl::StatusOr<Identity> identity = read_identity(device);
  if (!identity.ok()) return identity.status();
  absl::StatusOr<Setup> setup = make_setup(device, *identity, config);
  if (!setup.ok()) return setup.status();
  std::unique_ptr<Element> element(new Element(device, config, *identity, *std::move(setup), mode));
  if (absl::Status status = element->begin(); !status.ok()) return status;
  return element;
}

Element::Element(Device& device, const Config& config, const Identity& identity, Setup setup, ClockMode mode)
    : device_(device),
      config_(config),
      identity_(identity),
      setup_(std::move(setup)),
      mode_(mode),
      to_board_(device, identity.ring_offset, identity.slots),
      from_board_(from_board_memory(), from_board_offset(), identity.slots),
      pulse_(device, heartbeat_patience(identity)),
      counted_(SteadyClock::now()) {
  for (const PortConfig& port : config.ports) {
    ports_.emplace_back(port, config.router_clock, identity.vc_bits());
    if (port.enabled && identity.element == board::Element::kExternalRouter) ports_.back().watch(identity.words);
  }
}

Device& Element::from_board_memory() const {
  return device_.host_memory() != nullptr ? *device_.host_memory() : device_;
}

size_t Element::from_board_offset() const {
  return device_.host_memory() != nullptr ? 0 : identity_.ring_offset + size_t{identity_.slots} * kSlotBytes;
}

Element::~Element() { device_.write32(registers::kRunOffset, 0); }

absl::Status Element::begin() {
  uint32_t run = device_.read32(registers::kRunOffset) + 1;
  if (absl::Status status = change_run(device_, pulse_, 0); !status.ok()) return status;
  for (size_t slot = 0; slot < size_t{identity_.slots}; ++slot) {
    const size_t stamp = slot * kSlotBytes + kSlotBytes - sizeof(uint64_t);
    device_.write64(identity_.ring_offset + stamp, 0);
    from_board_memory().write64(from_board_offset() + stamp, 0);
  }
  if (absl::Status status = write_setup(device_, identity_, config_, setup_, mode_); !status.ok()) return status;
  Device::order_writes();
  // Run number zero means no run.
  if (run == 0) ++run;
  if (absl::Status status = change_run(device_, pulse_, run); !status.ok()) return status;
  for (const Slot& routes : route_records(identity_, config_)) {
    if (absl::Status status = push(routes); !status.ok()) return status;
  }
  if (absl::Status status = push(jump_to(0)); !status.ok()) return status;
  // A user's own router may be busy after its reset.
  return identity_.element == board::Element::kExternalRouter ? wait_until(0) : absl::OkStatus();
}

absl::Status Element::named(const absl::Status& status) const {
  return absl::Status(status.code(), fmt::format("{} {}", config_.name, message_of(status)));
}

absl::Status Element::advance(Time until) {
  for (const uint32_t p : setup_.ports) {
    if (absl::Status status = ports_[p].receive(until); !status.ok()) return named(status);
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

absl::Status Element::touch() {
  Slot limit;
  limit.edge = end_;
  if (absl::Status status = push(limit); !status.ok()) return status;
  return wait_until(end_);
}

int64_t Element::next_arrival() const {
  int64_t next = kNeverEdge;
  for (const uint32_t p : setup_.ports) next = std::min({next, ports_[p].next_word(), ports_[p].next_credit()});
  return next;
}

// A jump takes it for granted that the slot after a link's last word is past.
bool Element::may_jump(int64_t edge) const {
  const Time at = config_.router_clock.edge(edge);
  return std::all_of(setup_.ports.begin(), setup_.ports.end(), [&](uint32_t p) { return ports_[p].rests_at(at); });
}

Slot Element::jump_to(int64_t edge) const { return jump_record(config_.router_clock, setup_.word_clocks, edge); }

// Records go in the order of their edges, so that each is a limit for all ports.
absl::Status Element::send_arrivals(int64_t end) {
  while (true) {
    int64_t next = end;
    uint32_t port = 0;
    bool words = false;
    for (const uint32_t p : setup_.ports) {
      if (ports_[p].next_word() < next) {
        next = ports_[p].next_word();
        port = p;
        words = true;
      }
      if (ports_[p].next_credit() < next) {
        next = ports_[p].next_credit();
        port = p;
        words = false;
      }
    }
    if (next == end) return absl::OkStatus();
    Slot slot = words ? ports_[port].take_words(end) : ports_[port].take_credits(end);
    slot.port = port;
    if (absl::Status status = push(slot); !status.ok()) return status;
  }
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
  if (SteadyClock::now() - counted_ >= kCount) count_links(Time());
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
  return status.ok() ? status : at_edge(status);
}

absl::Status Element::at_edge(const absl::Status& status) const {
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
  for (uint32_t p = 0; p < static_cast<uint32_t>(identity_.ports); ++p) {
    if ((broken >> p & 1) == 0) continue;
    if (!names.empty()) names += ", ";
    const PortConfig& port = ports_[p].config();
    names += port.enabled ? port.receiver->spec().name : fmt::format("port {}, which has no link", p);
  }
  return absl::DataLossError(fmt::format("{}the router reports {} on {}", at,
                                         identity_.element == board::Element::kExternalRouter
                                             ? "that something is broken"
                                             : "a broken packet, a lost word or too many credits",
                                         names));
}

absl::Status Element::take(const Slot& slot) {
  if (slot.kind == Kind::kStatus) {
    take_status(slot);
    return absl::OkStatus();
  }
  const bool words = slot.kind == Kind::kWords;
  const bool external = identity_.element == board::Element::kExternalRouter;
  const bool known = (words || slot.kind == Kind::kCredits) && slot.port < static_cast<uint32_t>(identity_.ports);
  if (external && known && !ports_[slot.port].config().enabled) {
    return absl::DataLossError(fmt::format("{} at {}: the router sends {} on port {}, which has no link", config_.name,
                                           to_string(config_.router_clock.edge(slot.edge)), words ? "words" : "credits",
                                           slot.port));
  }
  // The contract of a link says what is wrong with VCs of a user's own router.
  if (!known || !ports_[slot.port].config().enabled || (!external && slot.vc >= identity_.words.vcs) ||
      slot.count == 0 || slot.count > (words ? link::kRecordWords : kCreditEntries)) {
    // Where nothing answers, an empty slot looks like a record.
    if (absl::Status status = check_bus(device_); !status.ok()) return at_edge(status);
    return absl::DataLossError(fmt::format(
        "{} at {}: the board sends a record of kind {} for port {}, VC {}, of {}: it is no shell, or broken",
        config_.name, to_string(config_.router_clock.edge(slot.edge)), static_cast<int>(slot.kind), slot.port, slot.vc,
        slot.count));
  }
  absl::Status status = ports_[slot.port].send(slot);
  return status.ok() ? status : named(status);
}

void Element::take_status(const Slot& slot) {
  edge_ = slot.edge;
  idle_ = (slot.flags & kIdle) != 0;
  settled_ = (slot.flags & kSettled) != 0;
  executed_.set(slot.words[0]);
  to_board_.set_consumed(static_cast<uint32_t>(slot.words[1]));
  if (config_.late != nullptr) config_.late->set(slot.words[1] >> 32);
}

void Element::count_links(Time) {
  counted_ = SteadyClock::now();
  for (const uint32_t p : setup_.ports) {
    link::LinkCounters* counters = ports_[p].config().counters;
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
  return arrival == kNeverEdge ? Time::never() : config_.router_clock.edge(std::max(edge_, arrival));
}

std::vector<std::string> Element::waits() const {
  std::vector<std::string> lines;
  const uint32_t waiting = device_.read32(registers::kWaitingOffset);
  for (const uint32_t p : setup_.ports) {
    if ((waiting >> p & 1) != 0)
      lines.push_back(fmt::format("{} waits for credits on {}", config_.name, ports_[p].config().sender->spec().name));
  }
  return lines;
}

}  // namespace fabrictwin::bridges::board::shell

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/board/shell/selftest.h"

#include <algorithm>
#include <array>
#include <boost/math/statistics/univariate_statistics.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "bridges/board/shell/element.h"
#include "bridges/board/shell/identity.h"
#include "bridges/board/shell/setup.h"
#include "cosim/base/text.h"
#include "cosim/link/channel_receiver.h"
#include "cosim/link/channel_sender.h"
#include "cosim/link/ring.h"
#include "fmt/format.h"
#include "rtl/shell/shell_registers.h"

namespace fabrictwin::bridges::board::shell {
namespace {

namespace registers = rtl::shell::registers;
using SteadyClock = std::chrono::steady_clock;

constexpr uint32_t kHeartbeats = 4;
constexpr std::chrono::milliseconds kMeasuredTime{20};
constexpr double kClockTolerance = 0.01;
constexpr int kReads = 1000;
constexpr int kEchoPackets = 20;
/// Edges of a link of 100 ns and a router.
constexpr int64_t kCreditEdges = 24;
constexpr int kPayloadWords = 16;
constexpr int kPacketWords = kPayloadWords + 2;
constexpr int kBufferWords = 64;

double nanoseconds(SteadyClock::duration time) { return std::chrono::duration<double, std::nano>(time).count(); }

Check failed(const std::string& name, std::string what) { return {name, false, std::move(what), 0, {}}; }
Check passed(const std::string& name, std::string what) { return {name, true, std::move(what), 0, {}}; }
Check measured(const std::string& name, double value, const std::string& unit, std::string what) {
  return {name, true, std::move(what), value, unit};
}

/// One beat of the heart, which was between two times.
struct Beat {
  uint32_t count = 0;
  SteadyClock::time_point after;
  SteadyClock::time_point before;
};

/// Waits for the next beat until `deadline`.
std::optional<Beat> next_beat(const Device& device, SteadyClock::time_point deadline) {
  SteadyClock::time_point looked = SteadyClock::now();
  const uint32_t last = device.read32(registers::kHeartbeatOffset);
  while (looked < deadline) {
    const SteadyClock::time_point look = SteadyClock::now();
    const uint32_t count = device.read32(registers::kHeartbeatOffset);
    if (count != last) return Beat{count, looked, SteadyClock::now()};
    looked = look;
  }
  return std::nullopt;
}

Check test_registers(Device& device) {
  const uint32_t kept = device.read32(registers::kPaceNumeratorOffset);
  for (int bit = 0; bit < 32; ++bit) {
    const uint32_t value = uint32_t{1} << bit;
    device.write32(registers::kPaceNumeratorOffset, value);
    const uint32_t found = device.read32(registers::kPaceNumeratorOffset);
    if (found != value) {
      return failed("registers",
                    fmt::format("pace_numerator at {:#05x} holds {:#010x} instead of {:#010x}: look at the data "
                                "bus and the byte strobes of the AXI4-Lite slave",
                                registers::kPaceNumeratorOffset, found, value));
    }
  }
  device.write32(registers::kPaceNumeratorOffset, kept);
  return passed("registers", "32 walking ones");
}

Check test_memory(Device& device, const Identity& identity) {
  const size_t words = 2 * size_t{identity.slots} * kSlotBytes / sizeof(uint64_t);
  const auto at = [&](size_t word) { return identity.ring_offset + word * sizeof(uint64_t); };
  const auto compare = [&](size_t word, uint64_t wanted) -> std::optional<Check> {
    const uint64_t found = device.read64(at(word));
    if (found == wanted) return std::nullopt;
    return failed("ring_memory",
                  fmt::format("{:#x} in the window holds {:#018x} instead of {:#018x}: look at the address map and "
                              "the data width of the memory",
                              at(word), found, wanted));
  };
  for (int bit = 0; bit < 64; ++bit) {
    device.write64(at(0), uint64_t{1} << bit);
    Device::order_writes();
    if (std::optional<Check> wrong = compare(0, uint64_t{1} << bit)) return *wrong;
  }
  // Memory that is smaller than it should be shows the same word at several addresses.
  for (const uint64_t invert : {uint64_t{0}, ~uint64_t{0}}) {
    for (size_t word = 0; word < words; ++word) device.write64(at(word), (at(word) * 0x0001'0001'0001'0001) ^ invert);
    Device::order_writes();
    for (size_t word = 0; word < words; ++word) {
      if (std::optional<Check> wrong = compare(word, (at(word) * 0x0001'0001'0001'0001) ^ invert)) return *wrong;
    }
  }
  return passed("ring_memory", fmt::format("{} KiB, walking ones and addresses", words * sizeof(uint64_t) / 1024));
}

Check test_register_read(const Device& device) {
  std::vector<double> times;
  for (int i = 0; i < kReads; ++i) {
    const SteadyClock::time_point start = SteadyClock::now();
    device.read32(registers::kVersionOffset);
    times.push_back(nanoseconds(SteadyClock::now() - start));
  }
  return measured("register_read", boost::math::statistics::median(times), "ns", "median of a read");
}

/// A router at the only position of its lattice, with two links: what comes in at one goes out at the local port.
class EchoBench {
 public:
  static absl::StatusOr<std::unique_ptr<EchoBench>> create(Device& device, const Identity& identity) {
    std::unique_ptr<EchoBench> bench(new EchoBench());
    bench->config_.element = identity.element;
    bench->config_.words = identity.words;
    if (identity.element == board::Element::kExternalRouter) {
      for (PortConfig& port : bench->config_.ports) port.initial_credits = identity.buffer_credits;
    }
    absl::StatusOr<std::unique_ptr<shell::Element>> element = shell::Element::create(device, bench->config_);
    if (!element.ok()) return element.status();
    bench->element_ = *std::move(element);
    return bench;
  }

  /// Advances by `edges` edges.
  absl::Status run(int64_t edges) {
    edge_ += edges;
    const Time until = config_.router_clock.edge(edge_);
    for (Port& port : ports_) {
      if (absl::Status status = port.in.poll(); !status.ok()) return status;
    }
    if (absl::Status status = element_->advance(until); !status.ok()) return status;
    for (Port& port : ports_) port.out.flush(until);
    return absl::OkStatus();
  }

  /// Sends a packet of random words through the router. OkStatus if it comes back as it was.
  absl::Status echo(std::mt19937_64& random) {
    std::vector<link::Word> packet(kPacketWords);
    packet[0].lo = uint64_t{kPayloadWords * link::kWordBytes} << 48;
    for (int i = 1; i < kPacketWords; ++i) packet[static_cast<size_t>(i)] = {random(), random()};
    // Bit 96 of a footer is the congestion mark.
    packet.back().hi &= ~(uint64_t{1} << 32);
    Port& from = ports_[1];
    const Time start = config_.router_clock.edge(edge_ + 1) + config_.router_clock.period();
    const int64_t first = config_.router_clock.edge_at_or_after(start);
    for (int i = 0; i < kPacketWords; ++i) {
      const uint8_t flags = i == 0 ? link::kStartOfPacket : i == kPacketWords - 1 ? link::kEndOfPacket : 0;
      from.give.send_word(first + i, 0, flags, packet[static_cast<size_t>(i)]);
    }
    from.give.flush(config_.router_clock.edge(first + kPacketWords + 1));
    const int64_t patience = 20 * kPacketWords;
    if (absl::Status status = run(patience); !status.ok()) return status;
    std::vector<link::Word> found;
    Port& to = ports_[0];
    if (absl::Status status = to.take.poll(); !status.ok()) return status;
    for (; to.take.front() != nullptr; to.take.pop()) {
      const link::Record& record = *to.take.front();
      if (record.kind != link::RecordKind::kBurst) continue;
      for (int i = 0; i < record.count; ++i) found.push_back(record.words[static_cast<size_t>(i)]);
    }
    if (absl::Status status = from.take.poll(); !status.ok()) return status;
    while (from.take.front() != nullptr) from.take.pop();
    if (found != packet) {
      const auto wrong = std::mismatch(found.begin(), found.end(), packet.begin(), packet.end());
      return absl::DataLossError(
          fmt::format("{} words of {} came back, and word {} is the first that is not as it was sent", found.size(),
                      packet.size(), wrong.first - found.begin()));
    }
    return return_credits(to);
  }

  /// Sends a record that changes nothing.
  absl::Status touch() {
    const SteadyClock::time_point start = SteadyClock::now();
    if (absl::Status status = element_->touch(); !status.ok()) return status;
    trips_.push_back(nanoseconds(SteadyClock::now() - start));
    return absl::OkStatus();
  }

  /// Median time from a record to the status that answers it.
  double trip() const {
    std::vector<double> reordered = trips_;
    return boost::math::statistics::median(reordered);
  }
  uint64_t records() const { return element_->records(); }

 private:
  struct Memory {
    Memory() : bytes(new (std::align_val_t{64}) std::byte[link::ring_bytes(link::kDefaultRingSlots)]()) {}
    ~Memory() { ::operator delete[](bytes, std::align_val_t{64}); }
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    link::RingMemory* ring() { return link::initialize_ring(bytes, link::kDefaultRingSlots); }
    std::byte* bytes;
  };
  struct Port {
    Port(uint32_t channel, Clock clock)
        : spec_in{channel, fmt::format("to port {}", channel / 2), Time::from_fs(100'000'000), clock, {}, false},
          spec_out{channel + 1, fmt::format("from port {}", channel / 2), Time::from_fs(100'000'000), clock, {}, false},
          ring_in(memory_in.ring()),
          ring_out(memory_out.ring()),
          give(spec_in, ring_in),
          in(spec_in, ring_in),
          out(spec_out, ring_out),
          take(spec_out, ring_out) {}
    Memory memory_in;
    Memory memory_out;
    link::ChannelSpec spec_in;
    link::ChannelSpec spec_out;
    link::RingMemory* ring_in;
    link::RingMemory* ring_out;
    link::ChannelSender give;    ///< The test's end of the link to the board.
    link::ChannelReceiver in;    ///< The element's end of it.
    link::ChannelSender out;     ///< The element's end of the link from the board.
    link::ChannelReceiver take;  ///< The test's end of it.
  };

  EchoBench() {
    config_.name = "selftest";
    config_.router_clock = clock_;
    for (size_t p = 0; p < ports_.size(); ++p) {
      PortConfig& port = config_.ports[p];
      port.enabled = true;
      port.word_clock = clock_;
      port.initial_credits = kBufferWords;
      port.sender = &ports_[p].out;
      port.receiver = &ports_[p].in;
    }
  }

  /// Gives back the credits of a packet, one after another.
  absl::Status return_credits(Port& port) {
    for (int i = 0; i < kPacketWords; ++i) {
      const Time now = config_.router_clock.edge(edge_ + 1);
      port.give.send_credit(now, 0, 1);
      port.give.flush(config_.router_clock.edge(edge_ + 2));
      const SteadyClock::time_point start = SteadyClock::now();
      if (absl::Status status = run(kCreditEdges); !status.ok()) return status;
      trips_.push_back(nanoseconds(SteadyClock::now() - start));
    }
    return absl::OkStatus();
  }

  const Clock clock_{Frequency{156'250'000}};
  std::array<Port, 2> ports_{Port(0, clock_), Port(2, clock_)};
  Config config_;
  std::unique_ptr<shell::Element> element_;
  int64_t edge_ = 0;
  std::vector<double> trips_;
};

// The header of a user's own packets is not known here.
absl::Status echo_or_touch(EchoBench& bench, const Identity& identity, std::mt19937_64& random) {
  for (int i = 0; i < kEchoPackets; ++i) {
    const bool external = identity.element == board::Element::kExternalRouter;
    if (absl::Status status = external ? bench.touch() : bench.echo(random); !status.ok()) return status;
  }
  return absl::OkStatus();
}

void test_echo(Device& device, const Identity& identity, std::vector<Check>& checks) {
  const auto fail = [&](const absl::Status& status) {
    checks.push_back(failed("ring_echo", std::string(message_of(status))));
  };
  absl::StatusOr<std::unique_ptr<EchoBench>> bench = EchoBench::create(device, identity);
  if (!bench.ok()) return fail(bench.status());
  std::mt19937_64 random(1);
  const uint64_t before = (*bench)->records();
  const SteadyClock::time_point start = SteadyClock::now();
  if (absl::Status status = echo_or_touch(**bench, identity, random); !status.ok()) return fail(status);
  const double seconds = nanoseconds(SteadyClock::now() - start) * 1e-9;
  checks.push_back(passed("ring_echo", identity.element == board::Element::kExternalRouter
                                           ? fmt::format("{} records, none of them packets", kEchoPackets)
                                           : fmt::format("{} packets of {} words", kEchoPackets, kPacketWords)));
  checks.push_back(measured("ring_trip", (*bench)->trip(), "ns", "median from a record to the status that answers it"));
  checks.push_back(
      measured("ring_rate", static_cast<double>((*bench)->records() - before) / seconds, "records/s", "in both rings"));
}

}  // namespace

Check test_heartbeat(const Device& device, const Identity& identity, std::chrono::milliseconds patience) {
  const SteadyClock::time_point deadline = SteadyClock::now() + patience;
  const std::optional<Beat> first = next_beat(device, deadline);
  if (!first.has_value()) {
    return failed("heartbeat", fmt::format("it stands at {}: does the shell have a clock, and is its reset high?",
                                           device.read32(registers::kHeartbeatOffset)));
  }
  std::optional<Beat> last;
  do {
    last = next_beat(device, deadline);
    if (!last.has_value()) return passed("heartbeat", "it grows, too slowly to be measured");
  } while (last->count - first->count < kHeartbeats || last->after - first->before < kMeasuredTime);
  const double cycles = (last->count - first->count) * double{kCyclesOfHeartbeat};
  const auto hertz = [cycles](SteadyClock::duration time) { return cycles * 1e9 / nanoseconds(time); };
  const auto said = static_cast<double>(identity.clock_hertz);
  // This program may have stood still where it looked.
  const bool slow = hertz(last->after - first->before) < (1 - kClockTolerance) * said;
  const bool fast = hertz(last->before - first->after) > (1 + kClockTolerance) * said;
  Check check = measured("heartbeat", hertz(last->before - first->before), "Hz",
                         fmt::format("the clock of the shell, which is said to have {} Hz", identity.clock_hertz));
  if (device.simulated() || identity.clock_hertz == 0 || (!slow && !fast)) return check;
  check.warning = true;
  check.what += fmt::format(": it is too {}; look at the source of the clock, and at the parameter ClockHertz",
                            slow ? "slow" : "fast");
  return check;
}

std::vector<Check> test_board(Device& device, std::chrono::milliseconds patience) {
  std::vector<Check> checks;
  const absl::StatusOr<Identity> identity = read_identity(device);
  if (!identity.ok()) {
    checks.push_back(failed("identity", std::string(message_of(identity.status()))));
    return checks;
  }
  checks.push_back(
      passed("identity",
             fmt::format("{} of {} ports, rings of {} slots, route table of {} destinations, clock of {} Hz",
                         identity->element == board::Element::kExternalRouter ? "a router of a user's own" : "a router",
                         identity->ports, identity->slots, identity->route_destinations, identity->clock_hertz)));
  patience = heartbeat_patience(*identity, patience);
  checks.push_back(test_heartbeat(device, *identity, patience));
  if (!checks.back().passed) return checks;
  // An agent that was killed in a run has left the board in it.
  Pulse pulse(device, patience);
  if (absl::Status status = change_run(device, pulse, 0); !status.ok()) {
    checks.push_back(failed("registers", std::string(message_of(status))));
    return checks;
  }
  checks.push_back(test_registers(device));
  if (!checks.back().passed) return checks;
  checks.push_back(test_memory(device, *identity));
  if (!checks.back().passed) return checks;
  checks.push_back(test_register_read(device));
  test_echo(device, *identity, checks);
  return checks;
}

std::string to_text(const std::vector<Check>& checks) {
  std::string text;
  size_t good = 0;
  for (const Check& check : checks) {
    good += check.passed ? 1 : 0;
    const std::string value = check.unit.empty() ? "" : fmt::format("{:.4g} {}, ", check.value, check.unit);
    const char* verdict = !check.passed ? "FAIL" : check.warning ? "warn" : "ok  ";
    text += fmt::format("{} {:<14} {}{}\n", verdict, check.name, value, check.what);
  }
  return text + fmt::format("{} of {} checks passed\n", good, checks.size());
}

}  // namespace fabrictwin::bridges::board::shell

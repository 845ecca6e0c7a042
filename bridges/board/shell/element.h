// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The element of a board with a shell, as a partition of the agent: what a transactor is for a Verilated element.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bridges/board/config.h"
#include "bridges/board/shell/device.h"
#include "bridges/board/shell/record.h"
#include "bridges/board/shell/rings.h"
#include "cosim/engine/partition.h"
#include "cosim/link/counters.h"
#include "cosim/link/word_serializer.h"

namespace fabrictwin::bridges::board::shell {

/// How a board's clock follows simulated time; docs/models/shell.md#modes-of-the-clock.
enum class ClockMode : uint32_t {
  kGated = 0,  ///< It waits for all that arrives: exact at any speed.
  kPaced = 1,  ///< It waits, and does not run ahead of wall-clock time: exact, and late edges are counted.
  kFree = 2,   ///< It waits for nothing: late arrivals are counted, and change the result.
};

/// "gated", "paced", "free".
std::string_view name_of(ClockMode mode);
/// The mode of that name, if there is one.
std::optional<ClockMode> clock_mode(std::string_view name);

/// What a shell's registers say of the board.
struct Identity {
  uint32_t element = 0;  ///< 1 is a router.
  int32_t ports = 0;
  uint32_t slots = 0;              ///< The slots of each ring.
  int32_t route_destinations = 0;  ///< In the route table; 0 without one.
  size_t ring_offset = 0;          ///< In the window: the ring to the board, followed by that from it.
  uint32_t clock_hertz = 0;
};

/// Reads and checks the identity. Unavailable if the window reads all ones, as a PCIe card does that fell off the bus;
/// FailedPrecondition if it is not that of a shell, or of another version, or shorter than it says.
absl::StatusOr<Identity> read_identity(const Device& device);

/// Notices that a board has died: its heartbeat stands, or all its registers read ones.
class Pulse {
 public:
  explicit Pulse(const Device& device, std::chrono::milliseconds patience = std::chrono::seconds(2))
      : device_(device), patience_(patience) {}

  /// Cheap unless some time has passed since it looked last. Unavailable if the heartbeat has stood for `patience`, or
  /// all registers read ones.
  absl::Status check();

 private:
  using SteadyClock = std::chrono::steady_clock;

  const Device& device_;
  const std::chrono::milliseconds patience_;
  SteadyClock::time_point looked_ = SteadyClock::now();
  SteadyClock::time_point lived_ = looked_;
  uint32_t heartbeat_ = 0;
};

/// The element behind a shell in one run. advance() waits for the board. docs/models/shell.md has the exchange.
class Element : public engine::Partition {
 public:
  /// Configures the board and begins a run. `device` and what `config` points to outlive the element. Errors: those of
  /// read_identity() and Pulse, and InvalidArgument, which names the element, if the board cannot be that.
  static absl::StatusOr<std::unique_ptr<Element>> create(Device& device, const Config& config,
                                                         ClockMode mode = ClockMode::kGated);
  /// Ends the run.
  ~Element() override;

  absl::Status advance(Time until) override;
  void count_links(Time until) override;
  Time next_event() const override;
  /// Edges that the element has executed.
  uint64_t events() const override { return executed_.get(); }
  std::vector<std::string> waits() const override;
  /// Records in both rings so far, modulo 2^32.
  uint32_t records() const { return to_board_.produced() + from_board_.consumed(); }

 private:
  struct Arrival {
    int64_t edge;
    link::Word word;  ///< Of words only.
    uint8_t vc;
    uint8_t count;  ///< Of credits only.
    uint8_t flags;
  };
  /// Arrivals in the order of their edges; taken from the front.
  class Arrivals {
   public:
    void push(const Arrival& arrival) { entries_.push_back(arrival); }
    bool empty() const { return head_ == entries_.size(); }
    const Arrival& front(size_t ahead = 0) const { return entries_[head_ + ahead]; }
    size_t size() const { return entries_.size() - head_; }
    void pop(size_t count);
    int64_t next_edge() const { return empty() ? kNever : front().edge; }

   private:
    std::vector<Arrival> entries_;
    size_t head_ = 0;
  };
  struct Port {
    Port(const PortConfig& port, Clock clock)
        : config(port), serializer(clock, port.word_clock), word_sampler(clock), credit_sampler(clock) {}
    PortConfig config;
    int word_clock = 0;
    link::WordSerializer serializer;
    link::ArrivalSampler word_sampler;
    link::ArrivalSampler credit_sampler;
    Arrivals words;
    Arrivals credits;
  };
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

  Element(Device& device, const Config& config, const Identity& identity, ClockMode mode);

  absl::Status configure();
  absl::Status write_registers();
  absl::Status write_pace();
  absl::Status send_routes();
  absl::Status wait_for_run(uint32_t run);
  absl::Status take_records(Port& port, Time until);
  int64_t next_arrival() const;
  bool may_jump(int64_t edge) const;
  Slot jump_to(int64_t edge) const;
  absl::Status send_arrivals(int64_t end);
  Slot take_words(uint32_t port, int64_t end);
  Slot take_credits(uint32_t port, int64_t end);
  absl::Status push(const Slot& slot);
  absl::Status wait_until(int64_t end);
  /// Takes what the board has sent; true if there was anything.
  absl::StatusOr<bool> collect();
  absl::Status take(const Slot& slot);
  absl::Status check_pulse();
  absl::Status failure() const;

  Device& device_;
  Config config_;
  Identity identity_;
  ClockMode mode_;
  RingTo to_board_;
  RingFrom from_board_;
  Pulse pulse_;
  std::vector<Port> ports_;  ///< All ports, by index.
  std::vector<uint32_t> enabled_ports_;
  std::vector<Clock> word_clocks_;
  uint32_t run_ = 0;
  uint32_t told_consumed_ = 0;  ///< What the board knows of what was taken.
  // What the last status said.
  int64_t edge_ = 0;
  int64_t end_ = 0;  ///< The edge up to which the partition has advanced.
  bool idle_ = true;
  bool settled_ = false;
  uint32_t fruitless_ = 0;  ///< Looks at the ring that found nothing, since one that did.
  link::Counter executed_;
  std::chrono::steady_clock::time_point counted_;
};

}  // namespace fabrictwin::bridges::board::shell

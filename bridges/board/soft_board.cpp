// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/board/soft_board.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "bridges/board/window.h"
#include "bridges/server/server.h"
#include "bridges/server/service_metrics.h"
#include "cosim/base/text.h"
#include "cosim/engine/executor.h"
#include "cosim/observe/repeats_sink.h"
#include "fmt/format.h"
#include "spdlog/spdlog.h"

namespace fabrictwin::bridges::board {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kHeartbeat{100};

/// The element of one run with its channel ends.
struct BoardRun {
  std::vector<std::unique_ptr<link::ChannelSender>> senders;
  std::vector<std::unique_ptr<link::ChannelReceiver>> receivers;
  std::unique_ptr<engine::Partition> element;
  std::unique_ptr<engine::SyncTable> table;
  std::unique_ptr<engine::Executor> executor;
};

class SoftBoard {
 public:
  SoftBoard(Window& window, const ElementFactory& element, const ElementPulse& pulse, const std::stop_token& stop)
      : window_(window), registers_(window.registers()), element_(element), pulse_(pulse), stop_(stop) {}

  /// Serves the runs that the agent requests until stopped.
  void serve() {
    const std::stop_callback wake(stop_, [this] { registers_.control_bell.ring(); });
    uint32_t done = 0;
    while (!stop_.stop_requested()) {
      const uint32_t wanted = registers_.control.run.load(std::memory_order_acquire);
      if (wanted == 0) {
        done = 0;
        say(0, State::kIdle);
      }
      if (wanted == 0 || wanted == done) {
        wait_for_control(wanted);
        continue;
      }
      run(wanted);
      done = wanted;
    }
  }

  /// What the board does now, or did in its last run. Thread-safe.
  server::ServiceState state();

 private:
  /// Sleeps briefly unless the agent requests a run other than `run`.
  void wait_for_control(uint32_t run) {
    registers_.status.heartbeat.fetch_add(1, std::memory_order_relaxed);
    const uint32_t ticket = registers_.control_bell.prepare();
    if (registers_.control.run.load(std::memory_order_acquire) == run && !stop_.stop_requested()) {
      registers_.control_bell.sleep(ticket, kHeartbeat);
    }
    registers_.control_bell.done();
  }

  /// `code` is of a failure.
  void say(uint32_t run, State state, absl::StatusCode code = absl::StatusCode::kOk) {
    registers_.status.state.store(static_cast<uint32_t>(state) | static_cast<uint32_t>(code) << kStateCodeShift,
                                  std::memory_order_release);
    registers_.status.run.store(run, std::memory_order_release);
    registers_.agent_bell.ring();
  }

  void run(uint32_t number) {
    window_.reset();
    BoardRun run;
    absl::Status status = build(run);
    if (status.ok()) {
      begin(number);
      say(number, State::kRunning);
      std::stop_source stop;
      absl::Status dead;
      std::jthread watch([&](const std::stop_token& over) {
        dead = watch_run(run, number, over);
        stop.request_stop();
        registers_.board_bell.ring();
      });
      status = run.executor->run(stop.get_token());
      watch.request_stop();
      registers_.control_bell.ring();
      watch.join();
      if (!dead.ok() && (status.ok() || absl::IsCancelled(status))) status = dead;
      run.element->count_links(run.table->now(kBoardPartition));
      count(run);
      end();
    }
    if (status.ok() || absl::IsCancelled(status)) return say(0, State::kIdle);
    const std::string_view text = message_of(status);
    const size_t length = std::min(text.size(), kBoardTextBytes - 1);
    std::memcpy(registers_.status.error, text.data(), length);
    registers_.status.error[length] = '\0';
    say(number, State::kFailed, status.code());
  }

  /// Counts until the run ends, is to end, or cannot go on. An element that idles waits for nothing, so it would not
  /// notice that there is no board any more.
  absl::Status watch_run(const BoardRun& run, uint32_t number, const std::stop_token& over) {
    while (!over.stop_requested() && !stop_.stop_requested() &&
           registers_.control.run.load(std::memory_order_acquire) == number) {
      count(run);
      if (absl::Status status = check_pulse(run); !status.ok()) return status;
      wait_for_control(number);
    }
    return absl::OkStatus();
  }

  /// What pulse_ says, with the name of the element and its time.
  absl::Status check_pulse(const BoardRun& run) const {
    absl::Status status = pulse_ ? pulse_() : absl::OkStatus();
    if (status.ok()) return status;
    return absl::Status(status.code(), fmt::format("{} at {}: {}", name_, to_string(run.table->now(kBoardPartition)),
                                                   message_of(status)));
  }

  void count(const BoardRun& run) {
    const engine::PartitionCounters& counters = run.executor->counters(0);
    registers_.status.events.set(run.element->events());
    registers_.status.busy_ns.set(counters.busy_ns.get());
    registers_.status.records_in.set(counters.records_in.get());
    registers_.status.records_out.set(counters.records_out.get());
    observe::RepeatsSink sink;
    run.element->measure(sink);
    if (!sink.repeats().has_value()) return;
    registers_.status.repeated_messages.set(sink.repeats()->messages);
    registers_.status.repeated_blocks.set(sink.repeats()->blocks);
    registers_.status.counts_repeats.store(1, std::memory_order_release);
  }

  absl::Status build(BoardRun& run);
  void begin(uint32_t run);
  void end();

  Window& window_;
  Registers& registers_;
  const ElementFactory& element_;
  const ElementPulse& pulse_;
  const std::stop_token& stop_;
  std::mutex mutex_;  ///< Guards the members below.
  uint64_t runs_ = 0;
  uint32_t run_ = 0;  ///< The run that goes on, 0 for none.
  std::string name_;  ///< The element of the last run.
  SteadyClock::time_point start_;
  SteadyClock::time_point end_;
};

void SoftBoard::begin(uint32_t run) {
  const ConfigRegisters& config = registers_.config;
  const std::lock_guard lock(mutex_);
  ++runs_;
  run_ = run;
  name_.assign(config.name, strnlen(config.name, sizeof config.name));
  start_ = SteadyClock::now();
}

void SoftBoard::end() {
  const std::lock_guard lock(mutex_);
  run_ = 0;
  end_ = SteadyClock::now();
}

server::ServiceState SoftBoard::state() {
  const std::lock_guard lock(mutex_);
  server::ServiceState state;
  state.runs = runs_;
  if (runs_ == 0) return state;
  // A board knows its runs by their numbers only.
  if (run_ != 0) state.run = fmt::format("{}", run_);
  const std::chrono::duration<double> wall = (run_ != 0 ? SteadyClock::now() : end_) - start_;
  const double busy = static_cast<double>(registers_.status.busy_ns.get()) * 1e-9;
  v1::PartitionReport& partition = *state.partitions.Add();
  partition.set_name(name_);
  partition.set_kind("BOARD");
  partition.set_events(registers_.status.events.get());
  partition.set_busy_seconds(busy);
  partition.set_wait_seconds(std::max(0.0, wall.count() - busy));
  partition.set_records_in(registers_.status.records_in.get());
  partition.set_records_out(registers_.status.records_out.get());
  return state;
}

absl::Status SoftBoard::build(BoardRun& run) {
  const ConfigRegisters& from = registers_.config;
  const absl::StatusOr<std::vector<Channel>> channels = window_.channels();
  if (!channels.ok()) return channels.status();
  if (from.clock_numerator <= 0 || from.clock_denominator <= 0)
    return absl::InvalidArgumentError("the board has no clock");
  Config config;
  config.name.assign(from.name, strnlen(from.name, sizeof from.name));
  config.element = from.element_type == kBoardExanetNode       ? Element::kNode
                   : from.element_type == kBoardExternalRouter ? Element::kExternalRouter
                                                               : Element::kRouter;
  config.words = words_of(from);
  config.node = static_cast<int32_t>(from.address);
  config.address = from.address;
  config.tile_bits = from.tile_bits;
  config.x_bits = from.x_bits;
  config.y_bits = from.y_bits;
  std::copy(std::begin(from.coordinates), std::end(from.coordinates), config.coordinates.begin());
  std::copy(std::begin(from.dims), std::end(from.dims), config.dims.begin());
  config.route_destinations = static_cast<int32_t>(from.route_destinations);
  absl::StatusOr<std::vector<uint8_t>> routes = window_.routes();
  if (!routes.ok()) return routes.status();
  config.routes = *std::move(routes);
  config.router_clock = Clock::from_period(from.clock_numerator, from.clock_denominator);
  config.marking = {.threshold_words = from.mark_threshold_words,
                    .marking_rate = from.mark_rate,
                    .least_words = from.mark_least_words,
                    .hosts = from.mark_hosts != 0};
  config.late = &registers_.status.late;
  engine::LocalPartition local;
  local.id = kBoardPartition;
  local.name = config.name;
  for (const Channel& channel : *channels) {
    PortConfig& port = config.ports[channel.port];
    port.enabled = true;
    port.word_clock = channel.spec.word_clock;
    const auto words = static_cast<int32_t>(window_.port(channel.port).initial_credits);
    if (words < 0 || words % config.words.credit_words != 0) {
      return absl::InvalidArgumentError(fmt::format("{}: {} words may be sent on port {}, and a credit is for {}",
                                                    config.name, words, channel.port, config.words.credit_words));
    }
    port.initial_credits = words / config.words.credit_words;
    port.to_host = window_.port(channel.port).to_host != 0;
    port.counters = &window_.counters(channel.port);
    link::RingMemory* ring = window_.ring(channel.port, channel.to_board);
    if (channel.to_board) {
      run.receivers.push_back(std::make_unique<link::ChannelReceiver>(channel.spec, ring));
      port.receiver = run.receivers.back().get();
      local.receivers.push_back(port.receiver);
    } else {
      run.senders.push_back(std::make_unique<link::ChannelSender>(channel.spec, ring));
      port.sender = run.senders.back().get();
      local.senders.push_back(port.sender);
    }
  }
  absl::StatusOr<std::unique_ptr<engine::Partition>> element = element_(config);
  if (!element.ok()) return element.status();
  run.element = *std::move(element);
  local.partition = run.element.get();
  run.table = window_.table(*channels);
  engine::ExecutorOptions options;
  options.owns_workload = false;
  options.busy_peers = 2;  // The peers are the agent and the run.
  run.executor = std::make_unique<engine::Executor>(*run.table, std::vector<engine::LocalPartition>{std::move(local)},
                                                    options, registers_.board_bell,
                                                    std::vector<link::Doorbell*>{&registers_.agent_bell}, nullptr);
  return absl::OkStatus();
}

}  // namespace

void serve_elements(Window& window, const ElementFactory& element, const ElementPulse& pulse,
                    const std::stop_token& stop, server::ServiceMetrics* metrics) {
  SoftBoard board(window, element, pulse, stop);
  const server::MeasuredService measured(metrics, [&board] { return board.state(); });
  board.serve();
}

absl::Status serve_soft_board(const SoftBoardOptions& options) {
  if (options.parent_pid != 0) {
    if (absl::Status status = server::end_with_parent(options.parent_pid); !status.ok()) return status;
  }
  absl::StatusOr<std::unique_ptr<Window>> window = Window::create(options.window);
  if (!window.ok()) return window.status();
  if (options.ready_fd >= 0) server::say_ready(options.ready_fd, options.window);
  serve_elements(**window, options.element, nullptr, options.stop, options.metrics);
  return absl::OkStatus();
}

}  // namespace fabrictwin::bridges::board

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/board/stream.h"

#include <poll.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <thread>
#include <utility>

#include "fmt/format.h"

namespace fabrictwin::bridges::board {
namespace {

// Spinning pays only if the run, the board and both threads of the agent each have a core.
constexpr int kSpins = 2000;
constexpr int kSpinsIfOversubscribed = 32;
constexpr int kYields = 32;
constexpr unsigned kBusyThreads = 4;
constexpr std::chrono::milliseconds kSleep{20};
// The sleep is short because a board that takes a record without advancing does not ring.
constexpr std::chrono::microseconds kShortSleep{200};
// While the board is busy, its records are forwarded in batches of this size.
constexpr size_t kBatchBytes = size_t{64} << 10;
constexpr std::chrono::microseconds kBatchTime{100};

std::vector<protocol::BlobChannel> blob_channels(Window& window, const std::vector<Channel>& channels, bool to_board) {
  std::vector<protocol::BlobChannel> result;
  for (const Channel& channel : channels) {
    if (channel.to_board != to_board) continue;
    result.push_back({channel.spec.id, channel.spec.name, window.ring(channel.port, to_board)});
  }
  return result;
}

}  // namespace

Pulse::Pulse(Window& window, std::chrono::milliseconds patience) : window_(window), heartbeat_(patience) {
  const int64_t pid = window.registers().status.pid.load(std::memory_order_relaxed);
  if (pid > 0) pid_fd_ = static_cast<int>(syscall(SYS_pidfd_open, static_cast<pid_t>(pid), 0));
}

Pulse::~Pulse() {
  if (pid_fd_ >= 0) close(pid_fd_);
}

absl::Status Pulse::check(uint32_t run) {
  const Status& status = window_.registers().status;
  const int64_t pid = status.pid.load(std::memory_order_relaxed);
  pollfd event{pid_fd_, POLLIN, 0};
  if (pid > 0 && (pid_fd_ < 0 || poll(&event, 1, 0) > 0)) {
    return absl::UnavailableError(fmt::format("the soft board (pid {}) ended unexpectedly", pid));
  }
  const bool in_run = status.run.load(std::memory_order_acquire) == run;
  const uint32_t state = status.state.load(std::memory_order_acquire);
  if (in_run && (state & kStateMask) == static_cast<uint32_t>(State::kFailed)) {
    const uint32_t code = state >> kStateCodeShift;
    return absl::Status(code == 0 ? absl::StatusCode::kInternal : static_cast<absl::StatusCode>(code),
                        std::string(status.error, strnlen(status.error, sizeof status.error)));
  }
  // A process that lives may stand in a debugger, or wait long for a processor.
  if (pid > 0) return absl::OkStatus();
  return heartbeat_.check(status.heartbeat.load(std::memory_order_relaxed), window_.name());
}

Stream::Stream(Window& window, std::vector<Channel> channels, int32_t partition, uint32_t run)
    : window_(window),
      channels_(std::move(channels)),
      partition_(partition),
      run_(run),
      table_(window.table(channels_)),
      decoder_("the caller", blob_channels(window, channels_, true)),
      encoder_(blob_channels(window, channels_, false)),
      pulse_(window) {}

bool Stream::pause(int& tries) {
  const bool idle = number_.load(std::memory_order_acquire) == answered_ && !encoder_.has_records();
  // hardware_concurrency() opens and reads a file of the system, so it is called only once.
  static const int spins = std::thread::hardware_concurrency() < kBusyThreads ? kSpinsIfOversubscribed : kSpins;
  ++tries;
  if (!idle && tries < spins) return false;
  if (!idle && tries < spins + kYields) {
    sched_yield();
    return false;
  }
  link::Doorbell& bell = window_.registers().agent_bell;
  const uint32_t ticket = bell.prepare();
  // A change before prepare() would not end the sleep, so check once more.
  const bool given = idle && number_.load(std::memory_order_acquire) != answered_;
  const bool read = table_->read(kBoardPartition, scratch_);
  const bool news =
      !read || scratch_.now != row_.now || scratch_.sent != row_.sent || scratch_.consumed != row_.consumed;
  if (!ended_.load(std::memory_order_acquire) && !news && !given) {
    bell.sleep(ticket, idle ? std::chrono::nanoseconds(kSleep) : std::chrono::nanoseconds(kShortSleep));
  }
  bell.done();
  return true;
}

absl::Status Stream::put(v1::RunRequest& request) {
  if (request.number() != last_number_ + 1) {
    return absl::DataLossError(
        fmt::format("the caller: protocol error: message {} follows message {}", request.number(), last_number_));
  }
  last_number_ = request.number();
  if (absl::Status status = decoder_.start(std::move(*request.mutable_records())); !status.ok()) return status;
  while (true) {
    const absl::StatusOr<size_t> moved = decoder_.push();
    if (!moved.ok()) return moved.status();
    window_.registers().board_bell.ring();
    if (decoder_.done()) break;
    if (ended_.load(std::memory_order_acquire)) return absl::OkStatus();
    sched_yield();
  }
  Given given;
  given.number = last_number_;
  given.horizon = Time::never();
  for (size_t c = 0; c < decoder_.channels(); ++c) {
    given.records += decoder_.records(c);
    given.horizon = std::min(given.horizon, decoder_.promise(c));
  }
  {
    const std::lock_guard lock(mutex_);
    given_ = given;
  }
  number_.store(given.number, std::memory_order_release);
  window_.registers().agent_bell.ring();
  return absl::OkStatus();
}

// True if the board has done all it can: it has taken every record and has advanced as far as promises allow.
bool Stream::settled(const Given& given) const {
  const uint64_t consumed = std::accumulate(row_.consumed.begin(), row_.consumed.end(), uint64_t{0});
  return consumed == given.records && (given.horizon.is_never() || row_.now >= given.horizon);
}

absl::StatusOr<bool> Stream::take(v1::RunResponse& response) {
  int tries = 0;
  while (!ended_.load(std::memory_order_acquire)) {
    Given given;
    if (number_.load(std::memory_order_acquire) != answered_) {
      const std::lock_guard lock(mutex_);
      given = given_;
    }
    // The row is read before the rings, so that everything that the row counts as sent has been collected.
    const bool read = table_->read(kBoardPartition, row_);
    const bool had_records = encoder_.has_records();
    const bool some = encoder_.collect() > 0;
    if (some && !had_records) first_ = std::chrono::steady_clock::now();
    const bool all_done = given.number != 0 && read && settled(given);
    const bool batch = encoder_.bytes() >= kBatchBytes ||
                       (encoder_.has_records() && std::chrono::steady_clock::now() - first_ > kBatchTime);
    if (read && (all_done || batch)) {
      fill(given, all_done, response);
      return true;
    }
    if (some) {
      tries = 0;
      window_.registers().board_bell.ring();
      continue;
    }
    if (!pause(tries)) continue;
    if (absl::Status status = pulse_.check(run_); !status.ok()) {
      end();
      return status;
    }
  }
  return false;
}

void Stream::fill(const Given& given, bool settled, v1::RunResponse& response) {
  if (settled) answered_ = given.number;
  response.Clear();
  response.set_consumed(answered_);
  encoder_.finish(*response.mutable_records());
  v1::SyncRow& row = *response.add_rows();
  row.set_partition(partition_);
  row.set_now_fs(row_.now.fs());
  row.set_next_event_fs(row_.next_event.fs());
  row.mutable_consumed()->Add(row_.consumed.begin(), row_.consumed.end());
  row.mutable_sent()->Add(row_.sent.begin(), row_.sent.end());
}

void Stream::end() {
  ended_.store(true, std::memory_order_release);
  window_.registers().agent_bell.ring();
}

}  // namespace fabrictwin::bridges::board

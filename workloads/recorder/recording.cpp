// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/recorder/recording.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "workloads/recorder/assembler.h"
#include "workloads/recorder/call_clock.h"
#include "workloads/recorder/thread_time.h"

namespace fabrictwin::recorder {
namespace {

constinit thread_local CallClock<ThreadTime> call_clock;

template <size_t kSize>
void copy_text(char (&to)[kSize], const char* from) {
  std::snprintf(to, kSize, "%s", from);
}

// What rank 0 sends to the other ranks.
struct Start {
  char output[PATH_MAX];
  uint64_t run;
  int failure;
};

// Finds the trace's path on the root.
void find_output(Start& start) {
  const char* name = std::getenv("FABRICTWIN_TRACE");
  if (name == nullptr || *name == '\0') name = "trace.fttrace";
  char folder[PATH_MAX] = "";
  if (*name != '/' && getcwd(folder, sizeof folder) == nullptr) start.failure = errno;
  const int size = std::snprintf(start.output, sizeof start.output, "%s%s%s", folder, *name == '/' ? "" : "/", name);
  if (start.failure == 0 && static_cast<size_t>(size) >= sizeof start.output) start.failure = ENAMETOOLONG;
}

}  // namespace

constinit Recording* current_recording = nullptr;

void Recording::start(int thread_level) {
  if (current_recording != nullptr) return;
  auto* const recording = new Recording(thread_level);
  if (!recording->begin()) {
    delete recording;
    return;
  }
  current_recording = recording;
  recording->write(Action::kInit, 0, 0, [](EventEncoder&) {});
  call_clock.start();
}

Recording::Recording(int thread_level) : threads_(thread_level == MPI_THREAD_MULTIPLE) {
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks_);
}

// Either all ranks record, or none.
bool Recording::begin() {
  Start start{};
  if (rank_ == 0) {
    find_output(start);
    start.run = static_cast<uint64_t>(ThreadTime::now()) ^ static_cast<uint64_t>(getpid()) << 48;
    if (start.failure == 0) start.failure = prepare_parts(start.output);
  }
  PMPI_Bcast(&start, sizeof start, MPI_BYTE, 0, MPI_COMM_WORLD);
  output_ = start.output;
  int failed = start.failure;
  if (failed == 0 && !open_part(start.run)) failed = errno;
  if (failed != 0 && (rank_ == 0 || start.failure == 0)) {
    char text[PATH_MAX + 128];
    std::snprintf(text, sizeof text, "%s.parts cannot be written: %s; the run is not recorded", output_.c_str(),
                  std::strerror(failed));
    say(text);
  }
  PMPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (failed != 0) return false;
  communicators_.fill();
  datatypes_.fill();
  return true;
}

bool Recording::open_part(uint64_t run) {
  if (!part_.open(part_path(output_, rank_).c_str())) return false;
  PartHeader& header = part_.header();
  header.run = run;
  header.rank = static_cast<uint32_t>(rank_);
  header.ranks = static_cast<uint32_t>(ranks_);
  copy_text(header.application, program_invocation_short_name);
  char library[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int size = 0;
  PMPI_Get_library_version(library, &size);
#ifdef OPEN_MPI
  library[std::strcspn(library, ",\n")] = '\0';
  copy_text(header.library, library);
#else
  // Keeps the first line of "MPICH Version:\t4.0.2\n...".
  library[std::strcspn(library, "\n")] = '\0';
  const char* const version = library + std::strcspn(library, "0123456789");
  std::snprintf(header.library, sizeof header.library, "MPICH %s", version);
#endif
  return true;
}

void Recording::finish() {
  write(Action::kFinalize, 0, 0, [](EventEncoder&) {});
  int complete = stopped_.load() ? 0 : 1;
  if (complete != 0) part_.header().state = PartState::kFinalized;
  stopped_.store(true);
  part_.trim();
  PMPI_Allreduce(MPI_IN_PLACE, &complete, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  complete_ = complete != 0;
  current_recording = nullptr;
}

void Recording::assemble() {
  if (rank_ != 0) return;
  char text[PATH_MAX + 128];
  if (!complete_) {
    std::snprintf(text, sizeof text,
                  "no trace is made, as ranks could not be recorded (see above); their parts are in %s.parts",
                  output_.c_str());
    say(text);
    return;
  }
  if (assemble_parts(output_)) {
    remove_parts(output_);
    return;
  }
  std::snprintf(text, sizeof text, "no trace is made yet: run 'fabrictwin trace assemble %s.parts --out %s'",
                output_.c_str(), output_.c_str());
  say(text);
}

void Recording::abort(int code) {
  if (stopped_.exchange(true)) return;
  part_.header().abort_code = code;
  part_.header().state = PartState::kAborted;
}

bool Recording::enter(const char* call) {
  const bool busy =
      threads_ ? inside_.exchange(true, std::memory_order_acquire) : inside_.load(std::memory_order_relaxed);
  if (busy) [[unlikely]] {
    overlap(call);
    return false;
  }
  if (!threads_) inside_.store(true, std::memory_order_relaxed);
  if (!call_clock.running()) [[unlikely]]
    call_clock.start();
  computed_ += call_clock.enter();
  return true;
}

void Recording::leave(const char* call, int code) {
  if (code != MPI_SUCCESS) [[unlikely]] {
    char why[64];
    std::snprintf(why, sizeof why, "it failed with error %d", code);
    refuse_call(call, why);
  }
  call_clock.leave();
  inside_.store(false, std::memory_order_release);
}

void Recording::overlap(const char* call) {
  refuse_call(
      call,
      "it was called during another call of MPI, by a second thread or by a function that MPI calls; the calls of a "
      "rank must have an order");
}

void Recording::refuse(const char* reason) { stop(PartState::kRefused, reason); }

void Recording::refuse_call(const char* call, const char* why) {
  char text[400];
  std::snprintf(text, sizeof text, "%s: %s", call, why);
  refuse(text);
}

void Recording::stop(PartState state, const char* reason) {
  if (stopped_.exchange(true)) return;
  PartHeader& header = part_.header();
  copy_text(header.reason, reason);
  header.state = state;
  char text[600];
  std::snprintf(text, sizeof text, "event %llu: %s; nothing is recorded from here on",
                static_cast<unsigned long long>(header.events), reason);
  say(text);
}

void Recording::remark(const char* text) {
  if (!remarked_.exchange(true)) copy_text(part_.header().remark, text);
}

void Recording::remark_passed_by(const char* call) {
  char text[200];
  std::snprintf(
      text, sizeof text,
      "calls %s itself, or a tool or a Fortran binding that the recorder does not know does: such calls are not in "
      "the trace",
      call);
  remark(text);
}

void Recording::say(const char* text) const { dprintf(2, "fabrictwin-record: rank %d: %s\n", rank_, text); }

uint8_t* Recording::make_space(size_t bytes) {
  if (stopped_.load(std::memory_order_relaxed)) [[unlikely]]
    return nullptr;
  uint8_t* space = part_.reserve(bytes + 1 + EventEncoder::kNumber);
  if (space == nullptr) [[unlikely]] {
    char text[128];
    std::snprintf(text, sizeof text, "the part cannot be written: %s", std::strerror(errno));
    stop(PartState::kFailed, text);
    return nullptr;
  }
  if (computed_ > 0) {
    part_.commit(EventEncoder(space, Action::kCompute).number(static_cast<uint64_t>(computed_)).end());
    computed_ = 0;
    space = part_.reserve(bytes);
  }
  return space;
}

void Recording::waited_all(const std::vector<uint64_t>& starts) {
  if (starts.size() > 1 && starts.size() == outstanding_) {
    outstanding_ = 0;
    write(Action::kWaitall, 1, 0, [&](EventEncoder& event) { event.number(starts.size()); });
    return;
  }
  for (const uint64_t start : starts) waited(start);
}

const Communicator* Recording::communicator(MPI_Comm comm) {
  const Communicator* const known = communicators_.find(comm);
  if (known != nullptr) [[likely]]
    return known;
  if (comm == MPI_COMM_NULL) return nullptr;
  if (comm != MPI_COMM_SELF) {
    refuse("a communicator is used that was not made by a recorded call");
    return nullptr;
  }
  const Communicator& self = communicators_.add_self();
  write(Action::kCommCreate, 3, 0,
        [&](EventEncoder& event) { event.number(self.number).number(1).number(static_cast<uint64_t>(rank_)); });
  return &self;
}

}  // namespace fabrictwin::recorder

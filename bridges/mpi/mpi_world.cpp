// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The world of MPI. Of this program, only libraries for one MPI each have it: libfabrictwin-mpi.so and others.
#include <mpi.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <limits>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bridges/mpi/factory.h"
#include "bridges/mpi/peer_processes.h"
#include "bridges/mpi/world.h"
#include "cosim/base/version.h"

namespace fabrictwin::bridges::mpi {
namespace {

std::string error_text(int code) {
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  if (MPI_Error_string(code, text, &length) != MPI_SUCCESS) return "error " + std::to_string(code);
  return std::string(text, static_cast<size_t>(length));
}

absl::Status failed(const std::string& what, int code) {
  return absl::UnavailableError("MPI cannot " + what + ": " + error_text(code));
}

/// The process of a rank, as ranks tell each other.
struct RankProcess {
  std::array<char, MPI_MAX_PROCESSOR_NAME> machine{};
  uint64_t numbers = 0;  ///< Of which numbers of processes `number` is one: the inode of their namespace.
  int64_t number = 0;

  bool sees(const RankProcess& other) const { return machine == other.machine && numbers == other.numbers; }
};

RankProcess this_process(const std::string& machine) {
  RankProcess process;
  std::copy(machine.begin(), machine.end(), process.machine.begin());
  struct stat status {};
  if (stat("/proc/self/ns/pid", &status) == 0) process.numbers = static_cast<uint64_t>(status.st_ino);
  process.number = getpid();
  return process;
}

/// MPI itself is asked by one thread at a time.
class MpiWorld final : public World {
 public:
  /// Takes over a started MPI. Empty if that has worked, else the reason why not.
  std::string open() {
    int code = MPI_Comm_dup(MPI_COMM_WORLD, &communicator_);
    if (code == MPI_SUCCESS) code = MPI_Comm_set_errhandler(communicator_, MPI_ERRORS_RETURN);
    if (code == MPI_SUCCESS) code = MPI_Comm_rank(communicator_, &rank_);
    if (code == MPI_SUCCESS) code = MPI_Comm_size(communicator_, &size_);
    char name[MPI_MAX_PROCESSOR_NAME] = {};
    int length = 0;
    if (code == MPI_SUCCESS) code = MPI_Get_processor_name(name, &length);
    if (code != MPI_SUCCESS) return error_text(code);
    processor_name_.assign(name, static_cast<size_t>(length));
    code = watch_others();
    return code == MPI_SUCCESS ? std::string() : error_text(code);
  }

  ~MpiWorld() override {
    const std::lock_guard lock(mutex_);
    // Others would wait for this rank forever if it only went away.
    if (std::uncaught_exceptions() > 0) MPI_Abort(communicator_, 1);
    while (!failed_ && !sending_.empty() && progress().ok()) std::this_thread::yield();
    if (failed_) MPI_Abort(communicator_, 1);
    // Nobody ends while another one still watches.
    MPI_Barrier(communicator_);
    MPI_Comm_free(&communicator_);
    MPI_Finalize();
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  std::string processor_name() const override { return processor_name_; }

  absl::Status send(int to, int tag, std::string bytes) override {
    if (bytes.size() > static_cast<size_t>(std::numeric_limits<int>::max())) {
      return absl::ResourceExhaustedError("a message of " + std::to_string(bytes.size()) + " bytes to rank " +
                                          std::to_string(to) + " is longer than the 2 GiB that MPI takes");
    }
    const std::lock_guard lock(mutex_);
    Sending& sending = sending_.emplace_back(Sending{std::move(bytes), MPI_REQUEST_NULL});
    const int code = MPI_Isend(sending.bytes.data(), static_cast<int>(sending.bytes.size()), MPI_BYTE, to, tag,
                               communicator_, &sending.request);
    if (code == MPI_SUCCESS) return absl::OkStatus();
    sending_.pop_back();
    failed_ = true;
    return failed("send to rank " + std::to_string(to), code);
  }

  absl::StatusOr<std::optional<Message>> receive(int from, int tag) override {
    const std::lock_guard lock(mutex_);
    if (absl::Status status = progress(); !status.ok()) return status;
    int found = 0;
    MPI_Message handle = MPI_MESSAGE_NULL;
    MPI_Status status;
    int code = MPI_Improbe(from == kAny ? MPI_ANY_SOURCE : from, tag == kAny ? MPI_ANY_TAG : tag, communicator_, &found,
                           &handle, &status);
    if (code == MPI_SUCCESS && found == 0) {
      if (absl::Status status = others(from); !status.ok()) return status;
      return std::nullopt;
    }
    int length = 0;
    if (code == MPI_SUCCESS) code = MPI_Get_count(&status, MPI_BYTE, &length);
    Message message;
    if (code == MPI_SUCCESS) {
      message.from = status.MPI_SOURCE;
      message.tag = status.MPI_TAG;
      message.bytes.resize(static_cast<size_t>(length));
      code = MPI_Mrecv(message.bytes.data(), length, MPI_BYTE, &handle, MPI_STATUS_IGNORE);
    }
    if (code == MPI_SUCCESS) return message;
    failed_ = true;
    return failed(from == kAny ? "receive" : "receive from rank " + std::to_string(from), code);
  }

  absl::Status poll() override {
    const std::lock_guard lock(mutex_);
    return progress();
  }

  void abort(int code, const std::string& message) override {
    std::fprintf(stderr, "fabrictwin: error: %s\n", message.c_str());
    MPI_Abort(communicator_, code);
  }

 private:
  /// A message on its way. Its bytes stay where they are until it has gone.
  struct Sending {
    std::string bytes;
    MPI_Request request;
  };

  /// Begins to watch the ranks on this machine: rank 0 all others, which watch only that one, since it alone can tell
  /// of the others. All ranks do this together.
  int watch_others() {
    const RankProcess own = this_process(processor_name_);
    std::vector<RankProcess> all(static_cast<size_t>(size_));
    const int code = MPI_Allgather(&own, sizeof(own), MPI_BYTE, all.data(), sizeof(own), MPI_BYTE, communicator_);
    if (code != MPI_SUCCESS) return code;
    for (int rank = 0; rank < size_; ++rank) {
      const RankProcess& other = all[static_cast<size_t>(rank)];
      const bool concerns = rank != rank_ && (rank == 0 || rank_ == 0);
      if (concerns && own.sees(other)) others_.watch(rank, static_cast<pid_t>(other.number));
    }
    return code;
  }

  /// Unavailable if the process of rank `from`, or of any, has ended: all end together, so it has come to grief.
  absl::Status others(int from) {
    const std::optional<int> ended = others_.ended(from);
    if (!ended.has_value()) return absl::OkStatus();
    failed_ = true;
    return absl::UnavailableError("the process of rank " + std::to_string(*ended) + " has ended");
  }

  absl::Status progress() {
    for (auto sending = sending_.begin(); sending != sending_.end();) {
      int gone = 0;
      const int code = MPI_Test(&sending->request, &gone, MPI_STATUS_IGNORE);
      if (code != MPI_SUCCESS) {
        failed_ = true;
        return failed("send", code);
      }
      sending = gone != 0 ? sending_.erase(sending) : std::next(sending);
    }
    return absl::OkStatus();
  }

  std::mutex mutex_;
  MPI_Comm communicator_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
  std::string processor_name_;
  PeerProcesses others_;
  std::list<Sending> sending_;  ///< A list, as MPI keeps the addresses of requests.
  bool failed_ = false;
};

std::unique_ptr<World> make_world(const std::string& version, std::string& error) {
  if (version != kVersion) {
    error = "the library for MPI is of fabrictwin " + std::string(kVersion) + ", and this is " + version +
            "; install both together";
    return nullptr;
  }
  int provided = MPI_THREAD_SINGLE;
  const int code = MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
  if (code != MPI_SUCCESS) {
    error = "MPI cannot be started: " + error_text(code);
    return nullptr;
  }
  auto world = std::make_unique<MpiWorld>();
  error = world->open();
  if (!error.empty()) {
    error = "MPI cannot be used: " + error;
    return nullptr;
  }
  if (provided < MPI_THREAD_SERIALIZED) {
    error = "this MPI cannot be used by several threads (MPI_THREAD_SERIALIZED); use another build of it";
    return nullptr;
  }
  return world;
}

}  // namespace
}  // namespace fabrictwin::bridges::mpi

extern "C" __attribute__((visibility("default"))) fabrictwin::bridges::mpi::World* fabrictwin_make_mpi_world(
    const char* version, std::string* error) {
  return fabrictwin::bridges::mpi::make_world(version, *error).release();
}

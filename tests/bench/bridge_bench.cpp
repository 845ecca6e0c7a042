// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What it costs to cross a cut link: through a ring between two processes, and through gRPC. Each benchmark measures
// its reference in the same iteration and reports the ratio, so that a busy or slow machine does not matter much. The
// program is also its own workers and servers.
#include <benchmark/benchmark.h>
#include <grpcpp/grpcpp.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "bridges/protocol/protocol.h"
#include "bridges/server/server.h"
#include "cosim/base/relax.h"
#include "cosim/base/text.h"
#include "cosim/link/channel_receiver.h"
#include "cosim/link/channel_sender.h"
#include "tests/bench/bridge_load.h"
#include "tests/bridges/self_process.h"

namespace fabrictwin {
namespace {

using SteadyClock = std::chrono::steady_clock;

double seconds_since(SteadyClock::time_point start) {
  return std::chrono::duration<double>(SteadyClock::now() - start).count();
}

void pin(int core) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(core, &one);
  // Without it the numbers are worse, not wrong.
  sched_setaffinity(0, sizeof one, &one);
}

// What two processes share: a line to bounce, and a ring each way.
struct Arena {
  enum Command : uint32_t { kWait, kBounce, kPausingBounce, kEcho, kLockstep, kQuit };
  alignas(64) std::atomic<uint32_t> command;
  std::atomic<uint64_t> count;
  alignas(64) std::atomic<uint32_t> done;
  alignas(64) std::atomic<uint64_t> line;
  alignas(64) std::byte rings[2][link::ring_bytes(256)];

  link::RingMemory* ring(int i) { return reinterpret_cast<link::RingMemory*>(rings[i]); }
};

constexpr Time kQuantum = Time::from_ns(120);

link::ChannelSpec spec(uint32_t id) { return {id, "bench", kQuantum, Clock(Frequency{78'125'000})}; }

// A word of memory goes from core to core and back. `pausing`: between two looks, as for the ring.
void bounce(std::atomic<uint64_t>& line, uint64_t count, uint64_t mine, bool pausing) {
  for (uint64_t i = 0; i < count; ++i) {
    while (line.load(std::memory_order_acquire) != 2 * i + mine) {
      if (pausing) relax();
    }
    line.store(2 * i + mine + 1, std::memory_order_release);
  }
}

void await(link::RingConsumer& ring) {
  while (ring.front() == nullptr) relax();
  ring.pop();
}

// What goes round; made once, as a record that is only passed on.
const link::Record kPing{};

// A partition that only passes time: what is left is the synchronisation.
class Stepper {
 public:
  Stepper(link::RingMemory* out, link::RingMemory* in) : sender_(spec(0), out), receiver_(spec(0), in) {}
  void run(uint64_t quanta) {
    for (uint64_t i = 0; i < quanta; ++i) {
      sender_.flush(now_);
      now_ += kQuantum;
      while (true) {
        if (!receiver_.poll().ok()) return;
        if (receiver_.horizon() >= now_) break;
        relax();
      }
    }
  }

 private:
  link::ChannelSender sender_;
  link::ChannelReceiver receiver_;
  Time now_;
};

// The other process of the arena.
class Partner {
 public:
  Partner() {
    void* memory = mmap(nullptr, sizeof(Arena), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    arena_ = new (memory) Arena();
    pid_ = fork();
    if (pid_ == 0) {
      pin(1);
      serve(*arena_);
      _exit(0);
    }
  }
  ~Partner() {
    start(Arena::kQuit, 0);
    waitpid(pid_, nullptr, 0);
    munmap(arena_, sizeof(Arena));
  }
  Arena& arena() { return *arena_; }

  void start(Arena::Command command, uint64_t count) {
    arena_->line.store(0);
    for (auto& ring : arena_->rings) {
      std::fill(std::begin(ring), std::end(ring), std::byte{0});
      link::initialize_ring(ring, 256);
    }
    arena_->done.store(0);
    arena_->count.store(count);
    arena_->command.store(command, std::memory_order_release);
  }
  void wait() {
    while (arena_->done.load(std::memory_order_acquire) == 0) {
    }
  }

 private:
  static void serve(Arena& arena) {
    while (true) {
      const uint32_t command = arena.command.exchange(Arena::kWait, std::memory_order_acquire);
      const uint64_t count = arena.count.load();
      if (command == Arena::kWait) continue;
      if (command == Arena::kQuit) return;
      if (command == Arena::kBounce) bounce(arena.line, count, 1, false);
      if (command == Arena::kPausingBounce) bounce(arena.line, count, 1, true);
      if (command == Arena::kEcho) {
        link::RingConsumer in(arena.ring(0));
        link::RingProducer out(arena.ring(1));
        for (uint64_t i = 0; i < count; ++i) {
          await(in);
          out.try_push(kPing);
        }
      }
      if (command == Arena::kLockstep) Stepper(arena.ring(1), arena.ring(0)).run(count);
      arena.done.store(1, std::memory_order_release);
    }
  }

  Arena* arena_;
  pid_t pid_;
};

constexpr uint64_t kTrips = 200'000;

double time_bounce(Partner& partner, bool pausing) {
  partner.start(pausing ? Arena::kPausingBounce : Arena::kBounce, kTrips);
  const auto start = SteadyClock::now();
  bounce(partner.arena().line, kTrips, 0, pausing);
  partner.wait();
  return seconds_since(start) / kTrips;
}

// A record there and one back, beside a bare cache line that does the same: looked at without a pause, as is usual, and
// with the pause that the executor makes, which is quicker where the cores are close.
void RingRoundTrip(benchmark::State& state) {
  Partner partner;
  double bounce_seconds = 0;
  double pausing_seconds = 0;
  double ring_seconds = 0;
  for (auto _ : state) {
    bounce_seconds += time_bounce(partner, false);
    pausing_seconds += time_bounce(partner, true);
    partner.start(Arena::kEcho, kTrips);
    link::RingProducer out(partner.arena().ring(0));
    link::RingConsumer in(partner.arena().ring(1));
    const auto start = SteadyClock::now();
    for (uint64_t i = 0; i < kTrips; ++i) {
      out.try_push(kPing);
      await(in);
    }
    const double seconds = seconds_since(start) / kTrips;
    ring_seconds += seconds;
    partner.wait();
    state.SetIterationTime(seconds);
  }
  const auto iterations = static_cast<double>(state.iterations());
  state.counters["bounce_ns"] = bounce_seconds / iterations * 1e9;
  state.counters["ring_ns"] = ring_seconds / iterations * 1e9;
  state.counters["ratio"] = ring_seconds / bounce_seconds;
  state.counters["pausing_bounce_ns"] = pausing_seconds / iterations * 1e9;
  state.counters["ratio_to_pausing"] = ring_seconds / pausing_seconds;
}
BENCHMARK(RingRoundTrip)->UseManualTime()->Unit(benchmark::kNanosecond)->Iterations(5);

// Two partitions in two processes that advance together, a link latency at a time.
void LockstepQuantum(benchmark::State& state) {
  Partner partner;
  double bounce_seconds = 0;
  double total = 0;
  for (auto _ : state) {
    bounce_seconds += time_bounce(partner, false);
    partner.start(Arena::kLockstep, kTrips);
    const auto start = SteadyClock::now();
    Stepper(partner.arena().ring(0), partner.arena().ring(1)).run(kTrips);
    const double seconds = seconds_since(start) / kTrips;
    total += seconds;
    partner.wait();
    state.SetIterationTime(seconds);
  }
  const auto iterations = static_cast<double>(state.iterations());
  state.counters["bounce_ns"] = bounce_seconds / iterations * 1e9;
  state.counters["quantum_ns"] = total / iterations * 1e9;
}
BENCHMARK(LockstepQuantum)->UseManualTime()->Unit(benchmark::kNanosecond)->Iterations(5);

// A stream that does nothing but carry blobs, between the same kinds of processes.
class BareStream {
 public:
  explicit BareStream(BareServer& server) {
    grpc::ChannelArguments arguments;
    bridges::protocol::configure_channel(arguments);
    stub_ =
        v1::Bridge::NewStub(grpc::CreateCustomChannel(server.address(), grpc::InsecureChannelCredentials(), arguments));
    stream_ = stub_->Run(&context_);
  }
  ~BareStream() {
    stream_->WritesDone();
    stream_->Finish();
  }
  // `count` messages of `bytes`, at most `window` of them without an answer. Returns seconds.
  double run(uint64_t count, size_t bytes, uint64_t window) {
    v1::RunRequest request;
    request.set_records(std::string(bytes, 'x'));
    v1::RunResponse response;
    uint64_t answered = 0;
    const auto start = SteadyClock::now();
    for (uint64_t i = 0; i < count; ++i) {
      request.set_number(i + 1);
      if (!stream_->Write(request)) return 0;
      for (; i + 1 - answered >= window; ++answered) {
        if (!stream_->Read(&response)) return 0;
      }
    }
    for (; answered < count; ++answered) {
      if (!stream_->Read(&response)) return 0;
    }
    return seconds_since(start);
  }

 private:
  std::unique_ptr<v1::Bridge::Stub> stub_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::RunRequest, v1::RunResponse>> stream_;
};

// A credit to a worker and one back, over and over, through the executor, the pump and the worker's loop.
void GrpcRoundTrip(benchmark::State& state, const std::string& place, const std::string& listen) {
  BareServer server(listen);
  if (!server.ok()) return state.SkipWithError("the bare server did not start");
  double bare = 0;
  double bridge = 0;
  for (auto _ : state) {
    BareStream stream(server);
    stream.run(1000, 64, 1);
    const BridgeLoadResult result = run_bridge_load(BridgeLoad::kPingPong, place);
    if (!result.status.ok()) return state.SkipWithError(std::string(message_of(result.status)).c_str());
    const auto trips = result.messages / 2;
    const double seconds = result.seconds / static_cast<double>(trips);
    bare += stream.run(trips, static_cast<size_t>(result.bytes / result.messages), 1) / static_cast<double>(trips);
    bridge += seconds;
    state.SetIterationTime(seconds);
  }
  const auto iterations = static_cast<double>(state.iterations());
  state.counters["bare_us"] = bare / iterations * 1e6;
  state.counters["bridge_us"] = bridge / iterations * 1e6;
  state.counters["ratio"] = bridge / bare;
}
BENCHMARK_CAPTURE(GrpcRoundTrip, unix, "worker:unix", "unix")
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond)
    ->Iterations(5);
BENCHMARK_CAPTURE(GrpcRoundTrip, tcp, "worker:tcp", "tcp")
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond)
    ->Iterations(5);

// As many records to a worker as go, and blobs of the same size and number through a bare stream.
void GrpcThroughput(benchmark::State& state) {
  BareServer server("unix");
  if (!server.ok()) return state.SkipWithError("the bare server did not start");
  double bare = 0;
  double bridge = 0;
  double records = 0;
  double blob = 0;
  for (auto _ : state) {
    BareStream stream(server);
    stream.run(100, 64'000, 8);
    const BridgeLoadResult result = run_bridge_load(BridgeLoad::kFlood, "worker:unix");
    if (!result.status.ok()) return state.SkipWithError(std::string(message_of(result.status)).c_str());
    const uint64_t trips = result.messages / 2;
    const auto bytes = static_cast<size_t>(result.bytes / trips);
    bare += stream.run(trips, bytes, 8);
    bridge += result.seconds;
    records += static_cast<double>(result.records);
    blob += static_cast<double>(bytes);
    state.SetIterationTime(result.seconds);
  }
  state.counters["records_per_second"] = records / bridge;
  state.counters["bare_records_per_second"] = records / bare;
  state.counters["blob_bytes"] = blob / static_cast<double>(state.iterations());
  state.counters["ratio"] = bare / bridge;
}
BENCHMARK(GrpcThroughput)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(5);

}  // namespace
}  // namespace fabrictwin

int main(int argc, char** argv) {
  // Each of two processes has a core of its own: left to itself, the kernel puts who is woken on the core of who wakes.
  const bool measures = argc < 2 || argv[1][0] == '-';
  fabrictwin::pin(measures ? 0 : 1);
  if (const int code = fabrictwin::serve_bridge_load_if_asked(argc, argv); code >= 0) return code;
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

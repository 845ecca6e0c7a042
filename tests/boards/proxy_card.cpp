// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A PCI card of an emulated x86 machine, with a Verilated shell behind its BAR 0. QEMU's device x-pci-proxy-dev makes a
// message of each access (its docs/devel/multi-process.rst), so that this is a monitor of the card's bus, too: an
// access that is not allowed fails. usage: proxy_card EMULATOR OPTION...      "{fd}" in an option becomes the number of
// the socket for x-pci-proxy-dev
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "VRouterShell.h"
#include "rtl/transactor/shell/axi_memory.h"
#include "rtl/transactor/shell/register_bus.h"
#include "rtl/transactor/single_thread_context.h"
#include "tests/boards/bus_monitor.h"

namespace fabrictwin::tests::boards {
namespace {

/// The parameters of the Verilated shell say the same.
constexpr WatchedWindow kWindow{.bytes = 0x20000, .ring_offset = 0x10000, .slots = 256, .ports = 7};
constexpr int kResetEdges = 4;
constexpr int kBatch = 64;
constexpr uint64_t kQuietBatches = 64;
constexpr std::chrono::microseconds kNap{50};

// ---- The card: a Verilated shell, and memory for its rings.

class Card {
 public:
  Card() {
    model_.rst_ni = 0;
    for (int i = 0; i < kResetEdges; ++i) clock();
    model_.rst_ni = 1;
  }
  ~Card() { model_.final(); }

  void cycle() {
    rings_.sample();
    registers_.sample();
    clock();
    rings_.drive();
    ended_ = registers_.drive();
  }
  uint64_t writes() const { return rings_.writes(); }

  uint64_t read(uint64_t offset, uint32_t bytes) {
    uint64_t value = 0;
    if (offset < kWindow.ring_offset) {
      registers_.read(static_cast<uint32_t>(offset));
      value = end_access();
    } else if (offset + bytes <= kWindow.bytes) {
      std::memcpy(&value, at(offset), bytes);
    }
    monitor_.read(offset, bytes, value);
    return value;
  }
  void write(uint64_t offset, uint32_t bytes, uint64_t value) {
    monitor_.write(offset, bytes, value);
    if (offset < kWindow.ring_offset) {
      registers_.write(static_cast<uint32_t>(offset), static_cast<uint32_t>(value));
      end_access();
    } else if (offset + bytes <= kWindow.bytes) {
      std::memcpy(at(offset), &value, bytes);
    }
  }
  const BusMonitor& monitor() const { return monitor_; }
  /// Accesses that the AXI4-Lite slave has refused.
  uint64_t refused() const { return refused_; }

 private:
  void clock() {
    model_.clk_i = 0;
    model_.eval();
    model_.clk_i = 1;
    model_.eval();
  }
  uint32_t end_access() {
    do cycle();
    while (!ended_);
    refused_ += registers_.error() ? 1 : 0;
    return registers_.value();
  }
  std::byte* at(uint64_t offset) { return reinterpret_cast<std::byte*>(memory_.data()) + offset; }

  rtl::SingleThreadContext context_;
  VRouterShell model_{&context_, "shell"};
  std::vector<uint64_t> memory_ = std::vector<uint64_t>(kWindow.bytes / sizeof(uint64_t));
  std::minstd_rand random_{1};
  // A bus that makes the shell wait now and then.
  rtl::shell::AxiMemory<VRouterShell> rings_{model_, std::as_writable_bytes(std::span(memory_)),
                                             [this](int) { return random_() % 4 != 0; }};
  rtl::shell::RegisterBus<VRouterShell> registers_{model_};
  BusMonitor monitor_{kWindow};
  bool ended_ = false;
  uint64_t refused_ = 0;
};

// ---- The configuration space.

/// A device with one BAR for memory of 32 bits, which no driver takes.
class ConfigurationSpace {
 public:
  ConfigurationSpace() {
    put16(0x00, 0x10ee);  // Vendor and device, as the card of docs/boards.md.
    put16(0x02, 0x9038);
    put16(0x0a, 0x0580);  // Memory controller, other.
    put16(0x2c, 0x10ee);
    put16(0x2e, 0x4654);
  }
  uint32_t read(uint32_t offset, uint32_t bytes) const {
    uint32_t value = 0;
    if (offset + bytes <= bytes_.size()) std::memcpy(&value, bytes_.data() + offset, bytes);
    return value;
  }
  void write(uint32_t offset, uint32_t bytes, uint32_t value) {
    const bool bar = offset == kBar && bytes == 4;
    if (bar) value &= ~static_cast<uint32_t>(kWindow.bytes - 1);
    if (bar || (offset == kCommand && bytes <= 2)) std::memcpy(bytes_.data() + offset, &value, bytes);
  }
  uint32_t bar() const { return read(kBar, 4); }

 private:
  static constexpr uint32_t kCommand = 0x04;
  static constexpr uint32_t kBar = 0x10;
  void put16(size_t offset, uint16_t value) { std::memcpy(bytes_.data() + offset, &value, sizeof value); }
  std::array<uint8_t, 256> bytes_{};
};

// ---- QEMU's messages (include/hw/remote/mpqemu-link.h).

enum class Command : int32_t {
  kSyncMemory = 0,
  kReturn = 1,
  kConfigWrite = 2,
  kConfigRead = 3,
  kBarWrite = 4,
  kBarRead = 5,
  kSetInterrupt = 6,
  kReset = 7,
};
struct Header {
  Command command;
  int32_t padding;
  uint64_t bytes;
};
struct ConfigAccess {
  uint32_t offset;
  uint32_t value;
  int32_t bytes;
};
struct BarAccess {
  uint64_t address;
  uint64_t value;
  uint32_t bytes;
};

class Proxy {
 public:
  Proxy(Card& card, int socket) : card_(card), socket_(socket) {}

  /// Answers one message; false if there are no more, or one that is not understood.
  bool answer() {
    Header header{};
    std::vector<uint8_t> body;
    if (!receive(header, body)) return false;
    switch (header.command) {
      case Command::kSyncMemory:
      case Command::kSetInterrupt:
        return true;
      case Command::kConfigWrite:
      case Command::kConfigRead:
        return configure(header.command, as<ConfigAccess>(body));
      case Command::kBarWrite:
      case Command::kBarRead:
        return access(header.command, as<BarAccess>(body));
      case Command::kReset:
        return reply(0);
      case Command::kReturn:
        break;
    }
    fprintf(stderr, "proxy_card: a message of kind %d\n", static_cast<int>(header.command));
    return false;
  }

 private:
  template <class T>
  static T as(const std::vector<uint8_t>& body) {
    T value{};
    std::memcpy(&value, body.data(), std::min(body.size(), sizeof value));
    return value;
  }

  bool configure(Command command, const ConfigAccess& access) {
    const auto bytes = static_cast<uint32_t>(std::clamp(access.bytes, 0, 4));
    if (command == Command::kConfigRead) return reply(space_.read(access.offset, bytes));
    space_.write(access.offset, bytes, access.value);
    return reply(0);
  }
  bool access(Command command, const BarAccess& access) {
    const uint64_t offset = access.address - space_.bar();
    const uint32_t bytes = std::min<uint32_t>(access.bytes, 8);
    if (command == Command::kBarRead) return reply(card_.read(offset, bytes));
    card_.write(offset, bytes, access.value);
    return reply(0);
  }

  /// The guest's memory and its interrupts come as files, which this card does not use.
  bool receive(Header& header, std::vector<uint8_t>& body) const {
    alignas(cmsghdr) char control[512];
    iovec part{&header, sizeof header};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    if (recvmsg(socket_, &message, MSG_WAITALL | MSG_CMSG_CLOEXEC) != static_cast<ssize_t>(sizeof header)) return false;
    for (cmsghdr* entry = CMSG_FIRSTHDR(&message); entry != nullptr; entry = CMSG_NXTHDR(&message, entry)) {
      if (entry->cmsg_level != SOL_SOCKET || entry->cmsg_type != SCM_RIGHTS) continue;
      std::vector<int> files((entry->cmsg_len - CMSG_LEN(0)) / sizeof(int));
      std::memcpy(files.data(), CMSG_DATA(entry), files.size() * sizeof(int));
      for (const int file : files) close(file);
    }
    if (header.bytes > 4096) return false;
    body.resize(header.bytes);
    return body.empty() || recv(socket_, body.data(), body.size(), MSG_WAITALL) == static_cast<ssize_t>(body.size());
  }
  bool reply(uint64_t value) const {
    struct {
      Header header;
      uint64_t value;
    } message{{Command::kReturn, 0, sizeof value}, value};
    return send(socket_, &message, sizeof message, MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof message);
  }

  Card& card_;
  int socket_;
  ConfigurationSpace space_;
};

/// The emulator, which ends with this process.
pid_t start_emulator(int count, char** words, int socket) {
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid != 0) return pid;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  std::vector<std::string> texts;
  for (int i = 0; i < count; ++i) {
    std::string text = words[i];
    if (const size_t at = text.find("{fd}"); at != std::string::npos) text.replace(at, 4, std::to_string(socket));
    texts.push_back(std::move(text));
  }
  std::vector<char*> arguments;
  for (std::string& text : texts) arguments.push_back(text.data());
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  fprintf(stderr, "proxy_card: cannot start %s: %s\n", arguments[0], std::strerror(errno));
  _exit(1);
}

void serve(Card& card, int socket) {
  Proxy proxy(card, socket);
  uint64_t quiet = 0;
  uint64_t writes = 0;
  while (true) {
    pollfd event{socket, POLLIN, 0};
    const timespec nap{0, std::chrono::nanoseconds(kNap).count()};
    // A shell that has nothing to do leaves the core to others.
    const timespec none{0, 0};
    const int some = ppoll(&event, 1, quiet > kQuietBatches ? &nap : &none, nullptr);
    if (some > 0 && !proxy.answer()) return;
    for (int i = 0; i < kBatch; ++i) card.cycle();
    quiet = some > 0 || card.writes() != writes ? 0 : quiet + 1;
    writes = card.writes();
  }
}

int report(const Card& card) {
  printf("bus: %s\n", card.monitor().summary().c_str());
  for (const std::string& text : card.monitor().texts()) printf("not allowed: %s\n", text.c_str());
  printf("%llu accesses were not allowed, %llu refused\n", static_cast<unsigned long long>(card.monitor().violations()),
         static_cast<unsigned long long>(card.refused()));
  fflush(stdout);
  return card.monitor().violations() + card.refused() == 0 ? 0 : 1;
}

int run(int count, char** words) {
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) {
    perror("proxy_card: socketpair");
    return 1;
  }
  fcntl(sockets[0], F_SETFD, FD_CLOEXEC);
  const pid_t emulator = start_emulator(count, words, sockets[1]);
  close(sockets[1]);
  Card card;
  serve(card, sockets[0]);
  close(sockets[0]);
  int status = 0;
  waitpid(emulator, &status, 0);
  const int code = report(card);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? code : 1;
}

}  // namespace
}  // namespace fabrictwin::tests::boards

int main(int argc, char** argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: proxy_card EMULATOR OPTION...\n");
    return 2;
  }
  return fabrictwin::tests::boards::run(argc - 1, argv + 1);
}

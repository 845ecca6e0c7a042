// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Windows of shells: how they are named and opened, what they must say, and how a board that has died is noticed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include "bridges/board/registers.h"
#include "bridges/board/shell/device.h"
#include "bridges/board/shell/element.h"
#include "bridges/board/shell/identity.h"
#include "bridges/board/shell/rings.h"
#include "bridges/board/shell/selftest.h"
#include "bridges/board/shell/setup.h"
#include "rtl/shell/shell_registers.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

namespace shell = bridges::board::shell;
namespace registers = rtl::shell::registers;

constexpr size_t kBytes = 0x20000;
constexpr uint32_t kRings = 0x10000;

class ShellDevice : public ::testing::Test {
 protected:
  std::unique_ptr<shell::Device> open(const std::string& name) {
    absl::StatusOr<std::unique_ptr<shell::Device>> device = shell::Device::open(name);
    EXPECT_TRUE(device.ok()) << device.status();
    return device.ok() ? *std::move(device) : nullptr;
  }
  static std::string error_of(const std::string& name) {
    const absl::StatusOr<std::unique_ptr<shell::Device>> device = shell::Device::open(name);
    return device.ok() ? "" : std::string(device.status().message());
  }
  /// A window that says what a shell says.
  std::unique_ptr<shell::Device> board(size_t bytes = kBytes) {
    std::unique_ptr<shell::Device> device = open(folder_.write("window", std::string(bytes, '\0')));
    device->write32(registers::kIdentificationOffset, registers::kIdentificationReset);
    device->write32(registers::kVersionOffset, registers::kVersionReset);
    device->write32(registers::kShapeOffset, 1 | 7 << registers::kShapePortsLow | 8 << registers::kShapeSlotsLow);
    device->write32(registers::kRingOffsetOffset, kRings);
    device->write32(registers::kLinkOffset, link(128, 2, 1));
    return device;
  }
  /// The register of links with these words, VCs and words for a credit.
  static uint32_t link(uint32_t word_bits, uint32_t vcs, uint32_t credit_words) {
    return word_bits << registers::kLinkWordBitsLow | vcs << registers::kLinkVcsLow |
           credit_words << registers::kLinkCreditWordsLow | 64u << registers::kLinkBufferCreditsLow;
  }
  static std::string identity_error(const shell::Device& device) {
    const absl::StatusOr<shell::Identity> identity = shell::read_identity(device);
    return identity.ok() ? "" : std::string(identity.status().message());
  }

  const TestFolder folder_;
};

TEST_F(ShellDevice, NamesThatAreNoneAreRefusedWithWhatToDo) {
  EXPECT_THAT(error_of("uio:nothing-of-this-name"), HasSubstr("there is no UIO device of that name"));
  EXPECT_THAT(error_of("pci:0000:ff:1f.7/bar0"), HasSubstr("there is no PCI device 0000:ff:1f.7"));
  EXPECT_THAT(error_of("pci:0000:00:00.0"), HasSubstr("say which BAR, as in pci:0000:01:00.0/bar0"));
  EXPECT_THAT(error_of("pci:0000:00:00.0/bar9"), HasSubstr("say which BAR"));
  const std::string file = folder_.write("file", std::string(kBytes, '\0'));
  EXPECT_THAT(error_of(file + "@half"), HasSubstr("what follows @ must be an offset in bytes, a multiple of 8"));
  EXPECT_THAT(error_of(file + "@4"), HasSubstr("a multiple of 8"));
  EXPECT_THAT(error_of(file + "@" + std::to_string(kBytes)), HasSubstr("registers alone take 4096"));
  EXPECT_THAT(error_of(folder_.write("short", "short")), HasSubstr("is no board's memory window: 5 bytes"));
}

/// What Linux shows of devices, in a folder.
class ShellDeviceInSysfs : public ShellDevice {
 protected:
  std::string error_of(const std::string& name, shell::RingMemory rings = shell::RingMemory::kWindow) const {
    const absl::StatusOr<std::unique_ptr<shell::Device>> device = shell::Device::open(name, rings, folders_);
    return device.ok() ? "" : std::string(device.status().message());
  }
  void file(const std::string& name, std::string_view text) const { folder_.write(name, text); }
  void link(const std::string& name, const std::string& target) const {
    std::filesystem::create_directories(std::filesystem::path(folder_.file(name)).parent_path());
    std::filesystem::create_symlink(target, folder_.file(name));
  }

  const shell::SystemFolders folders_{.sys = folder_.file("sys"), .dev = folder_.file("dev")};
  const std::string card_ = "sys/bus/pci/devices/0000:01:00.0/";
};

TEST_F(ShellDeviceInSysfs, AUioDeviceIsFoundByItsName) {
  file("sys/class/uio/uio0/name", "other\n");
  file("sys/class/uio/uio1/name", "fabrictwin\n");
  EXPECT_THAT(error_of("uio:fabrictwin"), HasSubstr("uio:fabrictwin: the device has no memory"));
  file("sys/class/uio/uio1/maps/map0/size", "0x0000000000002000\n");
  file("sys/class/uio/uio1/maps/map0/offset", "0x40\n");
  EXPECT_THAT(error_of("uio:fabrictwin"), HasSubstr("cannot open the board's window: No such file"));
  std::string memory(0x3000, '\0');
  memory[0x48] = 7;
  file("dev/uio1", memory);
  {
    const absl::StatusOr<std::unique_ptr<shell::Device>> device =
        shell::Device::open("uio:fabrictwin", shell::RingMemory::kWindow, folders_);
    ASSERT_TRUE(device.ok()) << device.status();
    EXPECT_EQ((*device)->bytes(), 0x2000u);
    EXPECT_EQ((*device)->read64(8), 7u);
  }
  EXPECT_THAT(error_of("uio:none"), HasSubstr("there is no UIO device of that name; there are "));
  file("sys/class/uio/uio1/maps/map0/offset", "0x44\n");
  EXPECT_THAT(error_of("uio:fabrictwin"), HasSubstr("its memory begins 68 bytes after the beginning of a page"));
  file("sys/class/uio/uio1/maps/map0/size", "0x100\n");
  file("sys/class/uio/uio1/maps/map0/offset", "0x0\n");
  EXPECT_THAT(error_of("uio:fabrictwin"), HasSubstr("is no board's memory window: 256 bytes"));
}

TEST_F(ShellDeviceInSysfs, ARingInHostMemoryIsTheSecondMapOfAUioDevice) {
  using shell::RingMemory;
  constexpr size_t kMapped = 0x1000 + shell::kHostRingBytes;
  file("sys/class/uio/uio0/name", "fabrictwin\n");
  file("sys/class/uio/uio0/maps/map0/size", "0x2000\n");
  std::string memory(kMapped, '\0');
  memory[0x1008] = 9;
  file("dev/uio0", memory);
  const auto error = [&] { return error_of("uio:fabrictwin", RingMemory::kHost); };
  EXPECT_THAT(error(), HasSubstr("uio:fabrictwin: the device has no second memory"));
  file("sys/class/uio/uio0/maps/map1/size", "0x8000\n");
  file("sys/class/uio/uio0/maps/map1/addr", "0x7ff00000\n");
  EXPECT_THAT(error(), HasSubstr("has 32768 bytes at 0x7ff00000; a ring takes 65536"));
  file("sys/class/uio/uio0/maps/map1/size", "0x10000\n");
  file("sys/class/uio/uio0/maps/map1/addr", "0x7ff00800\n");
  EXPECT_THAT(error(), HasSubstr("from the beginning of a page on"));
  file("sys/class/uio/uio0/maps/map1/addr", "0x7ff00000\n");
  const absl::StatusOr<std::unique_ptr<shell::Device>> device =
      shell::Device::open("uio:fabrictwin", RingMemory::kHost, folders_);
  ASSERT_TRUE(device.ok()) << device.status();
  EXPECT_EQ((*device)->host_address(), 0x7ff0'0000u);
  ASSERT_NE((*device)->host_memory(), nullptr);
  EXPECT_EQ((*device)->host_memory()->bytes(), shell::kHostRingBytes);
  EXPECT_EQ((*device)->host_memory()->read64(8), 9u);
}

TEST_F(ShellDeviceInSysfs, WindowsWithoutHostMemorySaySo) {
  using shell::RingMemory;
  EXPECT_THAT(error_of("pci:0000:01:00.0/bar0", RingMemory::kHost), HasSubstr("use vfio:BDF"));
  EXPECT_THAT(error_of("xdma:xdma0", RingMemory::kHost), HasSubstr("leave --ring-memory out"));
  const std::string window = folder_.write("plain", std::string(kBytes, '\0'));
  EXPECT_THAT(error_of(window, RingMemory::kHost),
              AllOf(HasSubstr("there is no " + window + ".host"), HasSubstr("board --shell --host-memory")));
  EXPECT_THAT(error_of(window + "@0", RingMemory::kHost), HasSubstr("a part of a file has no memory beside it"));
  folder_.write("plain.host", "short");
  EXPECT_THAT(error_of(window, RingMemory::kHost), HasSubstr("has 5 bytes, and a ring takes 65536"));
  EXPECT_EQ(error_of(window), "");
}

TEST_F(ShellDeviceInSysfs, ABarThatIsNoWindowIsRefused) {
  const std::string name = "pci:0000:01:00.0/bar1";
  file(card_ + "resource0", "");
  EXPECT_THAT(error_of(name), HasSubstr(name + ": the card has no BAR 1, or the kernel has found no address"));
  file(card_ + "resource", "0x1000 0x1fff 0x40200\n0x2000 0x20ff 0x40101\n");
  EXPECT_THAT(error_of(name), HasSubstr("BAR 1 is no memory, but I/O ports"));
  file(card_ + "resource", "0x0 0x0 0x0\n0xfe000100 0xfe0001ff 0x40200\n");
  EXPECT_THAT(error_of(name), AllOf(HasSubstr("BAR 1 begins at 0xfe000100, in the midst of a page"),
                                    HasSubstr("pci=resource_alignment=12@0000:01:00.0")));
  file(card_ + "resource", "0x0 0x0 0x0\n0xfe000000 0xfe000fff 0x40200\n");
  EXPECT_THAT(error_of(name), HasSubstr("cannot open the board's window: No such file"));
  file(card_ + "resource1", std::string(0x1000, '\0'));
  const absl::StatusOr<std::unique_ptr<shell::Device>> device =
      shell::Device::open(name, shell::RingMemory::kWindow, folders_);
  ASSERT_TRUE(device.ok()) << device.status();
  EXPECT_EQ((*device)->bytes(), 0x1000u);
}

TEST_F(ShellDeviceInSysfs, ACardOfXdmaIsFoundByItsName) {
  EXPECT_THAT(error_of("xdma:xdma0"), AllOf(HasSubstr("xdma:xdma0: there is no "), HasSubstr("/xdma0_user")));
  file("sys/class/xdma/xdma0_user/device/resource", "0xfe000000 0xfe01ffff 0x40200\n0xfe020000 0xfe02ffff 0x40200\n");
  EXPECT_THAT(error_of("xdma:xdma0"), HasSubstr("cannot open the board's window: No such file"));
  file("dev/xdma0_user", std::string(0x20000, '\0'));
  const absl::StatusOr<std::unique_ptr<shell::Device>> device =
      shell::Device::open("xdma:xdma0", shell::RingMemory::kWindow, folders_);
  ASSERT_TRUE(device.ok()) << device.status();
  EXPECT_EQ((*device)->bytes(), 0x20000u);
  EXPECT_THAT(error_of("xdma:xdma0"), HasSubstr("the board already has an agent"));
}

TEST_F(ShellDeviceInSysfs, VfioSaysWhichStepIsMissing) {
  const std::string name = "vfio:0000:01:00.0";
  EXPECT_THAT(error_of(name), HasSubstr(name + ": there is no PCI device 0000:01:00.0"));
  file(card_ + "resource", "");
  EXPECT_THAT(error_of(name + "/bar7"), HasSubstr("say which BAR, as in vfio:0000:01:00.0/bar0"));
  EXPECT_THAT(error_of(name), AllOf(HasSubstr("the device is behind no IOMMU"), HasSubstr("pci:0000:01:00.0/bar0")));
  link(card_ + "iommu_group", "../../../../kernel/iommu_groups/12");
  EXPECT_THAT(error_of(name), AllOf(HasSubstr("the device has no driver, and must have vfio-pci"),
                                    HasSubstr("echo vfio-pci >/sys/bus/pci/devices/0000:01:00.0/driver_override")));
  link(card_ + "driver", "../../../drivers/xdma");
  EXPECT_THAT(error_of(name), AllOf(HasSubstr("the device has the driver xdma, and must have vfio-pci"),
                                    HasSubstr("echo 0000:01:00.0 >/sys/bus/pci/devices/0000:01:00.0/driver/unbind")));
  std::filesystem::remove(folder_.file(card_ + "driver"));
  link(card_ + "driver", "../../../drivers/vfio-pci");
  EXPECT_THAT(error_of(name), HasSubstr("cannot open " + folders_.dev + "/vfio/vfio: No such file"));
  file("dev/vfio/vfio", "");
  EXPECT_THAT(error_of(name), HasSubstr("cannot open " + folders_.dev + "/vfio/12: No such file"));
  file("dev/vfio/12", "");
  EXPECT_THAT(error_of(name), HasSubstr("/vfio/12 is no group of VFIO"));
}

TEST_F(ShellDeviceInSysfs, AFileThatMayNotBeOpenedIsRefused) {
  const std::string window = folder_.write("window", std::string(kBytes, '\0'));
  std::filesystem::permissions(window, std::filesystem::perms::none);
  // The superuser may open all files.
  const bool root = geteuid() == 0;
  ASSERT_TRUE(!root || seteuid(65534) == 0);
  const absl::StatusOr<std::unique_ptr<shell::Device>> device = shell::Device::open(window);
  ASSERT_TRUE(!root || seteuid(0) == 0);
  EXPECT_EQ(device.status().code(), absl::StatusCode::kPermissionDenied);
  EXPECT_THAT(std::string(device.status().message()),
              HasSubstr("window: cannot open the board's window: Permission denied"));
}

TEST_F(ShellDevice, ReadsAllOnesWhereItsFileIsCutOff) {
  const std::string file = folder_.write("file", std::string(kBytes, '\0'));
  const std::string part = folder_.write("part", std::string(kBytes, '\0'));
  const std::unique_ptr<shell::Device> device = open(file);
  const std::unique_ptr<shell::Device> other = open(part + "@0x5000");
  // What is still there goes with the rest, as behind a bus.
  std::filesystem::resize_file(file, kRings);
  EXPECT_EQ(device->read32(0), 0u);
  EXPECT_EQ(device->read64(kRings), ~uint64_t{0});
  EXPECT_EQ(device->read32(0), ~0u);
  device->write32(registers::kRunOffset, 7);
  std::filesystem::resize_file(part, 0);
  other->write64(8, 1);
  EXPECT_EQ(other->read64(0), ~uint64_t{0});
}

int foreign_bus_errors = 0;

TEST_F(ShellDevice, PassesOnBusErrorsThatAreNotOfWindows) {
  struct sigaction mine {};
  struct sigaction before {};
  mine.sa_handler = [](int) { ++foreign_bus_errors; };
  ASSERT_EQ(sigaction(SIGBUS, &mine, &before), 0);
  {
    const std::unique_ptr<shell::Device> device = open(folder_.write("file", std::string(kBytes, '\0')));
    raise(SIGBUS);
    EXPECT_EQ(foreign_bus_errors, 1);
  }
  // The handler of before is there again.
  raise(SIGBUS);
  EXPECT_EQ(foreign_bus_errors, 2);
  ASSERT_EQ(sigaction(SIGBUS, &before, nullptr), 0);
}

TEST_F(ShellDevice, HasOneAgent) {
  const std::string file = folder_.write("file", std::string(kBytes, '\0'));
  const std::unique_ptr<shell::Device> first = open(file);
  EXPECT_THAT(error_of(file), HasSubstr("the board already has an agent"));
}

TEST_F(ShellDevice, APartOfAFileIsAWindowOfItsOwn) {
  const std::string file = folder_.write("file", std::string(kBytes, '\0'));
  {
    const std::unique_ptr<shell::Device> whole = open(file);
    whole->write64(0x5008, 0x1122334455667788);
  }
  const std::unique_ptr<shell::Device> part = open(file + "@0x5000");
  EXPECT_EQ(part->bytes(), kBytes - 0x5000);
  EXPECT_EQ(part->read64(8), 0x1122334455667788u);
  EXPECT_EQ(part->read32(8), 0x55667788u);
}

TEST_F(ShellDevice, IdentityIsCheckedFieldByField) {
  const std::unique_ptr<shell::Device> device = board();
  const absl::StatusOr<shell::Identity> identity = shell::read_identity(*device);
  ASSERT_TRUE(identity.ok()) << identity.status();
  EXPECT_EQ(identity->ports, 7);
  EXPECT_EQ(identity->slots, 256u);
  EXPECT_EQ(identity->route_destinations, 0);
  device->write32(registers::kVersionOffset, 0x200);
  EXPECT_THAT(identity_error(*device), HasSubstr("the board's shell has version 2, this agent speaks 1"));
  device->write32(registers::kVersionOffset, registers::kVersionReset);
  device->write32(registers::kShapeOffset, 9 | 7 << registers::kShapePortsLow | 8 << registers::kShapeSlotsLow);
  EXPECT_THAT(identity_error(*device), HasSubstr("has an element of type 9"));
  device->write32(registers::kShapeOffset, 1 | 7 << registers::kShapePortsLow | 12 << registers::kShapeSlotsLow);
  EXPECT_THAT(identity_error(*device), HasSubstr("the rings end at 0x90000, the window at 0x20000"));
  device->write32(registers::kShapeOffset, 1 | 7 << registers::kShapePortsLow | 8 << registers::kShapeSlotsLow);
  device->write32(registers::kRingOffsetOffset, kRings + 8);
  EXPECT_THAT(identity_error(*device), HasSubstr("rings of 2^8 slots at 0x10008; known are routers"));
  device->write32(registers::kRingOffsetOffset, kRings);
  device->write32(registers::kIdentificationOffset, 0);
  EXPECT_THAT(identity_error(*device), HasSubstr("is no board's memory window (wrong magic 0x00000000)"));
  device->write64(0, bridges::board::kBoardMagic);
  EXPECT_THAT(identity_error(*device), HasSubstr("is the window of a soft board, which has no shell"));
  device->write32(registers::kIdentificationOffset, ~0u);
  EXPECT_THAT(identity_error(*device), HasSubstr("reads all ones: the board is not on its bus"));
}

TEST_F(ShellDevice, ABoardThatDiesIsNoticed) {
  const std::unique_ptr<shell::Device> device = board();
  shell::Pulse pulse(*device, std::chrono::milliseconds(20));
  device->write32(registers::kHeartbeatOffset, 1);
  absl::Status status;
  while (status.ok()) status = pulse.check();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(status.message()), HasSubstr("does not answer: its heartbeat has stood for 20 ms"));
  // A lost PCIe link reads all ones.
  device->write32(registers::kHeartbeatOffset, ~0u);
  device->write32(registers::kIdentificationOffset, ~0u);
  shell::Pulse lost(*device, std::chrono::milliseconds(20));
  do status = lost.check();
  while (status.ok());
  EXPECT_THAT(std::string(status.message()), HasSubstr("reads all ones: it has fallen off its bus"));
}

// A heartbeat is 4096 cycles.
TEST_F(ShellDevice, ASlowClockIsGivenTime) {
  using std::chrono::milliseconds;
  EXPECT_EQ(shell::heartbeat_patience({.clock_hertz = 100'000'000}), milliseconds(1500));
  EXPECT_EQ(shell::heartbeat_patience({.clock_hertz = 1000}), milliseconds(12288));
  EXPECT_EQ(shell::heartbeat_patience({.clock_hertz = 0}, milliseconds(20)), milliseconds(20));
}

TEST_F(ShellDevice, AnElementOfAnotherKindIsRefused) {
  using BoardElement = bridges::board::Element;
  const std::unique_ptr<shell::Device> device = board();
  bridges::board::Config config;
  config.name = "router[3]";
  const auto error = [&] {
    const absl::StatusOr<std::unique_ptr<shell::Element>> element = shell::Element::create(*device, config);
    return element.ok() ? "" : std::string(element.status().message());
  };
  config.element = BoardElement::kNode;
  EXPECT_THAT(error(), HasSubstr("is a router and cannot be a node"));
  config.element = BoardElement::kExternalRouter;
  EXPECT_THAT(error(), HasSubstr("is a router of ExaNet and cannot be one of a user's own (EXTERNAL)"));
  device->write32(registers::kShapeOffset, 2 | 5 << registers::kShapePortsLow | 8 << registers::kShapeSlotsLow);
  device->write32(registers::kLinkOffset, link(64, 4, 2));
  config.words = {.vcs = 4, .word_bits = 64, .credit_words = 1};
  EXPECT_THAT(error(),
              HasSubstr("has links with 4 VCs of 64-bit words with a credit for 2, and those of the experiment "
                        "have 4 VCs of 64-bit words with a credit for 1"));
  config.words.credit_words = 2;
  config.router_clock = Clock(Frequency{100'000'000});
  config.ports[1].enabled = true;
  config.ports[1].word_clock = config.router_clock;
  config.ports[1].initial_credits = 256;
  EXPECT_THAT(error(), HasSubstr("counts at most 255 credits of a VC, and there are 256 at port 1"));
  config.ports[1].initial_credits = 32;
  EXPECT_THAT(error(), HasSubstr("has buffers for 64 credits of each VC, and those of the experiment are for 32; write "
                                 "router { buffer_words: 128 }"));

  config.element = BoardElement::kRouter;
  EXPECT_THAT(error(), HasSubstr("is a router of a user's own (EXTERNAL) and cannot be one of ExaNet"));
}

TEST_F(ShellDevice, AConfigurationThatTheBoardCannotBeIsRefused) {
  const std::unique_ptr<shell::Device> device = board();
  bridges::board::Config config;
  config.name = "router[3]";
  const auto error = [&] {
    const absl::StatusOr<std::unique_ptr<shell::Element>> element = shell::Element::create(*device, config);
    return element.ok() ? "" : std::string(element.status().message());
  };
  config.ports[9].enabled = true;
  EXPECT_THAT(error(), AllOf(HasSubstr("router[3]"), HasSubstr("has 7 ports, but no port 9")));
  config.ports[9].enabled = false;
  for (size_t p = 0; p < 5; ++p) {
    config.ports[p].enabled = true;
    config.ports[p].word_clock = Clock(Frequency{1'000'000 + static_cast<int64_t>(p)});
    config.router_clock = Clock(Frequency{1'000'000'000});
  }
  EXPECT_THAT(error(), HasSubstr("keeps 4 word clocks, and its links have 5"));
  config.ports[4].enabled = false;
  config.ports[3].word_clock = Clock(Frequency{2'000'000'000});
  EXPECT_THAT(error(), HasSubstr("cannot keep the word clock of the link at port 3"));
  config.ports[3].enabled = false;
  config.route_destinations = 8;
  EXPECT_THAT(error(), HasSubstr("has a route table of 0 destinations, and 8 are needed"));
  config.element = bridges::board::Element::kNode;
  EXPECT_THAT(error(), HasSubstr("is a router and cannot be a node"));
}

// So many edges are due in so many cycles of the shell's clock.
TEST_F(ShellDevice, PacesAClockThatDoesNotWait) {
  using shell::ClockMode;
  const std::unique_ptr<shell::Device> device = board();
  absl::StatusOr<shell::Identity> identity = shell::read_identity(*device);
  ASSERT_TRUE(identity.ok()) << identity.status();
  bridges::board::Config config;
  config.name = "router[3]";
  const auto write = [&](const Clock& clock, uint32_t shell_hertz, ClockMode mode) {
    config.router_clock = clock;
    identity->clock_hertz = shell_hertz;
    return shell::write_setup(*device, *identity, config, shell::Setup(), mode);
  };
  const auto pace = [&] {
    return std::pair(device->read32(registers::kPaceNumeratorOffset),
                     device->read32(registers::kPaceDenominatorOffset));
  };
  const Clock slow{Frequency{10'000}};
  ASSERT_TRUE(write(slow, 1'000'000, ClockMode::kPaced).ok());
  EXPECT_EQ(pace(), std::pair(1u, 100u));
  EXPECT_EQ(device->read32(registers::kModeOffset), 1u);
  ASSERT_TRUE(write(Clock(Frequency{156'250'000}), 250'000'000, ClockMode::kFree).ok());
  EXPECT_EQ(pace(), std::pair(5u, 8u));
  EXPECT_EQ(device->read32(registers::kModeOffset), 2u);
  ASSERT_TRUE(write(slow, 10'000, ClockMode::kPaced).ok());
  EXPECT_EQ(pace(), std::pair(1u, 1u));
  // 10^15 edges in 99 999 989 699 999 923 cycles have no common factor, and 25 bits too many.
  ASSERT_TRUE(write(Clock::from_period(1'000'000'007, 1), 99'999'989, ClockMode::kPaced).ok());
  EXPECT_GT(pace().second, 1u << 31);
  EXPECT_NEAR(static_cast<double>(pace().first) / pace().second, 1e15 / 99'999'989'699'999'923.0, 1e-9);
  // A gated clock has no pace.
  ASSERT_TRUE(write(slow, 0, ClockMode::kGated).ok());
  EXPECT_EQ(device->read32(registers::kModeOffset), 0u);
  for (const auto& [mode, name] : {std::pair(ClockMode::kPaced, "paced"), std::pair(ClockMode::kFree, "free")}) {
    const absl::Status refused = write(slow, 9'999, mode);
    EXPECT_EQ(refused.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(
        std::string(refused.message()),
        AllOf(HasSubstr("router[3]: the board at "),
              HasSubstr(std::string("window is ") + name +
                        ", and its shell's clock of 9999 Hz is slower than the element's; a gated board may be")));
  }
}

TEST_F(ShellDevice, RingsKeepRecordsThroughManyLaps) {
  const std::unique_ptr<shell::Device> device = board();
  constexpr uint32_t kSlots = 8;
  shell::RingTo to(*device, kRings, kSlots);
  shell::RingFrom from(*device, kRings, kSlots);
  shell::Slot found;
  EXPECT_FALSE(from.pop(found));
  uint64_t next = 0;
  for (int round = 0; round < 20; ++round) {
    uint64_t first = next;
    for (; !to.full(); ++next) {
      shell::Slot slot;
      slot.kind = shell::Kind::kWords;
      slot.edge = static_cast<int64_t>(next * 1000 + 7);
      slot.delta = {127, static_cast<uint8_t>(next % 128)};
      slot.port = static_cast<uint32_t>(next % 7);
      slot.vc = next % 2;
      slot.count = 3;
      slot.flags = 2;
      for (size_t w = 0; w < slot.words.size(); ++w) slot.words[w] = next * 6 + w;
      to.push(slot);
    }
    EXPECT_GT(next, first);
    for (; from.pop(found); ++first) {
      EXPECT_EQ(found.edge, static_cast<int64_t>(first * 1000 + 7));
      EXPECT_EQ(found.delta[0], 127);
      EXPECT_EQ(found.delta[1], first % 128);
      EXPECT_EQ(found.port, first % 7);
      EXPECT_EQ(found.vc, first % 2);
      EXPECT_EQ(found.count, 3);
      EXPECT_EQ(found.flags, 2);
      for (size_t w = 0; w < found.words.size(); ++w) EXPECT_EQ(found.words[w], first * 6 + w);
    }
    EXPECT_EQ(first, next);
    to.set_consumed(from.consumed());
  }
}

TEST(ShellSlot, HoldsCreditsInTheirOrder) {
  shell::Slot slot;
  for (int i = 0; i < shell::kCreditEntries; ++i) {
    slot.add_credit({static_cast<uint8_t>(i * 8), static_cast<uint8_t>(i % 2), static_cast<uint8_t>(255 - i)}, 1);
    ASSERT_EQ(slot.count, i + 1);
    for (int k = 0; k <= i; ++k) {
      const shell::CreditEntry entry = slot.credit(k, 1);
      EXPECT_EQ(entry.delta, k * 8);
      EXPECT_EQ(entry.vc, k % 2);
      EXPECT_EQ(entry.count, 255 - k);
    }
  }
  // The last one is lowest: delta in bits 6..0, VC in bit 7, count in bits 15..8.
  EXPECT_EQ(slot.words[0] & 0xffff, 15u * 8 | 1u << 7 | 240u << 8);
  EXPECT_EQ(slot.words[4] | slot.words[5], 0u);
}

TEST(ShellSlot, EntriesOfCreditsShareTheirBitsBetweenVcAndDelta) {
  for (int vc_bits = 1; vc_bits <= 5; ++vc_bits) {
    const auto last_vc = static_cast<uint8_t>((1 << vc_bits) - 1);
    const auto delta = static_cast<uint8_t>(shell::max_credit_delta(vc_bits));
    EXPECT_EQ(delta, (1 << (8 - vc_bits)) - 1);
    shell::Slot slot;
    slot.add_credit({0, last_vc, 255}, vc_bits);
    slot.add_credit({delta, 0, 1}, vc_bits);
    EXPECT_EQ(slot.words[0], 0xff00'01'00u + (uint64_t{last_vc} << (24 - vc_bits)) + delta);
    EXPECT_EQ(slot.credit(0, vc_bits).vc, last_vc);
    EXPECT_EQ(slot.credit(0, vc_bits).delta, 0);
    EXPECT_EQ(slot.credit(0, vc_bits).count, 255);
    EXPECT_EQ(slot.credit(1, vc_bits).vc, 0);
    EXPECT_EQ(slot.credit(1, vc_bits).delta, delta);
    EXPECT_EQ(slot.credit(1, vc_bits).count, 1);
  }
}

TEST_F(ShellDevice, SaysWhatLinksOfAnExternalRouterCarry) {
  const std::unique_ptr<shell::Device> device = board();
  device->write32(registers::kShapeOffset, 2 | 5 << registers::kShapePortsLow | 8 << registers::kShapeSlotsLow);
  for (const auto& [vcs, bits] : {std::pair{1, 1}, {2, 1}, {3, 2}, {4, 2}, {5, 3}, {32, 5}}) {
    device->write32(registers::kLinkOffset, link(64, static_cast<uint32_t>(vcs), 4));
    const absl::StatusOr<shell::Identity> identity = shell::read_identity(*device);
    ASSERT_TRUE(identity.ok()) << identity.status();
    EXPECT_EQ(identity->element, bridges::board::Element::kExternalRouter);
    EXPECT_EQ(identity->ports, 5);
    EXPECT_EQ(identity->words.vcs, vcs);
    EXPECT_EQ(identity->words.word_bits, 64);
    EXPECT_EQ(identity->words.credit_words, 4);
    EXPECT_EQ(identity->vc_bits(), bits) << vcs;
  }
  for (const uint32_t wrong : {link(0, 2, 1), link(100, 2, 1), link(64, 0, 1), link(64, 33, 1), link(64, 2, 0)}) {
    device->write32(registers::kLinkOffset, wrong);
    EXPECT_THAT(identity_error(*device), HasSubstr("known are words of 32, 64 and 128 bits on 1 to 32 VCs"));
  }
  device->write32(registers::kShapeOffset, 1 | 7 << registers::kShapePortsLow | 8 << registers::kShapeSlotsLow);
  device->write32(registers::kLinkOffset, link(64, 4, 1));
  EXPECT_THAT(identity_error(*device), HasSubstr("an ExaNet router whose links carry words of 64 bits on 4 VCs"));
  // Shells of before have no such register.
  device->write32(registers::kVersionOffset, registers::kVersionReset - 1);
  EXPECT_EQ(identity_error(*device), "");
  device->write32(registers::kShapeOffset, 2 | 5 << registers::kShapePortsLow | 8 << registers::kShapeSlotsLow);
  EXPECT_THAT(identity_error(*device), HasSubstr("has version 1.0, which does not say what its links carry"));
}

TEST_F(ShellDevice, TheSelftestStopsAtWhatIsWrong) {
  const std::unique_ptr<shell::Device> device = board();
  device->write32(registers::kIdentificationOffset, 0);
  const std::vector<shell::Check> checks = shell::test_board(*device);
  ASSERT_EQ(checks.size(), 1u);
  EXPECT_FALSE(checks[0].passed);
  EXPECT_THAT(shell::to_text(checks), AllOf(HasSubstr("FAIL identity"), HasSubstr("0 of 1 checks passed")));
}

TEST_F(ShellDeviceInSysfs, TheSelftestWarnsOfAClockThatIsNotAsFastAsItSays) {
  file("sys/class/uio/uio0/name", "fabrictwin\n");
  file("sys/class/uio/uio0/maps/map0/size", "0x2000\n");
  file("dev/uio0", std::string(0x2000, '\0'));
  const absl::StatusOr<std::unique_ptr<shell::Device>> hardware =
      shell::Device::open("uio:fabrictwin", shell::RingMemory::kWindow, folders_);
  ASSERT_TRUE(hardware.ok()) << hardware.status();
  const std::unique_ptr<shell::Device> verilated = open(folder_.write("window", std::string(kBytes, '\0')));
  const std::jthread heart([&](const std::stop_token& stop) {
    for (uint32_t beat = 1; !stop.stop_requested(); ++beat) {
      (*hardware)->write32(registers::kHeartbeatOffset, beat);
      verilated->write32(registers::kHeartbeatOffset, beat);
    }
  });
  const auto test = [](const shell::Device& device, uint32_t hertz) {
    return shell::test_heartbeat(device, {.clock_hertz = hertz}, std::chrono::minutes(5));
  };
  const shell::Check fast = test(**hardware, 1);
  EXPECT_TRUE(fast.passed);
  EXPECT_TRUE(fast.warning);
  EXPECT_THAT(shell::to_text({fast}),
              AllOf(HasSubstr("warn heartbeat "), HasSubstr("which is said to have 1 Hz: it is too fast; look at"),
                    HasSubstr("1 of 1 checks passed")));
  // A simulated clock is as fast as it can be, and what is not said is not wrong.
  EXPECT_FALSE(test(*verilated, 1).warning);
  EXPECT_FALSE(test(**hardware, 0).warning);
}

TEST_F(ShellDevice, TheSelftestNamesAClockThatStands) {
  const std::unique_ptr<shell::Device> device = board();
  const std::vector<shell::Check> checks = shell::test_board(*device, std::chrono::milliseconds(20));
  EXPECT_THAT(
      shell::to_text(checks),
      AllOf(HasSubstr("FAIL heartbeat      it stands at 0: does the shell have a clock, and is its reset high?"),
            HasSubstr("1 of 2 checks passed")));
}

}  // namespace
}  // namespace fabrictwin

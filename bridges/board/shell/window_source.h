// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the window of a board is: what the name of a window stands for on this machine.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bridges/board/shell/ring_memory.h"

namespace fabrictwin::bridges::board::shell {

/// Where the kernel shows its devices.
struct SystemFolders {
  std::string sys = "/sys";
  std::string dev = "/dev";
};

/// Memory of the host that the board reaches, too, for a ring; to be mapped.
struct HostMemory {
  int fd = -1;
  off_t offset = 0;
  size_t bytes = 0;
  uint64_t bus_address = 0;  ///< For the board.
  /// Lets the board reach what is mapped; empty if it does already.
  std::function<absl::Status(void* mapping)> attach;
};

/// An open window, to be mapped. Closes its files on destruction.
class WindowSource {
 public:
  /// Opens a window for its only user; `name` is one of those of Device::open(), whose errors these are. With `rings`
  /// in the host, it has memory for them.
  static absl::StatusOr<WindowSource> open(const std::string& name, RingMemory rings, const SystemFolders& folders);
  WindowSource() = default;
  WindowSource(WindowSource&& other) noexcept;
  WindowSource& operator=(WindowSource&& other) noexcept;
  WindowSource(const WindowSource&) = delete;
  WindowSource& operator=(const WindowSource&) = delete;
  ~WindowSource();

  /// What is mapped: `bytes` from `offset` on of `fd`, which begin `begin` bytes after the beginning of the window's
  /// first page.
  int fd = -1;
  off_t offset = 0;
  size_t begin = 0;
  size_t bytes = 0;
  bool simulated = false;  ///< The window is in a file, so that its shell is Verilated.
  std::optional<HostMemory> host;
  /// Files that stay open as long as the window is used, that of `host` among them.
  std::vector<int> kept;
};

/// Decimal, or hexadecimal after 0x.
std::optional<size_t> number_of(std::string_view text);

/// A function and a BAR of a PCI device, "0000:01:00.0/bar0".
struct PciBar {
  std::string device;
  int bar = 0;
};

/// Reads the name behind the prefix `kind` ("pci", "vfio"). `bar` is the BAR if the name has none; if it must have one,
/// it is negative. InvalidArgument if the name is none; NotFound if there is no such device.
absl::StatusOr<PciBar> find_pci(std::string_view kind, const std::string& name, int bar, const SystemFolders& folders);

/// Why a file of a window cannot be opened, after errno: PermissionDenied or NotFound.
absl::Status cannot_open(const std::string& name, const std::string& what, int error);

}  // namespace fabrictwin::bridges::board::shell

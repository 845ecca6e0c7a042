// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The memory window of a board with a shell: registers and rings behind a bus, or in a file that a Verilated shell
// maps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "bridges/board/shell/bus_guard.h"
#include "bridges/board/shell/window_source.h"

namespace fabrictwin::bridges::board::shell {

/// A mapped window. All accesses are single, aligned and of 4 or 8 bytes, and none reads in order to write: device
/// memory and buses promise no more. Memory that goes away (a file that is cut off, a device that is switched off)
/// reads all ones from then on. Unmaps on destruction. Any thread may read registers; only one uses the rest.
class Device {
 public:
  /// Maps a window for its only user. `name` is one of
  ///   FILE or FILE@OFFSET   a file, for a shell that is simulated, or a part of a device's memory
  ///   uio:NAME              map 0 of the UIO device of that name (/sys/class/uio/uio*/name)
  ///   pci:BDF/barN          a BAR of a PCI device, mapped as sysfs offers it
  ///   vfio:BDF[/barN]       a BAR, 0 if none is named, of a PCI device of vfio-pci
  ///   xdma:NAME             the BAR for the user's logic of a card of AMD's driver xdma, /dev/NAME_user
  /// NotFound if there is no such thing, PermissionDenied if it may not be opened, FailedPrecondition if somebody else
  /// uses it, or something is missing on this machine, or it is too small, InvalidArgument if the name is none of
  /// these. All say the name and what to do.
  /// With `rings` in the host, host_memory() is there; FailedPrecondition if that kind of window has none.
  static absl::StatusOr<std::unique_ptr<Device>> open(const std::string& name, RingMemory rings = RingMemory::kWindow,
                                                      const SystemFolders& folders = {});
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const std::string& name() const { return name_; }
  size_t bytes() const { return source_.bytes; }
  /// The window is in a file: the shell is Verilated, and its clock no clock.
  bool simulated() const { return source_.simulated; }
  /// Memory of the host that the board writes to, and its address there; null if there is none.
  Device* host_memory() const { return host_.get(); }
  uint64_t host_address() const { return host_address_; }

  uint32_t read32(size_t offset) const { return __atomic_load_n(at<uint32_t>(offset), __ATOMIC_RELAXED); }
  void write32(size_t offset, uint32_t value) { __atomic_store_n(at<uint32_t>(offset), value, __ATOMIC_RELAXED); }
  uint64_t read64(size_t offset) const { return __atomic_load_n(at<uint64_t>(offset), __ATOMIC_RELAXED); }
  void write64(size_t offset, uint64_t value) { __atomic_store_n(at<uint64_t>(offset), value, __ATOMIC_RELAXED); }

  /// What was written before is seen by the board before what is written after, also through write combining.
  static void order_writes();
  /// What was read before is older than what is read after.
  static void order_reads();

 private:
  Device(std::string name, void* mapping, WindowSource source);
  absl::Status add_host_memory();
  template <class T>
  T* at(size_t offset) const {
    return reinterpret_cast<T*>(base_ + offset);
  }

  std::string name_;
  WindowSource source_;
  void* mapping_;
  std::byte* base_;
  std::optional<BusGuard> guard_;
  std::unique_ptr<Device> host_;
  uint64_t host_address_ = 0;
};

}  // namespace fabrictwin::bridges::board::shell

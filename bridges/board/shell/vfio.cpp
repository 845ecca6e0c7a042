// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/board/shell/vfio.h"

#include <fcntl.h>
#include <linux/pci_regs.h>
#include <linux/vfio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>

#include "absl/status/status.h"
#include "fmt/format.h"

namespace fabrictwin::bridges::board::shell {
namespace {

constexpr std::string_view kDriver = "vfio-pci";

/// The last part of where a link in sysfs leads; empty if there is none.
std::string target_of(const std::filesystem::path& link) {
  std::error_code error;
  return std::filesystem::read_symlink(link, error).filename().string();
}

/// The group of a device that vfio-pci has.
absl::StatusOr<std::string> find_group(const std::string& name, const std::string& device,
                                       const SystemFolders& folders) {
  const std::filesystem::path folder = std::filesystem::path(folders.sys) / "bus/pci/devices" / device;
  std::string group = target_of(folder / "iommu_group");
  if (group.empty()) {
    return absl::FailedPreconditionError(fmt::format(
        "{}: the device is behind no IOMMU, without which VFIO gives nothing away: switch it on in the firmware and on "
        "the kernel's command line (intel_iommu=on), or use pci:{}/bar0, which needs none",
        name, device));
  }
  const std::string driver = target_of(folder / "driver");
  if (driver != kDriver) {
    return absl::FailedPreconditionError(fmt::format(
        "{0}: the device {1}, and must have {2}: modprobe {2}; echo {2} >/sys/bus/pci/devices/{3}/driver_override; "
        "{4}echo {3} >/sys/bus/pci/drivers_probe",
        name, driver.empty() ? "has no driver" : "has the driver " + driver, kDriver, device,
        driver.empty() ? "" : fmt::format("echo {0} >/sys/bus/pci/devices/{0}/driver/unbind; ", device)));
  }
  return group;
}

absl::StatusOr<int> open_file(const std::string& name, const std::string& path) {
  const int fd = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (fd >= 0) return fd;
  if (errno == EBUSY) return absl::FailedPreconditionError(fmt::format("{}: the board already has an agent", name));
  return cannot_open(name, path, errno);
}

/// The other devices of a group that keep it from being used.
std::string strangers_in(const std::string& group, const SystemFolders& folders) {
  std::string list;
  std::error_code error;
  for (const auto& entry :
       std::filesystem::directory_iterator(folders.sys + "/kernel/iommu_groups/" + group + "/devices", error)) {
    const std::string driver = target_of(entry.path() / "driver");
    if (driver.empty() || driver == kDriver) continue;
    list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", entry.path().filename().string(), driver);
  }
  return list;
}

absl::Status check_viable(const std::string& name, const std::string& group, int fd, const SystemFolders& folders) {
  vfio_group_status status{.argsz = sizeof status, .flags = 0};
  if (ioctl(fd, VFIO_GROUP_GET_STATUS, &status) != 0) {
    return absl::FailedPreconditionError(
        fmt::format("{}: {}/vfio/{} is no group of VFIO: {}", name, folders.dev, group, std::strerror(errno)));
  }
  if ((status.flags & VFIO_GROUP_FLAGS_VIABLE) != 0) return absl::OkStatus();
  return absl::FailedPreconditionError(fmt::format(
      "{}: group {} of the IOMMU is not viable: its other devices have drivers of their own, {}; give them to {} or "
      "take their drivers away, or put the card into another slot",
      name, group, strangers_in(group, folders), kDriver));
}

/// Puts the group into a container that has an IOMMU.
absl::Status set_iommu(const std::string& name, int container, int group) {
  const auto failure = [&](const std::string& what) {
    return absl::FailedPreconditionError(fmt::format("{}: {}: {}", name, what, std::strerror(errno)));
  };
  if (ioctl(container, VFIO_GET_API_VERSION) != VFIO_API_VERSION)
    return absl::FailedPreconditionError(fmt::format("{}: this kernel has another version of VFIO", name));
  if (ioctl(group, VFIO_GROUP_SET_CONTAINER, &container) != 0) return failure("VFIO does not take the group");
  if (ioctl(container, VFIO_SET_IOMMU, VFIO_TYPE1v2_IOMMU) == 0) return absl::OkStatus();
  return failure(errno == EPERM ? "the IOMMU does not remap interrupts, so the device could make any "
                                  "(vfio_iommu_type1.allow_unsafe_interrupts=1 permits it)"
                                : "VFIO has no driver of this IOMMU (modprobe vfio_iommu_type1)");
}

absl::StatusOr<vfio_region_info> region(const std::string& name, int device, uint32_t index) {
  vfio_region_info info{};
  info.argsz = sizeof info;
  info.index = index;
  if (ioctl(device, VFIO_DEVICE_GET_REGION_INFO, &info) == 0) return info;
  return absl::FailedPreconditionError(
      fmt::format("{}: VFIO says nothing of region {}: {}", name, index, std::strerror(errno)));
}

/// Lets the device answer reads and writes of its memory, and read and write that of the host.
absl::Status enable(const std::string& name, int device) {
  const absl::StatusOr<vfio_region_info> config = region(name, device, VFIO_PCI_CONFIG_REGION_INDEX);
  if (!config.ok()) return config.status();
  const auto at = static_cast<off_t>(config->offset + PCI_COMMAND);
  uint16_t command = 0;
  bool done = pread(device, &command, sizeof command, at) == sizeof command;
  command |= PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER;
  done = done && pwrite(device, &command, sizeof command, at) == sizeof command;
  return done ? absl::OkStatus()
              : absl::UnavailableError(
                    fmt::format("{}: cannot switch the memory of the device on: {}", name, std::strerror(errno)));
}

/// Memory of this process at an address of the IOMMU. It is pinned as long as the container is open.
absl::Status add_memory(const std::string& name, int container, WindowSource& source) {
  const int fd = memfd_create("fabrictwin-ring", MFD_CLOEXEC);
  if (fd >= 0) source.kept.push_back(fd);
  if (fd < 0 || ftruncate(fd, kHostRingBytes) != 0) {
    return absl::UnavailableError(
        fmt::format("{}: there is no memory for the ring from the board: {}", name, std::strerror(errno)));
  }
  const auto attach = [name, container](void* mapping) {
    vfio_iommu_type1_dma_map map{};
    map.argsz = sizeof map;
    map.flags = VFIO_DMA_MAP_FLAG_READ | VFIO_DMA_MAP_FLAG_WRITE;
    map.vaddr = reinterpret_cast<uint64_t>(mapping);
    map.iova = kHostRingAddress;
    map.size = kHostRingBytes;
    if (ioctl(container, VFIO_IOMMU_MAP_DMA, &map) == 0) return absl::OkStatus();
    return absl::FailedPreconditionError(
        fmt::format("{}: the IOMMU gives the device no {} bytes at {:#x}: {}{}", name, kHostRingBytes, kHostRingAddress,
                    std::strerror(errno), errno == ENOMEM ? "; `ulimit -l` must permit as much locked memory" : ""));
  };
  source.host =
      HostMemory{.fd = fd, .offset = 0, .bytes = kHostRingBytes, .bus_address = kHostRingAddress, .attach = attach};
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<WindowSource> open_vfio(const std::string& name, RingMemory rings, const SystemFolders& folders) {
  const absl::StatusOr<PciBar> bar = find_pci("vfio", name, 0, folders);
  if (!bar.ok()) return bar.status();
  const absl::StatusOr<std::string> group_name = find_group(name, bar->device, folders);
  if (!group_name.ok()) return group_name.status();
  WindowSource source;
  const absl::StatusOr<int> container = open_file(name, folders.dev + "/vfio/vfio");
  if (!container.ok()) return container.status();
  source.kept.push_back(*container);
  const absl::StatusOr<int> group = open_file(name, folders.dev + "/vfio/" + *group_name);
  if (!group.ok()) return group.status();
  source.kept.push_back(*group);
  if (absl::Status status = check_viable(name, *group_name, *group, folders); !status.ok()) return status;
  if (absl::Status status = set_iommu(name, *container, *group); !status.ok()) return status;
  source.fd = ioctl(*group, VFIO_GROUP_GET_DEVICE_FD, bar->device.c_str());
  if (source.fd < 0) {
    return absl::FailedPreconditionError(
        fmt::format("{}: VFIO does not give the device away: {}", name, std::strerror(errno)));
  }
  const absl::StatusOr<vfio_region_info> window = region(name, source.fd, static_cast<uint32_t>(bar->bar));
  if (!window.ok()) return window.status();
  if (window->size == 0)
    return absl::FailedPreconditionError(fmt::format("{}: the card has no BAR {}", name, bar->bar));
  if ((window->flags & VFIO_REGION_INFO_FLAG_MMAP) == 0) {
    return absl::FailedPreconditionError(
        fmt::format("{}: BAR {} of {} bytes cannot be mapped: it is smaller than a page, or not memory", name, bar->bar,
                    uint64_t{window->size}));
  }
  if (absl::Status status = enable(name, source.fd); !status.ok()) return status;
  source.offset = static_cast<off_t>(window->offset);
  source.bytes = window->size;
  if (rings == RingMemory::kWindow) return source;
  if (absl::Status status = add_memory(name, *container, source); !status.ok()) return status;
  return source;
}

}  // namespace fabrictwin::bridges::board::shell

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/board/shell/window_source.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "absl/status/status.h"
#include "bridges/board/shell/vfio.h"
#include "fmt/format.h"

namespace fabrictwin::bridges::board::shell {
namespace {

constexpr int kBars = 6;
constexpr uint64_t kMemoryResource = 0x200;  ///< IORESOURCE_MEM of Linux, in the third column of `resource`.

size_t page_bytes() { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }

std::string first_line(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  return line;
}

/// Opens a file that has one user at a time.
absl::StatusOr<WindowSource> open_alone(const std::string& name, const std::string& path) {
  WindowSource source;
  source.fd = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_SYNC);
  if (source.fd < 0) return cannot_open(name, "the board's window", errno);
  if (flock(source.fd, LOCK_EX | LOCK_NB) != 0)
    return absl::FailedPreconditionError(fmt::format("{}: the board already has an agent", name));
  return source;
}

/// Memory that a UIO device has beside its window: map 1, whose address the board knows, too.
absl::StatusOr<HostMemory> uio_memory(const std::string& name, const std::filesystem::path& device, int fd) {
  const std::filesystem::path map = device / "maps" / "map1";
  const std::optional<size_t> bytes = number_of(first_line(map / "size"));
  const std::optional<size_t> address = number_of(first_line(map / "addr"));
  if (!bytes || !address) {
    return absl::FailedPreconditionError(
        fmt::format("{}: the device has no second memory, which would be for the ring from the board: give it a part "
                    "of the processor's memory in the device tree, or leave --ring-memory out",
                    name));
  }
  if (*bytes < kHostRingBytes || *address % page_bytes() != 0) {
    return absl::FailedPreconditionError(fmt::format(
        "{}: the second memory of the device has {} bytes at {:#x}; a ring takes {} from the beginning of a page on",
        name, *bytes, *address, kHostRingBytes));
  }
  // Maps of a device are told apart by pages of the offset.
  return HostMemory{.fd = fd,
                    .offset = static_cast<off_t>(page_bytes()),
                    .bytes = kHostRingBytes,
                    .bus_address = *address,
                    .attach = {}};
}

absl::StatusOr<WindowSource> open_uio(const std::string& name, RingMemory rings, const SystemFolders& folders) {
  std::error_code error;
  std::string known;
  for (const auto& entry : std::filesystem::directory_iterator(folders.sys + "/class/uio", error)) {
    const std::string found = first_line(entry.path() / "name");
    if ("uio:" + found != name) {
      known += (known.empty() ? "" : ", ") + found;
      continue;
    }
    const std::filesystem::path map = entry.path() / "maps" / "map0";
    const std::optional<size_t> bytes = number_of(first_line(map / "size"));
    if (!bytes) return absl::NotFoundError(fmt::format("{}: the device has no memory", name));
    absl::StatusOr<WindowSource> source = open_alone(name, folders.dev + "/" + entry.path().filename().string());
    if (!source.ok()) return source;
    source->bytes = *bytes;
    // The memory of a device may begin in the midst of a page.
    source->begin = number_of(first_line(map / "offset")).value_or(0);
    if (source->begin % sizeof(uint64_t) != 0) {
      return absl::FailedPreconditionError(
          fmt::format("{}: its memory begins {} bytes after the beginning of a page, which is no multiple of {}: look "
                      "at its address in the device tree",
                      name, source->begin, sizeof(uint64_t)));
    }
    if (rings == RingMemory::kWindow) return source;
    absl::StatusOr<HostMemory> host = uio_memory(name, entry.path(), source->fd);
    if (!host.ok()) return host.status();
    source->host = *std::move(host);
    return source;
  }
  return absl::NotFoundError(fmt::format("{}: there is no UIO device of that name; there {}", name,
                                         known.empty() ? "are none" : "are " + known));
}

absl::Status no_host_memory(const std::string& name, const std::string& why) {
  return absl::FailedPreconditionError(
      fmt::format("{}: {}, so the ring from the board must be in its window: leave --ring-memory out", name, why));
}

/// What the kernel says of a BAR: a line of the file `resource` of its device.
struct BarResource {
  uint64_t start = 0;
  uint64_t end = 0;
  uint64_t flags = 0;
};

BarResource read_resource(const std::filesystem::path& folder, int bar) {
  std::ifstream in(folder / "resource");
  BarResource resource;
  in >> std::hex;
  for (int i = 0; i <= bar; ++i) in >> resource.start >> resource.end >> resource.flags;
  return resource;
}

absl::StatusOr<WindowSource> open_bar(const std::string& name, const SystemFolders& folders) {
  const absl::StatusOr<PciBar> bar = find_pci("pci", name, -1, folders);
  if (!bar.ok()) return bar.status();
  const std::filesystem::path folder = std::filesystem::path(folders.sys) / "bus/pci/devices" / bar->device;
  const BarResource resource = read_resource(folder, bar->bar);
  const auto refuse = [&](const std::string& what) { return absl::FailedPreconditionError(name + ": " + what); };
  if (resource.end == 0) {
    return refuse(fmt::format("the card has no BAR {}, or the kernel has found no address for it (`dmesg`)", bar->bar));
  }
  if ((resource.flags & kMemoryResource) == 0)
    return refuse(fmt::format("BAR {} is no memory, but I/O ports", bar->bar));
  if (resource.start % page_bytes() != 0) {
    return refuse(
        fmt::format("BAR {} begins at {:#x}, in the midst of a page of {} bytes, and cannot be mapped alone; "
                    "`pci=resource_alignment={}@{}` on the kernel's command line moves it",
                    bar->bar, resource.start, page_bytes(), std::countr_zero(page_bytes()), bar->device));
  }
  absl::StatusOr<WindowSource> source = open_alone(name, (folder / fmt::format("resource{}", bar->bar)).string());
  if (source.ok()) source->bytes = static_cast<size_t>(resource.end - resource.start + 1);
  return source;
}

/// The BAR of AMD's driver for its DMA IP (dma_ip_drivers, XDMA) that leads to the logic of the user: BAR 0 of the
/// card.
absl::StatusOr<WindowSource> open_xdma(const std::string& name, const SystemFolders& folders) {
  const std::string file = name.substr(name.find(':') + 1) + "_user";
  const std::filesystem::path folder = std::filesystem::path(folders.sys) / "class/xdma" / file;
  if (!std::filesystem::exists(folder)) {
    return absl::NotFoundError(
        fmt::format("{}: there is no {}/{}: is the driver xdma loaded, has it found the card (`dmesg`), and does the "
                    "design have the "
                    "AXI4-Lite master of the DMA IP?",
                    name, folders.dev, file));
  }
  absl::StatusOr<WindowSource> source = open_alone(name, folders.dev + "/" + file);
  if (!source.ok()) return source;
  const BarResource resource = read_resource(folder / "device", 0);
  if (resource.end != 0) source->bytes = static_cast<size_t>(resource.end - resource.start + 1);
  return source;
}

/// The file that a Verilated shell has beside its window.
absl::Status add_file_memory(const std::string& name, WindowSource& source) {
  const int fd = ::open((name + kHostFileSuffix).c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0) {
    return absl::FailedPreconditionError(fmt::format(
        "{0}: there is no {0}{1}, which `fabrictwin board --shell --host-memory` makes (soft boards have none): {2}",
        name, kHostFileSuffix, std::strerror(errno)));
  }
  source.kept.push_back(fd);
  struct stat status {};
  if (fstat(fd, &status) != 0 || static_cast<size_t>(status.st_size) < kHostRingBytes) {
    return absl::FailedPreconditionError(
        fmt::format("{}{}: has {} bytes, and a ring takes {}", name, kHostFileSuffix, status.st_size, kHostRingBytes));
  }
  source.host =
      HostMemory{.fd = fd, .offset = 0, .bytes = kHostRingBytes, .bus_address = kHostRingAddress, .attach = {}};
  return absl::OkStatus();
}

absl::StatusOr<WindowSource> open_file(const std::string& name, RingMemory rings) {
  const size_t at = name.rfind('@');
  std::optional<size_t> offset = 0;
  if (at != std::string::npos) offset = number_of(std::string_view(name).substr(at + 1));
  if (!offset || *offset % sizeof(uint64_t) != 0) {
    return absl::InvalidArgumentError(
        fmt::format("{}: what follows @ must be an offset in bytes, a multiple of {}", name, sizeof(uint64_t)));
  }
  absl::StatusOr<WindowSource> source = open_alone(name, name.substr(0, at));
  if (!source.ok()) return source;
  struct stat status {};
  if (fstat(source->fd, &status) != 0) return cannot_open(name, "the board's window", errno);
  source->bytes = static_cast<size_t>(status.st_size) - std::min(*offset, static_cast<size_t>(status.st_size));
  source->simulated = S_ISREG(status.st_mode);
  source->begin = *offset % page_bytes();
  source->offset = static_cast<off_t>(*offset - source->begin);
  if (rings == RingMemory::kWindow) return source;
  if (at != std::string::npos) return no_host_memory(name, "a part of a file has no memory beside it");
  if (absl::Status status = add_file_memory(name, *source); !status.ok()) return status;
  return source;
}

}  // namespace

std::optional<size_t> number_of(std::string_view text) {
  const bool hex = text.starts_with("0x");
  if (hex) text.remove_prefix(2);
  size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

absl::StatusOr<PciBar> find_pci(std::string_view kind, const std::string& name, int bar, const SystemFolders& folders) {
  const std::string rest = name.substr(kind.size() + 1);
  const size_t slash = rest.find('/');
  PciBar found{rest.substr(0, slash), bar};
  if (slash != std::string::npos) {
    const std::string text = rest.substr(slash + 1);
    const std::optional<size_t> number = text.starts_with("bar") ? number_of(text.substr(3)) : std::nullopt;
    found.bar = number && *number < kBars ? static_cast<int>(*number) : -1;
  }
  if (found.bar < 0) {
    return absl::InvalidArgumentError(fmt::format("{}: say which BAR, as in {}:0000:01:00.0/bar0", name, kind));
  }
  if (found.device.empty() || !std::filesystem::exists(folders.sys + "/bus/pci/devices/" + found.device)) {
    return absl::NotFoundError(fmt::format(
        "{}: there is no PCI device {}; `ls /sys/bus/pci/devices` shows which there are", name, found.device));
  }
  return found;
}

absl::Status cannot_open(const std::string& name, const std::string& what, int error) {
  const std::string text = fmt::format("{}: cannot open {}: {}", name, what, std::strerror(error));
  return error == EACCES || error == EPERM ? absl::PermissionDeniedError(text) : absl::NotFoundError(text);
}

absl::StatusOr<WindowSource> WindowSource::open(const std::string& name, RingMemory rings,
                                                const SystemFolders& folders) {
  if (name.starts_with("uio:")) return open_uio(name, rings, folders);
  if (name.starts_with("vfio:")) return open_vfio(name, rings, folders);
  const bool pci = name.starts_with("pci:");
  if (pci || name.starts_with("xdma:")) {
    if (rings == RingMemory::kHost) {
      return no_host_memory(name, pci ? "a card without VFIO is given no memory of the host (use vfio:BDF)"
                                      : "the driver xdma gives a card no memory that a program chooses");
    }
    return pci ? open_bar(name, folders) : open_xdma(name, folders);
  }
  return open_file(name, rings);
}

WindowSource::WindowSource(WindowSource&& other) noexcept { *this = std::move(other); }

WindowSource& WindowSource::operator=(WindowSource&& other) noexcept {
  std::swap(fd, other.fd);
  std::swap(offset, other.offset);
  std::swap(begin, other.begin);
  std::swap(bytes, other.bytes);
  std::swap(simulated, other.simulated);
  std::swap(host, other.host);
  std::swap(kept, other.kept);
  return *this;
}

WindowSource::~WindowSource() {
  if (fd >= 0) close(fd);
  for (const int file : kept) close(file);
}

}  // namespace fabrictwin::bridges::board::shell

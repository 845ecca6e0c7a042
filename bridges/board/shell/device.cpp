// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/board/shell/device.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace fabrictwin::bridges::board::shell {
namespace {

constexpr size_t kLeastBytes = 0x1000;  ///< The registers.

/// A part of a file to be mapped.
struct Source {
  std::string path;
  size_t offset = 0;
  size_t bytes = 0;  ///< 0: as far as the file goes.
};

/// Decimal, or hexadecimal after 0x.
std::optional<size_t> number_of(std::string_view text) {
  const bool hex = text.starts_with("0x");
  if (hex) text.remove_prefix(2);
  size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string first_line(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  return line;
}

absl::StatusOr<Source> find_uio(const std::string& name) {
  std::error_code error;
  std::string known;
  for (const auto& entry : std::filesystem::directory_iterator("/sys/class/uio", error)) {
    const std::string found = first_line(entry.path() / "name");
    if (found != name) {
      known += (known.empty() ? "" : ", ") + found;
      continue;
    }
    const std::filesystem::path map = entry.path() / "maps" / "map0";
    const std::optional<size_t> bytes = number_of(first_line(map / "size"));
    if (!bytes) return absl::NotFoundError(fmt::format("uio:{}: the device has no memory", name));
    return Source{"/dev/" + entry.path().filename().string(), 0, *bytes};
  }
  return absl::NotFoundError(fmt::format("uio:{}: there is no UIO device of that name; there {}", name,
                                         known.empty() ? "are none" : "are " + known));
}

absl::StatusOr<Source> find_bar(const std::string& name) {
  const size_t slash = name.find('/');
  const std::string device = name.substr(0, slash);
  const std::string bar = slash == std::string::npos ? "" : name.substr(slash + 1);
  const std::optional<size_t> number = bar.starts_with("bar") ? number_of(bar.substr(3)) : std::nullopt;
  if (!number || *number > 5)
    return absl::InvalidArgumentError(fmt::format("pci:{}: say which BAR, as in pci:0000:01:00.0/bar0", name));
  const std::filesystem::path folder = std::filesystem::path("/sys/bus/pci/devices") / device;
  if (!std::filesystem::exists(folder)) {
    return absl::NotFoundError(fmt::format(
        "pci:{}: there is no PCI device {}; `ls /sys/bus/pci/devices` shows which there are", name, device));
  }
  return Source{(folder / fmt::format("resource{}", *number)).string()};
}

absl::StatusOr<Source> find(const std::string& name) {
  if (name.starts_with("uio:")) return find_uio(name.substr(4));
  if (name.starts_with("pci:")) return find_bar(name.substr(4));
  const size_t at = name.rfind('@');
  if (at == std::string::npos) return Source{name};
  const std::optional<size_t> offset = number_of(std::string_view(name).substr(at + 1));
  if (!offset || *offset % sizeof(uint64_t) != 0) {
    return absl::InvalidArgumentError(
        fmt::format("{}: what follows @ must be an offset in bytes, a multiple of {}", name, sizeof(uint64_t)));
  }
  return Source{name.substr(0, at), *offset};
}

}  // namespace

absl::StatusOr<std::unique_ptr<Device>> Device::open(const std::string& name) {
  absl::StatusOr<Source> source = find(name);
  if (!source.ok()) return source.status();
  const int fd = ::open(source->path.c_str(), O_RDWR | O_CLOEXEC | O_SYNC);
  if (fd < 0) {
    const std::string what = fmt::format("{}: cannot open the board's window: {}", name, std::strerror(errno));
    return errno == EACCES || errno == EPERM ? absl::PermissionDeniedError(what) : absl::NotFoundError(what);
  }
  const auto refuse = [fd](absl::Status error) {
    close(fd);
    return error;
  };
  if (flock(fd, LOCK_EX | LOCK_NB) != 0)
    return refuse(absl::FailedPreconditionError(fmt::format("{}: the board already has an agent", name)));
  if (source->bytes == 0) {
    struct stat status {};
    if (fstat(fd, &status) != 0 || static_cast<size_t>(status.st_size) < source->offset + kLeastBytes) {
      return refuse(absl::FailedPreconditionError(
          fmt::format("{}: is no board's memory window: {} bytes, and registers alone take {}", name, status.st_size,
                      kLeastBytes)));
    }
    source->bytes = static_cast<size_t>(status.st_size) - source->offset;
  }
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t begin = source->offset % page;
  const size_t mapped = begin + source->bytes;
  void* mapping =
      mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_SHARED, fd, static_cast<off_t>(source->offset - begin));
  if (mapping == MAP_FAILED) {
    return refuse(
        absl::UnavailableError(fmt::format("{}: cannot map the board's window: {}", name, std::strerror(errno))));
  }
  return std::unique_ptr<Device>(new Device(name, mapping, mapped, begin, fd));
}

Device::Device(std::string name, void* mapping, size_t mapped, size_t begin, int fd)
    : name_(std::move(name)),
      mapping_(mapping),
      mapped_(mapped),
      base_(static_cast<std::byte*>(mapping) + begin),
      bytes_(mapped - begin),
      fd_(fd) {}

Device::~Device() {
  munmap(mapping_, mapped_);
  close(fd_);
}

void Device::order_writes() {
#if defined(__x86_64__)
  _mm_sfence();
#elif defined(__aarch64__)
  // Device memory is in the outer shareable domain, which a fence of C++ does not reach.
  asm volatile("dmb oshst" ::: "memory");
#else
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

void Device::order_reads() {
#if defined(__aarch64__)
  asm volatile("dmb oshld" ::: "memory");
#else
  std::atomic_thread_fence(std::memory_order_acquire);
#endif
}

}  // namespace fabrictwin::bridges::board::shell

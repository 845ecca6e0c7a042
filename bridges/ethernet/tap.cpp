// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

#include "bridges/ethernet/tap.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/status/status.h"

namespace fabrictwin::bridges::ethernet {
namespace {

constexpr size_t kLongestFrame = 65536;

}  // namespace

absl::StatusOr<Tap> Tap::open(const std::string& name) {
  if (name.empty() || name.size() >= IFNAMSIZ || name.find_first_of("/ %") != std::string::npos) {
    return absl::InvalidArgumentError(fmt::format(
        "--tap: \"{}\" is no name of a network device: 1 to {} characters without / and spaces", name, IFNAMSIZ - 1));
  }
  Tap tap(::open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC), name);
  if (tap.file_ < 0)
    return absl::UnavailableError(fmt::format("--tap: cannot open /dev/net/tun: {}", std::strerror(errno)));
  ifreq request{};
  std::copy(name.begin(), name.end(), request.ifr_name);
  request.ifr_flags = IFF_TAP | IFF_NO_PI;
  if (ioctl(tap.file_, TUNSETIFF, &request) != 0) {
    return absl::UnavailableError(
        fmt::format("--tap: cannot make the device {}: {}; it takes CAP_NET_ADMIN, which \"unshare -rn\" gives", name,
                    std::strerror(errno)));
  }
  return tap;
}

Tap::Tap(Tap&& other) noexcept
    : file_(std::exchange(other.file_, -1)), name_(std::move(other.name_)), dropped_(other.dropped_) {}

Tap::~Tap() {
  if (file_ >= 0) close(file_);
}

absl::StatusOr<std::optional<std::vector<uint8_t>>> Tap::read(int wait_ms) {
  pollfd waiting{.fd = file_, .events = POLLIN, .revents = 0};
  if (poll(&waiting, 1, wait_ms) <= 0) return std::nullopt;
  std::vector<uint8_t> frame(kLongestFrame);
  const ssize_t bytes = ::read(file_, frame.data(), frame.size());
  if (bytes < 0 && errno != EAGAIN && errno != EINTR) {
    return absl::UnavailableError(
        fmt::format("--tap: cannot read from {}: {}; was the device removed?", name_, std::strerror(errno)));
  }
  if (bytes <= 0) return std::nullopt;
  frame.resize(static_cast<size_t>(bytes));
  return frame;
}

void Tap::wait(const std::vector<Tap>& taps, int wait_ms) {
  std::vector<pollfd> waiting;
  for (const Tap& tap : taps) waiting.push_back({.fd = tap.file_, .events = POLLIN, .revents = 0});
  poll(waiting.data(), waiting.size(), wait_ms);
}

void Tap::write(const std::vector<uint8_t>& frame) {
  if (::write(file_, frame.data(), frame.size()) != static_cast<ssize_t>(frame.size())) ++dropped_;
}

}  // namespace fabrictwin::bridges::ethernet

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/protocol/fd_handover.h"

#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "fmt/format.h"

namespace fabrictwin::bridges::protocol {
namespace {

constexpr size_t kMaxRunId = 256;

struct SocketAddress {
  sockaddr_un address{};
  socklen_t length = 0;
};

absl::StatusOr<SocketAddress> make_address(const std::string& name) {
  SocketAddress result;
  result.address.sun_family = AF_UNIX;
  if (name.size() < 2 || name.size() >= sizeof result.address.sun_path) {
    return absl::InvalidArgumentError(fmt::format("\"{}\" cannot be the name of a hand-over socket", name));
  }
  std::memcpy(result.address.sun_path, name.data(), name.size());
  if (name[0] == '@') result.address.sun_path[0] = '\0';
  result.length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size() + (name[0] == '@' ? 0 : 1));
  return result;
}

absl::Status failure(const std::string& what) {
  return absl::UnavailableError(fmt::format("{}: {}", what, std::strerror(errno)));
}

bool same_user(int socket) {
  ucred credentials{};
  socklen_t length = sizeof credentials;
  return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 && credentials.uid == geteuid();
}

/// Space for the control message of one descriptor.
union Control {
  cmsghdr align;
  char bytes[CMSG_SPACE(sizeof(int))];
};

/// A message of one piece of data and one control message; both must outlive it.
msghdr message_of_one(iovec& data, Control& control) {
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control.bytes;
  message.msg_controllen = sizeof control.bytes;
  return message;
}

/// All descriptors that came with a message, which are open, whether somebody wants them or not.
std::vector<int> descriptors_of(msghdr& message) {
  std::vector<int> descriptors;
  for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    for (size_t at = CMSG_LEN(0); at + sizeof(int) <= header->cmsg_len; at += sizeof(int)) {
      int fd = -1;
      std::memcpy(&fd, reinterpret_cast<const char*>(header) + at, sizeof fd);
      descriptors.push_back(fd);
    }
  }
  return descriptors;
}

/// The descriptor that was sent with `run_id` on a connection, or nullopt. A message with several is not that of a run.
std::optional<int> take(int connection, const std::string& run_id) {
  char text[kMaxRunId];
  iovec data{text, sizeof text};
  Control control{};
  msghdr message = message_of_one(data, control);
  const ssize_t length = recvmsg(connection, &message, MSG_CMSG_CLOEXEC);
  if (length < 0) return {};
  const std::vector<int> descriptors = descriptors_of(message);
  if (descriptors.size() == 1 && std::string_view(text, static_cast<size_t>(length)) == run_id) return descriptors[0];
  for (const int fd : descriptors) close(fd);
  return {};
}

}  // namespace

absl::StatusOr<std::unique_ptr<HandoverListener>> HandoverListener::create() {
  uint64_t random[2] = {};
  if (getrandom(random, sizeof random, 0) != sizeof random) return failure("no random numbers");
  const std::string name = fmt::format("@fabrictwin-{:016x}{:016x}", random[0], random[1]);
  const absl::StatusOr<SocketAddress> address = make_address(name);
  if (!address.ok()) return address.status();
  const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (fd < 0) return failure("cannot make a hand-over socket");
  std::unique_ptr<HandoverListener> listener(new HandoverListener(fd, name));
  if (bind(fd, reinterpret_cast<const sockaddr*>(&address->address), address->length) != 0 || listen(fd, 8) != 0) {
    return failure("cannot listen at the hand-over socket");
  }
  return listener;
}

HandoverListener::~HandoverListener() { close(fd_); }

absl::StatusOr<int> HandoverListener::receive(const std::string& run_id, std::chrono::milliseconds at_most) {
  const auto deadline = std::chrono::steady_clock::now() + at_most;
  while (true) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0)
      return absl::DeadlineExceededError("the shared memory of the run was not handed over in time");
    pollfd event{fd_, POLLIN, 0};
    if (poll(&event, 1, static_cast<int>(left.count())) <= 0) continue;
    const int connection = accept4(fd_, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0) continue;
    // The sender has sent the descriptor before it asks for its receipt, so a connection without data is that of
    // another process.
    pollfd data{connection, POLLIN, 0};
    std::optional<int> fd;
    if (same_user(connection) && poll(&data, 1, 0) > 0) fd = take(connection, run_id);
    close(connection);
    if (fd) return *fd;
  }
}

absl::StatusOr<int> connect_handover(const std::string& name) {
  const absl::StatusOr<SocketAddress> address = make_address(name);
  if (!address.ok()) return address.status();
  const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (fd < 0) return failure("cannot make a socket");
  if (connect(fd, reinterpret_cast<const sockaddr*>(&address->address), address->length) != 0) {
    const absl::Status status = failure(fmt::format("cannot reach the hand-over socket {}", name));
    close(fd);
    return status;
  }
  if (!same_user(fd)) {
    close(fd);
    return absl::PermissionDeniedError(fmt::format("the hand-over socket {} belongs to another user", name));
  }
  return fd;
}

absl::Status send_descriptor(int socket, const std::string& run_id, int fd) {
  if (run_id.empty() || run_id.size() > kMaxRunId)
    return absl::InvalidArgumentError("the name of the run is empty or too long");
  iovec data{const_cast<char*>(run_id.data()), run_id.size()};
  Control control{};
  msghdr message = message_of_one(data, control);
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(header), &fd, sizeof fd);
  if (sendmsg(socket, &message, MSG_NOSIGNAL) != static_cast<ssize_t>(run_id.size())) {
    return failure("cannot hand the shared memory over");
  }
  return absl::OkStatus();
}

}  // namespace fabrictwin::bridges::protocol

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/server/server.h"

#include <grpc/support/log.h>
#include <grpcpp/grpcpp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string_view>

#include "bridges/protocol/protocol.h"
#include "bridges/protocol/tls.h"
#include "fmt/format.h"
#include "spdlog/spdlog.h"

namespace fabrictwin::bridges::server {
namespace {

// Calls in progress get so long to end when somebody stops the server, before they are cancelled.
constexpr std::chrono::milliseconds kFarewell{100};
// The answer to Stop may be large, and its caller slow, when a worker that serves one run ends by itself.
constexpr std::chrono::milliseconds kAnswerPatience{30'000};

constexpr std::string_view kUnix = "unix:";

bool somebody_listens(const std::string& path) {
  sockaddr_un address{};
  if (path.size() >= sizeof address.sun_path) return false;
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return false;
  const bool connected = connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  // Somebody whose queue of connections is full.
  const bool full = !connected && errno == EAGAIN;
  close(fd);
  return connected || full;
}

// What is in the way of a socket, or empty. gRPC takes the place of any socket that is there, also of one at which
// another process listens, and whoever ends first removes that of the other.
std::string unix_obstacle(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code unknown;
  const fs::path folder = fs::path(path).parent_path();
  if (!folder.empty() && fs::status(folder, unknown).type() == fs::file_type::not_found)
    return fmt::format("there is no folder {}; make it, or write another path", folder.string());
  const fs::file_type there = fs::status(path, unknown).type();
  if (there == fs::file_type::not_found || there == fs::file_type::none) return "";
  if (there != fs::file_type::socket) return "that is there and is no socket; write another path";
  return somebody_listens(path) ? "another process listens there; end it, or write another path" : "";
}

}  // namespace

void ServerEnd::wait(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, stop, [this] { return requested_; });
}

absl::Status end_with_parent(int parent_pid) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent_pid) {
    return absl::FailedPreconditionError(fmt::format("process {} is not the parent of this one", parent_pid));
  }
  return absl::OkStatus();
}

void say_ready(int fd, const std::string& line) {
  const std::string text = line + "\n";
  // An error means that the parent has ended and needs no answer.
  [[maybe_unused]] const ssize_t written = write(fd, text.data(), text.size());
  close(fd);
}

absl::Status serve_bridge(const Options& options, v1::Bridge::Service& service, ServerEnd& end) {
  if (options.parent_pid != 0) {
    if (absl::Status status = end_with_parent(options.parent_pid); !status.ok()) return status;
  }
  if (options.listen.starts_with(kUnix)) {
    const std::string obstacle = unix_obstacle(options.listen.substr(kUnix.size()));
    if (!obstacle.empty())
      return absl::UnavailableError(fmt::format("cannot listen at {}: {}", options.listen, obstacle));
  }
  const absl::StatusOr<std::shared_ptr<grpc::ServerCredentials>> credentials =
      protocol::server_credentials(options.listen, options.security);
  if (!credentials.ok()) return credentials.status();
  // The error below says it; gRPC would print a line of its own before.
  gpr_set_log_function([](gpr_log_func_args* line) { spdlog::debug("gRPC: {}", line->message); });
  grpc::ServerBuilder builder;
  protocol::configure_server(builder);
  int port = 0;
  builder.AddListeningPort(options.listen, *credentials, &port);
  builder.RegisterService(&service);
  const std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  gpr_set_log_function(nullptr);
  if (!server || port == 0) {
    return absl::UnavailableError(
        fmt::format("cannot listen at {}: the address is wrong, in use, or not of this host{}", options.listen,
                    options.security.tls.has_value() ? ", or certificate, key and authorities do not fit" : ""));
  }
  std::string address = options.listen;
  if (!address.starts_with(kUnix)) address = address.substr(0, address.rfind(':') + 1) + std::to_string(port);
  spdlog::log(options.ready_fd < 0 ? spdlog::level::info : spdlog::level::debug, "listening at {}{}", address,
              options.security.tls.has_value() ? " with TLS" : "");
  if (options.ready_fd >= 0) say_ready(options.ready_fd, address);
  end.wait(options.stop);
  server->Shutdown(std::chrono::system_clock::now() + (options.stop.stop_requested() ? kFarewell : kAnswerPatience));
  return absl::OkStatus();
}

}  // namespace fabrictwin::bridges::server

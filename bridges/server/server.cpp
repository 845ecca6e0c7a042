// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/server/server.h"

#include <grpc/support/log.h>
#include <grpcpp/grpcpp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <chrono>
#include <memory>

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
  if (!address.starts_with("unix:")) address = address.substr(0, address.rfind(':') + 1) + std::to_string(port);
  spdlog::log(options.ready_fd < 0 ? spdlog::level::info : spdlog::level::debug, "listening at {}{}", address,
              options.security.tls.has_value() ? " with TLS" : "");
  if (options.ready_fd >= 0) say_ready(options.ready_fd, address);
  end.wait(options.stop);
  server->Shutdown(std::chrono::system_clock::now() + (options.stop.stop_requested() ? kFarewell : kAnswerPatience));
  return absl::OkStatus();
}

}  // namespace fabrictwin::bridges::server

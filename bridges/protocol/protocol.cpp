// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/protocol/protocol.h"

#include <grpcpp/grpcpp.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "cosim/base/version.h"
#include "fmt/format.h"

namespace fabrictwin::bridges::protocol {
namespace {

// The window is large enough that a blob never waits for a window update on the same host.
constexpr int kWindowBytes = 16 << 20;

std::string range(uint32_t min_version, uint32_t max_version) {
  return min_version == max_version ? fmt::format("{}", min_version)
                                    : fmt::format("{} to {}", min_version, max_version);
}

}  // namespace

v1::HelloRequest make_hello() {
  v1::HelloRequest hello;
  hello.set_min_version(kProtocolMin);
  hello.set_max_version(kProtocolMax);
  hello.set_software(kVersion);
  return hello;
}

v1::HelloResponse make_hello_response() {
  v1::HelloResponse hello;
  hello.set_min_version(kProtocolMin);
  hello.set_max_version(kProtocolMax);
  hello.set_software(kVersion);
  hello.set_boot_id(boot_id());
  hello.set_pid(getpid());
  hello.set_marks(true);
  hello.set_faults(true);
  return hello;
}

absl::Status check_versions(std::string_view who, uint32_t min_version, uint32_t max_version,
                            std::string_view software) {
  if (std::max(min_version, kProtocolMin) <= std::min(max_version, kProtocolMax)) return absl::OkStatus();
  return absl::FailedPreconditionError(
      fmt::format("{} (version {}) speaks bridge protocol {}, this side (version {}) speaks {}; use the same version "
                  "of fabrictwin on both",
                  who, software.empty() ? "unknown" : software, range(min_version, max_version), kVersion,
                  range(kProtocolMin, kProtocolMax)));
}

std::string boot_id() {
  std::string id;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> id;
  return id;
}

void configure_channel(grpc::ChannelArguments& arguments) {
  arguments.SetMaxReceiveMessageSize(-1);
  arguments.SetMaxSendMessageSize(-1);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  arguments.SetInt(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  arguments.SetInt(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, kWindowBytes);
  // A process may join one worker after another at the same address; they must not share a broken connection.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
}

void configure_server(grpc::ServerBuilder& builder) {
  builder.SetMaxReceiveMessageSize(-1);
  builder.SetMaxSendMessageSize(-1);
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, kWindowBytes);
}

}  // namespace fabrictwin::bridges::protocol

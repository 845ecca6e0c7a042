// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Which versions of the bridge protocol this software speaks, and how two sides agree on one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "fabrictwin/v1/bridge.grpc.pb.h"

namespace grpc {
class ChannelArguments;
class ServerBuilder;
}  // namespace grpc

namespace fabrictwin::bridges::protocol {

/// The oldest and newest version of docs/bridge-protocol.md that this software speaks.
inline constexpr uint32_t kProtocolMin = 1;
inline constexpr uint32_t kProtocolMax = 1;

/// The first message of a run to a place.
v1::HelloRequest make_hello();

/// The answer of a place, without its capabilities.
v1::HelloResponse make_hello_response();

/// FailedPrecondition, naming both ranges, unless there is a version that both sides speak. `who` is the other side
/// ("worker 10.0.0.2:7000").
absl::Status check_versions(std::string_view who, uint32_t min_version, uint32_t max_version,
                            std::string_view software);

/// The identity of the running operating system; empty if it cannot be read.
std::string boot_id();

/// Sets the options that both sides of a bridge use: messages of any size, no proxies, no bandwidth probes.
void configure_channel(grpc::ChannelArguments& arguments);
void configure_server(grpc::ServerBuilder& builder);

}  // namespace fabrictwin::bridges::protocol

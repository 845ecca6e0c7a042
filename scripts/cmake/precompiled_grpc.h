// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What bridges, and who uses them, add.

#include <grpcpp/grpcpp.h>

#include "fabrictwin/v1/bridge.grpc.pb.h"

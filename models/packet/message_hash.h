// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The hash of a body that nobody carries.
#pragma once

#include <cstdint>

#include "models/message.h"

namespace fabrictwin {

/// What NetworkInterface computes as IncomingMessage::body_hash when all bytes of a body arrive as its key says: XXH3
/// over the pieces of an ExaNet message, 224 bytes beside the envelope and 256 in each further packet, each seeded with
/// the hash before it. Zero for an empty body.
uint64_t hash_of_body(const Envelope& envelope);

}  // namespace fabrictwin

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/observe/digest.h"

#include <fmt/format.h>
#include <xxhash.h>

#include "cosim/base/random.h"

namespace fabrictwin::observe {
namespace {

std::string combine(std::span<const EndpointDigest> endpoints, uint64_t (EndpointDigest::*part)() const) {
  std::vector<uint64_t> values;
  values.reserve(endpoints.size());
  for (const EndpointDigest& endpoint : endpoints) values.push_back((endpoint.*part)());
  return fmt::format("{:016x}", hash_values(values));
}

}  // namespace

void EndpointDigest::add_arrival(Time time, uint64_t hash) {
  const uint64_t values[] = {timing_, static_cast<uint64_t>(time.fs()), hash};
  timing_ = hash_values(values);
}

void EndpointDigest::add_message(uint64_t hash) {
  // A sum does not depend on the order; mixing first prevents related hashes from cancelling each other.
  payload_ += mix64(hash);
}

uint64_t hash_bytes(std::span<const std::byte> bytes, uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

uint64_t hash_values(std::span<const uint64_t> values) { return XXH3_64bits(values.data(), values.size_bytes()); }

std::string combine_timing(std::span<const EndpointDigest> endpoints) {
  return combine(endpoints, &EndpointDigest::timing);
}

std::string combine_payload(std::span<const EndpointDigest> endpoints) {
  return combine(endpoints, &EndpointDigest::payload);
}

}  // namespace fabrictwin::observe

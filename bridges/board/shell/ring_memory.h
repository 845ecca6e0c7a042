// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the ring from a board is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace fabrictwin::bridges::board::shell {

/// The ring to the board is in its window always. Over PCIe a look at the ring from it is then a read of a microsecond;
/// in memory of the host it is one of the processor's own, and the board writes there by DMA.
enum class RingMemory : uint8_t {
  kWindow,
  kHost,
};

/// The memory of the host that is for a ring: of 2^10 slots, the largest that our designs have.
inline constexpr size_t kHostRingBytes = size_t{64} << 10;
/// Its address on the bus of the board where the agent chooses it: beyond what interrupts of x86 and Arm machines are
/// sent to, and in reach of masters with 32 bits of address.
inline constexpr uint64_t kHostRingAddress = 0x4000'0000;

/// What the name of a file with such memory has behind that of the window's file, for shells that are simulated.
inline constexpr const char* kHostFileSuffix = ".host";

/// "window", "host". Nullopt for another name.
constexpr std::optional<RingMemory> ring_memory(std::string_view name) {
  if (name == "window") return RingMemory::kWindow;
  if (name == "host") return RingMemory::kHost;
  return std::nullopt;
}

}  // namespace fabrictwin::bridges::board::shell

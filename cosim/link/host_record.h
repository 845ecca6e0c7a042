// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Records of a host port, which cross between a processor and the logic beside it. docs/models/exanet-node.md is the
// contract.
#pragma once

#include <cstdint>

#include "cosim/link/record.h"

namespace fabrictwin::link {

/// The operation of a record of kind kHost, in Record::flags. The requester chooses `tag`, and the answer returns it.
/// Answers to register accesses come in the order of the accesses, whatever their region. Words that are not named are
/// zero.
enum class HostOperation : uint8_t {
  // Operations sent by the processor.
  kRegisterWrite = 1,  ///< words[0]: lo = region << 32 | byte address, hi = tag << 32 | bytes (4, 8 or 16). words[1]:
                       ///< the value, in the low bytes.
  kRegisterRead = 2,   ///< words[0]: lo = region << 32 | byte address, hi = tag << 32 | bytes.
  kMemoryData = 3,  ///< Answer to kMemoryRead, in order: words[0]: lo = tag, hi = 1 if the page is absent. words[1..]:
                    ///< `count` - 1 words, 1 or 2.
  kMemoryWritten = 4,  ///< Answer to kMemoryWrite, in order: words[0]: lo = tag, hi = 1 if the page is absent.
  // Operations sent by the logic.
  kRegisterWritten = 5,  ///< words[0]: lo = tag, hi = AXI response (0 is OKAY).
  kRegisterData = 6,     ///< words[0]: lo = tag, hi = AXI response. words[1]: the value.
  kMemoryRead = 7,   ///< words[0]: lo = byte address (a multiple of 16), hi = tag << 32 | words (1 to 16). words[1]: lo
                     ///< = AXI user bits: PDID 15..0, rank 18..16.
  kMemoryWrite = 8,  ///< Same words as kMemoryRead. The data follow in records of kind kMemoryBytes, two words each but
                     ///< for an odd last one.
  kMemoryBytes = 9,  ///< words[0]: lo = byte strobes of words[1] (15..0) and words[2] (31..16). `count` - 1 words.
  kEvent = 10,       ///< words[0]: lo = interface whose mailbox has a new entry.
  kInterrupt = 11,   ///< The interrupt of the mailbox has risen. words[0] is zero.
};

/// Register regions of a node's logic.
enum class HostRegion : uint8_t {
  kMessages = 0,    ///< Packetizer and mailbox, 8-byte registers (docs/models/exanet-ni.md).
  kRdma = 1,        ///< RDMA unit, 16-byte registers (docs/models/exanet-rdma.md).
  kController = 2,  ///< 4-byte registers of the Target Controller of a network FPGA (docs/models/target-registers.md),
                    ///< or of a plain FPGA's switch (docs/models/switch-registers.md).
};

}  // namespace fabrictwin::link

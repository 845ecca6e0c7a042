// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Captures of libpcap: what can be read is the same after it was written and read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "bridges/ethernet/pcap.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using fabrictwin::bridges::ethernet::parse_pcap;
  using fabrictwin::bridges::ethernet::pcap_text;
  const auto frames = parse_pcap({reinterpret_cast<const char*>(data), size}, "input");
  if (!frames.ok()) return 0;
  const auto again = parse_pcap(pcap_text(*frames), "input");
  if (!again.ok() || again->size() != frames->size()) std::abort();
  for (size_t i = 0; i < frames->size(); ++i) {
    if ((*again)[i].bytes != (*frames)[i].bytes) std::abort();
  }
  return 0;
}

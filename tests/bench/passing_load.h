// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Packets that pass through an element at its pins, in at one link and out at another, as fast as it takes them. For
// benchmarks: the least that surrounds an element under load.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "cosim/link/packet.h"
#include "cosim/link/record.h"
#include "rtl/transactor/pin_slices.h"

namespace fabrictwin::bench {

/// `Pins` is rtl::router::BasicPins or rtl::node::Pins, whose links have pins of the same names.
template <class Pins>
class PassingLoad {
 public:
  /// A stream of packets of the largest size in at `link` (bit or slice of the pins), all with this header. `credits`:
  /// words that fit into the element's buffer of each VC.
  struct Stream {
    int link = 0;
    link::Word header;
    int credits = 64;
  };

  PassingLoad(const Pins& pins, const std::vector<Stream>& streams) : pins_(&pins) {
    for (const Stream& stream : streams) sources_.push_back({stream, {stream.credits, stream.credits}, 0, 0});
  }

  /// Sets the inputs for the next clock edge.
  void inputs() {
    uint64_t valid = 0, vc = 0, sop = 0, eop = 0;
    for (Source& source : sources_) {
      const int link = source.stream.link;
      if (*pins_->credit_valid_o >> link & 1) {
        source.room[*pins_->credit_vc_o >> link & 1] += rtl::pin_byte(pins_->credit_count_o, link);
      }
      if (source.sent == 0) {
        source.vc ^= 1;
        if (source.room[source.vc] < link::kMaxPacketWords) continue;
        source.room[source.vc] -= link::kMaxPacketWords;
      }
      const link::Word word =
          source.sent == 0 ? source.stream.header : link::Word{++fill_ * 0x9e3779b97f4a7c15, ~fill_};
      std::memcpy(pins_->rx_data_i + 4 * link, &word, sizeof(word));
      valid |= uint64_t{1} << link;
      vc |= static_cast<uint64_t>(source.vc) << link;
      sop |= static_cast<uint64_t>(source.sent == 0) << link;
      source.sent = (source.sent + 1) % link::kMaxPacketWords;
      eop |= static_cast<uint64_t>(source.sent == 0) << link;
    }
    *pins_->rx_valid_i = static_cast<Bits>(valid);
    *pins_->rx_vc_i = static_cast<Bits>(vc);
    *pins_->rx_sop_i = static_cast<Bits>(sop);
    *pins_->rx_eop_i = static_cast<Bits>(eop);

    // Links and far ends take everything at once.
    uint64_t credit_valid = 0;
    for (uint64_t mask = *pins_->tx_valid_o; mask != 0; mask &= mask - 1) {
      const int link = std::countr_zero(mask);
      ++passed_;
      ++taken_[static_cast<size_t>(link)];
      if ((*pins_->tx_eop_o >> link & 1) == 0) continue;
      credit_valid |= uint64_t{1} << link;
      rtl::set_pin_byte(pins_->credit_count_i, link, static_cast<uint8_t>(taken_[static_cast<size_t>(link)]));
      taken_[static_cast<size_t>(link)] = 0;
    }
    *pins_->credit_vc_i = *pins_->tx_vc_o;
    *pins_->credit_valid_i = static_cast<Bits>(credit_valid);
    *pins_->tx_ready_i = sizeof(Bits) == 1 ? 0x7f : static_cast<Bits>(~uint64_t{0});
  }

  /// Words that have left.
  uint64_t passed() const { return passed_; }

 private:
  using Bits = std::remove_reference_t<decltype(*std::declval<Pins>().rx_valid_i)>;

  struct Source {
    Stream stream;
    std::array<int, 2> room;
    int vc;
    int sent;  ///< Words of the current packet.
  };

  const Pins* pins_;
  std::vector<Source> sources_;
  std::array<int, 64> taken_{};  ///< Words of the packet that leaves, by link.
  uint64_t fill_ = 0;
  uint64_t passed_ = 0;
};

}  // namespace fabrictwin::bench

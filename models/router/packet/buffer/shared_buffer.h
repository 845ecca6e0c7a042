// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The memory of a switch whose ports share it, and when it pauses its senders.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fabrictwin::router::packet::buffer {

/// See Pfc in congestion.proto, which has the defaults. Sizes in bytes.
struct SharedBufferSpec {
  int64_t buffer = 0;
  int64_t reserve = 0;
  int64_t headroom = 0;  ///< 0: by rate and latency of the link.
  double share = 0;
  int64_t resume_offset = 0;
};

/// Counts what each input of a switch has stored: in its own reserve first, then in the memory that all share, of which
/// an input may use a share of what is free (dynamic thresholds of Choudhury and Hahne, "Dynamic queue length
/// thresholds for shared-memory packet switches", 1998), and then in its headroom, which takes what arrives after the
/// sender has been told to pause (IEEE 802.1Qbb). Not thread-safe.
class SharedBuffer {
 public:
  /// Bytes of the frame that tells a sender to pause.
  static constexpr int32_t kPauseFrame = 64;

  /// What the sender at the other end of an input's link is told.
  enum class Signal : uint8_t { kNone, kPause, kResume };

  /// An input, of a link with this rate in bits per second and this latency in femtoseconds.
  struct Link {
    int64_t rate = 0;
    int64_t latency = 0;
  };

  /// `links` are those of the inputs, `base_rate` is the rate of links of hosts. No packet is larger than `max_packet`.
  SharedBuffer(const SharedBufferSpec& spec, const std::vector<Link>& links, int64_t base_rate, int32_t max_packet);

  /// The headroom that an input must have: what may arrive from its sender after it has been told to pause.
  static int64_t least_headroom(const Link& link, int32_t max_packet);
  /// The memory that remains to be shared; negative if reserves and headrooms are more than there is.
  int64_t shared() const { return shared_; }
  int64_t headroom(size_t input) const { return inputs_[input].headroom; }
  /// Bytes of an input that are stored now.
  int64_t stored(size_t input) const { return inputs_[input].own + inputs_[input].over; }

  /// A packet has arrived completely at an input.
  Signal add(size_t input, int64_t bytes);
  /// A packet that had come by an input leaves the switch.
  Signal remove(size_t input, int64_t bytes);
  /// Whether there was no memory for the last packet that was added: senders have not paused in time.
  bool overflown() const { return overflown_; }

 private:
  struct Input {
    int64_t own = 0;   ///< Stored in the reserve and in shared memory.
    int64_t over = 0;  ///< Stored in the headroom.
    int64_t headroom = 0;
    double share = 0;
    bool pausing = false;  ///< The sender has been told to pause.
  };

  double threshold(const Input& input) const { return static_cast<double>(shared_ - used_) * input.share; }
  int64_t shared_by(const Input& input) const { return input.own > reserve_ ? input.own - reserve_ : 0; }

  int64_t reserve_;
  int64_t resume_offset_;
  int64_t shared_;
  int64_t used_ = 0;  ///< Bytes of the shared memory that are in use.
  bool overflown_ = false;
  std::vector<Input> inputs_;
};

/// What makes the memory of a switch useless.
struct SharedBufferFlaw {
  bool of_headroom = false;  ///< The headroom is too small; otherwise the memory is.
  std::string text;
};
/// What is wrong with the memory of the switch `name`, which has these inputs and packets of at most `max_packet`
/// bytes.
std::optional<SharedBufferFlaw> find_flaw(const SharedBuffer& memory, const std::vector<SharedBuffer::Link>& inputs,
                                          int32_t max_packet, std::string_view name);

}  // namespace fabrictwin::router::packet::buffer

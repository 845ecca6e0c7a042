// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What is at the other end of a line of a card: it sends the datagrams of streams, and frames of a capture, and takes
// the datagrams that the computer sends.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "bridges/ethernet/pcap.h"
#include "cosim/observe/digest.h"
#include "models/nanet/frames.h"
#include "models/nanet/part.h"
#include "models/nanet/port.h"
#include "models/nanet/results.h"
#include "rtl/nanet/element/wire.h"

namespace fabrictwin::nanet {

/// The key of the payloads of a stream.
uint64_t stream_key(uint64_t seed, int32_t stream);
/// The time between the first of `frames` + 1 frames of a stream and the last, at its rate of the line.
Time time_of_frames(const StreamSpec& stream, int64_t frames);

/// Frames leave in the order of their times, each as soon as the line is free. Requests of ARP for its address are
/// answered.
class Sender : public Part {
 public:
  /// Sends what `spec` has for `port`, and adds to `digest` what it receives. NotFound or InvalidArgument if a capture
  /// cannot be read.
  static absl::StatusOr<std::unique_ptr<Sender>> create(int32_t port, const DatagramsSpec& spec, uint64_t seed,
                                                        Port& line, Results& results, observe::EndpointDigest* digest);

  absl::Status receive(int32_t port, const link::Record& record) override;
  absl::Status act(Time now) override;
  Time next() const override { return arrived_.empty() ? due_ : std::min(due_, arrived_.front().time); }

 private:
  struct Source {
    const StreamSpec* stream = nullptr;  ///< Null: a capture.
    size_t number = 0;                   ///< Which of all streams it is.
    std::vector<bridges::ethernet::CapturedFrame> frames;
    Time start;
    int64_t count = 0;
    int64_t sent = 0;
  };
  struct Arrived {
    Time time;  ///< When all of it is there.
    Bytes frame;
    bool damaged = false;
  };
  Sender(int32_t port, const DatagramsSpec& spec, uint64_t seed, Port& line, Results& results,
         observe::EndpointDigest* digest)
      : port_(port), spec_(spec), seed_(seed), line_(line), results_(results), digest_(digest) {}

  bool next_is_none() const { return next_ == sources_.size(); }
  Time due(const Source& source) const;
  void choose();
  void send_next();
  /// Returns when the first word leaves.
  Time transmit(const Bytes& frame, Time time);
  void take_frame(const Arrived& arrived);
  void take_datagram(size_t number, std::span<const uint8_t> payload, Time time);

  int32_t port_;
  const DatagramsSpec& spec_;
  uint64_t seed_;
  Port& line_;
  Results& results_;
  observe::EndpointDigest* digest_;
  std::vector<Source> sources_;
  size_t next_ = 0;           ///< The source whose frame is next; the number of sources if there is none.
  Time due_ = Time::never();  ///< When the next frame is sent; never() if there is none.
  int64_t free_bytes_ = 0;    ///< The line is free from this byte on,
  int64_t free_slot_ = 0;     ///< and from this word.
  rtl::nanet::element::WireReader reader_;
  Bytes frame_;  ///< As much as has come of one.
  std::deque<Arrived> arrived_;
};

}  // namespace fabrictwin::nanet

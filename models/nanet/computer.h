// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The computer around a card: memories of CPU and GPU, and the driver that sets the card up, answers its misses, takes
// the buffers that it hands over and gives it datagrams to send.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "cosim/observe/digest.h"
#include "models/nanet/memory.h"
#include "models/nanet/part.h"
#include "models/nanet/port.h"
#include "models/nanet/results.h"
#include "models/nanet/send_driver.h"
#include "models/nanet/spec.h"

namespace fabrictwin::nanet {

/// The driver has one access to a register under way at a time. It ends when all that was sent is there, or lost: some
/// time after the last frame, the last write to memory and the last datagram that it gave to the card; then it reads
/// the counters of the card.
class Computer : public Part {
 public:
  Computer(const rtl::nanet::CardSpec& card, const DatagramsSpec& spec, uint64_t seed, Port& port, Results& results,
           observe::EndpointDigest* digest);

  absl::Status receive(int32_t port, const link::Record& record) override;
  absl::Status act(Time now) override;
  Time next() const override;
  std::string waits_for() const override;

 private:
  using Done = std::function<void(uint32_t value)>;
  struct Access {
    bool write = false;
    uint32_t offset = 0;
    uint32_t value = 0;
    Done done;
  };
  /// A write to memory of which words are still to come.
  struct Burst {
    uint64_t address = 0;
    uint32_t left = 0;
    uint32_t tag = 0;
    uint32_t user = 0;
  };
  struct Stream {
    uint16_t released = 0,
             told = 0;              ///< Buffers that the driver has done with, and how many of them the card knows of.
    uint64_t words = 0;             ///< That were taken, for the digest.
    std::vector<Time> last_writes;  ///< The last write to each buffer.
  };

  void write(uint32_t offset, uint32_t value, Done done = {});
  void read(uint32_t offset, Done done);
  void issue(Time now);
  absl::Status take_memory(const link::HostMessage& message, Time now);
  void wrote(const Burst& burst, uint64_t address, Time now);
  void set_up();
  void set_up_stream(const StreamSpec& stream);
  void serve();
  void take_events(uint32_t written);
  void take_event(uint64_t index);
  void take_buffer(size_t number, const Bytes& record, Time arrived);
  void take_datagrams(size_t number, const Bytes& bytes, int datagrams, Time arrived, Time last_write);
  void digest_buffer(size_t number, const Bytes& bytes);
  void look_for_misses();
  void answer_miss(uint32_t low, uint32_t high);
  void read_counters();
  Time over() const;

  const rtl::nanet::CardSpec card_;
  const DatagramsSpec& spec_;
  uint64_t seed_;
  Port& port_;
  Results& results_;
  observe::EndpointDigest* digest_;
  std::array<Memory, 2> memories_;
  SendDriver send_driver_;
  std::deque<Access> accesses_;
  bool accessing_ = false;
  uint32_t tag_ = 0;
  Burst burst_;
  std::vector<Stream> streams_;
  std::array<Time, 256> event_times_{};  ///< When each record of the ring was written.
  uint16_t taken_ = 0;                   ///< Events.
  bool serving_ = false, again_ = false, worked_ = false, reading_counters_ = false;
  Time serve_at_ = Time::never();
  Time last_write_;
  Time last_given_;  ///< When the card last had a datagram to send, or a page.
  Time now_;
  std::string failure_;
};

}  // namespace fabrictwin::nanet

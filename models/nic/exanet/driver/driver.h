// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The host's driver of the ExaNet network interface: messages of any size over short messages and RDMA writes.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <systemc>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cosim/base/time.h"
#include "cosim/observe/digest.h"
#include "models/host/endpoint.h"
#include "models/nic/exanet/driver/layout.h"
#include "models/nic/exanet/driver/reducer.h"
#include "models/nic/exanet/port.h"
#include "models/nic/message_body.h"

namespace fabrictwin::nic::exanet::driver {

/// Implements the HostPort of one host by the protocol of docs/models/exanet-node.md on top of a Port. It never calls
/// the Port from within a call of the Port or of the endpoint: such work waits for the next delta cycle. Messages to
/// the own host go through the network interface like all others. Not thread-safe.
class Driver : public sc_core::sc_module, public host::HostPort, public Client {
 public:
  SC_HAS_PROCESS(Driver);

  struct Config {
    int32_t node = 0;                          ///< Host number.
    const std::vector<Node>* nodes = nullptr;  ///< The network's number of each host; outlives the driver.
    std::string element = "mpsoc";             ///< The name of a host in failures: "mpsoc[3]".
    Time take_time = Time::from_ps(62'500);    ///< From an eager message's departure to on_sent(); positive.
    Time retry_time = Time::from_ns(2'000);    ///< Shortest wait after a nack; doubles up to 16 times.
    int32_t retries = 10'000;                  ///< Nacks of one message before it is a failure.
    uint32_t reduce_timeout = 0;               ///< As in allreduce::Group.
    int32_t receive_windows = 32;              ///< Bodies that may be arriving at once, 1 to 64.
    bool rings_in_memory = false;              ///< The network interface writes rings of its mailbox to memory.
    observe::EndpointDigest* digest = nullptr;
    std::string* failure = nullptr;  ///< Receives the first failure of any part of the partition.
  };

  Driver(const sc_core::sc_module_name& name, Config config);

  sc_core::sc_export<host::HostPort> host{"host"};

  /// Binds the network interface; call it before anything is sent.
  void bind_ni(Port* ni) { ni_ = ni; }
  /// Binds the Allreduce accelerator, which calls the client that is returned.
  allreduce::Client* bind_reducer(allreduce::Port* port) {
    reducer_.bind(port);
    return &reducer_;
  }
  /// Binds the receiver of arrivals; with nullptr, arrivals are a failure.
  void bind_endpoint(host::Endpoint* endpoint) { endpoint_ = endpoint; }

  void send(const OutgoingMessage& message) override;

  void message_arrived(const Message& message) override;
  void message_done(int32_t channel, MessageState state) override;
  void read_memory(uint64_t address, std::span<std::byte> bytes) override;
  void write_memory(uint64_t address, std::span<const std::byte> bytes,
                    const std::array<uint64_t, 4>& strobes) override;
  void ni_failed(const std::string& what) override;

  /// Packets of the messages delivered so far: one for each eager message; for others one for the request, one for each
  /// 256 bytes of body begun and one for the notification. CTS messages are not counted.
  uint64_t packets_received() const { return packets_received_; }
  /// Bytes of the messages delivered so far, including 32 of envelope for each.
  uint64_t payload_received() const { return payload_received_; }
  /// Nacks so far.
  uint64_t retried() const { return retried_; }

 private:
  struct PendingClear {
    int32_t destination = 0;
    driver::Clear clear;
  };
  /// What waits for a channel of the packetizer, which carries either messages and requests or CTS messages.
  struct Channel {
    std::deque<OutgoingMessage> data;
    std::deque<PendingClear> clears;
    bool sending = false;
    uint64_t handle = 0;   ///< Handle of the first of `data`, once it was sent as a request.
    bool taken = false;    ///< The first of `data` has been reported as sent, or will be.
    int32_t refusals = 0;  ///< Consecutive refusals.
    Time at;               ///< Nothing is sent before this time.
  };
  struct Completion {
    Time time;
    uint64_t cookie;
  };
  /// A transfer that waits for a channel of the RDMA unit, or uses one.
  struct Transfer {
    OutgoingMessage message;
    driver::Clear clear;
  };
  /// An incoming message, from its first packet to its delivery in order.
  struct Incoming {
    IncomingBody body;
    bool complete = false;
  };
  struct Request {
    int32_t source = 0;
    uint64_t handle = 0;
    Incoming* message = nullptr;
  };

  void work();
  void complete();
  void work_on_channel(int32_t channel);
  void send_data(int32_t channel);
  void send_clear(int32_t channel);
  /// Sets the time of the next attempt; false if there are none left.
  bool refused(int32_t channel, int32_t destination);
  void grant_windows();
  void start_transfers();
  void take_eager_or_request(int32_t source, const Message& message);
  void take_clear(int32_t source, const Message& message);
  void notified(const driver::Region& region, uint64_t data);
  void deliver(int32_t source);
  void deliver_reduced(const IncomingMessage& result, uint64_t blocks);
  void touch(int32_t channel);
  static int32_t data_channel(int32_t destination) { return destination % driver::kPeers * driver::kPeerChannels; }
  static int32_t clear_channel(int32_t destination) { return data_channel(destination) + 1; }
  std::string name_of(int32_t host) const;
  void fail(const std::string& what);
  Time now() const;

  Config config_;
  Port* ni_ = nullptr;
  Reducer reducer_;
  host::Endpoint* endpoint_ = nullptr;
  std::unordered_map<Node, int32_t> hosts_;
  sc_core::sc_event work_event_;
  sc_core::sc_event completion_event_;

  std::vector<Channel> channels_;
  std::deque<int32_t> touched_;  ///< Channels that may have something to send.
  std::set<std::pair<Time, int32_t>> retries_;
  std::deque<Completion> completions_;

  uint64_t next_handle_ = 1;
  std::unordered_map<uint64_t, OutgoingMessage> requested_;  ///< By handle: sent requests without a CTS yet.
  std::deque<Transfer> cleared_;                             ///< Waiting for an RDMA channel.
  std::array<Transfer, driver::kRdmaChannels> transfers_;
  std::array<bool, driver::kRdmaChannels> transferring_{};
  std::deque<int32_t> free_rdma_;

  std::vector<std::deque<Incoming>> flows_;  ///< By source, in the order in which they were sent.
  std::deque<Request> requests_;             ///< Waiting for a window.
  std::array<Request, driver::kMaxReceiveWindows> windows_;
  std::deque<int32_t> free_windows_;

  uint64_t packets_received_ = 0;
  uint64_t payload_received_ = 0;
  uint64_t retried_ = 0;
};

}  // namespace fabrictwin::nic::exanet::driver

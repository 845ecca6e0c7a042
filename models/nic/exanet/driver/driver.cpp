// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/exanet/driver/driver.h"

#include <algorithm>
#include <cstring>

#include "cosim/base/random.h"
#include "fmt/format.h"
#include "models/kernel/link_transaction.h"

namespace fabrictwin::nic::exanet::driver {

using driver::Region;

Driver::Driver(const sc_core::sc_module_name& name, Config config)
    : sc_module(name),
      config_(std::move(config)),
      reducer_({.nodes = config_.nodes,
                .timeout = config_.reduce_timeout,
                .wake = [this] { work_event_.notify(sc_core::SC_ZERO_TIME); },
                .done = [this](const IncomingMessage& result, uint64_t blocks) { deliver_reduced(result, blocks); },
                .fail = [this](const std::string& what) { fail(what); }}) {
  host.bind(*this);
  const auto hosts = static_cast<int32_t>(config_.nodes->size());
  for (int32_t i = 0; i < hosts; ++i) hosts_[(*config_.nodes)[static_cast<size_t>(i)]] = i;
  channels_.resize(static_cast<size_t>(driver::channels_for(hosts)));
  flows_.resize(static_cast<size_t>(hosts));
  for (int32_t i = 0; i < driver::kRdmaChannels; ++i) free_rdma_.push_back(i);
  for (int32_t i = 0; i < std::clamp(config_.receive_windows, 1, driver::kMaxReceiveWindows); ++i)
    free_windows_.push_back(i);
  SC_METHOD(work);
  sensitive << work_event_;
  dont_initialize();
  SC_METHOD(complete);
  sensitive << completion_event_;
  dont_initialize();
}

void Driver::send(const OutgoingMessage& message) {
  if (message.reduction.hosts != nullptr) return reducer_.take(message);
  if (message.destination < 0 || static_cast<size_t>(message.destination) >= flows_.size())
    return fail(fmt::format("a message to {}, which does not exist", name_of(message.destination)));
  if (message.envelope.bytes > driver::kMaxBytes) {
    return fail(fmt::format("a message to {} has {} bytes; an RDMA transfer has at most {}",
                            name_of(message.destination), message.envelope.bytes, driver::kMaxBytes));
  }
  const int32_t channel = data_channel(message.destination);
  channels_[static_cast<size_t>(channel)].data.push_back(message);
  touch(channel);
}

void Driver::touch(int32_t channel) {
  touched_.push_back(channel);
  work_event_.notify(sc_core::SC_ZERO_TIME);
}

// All calls of the Port are made from here.
void Driver::work() {
  while (!retries_.empty() && retries_.begin()->first <= now()) {
    touched_.push_back(retries_.begin()->second);
    retries_.erase(retries_.begin());
  }
  grant_windows();
  while (!touched_.empty()) {
    const int32_t channel = touched_.front();
    touched_.pop_front();
    work_on_channel(channel);
  }
  start_transfers();
  reducer_.work();
  if (!retries_.empty()) work_event_.notify(kernel::to_sc_time(retries_.begin()->first - now()));
}

void Driver::complete() {
  while (!completions_.empty() && completions_.front().time <= now()) {
    const uint64_t cookie = completions_.front().cookie;
    completions_.pop_front();
    if (endpoint_ != nullptr) endpoint_->deliver_sent(cookie);
  }
  if (!completions_.empty()) completion_event_.notify(kernel::to_sc_time(completions_.front().time - now()));
}

// --- Short messages ---

void Driver::work_on_channel(int32_t channel) {
  Channel& state = channels_[static_cast<size_t>(channel)];
  if (state.sending || state.at > now()) return;
  if (!state.clears.empty()) return send_clear(channel);
  if (!state.data.empty()) send_data(channel);
}

void Driver::send_data(int32_t channel) {
  Channel& state = channels_[static_cast<size_t>(channel)];
  const OutgoingMessage& message = state.data.front();
  std::array<std::byte, kNiMessageBytes> payload{};
  std::memcpy(payload.data(), &message.envelope, driver::kEnvelopeBytes);
  size_t bytes = driver::kEnvelopeBytes;
  if (message.envelope.bytes <= driver::kEagerBytes) {
    make_body(message.envelope, 0, std::span(payload).subspan(bytes, message.envelope.bytes));
    bytes += message.envelope.bytes;
    if (!state.taken) {
      completions_.push_back({now() + config_.take_time, message.cookie});
      if (completions_.size() == 1) completion_event_.notify(kernel::to_sc_time(config_.take_time));
    }
  } else {
    if (!state.taken) {
      state.handle = next_handle_++;
      requested_[state.handle] = message;
    }
    std::memcpy(&payload[bytes], &state.handle, sizeof state.handle);
    bytes = driver::kRequestBytes;
  }
  state.taken = true;
  state.sending = true;
  ni_->send_message(channel, (*config_.nodes)[static_cast<size_t>(message.destination)], driver::kDataMailbox,
                    std::span(payload).first(bytes));
}

void Driver::send_clear(int32_t channel) {
  Channel& state = channels_[static_cast<size_t>(channel)];
  const PendingClear& pending = state.clears.front();
  state.sending = true;
  ni_->send_message(channel, (*config_.nodes)[static_cast<size_t>(pending.destination)], driver::kClearMailbox,
                    std::as_bytes(std::span(&pending.clear, 1)));
}

void Driver::message_done(int32_t channel, MessageState state) {
  if (channel < 0 || static_cast<size_t>(channel) >= channels_.size() ||
      !channels_[static_cast<size_t>(channel)].sending) {
    return fail(fmt::format("channel {} of the packetizer was answered, but has no message", channel));
  }
  Channel& sender = channels_[static_cast<size_t>(channel)];
  const bool data = sender.clears.empty();
  const int32_t destination = data ? sender.data.front().destination : sender.clears.front().destination;
  sender.sending = false;
  if (state == MessageState::kTimedOut) {
    return fail(
        fmt::format("a {} to {} was not answered in time", data ? "message" : "clear to send", name_of(destination)));
  }
  if (state == MessageState::kNacked) {
    if (!refused(channel, destination)) return;
  } else {
    sender.refusals = 0;
    if (data) {
      sender.data.pop_front();
      sender.taken = false;
    } else {
      sender.clears.pop_front();
    }
  }
  touch(channel);
}

// Apart from errors of the set-up, which the limit detects, a message is refused only because a ring is full. Waits
// differ from node to node, so that those refused together do not return together.
bool Driver::refused(int32_t channel, int32_t destination) {
  Channel& state = channels_[static_cast<size_t>(channel)];
  const int32_t refusals = ++state.refusals;
  ++retried_;
  if (refusals > config_.retries) {
    fail(fmt::format("{} refused a message {} times", name_of(destination), refusals));
    return false;
  }
  const int32_t doublings = std::min(refusals - 1, 4);
  const int64_t shortest = config_.retry_time.fs() << doublings;
  const uint64_t random = mix64(mix64(mix64(static_cast<uint64_t>(config_.node)) ^ static_cast<uint64_t>(destination)) ^
                                static_cast<uint64_t>(refusals));
  state.at =
      now() + Time::from_fs(shortest + static_cast<int64_t>(static_cast<uint64_t>(shortest) / 1024 * (random % 1024)));
  retries_.insert({state.at, channel});
  return true;
}

void Driver::message_arrived(const Message& message) {
  const auto source = hosts_.find(message.source);
  if (source == hosts_.end())
    return fail(fmt::format("a message from node {:#x}, which does not exist", message.source));
  if (endpoint_ == nullptr)
    return fail(fmt::format("a message from {} arrived, but nothing runs here", name_of(source->second)));
  if (message.interface == driver::kDataMailbox) return take_eager_or_request(source->second, message);
  if (message.interface == driver::kClearMailbox) return take_clear(source->second, message);
  fail(fmt::format("a message from {} arrived in mailbox {}", name_of(source->second), message.interface));
}

void Driver::take_eager_or_request(int32_t source, const Message& message) {
  Envelope envelope;
  const auto bytes = static_cast<size_t>(message.bytes);
  std::memcpy(&envelope, message.payload.data(), sizeof envelope);
  const bool eager = envelope.bytes <= driver::kEagerBytes;
  if (bytes != (eager ? driver::kEnvelopeBytes + envelope.bytes : driver::kRequestBytes) ||
      envelope.bytes > driver::kMaxBytes) {
    return fail(fmt::format("a message from {} has {} bytes, which does not fit its envelope ({} bytes of body)",
                            name_of(source), bytes, envelope.bytes));
  }
  std::deque<Incoming>& flow = flows_[static_cast<size_t>(source)];
  Incoming& incoming = flow.emplace_back(Incoming{IncomingBody(envelope)});
  if (eager) {
    constexpr uint64_t kAll = ~uint64_t{0};
    incoming.body.write(0, std::span(message.payload).subspan(driver::kEnvelopeBytes, envelope.bytes),
                        {kAll, kAll, kAll, kAll});
    incoming.complete = true;
    deliver(source);
    return;
  }
  uint64_t handle = 0;
  std::memcpy(&handle, &message.payload[driver::kEnvelopeBytes], sizeof handle);
  requests_.push_back({source, handle, &incoming});
  work_event_.notify(sc_core::SC_ZERO_TIME);
}

// --- Transfers ---

void Driver::grant_windows() {
  while (!requests_.empty() && !free_windows_.empty()) {
    const int32_t window = free_windows_.front();
    free_windows_.pop_front();
    const Request& request = windows_[static_cast<size_t>(window)] = requests_.front();
    const int32_t channel = clear_channel(request.source);
    channels_[static_cast<size_t>(channel)].clears.push_back(
        {request.source, {request.handle, driver::receive_window(window), driver::receive_notification(window)}});
    requests_.pop_front();
    touched_.push_back(channel);
  }
}

void Driver::take_clear(int32_t source, const Message& message) {
  driver::Clear clear;
  if (static_cast<size_t>(message.bytes) != driver::kClearBytes)
    return fail(fmt::format("a clear to send from {} has {} bytes", name_of(source), message.bytes));
  std::memcpy(&clear, message.payload.data(), sizeof clear);
  const auto request = requested_.find(clear.handle);
  if (request == requested_.end() || request->second.destination != source)
    return fail(
        fmt::format("{} clears message {} to be sent, which does not wait for it", name_of(source), clear.handle));
  cleared_.push_back({request->second, clear});
  requested_.erase(request);
  work_event_.notify(sc_core::SC_ZERO_TIME);
}

// Channels are used in turn: the one that has been free for longest is next.
void Driver::start_transfers() {
  while (!cleared_.empty() && !free_rdma_.empty()) {
    const int32_t channel = free_rdma_.front();
    free_rdma_.pop_front();
    const Transfer& transfer = transfers_[static_cast<size_t>(channel)] = cleared_.front();
    transferring_[static_cast<size_t>(channel)] = true;
    cleared_.pop_front();
    exanet::Transfer order;
    order.node = (*config_.nodes)[static_cast<size_t>(transfer.message.destination)];
    order.remote = transfer.clear.address;
    order.local = driver::send_window(channel);
    order.bytes = transfer.message.envelope.bytes;
    // A descriptor has one word of notification data.
    order.at_destination = {transfer.clear.notification, transfer.clear.handle};
    order.at_source = {driver::send_notification(channel), transfer.clear.handle};
    ni_->start_transfer(channel, order);
  }
}

void Driver::read_memory(uint64_t address, std::span<std::byte> bytes) {
  const Region region = driver::region_of(address);
  if (region.kind != Region::Kind::kSend)
    return fail(fmt::format("the network interface reads address {:#x}, where nothing is to be sent", address));
  // A block that is being repeated may be read a little longer than its transfer lasts; those bytes are not used.
  const bool over = !transferring_[static_cast<size_t>(region.index)];
  make_body(over ? Envelope{} : transfers_[static_cast<size_t>(region.index)].message.envelope, region.offset, bytes);
}

void Driver::write_memory(uint64_t address, std::span<const std::byte> bytes, const std::array<uint64_t, 4>& strobes) {
  const Region region = driver::region_of(address);
  if (region.kind == Region::Kind::kReceive) {
    if (region.index >= driver::kMaxReceiveWindows || windows_[static_cast<size_t>(region.index)].message == nullptr)
      return fail(fmt::format("the network interface writes to address {:#x}, where nothing is expected", address));
    const Request& request = windows_[static_cast<size_t>(region.index)];
    if (!request.message->body.write(region.offset, bytes, strobes)) {
      fail(fmt::format("{} sends more than the {} bytes that it announced", name_of(request.source),
                       request.message->body.envelope().bytes));
    }
    return;
  }
  // Those who have placed the ring take its entries.
  if (region.kind == Region::Kind::kRing && config_.rings_in_memory) return;
  if (region.kind == Region::Kind::kSend || region.kind == Region::Kind::kRing || region.kind == Region::Kind::kNone)
    return fail(fmt::format("the network interface writes to address {:#x}, where nothing is expected", address));
  // A burst may be wider than the notification; only bytes that are written count.
  for (uint64_t i = 0; i + 8 <= bytes.size(); i += 8) {
    const auto written = static_cast<uint8_t>(strobes[i / 64] >> (i % 64));
    if (written == 0) continue;
    const Region word = driver::region_of(address + i);
    if (written != 0xff || word.offset != 0)
      return fail(fmt::format("the network interface writes a part of a notification at {:#x}", address + i));
    uint64_t data = 0;
    std::memcpy(&data, &bytes[i], sizeof data);
    notified(word, data);
  }
}

void Driver::notified(const Region& region, uint64_t data) {
  const auto index = static_cast<size_t>(region.index);
  if (region.kind == Region::Kind::kSendNotification) {
    if (!transferring_[index] || transfers_[index].clear.handle != data)
      return fail(fmt::format("RDMA channel {} ended transfer {}, which it does not have", index, data));
    transferring_[index] = false;
    free_rdma_.push_back(region.index);
    if (endpoint_ != nullptr) endpoint_->deliver_sent(transfers_[index].message.cookie);
  } else {
    Request& request = windows_[index];
    if (region.kind != Region::Kind::kReceiveNotification || request.message == nullptr || request.handle != data)
      return fail(fmt::format("a notification says {} at window {}, which is not expected", data, index));
    const IncomingBody& body = request.message->body;
    if (!body.complete()) {
      return fail(fmt::format("the notification of a message from {} came after {} of {} bytes",
                              name_of(request.source), body.received(), body.envelope().bytes));
    }
    request.message->complete = true;
    const int32_t source = request.source;
    request = {};
    free_windows_.push_back(region.index);
    deliver(source);
  }
  work_event_.notify(sc_core::SC_ZERO_TIME);
}

void Driver::deliver(int32_t source) {
  std::deque<Incoming>& flow = flows_[static_cast<size_t>(source)];
  while (!flow.empty() && flow.front().complete) {
    const IncomingBody body = flow.front().body;
    flow.pop_front();
    const Envelope& envelope = body.envelope();
    payload_received_ += driver::kEnvelopeBytes + envelope.bytes;
    packets_received_ += envelope.bytes <= driver::kEagerBytes ? 1 : 2 + (envelope.bytes + 255) / 256;
    const uint64_t values[] = {static_cast<uint64_t>(source),
                               envelope.payload_key,
                               envelope.bytes,
                               envelope.user[0],
                               envelope.user[1],
                               body.hash()};
    config_.digest->add_arrival(now(), observe::hash_values(values));
    endpoint_->deliver_message({source, envelope, body.hash(), body.intact()});
  }
}

void Driver::deliver_reduced(const IncomingMessage& result, uint64_t blocks) {
  packets_received_ += blocks;
  payload_received_ += result.envelope.bytes;
  const uint64_t values[] = {static_cast<uint64_t>(result.source),
                             result.envelope.payload_key,
                             result.envelope.bytes,
                             result.envelope.user[0],
                             result.envelope.user[1],
                             result.body_hash};
  config_.digest->add_arrival(now(), observe::hash_values(values));
  endpoint_->deliver_message(result);
}

// --- Failures ---

void Driver::ni_failed(const std::string& what) { fail(what); }

std::string Driver::name_of(int32_t host) const { return fmt::format("{}[{}]", config_.element, host); }

void Driver::fail(const std::string& what) {
  if (config_.failure->empty())
    *config_.failure = fmt::format("{} at {}: {}", name_of(config_.node), to_string(now()), what);
}

Time Driver::now() const { return kernel::from_sc_time(sc_core::sc_time_stamp()); }

}  // namespace fabrictwin::nic::exanet::driver

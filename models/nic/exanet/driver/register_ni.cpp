// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/exanet/driver/register_ni.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "fmt/format.h"
#include "rtl/control/target_registers.h"

namespace fabrictwin::nic::exanet::driver {
namespace {

// Streams of the host's memory.
constexpr int32_t kReads = 0, kWrites = 1, kStreams = 2;

}  // namespace

const char* axi_response_name(uint32_t response) {
  constexpr const char* kNames[] = {"OKAY", "EXOKAY", "SLVERR", "DECERR"};
  return kNames[response & 3];
}

RegisterNi::RegisterNi(const sc_core::sc_module_name& name, const Config& config)
    : sc_module(name),
      port_out("port_out"),
      port_in("port_in"),
      config_(config),
      packetizer_(*this, *config.client),
      mailbox_(*this, *config.client, config.mailbox_depth, config.rings_in_memory, config.interrupt),
      rdma_(*this),
      reducer_(*this) {
  if (config_.memory.has_value()) memory_.emplace(*config_.memory, kStreams);
  port_in.register_b_transport(this, &RegisterNi::receive);
  // Commands wait for the next delta cycle, so the logic is configured before the first one.
  SC_METHOD(configure);
  SC_METHOD(work);
  sensitive << work_event_;
  dont_initialize();
  SC_METHOD(run_commands);
  sensitive << command_event_;
  dont_initialize();
}

void RegisterNi::configure() {
  if (config_.marking.enabled()) configure_marking();
  packetizer_.configure(config_.interfaces, config_.pdid);
  mailbox_.configure(config_.mailboxes, config_.pdid);
  // The RDMA unit delays accesses while it clears its tables, so it is configured last.
  rdma_.configure(config_.rdma_pages, config_.pdid);
  rdma_.configure(config_.congestion);
  rdma_.configure_firmware(config_.firmware);
  if (config_.translation_cache) rdma_.configure_translations();
}

// Registers of the Target Controller.
void RegisterNi::configure_marking() {
  namespace registers = rtl::control::target_registers;
  const auto set = [this](uint32_t address, uint32_t value) {
    write(link::HostRegion::kController, address, 4, {value, 0}, [this, address](uint32_t response) {
      if (response != 0)
        fail(fmt::format("register {:#x} of the Target Controller was answered with {}", address,
                         axi_response_name(response)));
    });
  };
  const link::PacketMarking& marking = config_.marking;
  set(registers::kMarkingPacketsOffset, static_cast<uint32_t>(marking.least_words)
                                                << registers::kMarkingPacketsLeastLow |
                                            uint32_t{marking.hosts} << registers::kMarkingPacketsHostsLow);
  set(registers::kMarkingOffset, static_cast<uint32_t>(marking.threshold_words) << registers::kMarkingThresholdLow |
                                     static_cast<uint32_t>(marking.marking_rate) << registers::kMarkingRateLow);
}

void RegisterNi::send_message(int32_t channel, Node node, int32_t interface, std::span<const std::byte> payload) {
  commands_.push_back([this, channel, node, interface, bytes = std::vector<std::byte>(payload.begin(), payload.end())] {
    packetizer_.send(channel, node, interface, bytes);
  });
  command_event_.notify(sc_core::SC_ZERO_TIME);
}

void RegisterNi::start_transfer(int32_t channel, const Transfer& transfer) {
  commands_.push_back([this, channel, transfer] { rdma_.start(channel, transfer); });
  command_event_.notify(sc_core::SC_ZERO_TIME);
}

void RegisterNi::configure(const allreduce::Group& group) {
  commands_.push_back([this, group] { reducer_.configure(group); });
  command_event_.notify(sc_core::SC_ZERO_TIME);
}

void RegisterNi::start(ReduceOperation operation, ReduceType type, std::span<const std::byte> vector) {
  commands_.push_back([this, operation, type, bytes = std::vector<std::byte>(vector.begin(), vector.end())] {
    reducer_.start(operation, type, bytes);
  });
  command_event_.notify(sc_core::SC_ZERO_TIME);
}

void RegisterNi::run_commands() {
  while (!commands_.empty()) {
    const std::function<void()> command = std::move(commands_.front());
    commands_.pop_front();
    command();
  }
}

void RegisterNi::write(link::HostRegion region, uint32_t address, uint32_t bytes, const link::Word& value,
                       Written written) {
  send(link::HostMessage::register_write(region, address, bytes, next_tag_, value));
  under_way_.push_back({next_tag_++, region, address, std::move(written), nullptr});
  ++accesses_;
}

void RegisterNi::read(link::HostRegion region, uint32_t address, uint32_t bytes, Read read) {
  send(link::HostMessage::register_read(region, address, bytes, next_tag_));
  under_way_.push_back({next_tag_++, region, address, nullptr, std::move(read)});
  ++accesses_;
}

void RegisterNi::after(Time delay, std::function<void()> action) {
  timers_.emplace(now() + delay, std::move(action));
  schedule();
}

Time RegisterNi::now() const { return kernel::from_sc_time(sc_core::sc_time_stamp()); }

void RegisterNi::fail(const std::string& what) {
  // Failures after the first would only hide it.
  if (failed_) return;
  failed_ = true;
  config_.client->ni_failed(what);
}

void RegisterNi::send(const link::HostMessage& message) {
  sc_core::sc_time delay;
  const link::Record record = message.encode();
  port_out->b_transport(transaction_.host(now(), record), delay);
}

void RegisterNi::receive(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
  const auto* extension = payload.get_extension<kernel::LinkExtension>();
  if (extension == nullptr || extension->kind != link::RecordKind::kHost) {
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return fail("the logic sends what is no host record");
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  const absl::StatusOr<link::HostMessage> message =
      link::HostMessage::decode(kernel::host_record_of(payload, *extension));
  if (!message.ok())
    return fail(fmt::format("the logic sends a record that cannot be: {}", std::string(message.status().message())));
  arrivals_.push_back({extension->sent + config_.latency, *message});
  schedule();
}

void RegisterNi::schedule() {
  Time next = Time::never();
  if (!arrivals_.empty()) next = arrivals_.front().time;
  if (!timers_.empty()) next = std::min(next, timers_.begin()->first);
  if (memory_.has_value()) next = std::min(next, memory_->next_event());
  // SystemC keeps the earlier of two pending notifications.
  if (!next.is_never()) work_event_.notify(kernel::to_sc_time(std::max(next - now(), Time::zero())));
}

void RegisterNi::work() {
  while (!arrivals_.empty() && arrivals_.front().time <= now()) {
    const link::HostMessage message = arrivals_.front().message;
    arrivals_.pop_front();
    take(message);
  }
  take_memory();
  while (!timers_.empty() && timers_.begin()->first <= now()) {
    const std::function<void()> action = std::move(timers_.begin()->second);
    timers_.erase(timers_.begin());
    action();
  }
  schedule();
}

void RegisterNi::take(const link::HostMessage& message) {
  switch (message.operation) {
    case link::HostOperation::kRegisterWritten:
    case link::HostOperation::kRegisterData:
      return take_answer(message);
    case link::HostOperation::kMemoryRead:
      return serve_read(message);
    case link::HostOperation::kMemoryWrite:
      return take_write(message);
    case link::HostOperation::kMemoryBytes:
      return take_bytes(message);
    case link::HostOperation::kEvent:
      if (message.interface == RegisterReducer::kEvent) return reducer_.event();
      return mailbox_.event(static_cast<int32_t>(message.interface));
    case link::HostOperation::kInterrupt:
      return mailbox_.interrupt();
    default:
      fail(fmt::format("the logic sends host operation {}, which is one of the processor's",
                       static_cast<int>(message.operation)));
  }
}

void RegisterNi::take_answer(const link::HostMessage& message) {
  const bool is_write = message.operation == link::HostOperation::kRegisterWritten;
  if (under_way_.empty() || under_way_.front().tag != message.tag ||
      (under_way_.front().written != nullptr) != is_write) {
    return fail(fmt::format("the logic answers a register {} {}, which is not the next to be answered",
                            is_write ? "write" : "read", message.tag));
  }
  const Access access = std::move(under_way_.front());
  under_way_.pop_front();
  if (is_write) {
    access.written(message.response);
  } else {
    access.read(message.response, message.data[0]);
  }
}

void RegisterNi::serve_read(const link::HostMessage& message) {
  if (!memory_.has_value()) return answer_read(message);
  memory_->request(now(), kReads, uint64_t{message.words} * link::kWordBytes, 0);
  asked_reads_.push_back(message);
}

void RegisterNi::answer_read(const link::HostMessage& message) {
  std::array<link::Word, link::kHostBurstWords> words{};
  config_.client->read_memory(message.address,
                              std::as_writable_bytes(std::span(words)).first(message.words * link::kWordBytes));
  for (uint32_t i = 0; i < message.words; i += link::kHostDataWords) {
    send(link::HostMessage::memory_data(message.tag, 0, &words[i],
                                        std::min<uint32_t>(link::kHostDataWords, message.words - i)));
  }
}

void RegisterNi::take_write(const link::HostMessage& message) {
  if (writing_) {
    return fail(
        fmt::format("the logic writes to {:#x} before all bytes of the write before are there", message.address));
  }
  writing_ = true;
  write_ = MemoryWrite{};
  write_.head = message;
}

void RegisterNi::take_bytes(const link::HostMessage& message) {
  if (!writing_) return fail("the logic sends bytes that belong to no write");
  MemoryWrite& write = write_;
  const auto* data = reinterpret_cast<const std::byte*>(message.data.data());
  for (uint32_t i = 0; i < message.data_words; ++i) {
    const size_t at = write.bytes.size();
    if (at == size_t{write.head.words} * link::kWordBytes)
      return fail(fmt::format("the logic writes more than {} words to {:#x}", write.head.words, write.head.address));
    write.bytes.insert(write.bytes.end(), data + i * link::kWordBytes, data + (i + 1) * link::kWordBytes);
    write.strobes[at / 64] |= uint64_t{message.strobes >> (i * link::kWordBytes) & 0xffff} << (at % 64);
  }
  if (write.bytes.size() < size_t{write.head.words} * link::kWordBytes) return;
  MemoryWrite whole = std::move(write);
  writing_ = false;
  if (!memory_.has_value()) return finish_write(whole);
  memory_->request(now(), kWrites, whole.bytes.size(), 0);
  asked_writes_.push_back(std::move(whole));
}

void RegisterNi::finish_write(const MemoryWrite& whole) {
  // The response must precede all that the client sends in reaction.
  send(link::HostMessage::memory_written(whole.head.tag, 0));
  config_.client->write_memory(whole.head.address, whole.bytes, whole.strobes);
  rdma_.memory_written(whole.head.address, whole.bytes, whole.strobes);
  mailbox_.memory_written(whole.head.address, whole.bytes, whole.strobes);
}

void RegisterNi::take_memory() {
  if (!memory_.has_value()) return;
  memory::HostMemory::Done done;
  while (memory_->take_done(now(), done)) {
    if (done.stream == kReads) {
      answer_read(asked_reads_.front());
      asked_reads_.pop_front();
    } else {
      finish_write(asked_writes_.front());
      asked_writes_.pop_front();
    }
  }
}

std::string RegisterNi::waits_for() const {
  if (under_way_.empty()) return {};
  const Access& access = under_way_.front();
  return fmt::format("{} waits for the answer to a {} of register {:#x} in region {} ({} accesses under way)", name(),
                     access.written != nullptr ? "write" : "read", access.address, static_cast<int>(access.region),
                     under_way_.size());
}

}  // namespace fabrictwin::nic::exanet::driver

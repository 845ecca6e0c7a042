// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "rtl/transactor/node/memory_port.h"

#include "fmt/format.h"

namespace fabrictwin::rtl::node {
namespace {

constexpr uint64_t kPageFault = 2;  ///< A page fault is answered with SLVERR.

}  // namespace

absl::Status MemoryPort::add(int64_t cycle, const link::HostMessage& answer) {
  const bool read = answer.operation == link::HostOperation::kMemoryData;
  Fifo<Transaction>& waiting = read ? reads_ : writes_;
  if (waiting.empty() || waiting.front().tag != answer.tag) {
    return absl::DataLossError(
        fmt::format("the memory answers {} {}, but {}", read ? "read" : "write", answer.tag,
                    waiting.empty() ? std::string("none waits") : fmt::format("{} is next", waiting.front().tag)));
  }
  Transaction& transaction = waiting.front();
  const bool absent = answer.response != 0;
  if (!read) {
    waiting.pop_front();
    written_.push({cycle, absent});
    return absl::OkStatus();
  }
  if (answer.data_words > transaction.left) {
    return absl::DataLossError(
        fmt::format("the memory answers read {} with more than its {} words", answer.tag, transaction.words));
  }
  for (uint32_t i = 0; i < answer.data_words; ++i) data_.push({cycle, answer.data[i], absent, --transaction.left == 0});
  if (transaction.left == 0) waiting.pop_front();
  return absl::OkStatus();
}

void MemoryPort::drive(int64_t cycle) {
  pins_.arready.put(static_cast<uint64_t>(reading_ < kTransactions));
  pins_.awready.put(static_cast<uint64_t>(writing_ < kTransactions));
  pins_.wready.put(1);
  const bool data = data_.next_cycle() <= cycle;
  pins_.rvalid.put(static_cast<uint64_t>(data));
  if (data) {
    const DataBeat& beat = data_.front();
    pins_.rdata.put(beat.word);
    pins_.rresp.put(beat.absent ? kPageFault : 0);
    pins_.rlast.put(static_cast<uint64_t>(beat.last));
  }
  const bool written = written_.next_cycle() <= cycle;
  pins_.bvalid.put(static_cast<uint64_t>(written));
  if (written) pins_.bresp.put(written_.front().absent ? kPageFault : 0);
  driven_ = driving_;
  driving_ = data || written;
}

absl::Status MemoryPort::sample(std::vector<link::HostMessage>& messages) {
  if (pins_.rvalid.high() && pins_.rready.high()) {
    if (data_.front().last) --reading_;
    data_.pop();
  }
  if (pins_.bvalid.high() && pins_.bready.high()) {
    --writing_;
    written_.pop();
  }
  if (pins_.arvalid.high() && pins_.arready.high()) {
    const auto words = static_cast<uint32_t>(pins_.arlen.bits() + 1);
    messages.push_back(link::HostMessage::memory_read(pins_.araddr.bits(), words, next_tag_,
                                                      static_cast<uint32_t>(pins_.aruser.bits())));
    reads_.push_back({next_tag_++, words, words});
    ++reading_;
  }
  if (pins_.awvalid.high() && pins_.awready.high()) {
    addresses_.push_back(link::HostMessage::memory_write(pins_.awaddr.bits(),
                                                         static_cast<uint32_t>(pins_.awlen.bits() + 1), next_tag_++,
                                                         static_cast<uint32_t>(pins_.awuser.bits())));
    ++writing_;
  }
  if (pins_.wvalid.high()) {
    beats_.push_back({pins_.wdata.get(), static_cast<uint16_t>(pins_.wstrb.bits()), pins_.wlast.high()});
    if (pins_.wlast.high()) ++bursts_;
  }
  while (bursts_ > 0 && !addresses_.empty()) {
    if (absl::Status status = emit_write(messages); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status MemoryPort::emit_write(std::vector<link::HostMessage>& messages) {
  const link::HostMessage address = addresses_.front();
  addresses_.pop_front();
  messages.push_back(address);
  for (uint32_t i = 0; i < address.words; i += link::kHostDataWords) {
    std::array<link::Word, link::kHostDataWords> data;
    uint32_t strobes = 0;
    const uint32_t count = std::min<uint32_t>(link::kHostDataWords, address.words - i);
    for (uint32_t k = 0; k < count; ++k) {
      if (beats_.empty() || beats_.front().last != (i + k + 1 == address.words)) {
        return absl::DataLossError(fmt::format("the logic writes {} words to {:#x}, but its last word is not there",
                                               address.words, address.address));
      }
      data[k] = beats_.front().word;
      strobes |= uint32_t{beats_.front().strobes} << (link::kWordBytes * k);
      beats_.pop_front();
    }
    messages.push_back(link::HostMessage::memory_bytes(strobes, data.data(), count));
  }
  --bursts_;
  writes_.push_back({address.tag, address.words, 0});
  return absl::OkStatus();
}

}  // namespace fabrictwin::rtl::node

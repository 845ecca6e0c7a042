// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Link traffic inside a SystemC process: TLM-2.0 generic payloads with a link extension.
#pragma once

#include <algorithm>
#include <cstdint>
#include <systemc>
#include <tlm>

#include "cosim/base/time.h"
#include "cosim/link/record.h"

namespace fabrictwin::kernel {

/// The link part of a transaction. A burst is a TLM_WRITE whose data are `length / 16` words in consecutive slots of
/// the link's word clock, from `first_slot` on; kStartOfPacket belongs to the first word and kEndOfPacket to the last.
/// A credit is a TLM_IGNORE without data. A host record is a TLM_WRITE of all words of a record; its operation is in
/// `flags`. b_transport takes no simulated time and its delay is zero: the times are in the extension, and lie in the
/// receiver's future by the latency of the link, which the receiver adds.
struct LinkExtension : tlm::tlm_extension<LinkExtension> {
  link::RecordKind kind = link::RecordKind::kInvalid;  ///< kBurst, kCredit or kHost.
  uint8_t vc = 0;
  uint8_t flags = 0;
  uint8_t count = 0;       ///< Words of a credit; words in use of a host record.
  int64_t first_slot = 0;  ///< First slot of a burst.
  Time sent;               ///< When a credit or a host record leaves.

  tlm::tlm_extension_base* clone() const override { return new LinkExtension(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override { *this = static_cast<const LinkExtension&>(other); }
  /// Does nothing: the extension lives in a LinkTransaction, not on the heap.
  void free() override {}
};

/// The record that a host transaction carries; its channel and stamp are empty.
inline link::Record host_record_of(const tlm::tlm_generic_payload& payload, const LinkExtension& extension) {
  link::Record record;
  record.kind = link::RecordKind::kHost;
  record.vc = extension.vc;
  record.count = extension.count;
  record.flags = extension.flags;
  const auto* words = reinterpret_cast<const link::Word*>(payload.get_data_ptr());
  std::copy_n(words, link::kRecordWords, record.words.begin());
  return record;
}

/// Calls `take(slot, flags, word)` for each word of a burst, with the flags of that word alone.
template <typename Take>
void for_each_word(tlm::tlm_generic_payload& payload, const LinkExtension& extension, Take take) {
  const auto* words = reinterpret_cast<const link::Word*>(payload.get_data_ptr());
  const auto count = static_cast<int32_t>(payload.get_data_length() / link::kWordBytes);
  for (int32_t i = 0; i < count; ++i) {
    uint8_t flags = 0;
    if (i == 0) flags |= extension.flags & link::kStartOfPacket;
    if (i == count - 1) flags |= extension.flags & link::kEndOfPacket;
    take(extension.first_slot + i, flags, words[i]);
  }
}

/// A payload and its extension, made once for each sender and reused for every transaction. Not thread-safe.
class LinkTransaction {
 public:
  LinkTransaction() { payload_.set_extension(&extension_); }
  ~LinkTransaction() { payload_.clear_extension(&extension_); }
  LinkTransaction(const LinkTransaction&) = delete;
  LinkTransaction& operator=(const LinkTransaction&) = delete;

  /// Prepares a burst of `count` words.
  tlm::tlm_generic_payload& burst(const link::Word* words, int32_t count, int64_t first_slot, uint8_t vc,
                                  uint8_t flags) {
    payload_.set_write();
    // TLM requires a pointer to mutable data; receivers of a write do not change it.
    payload_.set_data_ptr(reinterpret_cast<unsigned char*>(const_cast<link::Word*>(words)));
    payload_.set_data_length(static_cast<unsigned>(count * link::kWordBytes));
    payload_.set_streaming_width(payload_.get_data_length());
    payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    extension_.kind = link::RecordKind::kBurst;
    extension_.vc = vc;
    extension_.flags = flags;
    extension_.first_slot = first_slot;
    return payload_;
  }

  /// Prepares a credit of `count` words that leaves at `sent`.
  tlm::tlm_generic_payload& credit(Time sent, uint8_t vc, uint8_t count) {
    payload_.set_command(tlm::TLM_IGNORE_COMMAND);
    payload_.set_data_ptr(nullptr);
    payload_.set_data_length(0);
    payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    extension_.kind = link::RecordKind::kCredit;
    extension_.vc = vc;
    extension_.count = count;
    extension_.sent = sent;
    return payload_;
  }

  /// Prepares a host record (HostMessage::encode()) that leaves at `sent`.
  tlm::tlm_generic_payload& host(Time sent, const link::Record& record) {
    burst(record.words.data(), link::kRecordWords, 0, record.vc, record.flags);
    extension_.kind = link::RecordKind::kHost;
    extension_.count = record.count;
    extension_.sent = sent;
    return payload_;
  }

 private:
  tlm::tlm_generic_payload payload_;
  LinkExtension extension_;
};

/// Converts simulated time to SystemC; the kernel's resolution is one femtosecond (see SystemcContext).
inline sc_core::sc_time to_sc_time(Time time) {
  return sc_core::sc_time::from_value(static_cast<sc_dt::uint64>(time.fs()));
}
inline Time from_sc_time(const sc_core::sc_time& time) { return Time::from_fs(static_cast<int64_t>(time.value())); }

}  // namespace fabrictwin::kernel

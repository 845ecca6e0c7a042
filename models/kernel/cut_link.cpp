// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/cut_link.h"

namespace fabrictwin::kernel {

CutLink::CutLink(const sc_core::sc_module_name& name, link::ChannelSender& sender, link::ChannelReceiver& receiver)
    : sc_module(name), in("in"), out("out"), sender_(sender), receiver_(receiver) {
  in.register_b_transport(this, &CutLink::forward);
}

void CutLink::forward(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
  const auto* extension = payload.get_extension<LinkExtension>();
  if (extension == nullptr) {
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return;
  }
  if (extension->kind == link::RecordKind::kCredit) {
    sender_.send_credit(extension->sent, extension->vc, extension->count);
  } else if (extension->kind == link::RecordKind::kHost) {
    sender_.send_record(extension->sent, host_record_of(payload, *extension));
  } else {
    for_each_word(payload, *extension, [&](int64_t slot, uint8_t flags, const link::Word& word) {
      sender_.send_word(slot, extension->vc, flags, word);
    });
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

void CutLink::receive_until(Time until) {
  while (const link::Record* record = receiver_.front()) {
    if (record->time() >= until) return;
    sc_core::sc_time delay;
    if (record->kind == link::RecordKind::kBurst) {
      out->b_transport(transaction_.burst(record->words.data(), record->count, receiver_.first_slot(*record),
                                          record->vc, record->flags),
                       delay);
    } else if (record->kind == link::RecordKind::kCredit) {
      out->b_transport(transaction_.credit(record->time() - receiver_.spec().latency, record->vc, record->count),
                       delay);
    } else if (record->kind == link::RecordKind::kHost) {
      out->b_transport(transaction_.host(record->time() - receiver_.spec().latency, *record), delay);
    }
    receiver_.pop();
  }
}

}  // namespace fabrictwin::kernel

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/conformance/requests.h"

#include <algorithm>
#include <map>

#include "bridges/conformance/records.h"

namespace fabrictwin::bridges::conformance {
namespace {

/// Far more than all buffers of a router take to become empty.
constexpr Time kRest = Time::from_us(100);

}  // namespace

Inputs::Inputs(const ChannelMap& map, const std::vector<v1::RunRequest>& requests) {
  for (const auto& [id, channel] : map.crossing()) {
    if (channel.inbound) channels_.push_back(id);
  }
  // The buffer of std::stable_sort would not be aligned as records are.
  std::multimap<Time, link::Record> by_time;
  for (const v1::RunRequest& request : requests) {
    for (const link::Record& record : records_of(request.records())) {
      if (is_counted(record)) by_time.emplace(record.time(), record);
    }
  }
  for (const auto& [time, record] : by_time) records_.push_back(record);
  rest_ = (records_.empty() ? Time::zero() : records_.back().time()) + kRest;
}

void Inputs::promise(Time time, v1::RunRequest& request) const {
  for (const uint32_t channel : channels_) append(make_promise(channel, time), *request.mutable_records());
}

void Inputs::finish(size_t from, std::vector<v1::RunRequest>& requests) const {
  v1::RunRequest request;
  for (size_t i = from; i < records_.size(); ++i) append(records_[i], *request.mutable_records());
  promise(rest_, request);
  requests.push_back(std::move(request));
}

std::vector<v1::RunRequest> Inputs::one_by_one(size_t most) const {
  std::vector<v1::RunRequest> requests;
  const size_t single = std::min(most, records_.size());
  for (size_t i = 0; i < single; ++i) {
    v1::RunRequest request;
    append(records_[i], *request.mutable_records());
    promise(i + 1 < records_.size() ? records_[i + 1].time() : records_[i].time(), request);
    requests.push_back(std::move(request));
  }
  finish(single, requests);
  return requests;
}

std::vector<v1::RunRequest> Inputs::at_once() const {
  std::vector<v1::RunRequest> requests;
  finish(0, requests);
  return requests;
}

std::vector<v1::RunRequest> Inputs::with_ends() const {
  v1::RunRequest request;
  for (const link::Record& record : records_) append(record, *request.mutable_records());
  for (const uint32_t channel : channels_)
    append(channel == channels_.back() ? make_promise(channel, rest_) : make_end(channel), *request.mutable_records());
  return {request};
}

std::vector<v1::RunRequest> Inputs::creeping(Time step, size_t most) const {
  std::vector<v1::RunRequest> requests;
  size_t next = 0;
  Time until = Time::zero();
  for (size_t i = 0; i < most && next < records_.size(); ++i) {
    until += step;
    v1::RunRequest request;
    for (; next < records_.size() && records_[next].time() < until; ++next)
      append(records_[next], *request.mutable_records());
    promise(until, request);
    requests.push_back(std::move(request));
  }
  finish(next, requests);
  return requests;
}

}  // namespace fabrictwin::bridges::conformance

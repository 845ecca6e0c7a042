// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/check/outstanding_requests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "tests/workloads/trace_helpers.h"

namespace fabrictwin {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// The numbers of what is waited for.
std::vector<uint64_t> awaited(const trace::check::OutstandingRequests& requests) {
  std::vector<uint64_t> numbers;
  for (const trace::check::OutstandingRequests::Request& request : requests.awaited())
    numbers.push_back(request.number);
  return numbers;
}

void follow_all(trace::check::OutstandingRequests& requests, const std::vector<trace::format::Event>& events) {
  for (const trace::format::Event& event : events) ASSERT_TRUE(requests.follow(event).ok());
}

TEST(OutstandingRequests, WaitIsForTheOldestOfThatEndPeerAndTag) {
  trace::check::OutstandingRequests requests(0);
  follow_all(requests, {message(v1::ISEND, 1, 5), message(v1::IRECV, 1, 5), message(v1::IRECV, 1, 6),
                        message(v1::IRECV, 1, 5), message(v1::WAIT_RECV, 1, 5)});
  EXPECT_THAT(awaited(requests), ElementsAre(1));
  follow_all(requests, {message(v1::WAIT_RECV, 1, 5)});
  EXPECT_THAT(awaited(requests), ElementsAre(3));
  follow_all(requests, {message(v1::WAIT_SEND, 1, 5)});
  EXPECT_THAT(awaited(requests), ElementsAre(0));
  EXPECT_TRUE(requests.outstanding(2));
  EXPECT_FALSE(requests.outstanding(1));
}

TEST(OutstandingRequests, WaitForAMessageToOneselfIsForTheOldestOfBothEnds) {
  trace::check::OutstandingRequests requests(2);
  follow_all(requests, {message(v1::IRECV, 2, 1), message(v1::ISEND, 2, 1), message(v1::WAIT_SEND, 2, 1)});
  EXPECT_THAT(awaited(requests), ElementsAre(0));
  EXPECT_TRUE(requests.awaited().front().receives());
  follow_all(requests, {message(v1::WAIT_RECV, 2, 1)});
  EXPECT_THAT(awaited(requests), ElementsAre(1));
}

TEST(OutstandingRequests, WaitByAgeGetsTheNameOfItsRequest) {
  trace::check::OutstandingRequests requests(0);
  follow_all(requests, {message(v1::IRECV, trace::format::kAnySource, 1), message(v1::ISEND, 1, 1), wait_after(1)});
  EXPECT_THAT(awaited(requests), ElementsAre(0));
  EXPECT_EQ(*requests.named_wait(), message(v1::WAIT_RECV, trace::format::kAnySource, 1));
  follow_all(requests, {wait_after(0)});
  EXPECT_EQ(*requests.named_wait(), message(v1::WAIT_SEND, 1, 1));
}

TEST(OutstandingRequests, WaitByAgeHasNoNameIfAnOlderRequestHasTheSame) {
  trace::check::OutstandingRequests requests(0);
  follow_all(requests, {message(v1::ISEND, 1, 1), message(v1::ISEND, 1, 1), wait_after(0)});
  EXPECT_THAT(std::string(requests.named_wait().status().message()),
              HasSubstr("waits for the request of event 1 before the one of event 0"));
  follow_all(requests, {event_of(v1::IBARRIER), wait_after(0)});
  EXPECT_THAT(std::string(requests.named_wait().status().message()), HasSubstr("does not block (ibarrier)"));
}

TEST(OutstandingRequests, WaitForAllIsForCollectivesToo) {
  trace::check::OutstandingRequests requests(0);
  follow_all(requests, {message(v1::ISEND, 1, 1), event_of(v1::IBARRIER), message(v1::RECV, 1, 1),
                        message(v1::IRECV, 1, 1), event_of(v1::WAITALL)});
  EXPECT_THAT(awaited(requests), ElementsAre(0, 1, 2));
  follow_all(requests, {event_of(v1::WAITALL)});
  EXPECT_THAT(awaited(requests), ElementsAre());
  EXPECT_EQ(requests.count(), 3);
}

TEST(OutstandingRequests, LabelsStayWithTheirRequests) {
  trace::check::OutstandingRequests requests(0);
  follow_all(requests, {message(v1::ISEND, 1, 1)});
  requests.started()->label = 7;
  follow_all(requests, {message(v1::SEND, 1, 1)});
  EXPECT_EQ(requests.started(), nullptr);
  follow_all(requests, {wait_after(0)});
  EXPECT_EQ(requests.awaited().front().label, 7);
  EXPECT_EQ(requests.awaited().front().event, 0);
}

TEST(OutstandingRequests, WaitForNothingIsAnError) {
  trace::check::OutstandingRequests requests(0);
  const auto error = [&](const trace::format::Event& event) {
    const absl::Status status = requests.follow(event);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_TRUE(requests.awaited().empty());
    return std::string(status.message());
  };
  EXPECT_THAT(error(wait_after(0)), HasSubstr("after which 0 others were started, but there is no such request"));
  EXPECT_THAT(error(message(v1::WAIT_SEND, 1, 3)), HasSubstr("waits for a send to rank 1 with tag 3"));
  EXPECT_THAT(error(message(v1::WAIT_RECV, trace::format::kAnySource, 3)),
              HasSubstr("waits for a receive from any rank with tag 3"));
  follow_all(requests, {message(v1::ISEND, 1, 3), wait_after(0)});
  EXPECT_THAT(error(wait_after(0)), HasSubstr("no such request"));
  EXPECT_THAT(error(wait_after(~uint64_t{0})), HasSubstr("no such request"));
}

// As a list that is searched from its oldest request on.
RC_GTEST_PROP(OutstandingRequestsProperty, AgreesWithASearchFromTheOldestOn, ()) {
  trace::check::OutstandingRequests requests(0);
  std::vector<std::pair<uint64_t, trace::format::Event>> open;
  uint64_t count = 0;
  const int steps = *rc::gen::inRange(0, 60);
  for (int step = 0; step < steps; ++step) {
    const v1::TraceAction action =
        *rc::gen::element(v1::ISEND, v1::IRECV, v1::IBARRIER, v1::WAIT, v1::WAIT_SEND, v1::WAIT_RECV);
    trace::format::Event event = event_of(action);
    const bool named = trace::format::action_shape(action).peers == 1;
    if (named) event.peer = *rc::gen::inRange(0, 3);
    if (named) event.tag = *rc::gen::inRange(0, 2);
    if (action == v1::WAIT) event.count = *rc::gen::inRange(0, 6);
    const bool ok = requests.follow(event).ok();
    if (trace::format::action_shape(action).starts) {
      RC_ASSERT(ok);
      open.emplace_back(count++, event);
      continue;
    }
    const auto found = std::find_if(open.begin(), open.end(), [&](const auto& entry) {
      const auto& [number, request] = entry;
      if (action == v1::WAIT) return number + event.count + 1 == count;
      if (request.action == v1::IBARRIER || request.peer != event.peer || request.tag != event.tag) return false;
      return event.peer == 0 || (request.action == v1::ISEND) == (action == v1::WAIT_SEND);
    });
    RC_ASSERT(ok == (found != open.end()));
    if (!ok) continue;
    RC_ASSERT(awaited(requests) == std::vector<uint64_t>{found->first});
    open.erase(found);
  }
  for (const auto& [number, request] : open) RC_ASSERT(requests.outstanding(number));
}

}  // namespace
}  // namespace fabrictwin

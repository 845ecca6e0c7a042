// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// `fabrictwin nanet --tap`: the ARP, ICMP and UDP of the kernel against the RTL, in a network namespace of this
// process.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/ip.h>
#include <netinet/ip_icmp.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "tests/integration/background_process.h"
#include "tests/integration/cli_process.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

constexpr const char* kDevice = "nanet0";

sockaddr_in address(const char* ip, uint16_t port) {
  sockaddr_in result{};
  result.sin_family = AF_INET;
  result.sin_port = htons(port);
  inet_pton(AF_INET, ip, &result.sin_addr);
  return result;
}

const sockaddr* plain(const sockaddr_in& of) { return reinterpret_cast<const sockaddr*>(&of); }

/// Gives the device an address of a network of 24 bits, and turns it on.
bool configure(int socket) {
  ifreq request{};
  std::strncpy(request.ifr_name, kDevice, IFNAMSIZ - 1);
  const auto set = [&](unsigned long what, const char* ip) {
    const sockaddr_in value = address(ip, 0);
    std::memcpy(&request.ifr_addr, &value, sizeof value);
    return ioctl(socket, what, &request) == 0;
  };
  if (!set(SIOCSIFADDR, "10.0.0.1") || !set(SIOCSIFNETMASK, "255.255.255.0")) return false;
  request.ifr_flags = IFF_UP | IFF_RUNNING;
  return ioctl(socket, SIOCSIFFLAGS, &request) == 0;
}

/// Removes the device, as `ip link delete` does.
bool remove_device() {
  struct {
    nlmsghdr header;
    ifinfomsg link;
  } request{};
  request.header.nlmsg_len = sizeof request;
  request.header.nlmsg_type = RTM_DELLINK;
  request.header.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
  request.link.ifi_index = static_cast<int>(if_nametoindex(kDevice));
  const int netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
  struct {
    nlmsghdr header;
    nlmsgerr error;
  } answer{};
  const bool answered = send(netlink, &request, sizeof request, 0) == static_cast<ssize_t>(sizeof request) &&
                        recv(netlink, &answer, sizeof answer, 0) > 0;
  close(netlink);
  return answered && answer.header.nlmsg_type == NLMSG_ERROR && answer.error.error == 0;
}

/// An echo request, as `ping` sends it, with `bytes` of data behind its header; `damage` is added to its checksum.
std::vector<uint8_t> echo_request(uint16_t sequence, size_t bytes, uint16_t damage) {
  std::vector<uint8_t> message(sizeof(icmphdr) + bytes);
  for (size_t i = 0; i < bytes; ++i) message[sizeof(icmphdr) + i] = static_cast<uint8_t>(i * 7 + sequence);
  icmphdr header{};
  header.type = ICMP_ECHO;
  header.un.echo.id = htons(0x4242);
  header.un.echo.sequence = htons(sequence);
  std::memcpy(message.data(), &header, sizeof header);
  uint32_t sum = 0;
  for (size_t i = 0; i < message.size(); ++i) sum += i % 2 == 0 ? uint32_t{message[i]} << 8 : message[i];
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
  header.checksum = htons(static_cast<uint16_t>(~sum + damage));
  std::memcpy(message.data(), &header, sizeof header);
  return message;
}

/// In a network namespace of its own.
class NanetTap : public ::testing::Test {
 protected:
  void SetUp() override {
    if (unshare(CLONE_NEWNET) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0)
      GTEST_SKIP() << "no network namespace may be made here";
    if (access("/dev/net/tun", R_OK | W_OK) != 0) GTEST_SKIP() << "no TAP device may be made here";
  }
};

TEST_F(NanetTap, EndsWhenItsDeviceIsRemoved) {
  const TestFolder folder;
  BackgroundProcess nanet({cli_binary(), "nanet", "--tap", kDevice}, folder.file("log"), folder.file("out"));
  ASSERT_TRUE(eventually([] { return if_nametoindex(kDevice) != 0; })) << nanet.log();
  ASSERT_TRUE(remove_device());
  EXPECT_EQ(nanet.wait(), 1) << nanet.log();
  EXPECT_NE(nanet.log().find("cannot read from nanet0"), std::string::npos) << nanet.log();
}

TEST_F(NanetTap, AnswersTheKernel) {
  const TestFolder folder;
  const std::string out = folder.file("out.json");
  BackgroundProcess nanet({cli_binary(), "nanet", "--tap", kDevice, "--reply-to", "10.0.0.1:6000", "--json"},
                          folder.file("log"), out);
  ASSERT_TRUE(eventually([] { return if_nametoindex(kDevice) != 0; })) << nanet.log();
  const int udp = socket(AF_INET, SOCK_DGRAM, 0);
  ASSERT_GE(udp, 0);
  ASSERT_TRUE(configure(udp)) << std::strerror(errno);
  const timeval patience{.tv_sec = 120, .tv_usec = 0};
  setsockopt(udp, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  const sockaddr_in here = address("10.0.0.1", 6000);
  ASSERT_EQ(bind(udp, plain(here), sizeof here), 0);
  const sockaddr_in there = address("10.0.0.2", 5000);
  for (const std::string text : {"hello", "once more"}) {
    ASSERT_EQ(sendto(udp, text.data(), text.size(), 0, plain(there), sizeof there), static_cast<ssize_t>(text.size()));
    char reply[2048] = {};
    ASSERT_EQ(recv(udp, reply, sizeof reply, 0), 16) << "the datagram, filled up to whole words";
    EXPECT_EQ(std::string(reply, text.size()), text);
  }
  close(udp);
  nanet.send(SIGINT);
  EXPECT_EQ(nanet.wait(), 0) << nanet.log();
  EXPECT_NE(read_file(out).find("\"sent\": 2"), std::string::npos);
}

// A request with a wrong checksum is not answered, so the reply that comes next is that of the next request.
TEST_F(NanetTap, AnswersPing) {
  const TestFolder folder;
  const std::string out = folder.file("out.json");
  BackgroundProcess nanet({cli_binary(), "nanet", "--tap", kDevice, "--json"}, folder.file("log"), out);
  ASSERT_TRUE(eventually([] { return if_nametoindex(kDevice) != 0; })) << nanet.log();
  const int icmp = socket(AF_INET, SOCK_RAW, IPPROTO_ICMP);
  ASSERT_GE(icmp, 0) << std::strerror(errno);
  ASSERT_TRUE(configure(icmp)) << std::strerror(errno);
  const timeval patience{.tv_sec = 120, .tv_usec = 0};
  setsockopt(icmp, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  const sockaddr_in there = address("10.0.0.2", 0);
  const auto send = [&](const std::vector<uint8_t>& message) {
    return sendto(icmp, message.data(), message.size(), 0, plain(there), sizeof there) ==
           static_cast<ssize_t>(message.size());
  };
  uint16_t sequence = 0;
  for (const size_t bytes : {size_t{56}, size_t{0}, size_t{57}, size_t{1472}}) {
    if (sequence > 0) ASSERT_TRUE(send(echo_request(sequence, bytes, 1))) << std::strerror(errno);
    std::vector<uint8_t> message = echo_request(++sequence, bytes, 0);
    ASSERT_TRUE(send(message)) << std::strerror(errno);
    uint8_t reply[2048] = {};
    const ssize_t length = recv(icmp, reply, sizeof reply, 0);
    ASSERT_EQ(length, static_cast<ssize_t>(sizeof(iphdr) + message.size())) << std::strerror(errno);
    // Type 0 instead of 8, and a checksum that is right for it.
    message[0] = ICMP_ECHOREPLY;
    const uint16_t sum = ntohs(reinterpret_cast<const icmphdr*>(message.data())->checksum);
    const uint32_t raised = uint32_t{sum} + 0x800;
    const uint16_t checksum = htons(static_cast<uint16_t>(raised + (raised >> 16)));
    std::memcpy(&message[2], &checksum, sizeof checksum);
    EXPECT_EQ(std::vector<uint8_t>(reply + sizeof(iphdr), reply + length), message) << bytes;
  }
  close(icmp);
  nanet.send(SIGINT);
  EXPECT_EQ(nanet.wait(), 0) << nanet.log();
  EXPECT_NE(read_file(out).find("\"echo\": 4"), std::string::npos) << read_file(out);
}

}  // namespace
}  // namespace fabrictwin

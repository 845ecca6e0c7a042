// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/dashboards/metrics/kept_requests.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>

namespace fabrictwin {
namespace {

/// Receives until the text has so many bytes; false if the connection ends before.
bool receive(int connection, std::string& text, size_t size) {
  char buffer[4096];
  while (text.size() < size) {
    const ssize_t got = recv(connection, buffer, sizeof(buffer), 0);
    if (got <= 0) return false;
    text.append(buffer, static_cast<size_t>(got));
  }
  return true;
}

}  // namespace

KeptRequests::KeptRequests(int status) : status_(status) {
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  if (bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 || listen(listener_, 8) != 0 ||
      getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    throw std::runtime_error("cannot listen");
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { serve(); });
}

KeptRequests::~KeptRequests() {
  // Ends accept(), too.
  shutdown(listener_, SHUT_RDWR);
  thread_.join();
  close(listener_);
}

std::vector<KeptRequests::Request> KeptRequests::all() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

void KeptRequests::serve() {
  while (true) {
    const int connection = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0) return;
    answer(connection);
    close(connection);
  }
}

void KeptRequests::answer(int connection) {
  std::string text;
  size_t end = std::string::npos;
  while ((end = text.find("\r\n\r\n")) == std::string::npos)
    if (!receive(connection, text, text.size() + 1)) return;
  Request request;
  const size_t line = text.find("\r\n");
  request.line = text.substr(0, line);
  request.headers = text.substr(line, end - line) + "\r\n";
  request.body = text.substr(end + 4);
  const size_t length = request.headers.find("\r\nContent-Length: ");
  const size_t size =
      length == std::string::npos ? 0 : std::strtoul(request.headers.c_str() + length + 18, nullptr, 10);
  if (!receive(connection, request.body, size)) return;
  {
    const std::lock_guard lock(mutex_);
    requests_.push_back(std::move(request));
  }
  const std::string reply =
      "HTTP/1.1 " + std::to_string(status_) + " As told\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
  (void)send(connection, reply.data(), reply.size(), MSG_NOSIGNAL);
}

}  // namespace fabrictwin

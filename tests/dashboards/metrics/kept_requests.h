// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The least of an HTTP server, for tests that push.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace fabrictwin {

/// Listens at a free port of 127.0.0.1, keeps what it is sent, and answers each request with one status.
class KeptRequests {
 public:
  struct Request {
    std::string line;  ///< "PUT /metrics/job/fabrictwin HTTP/1.1".
    std::string headers;
    std::string body;
  };

  explicit KeptRequests(int status = 200);
  ~KeptRequests();
  KeptRequests(const KeptRequests&) = delete;
  KeptRequests& operator=(const KeptRequests&) = delete;

  uint16_t port() const { return port_; }
  /// Those that have been answered.
  std::vector<Request> all() const;

 private:
  void serve();
  void answer(int connection);

  int status_;
  int listener_ = -1;
  uint16_t port_ = 0;
  mutable std::mutex mutex_;
  std::vector<Request> requests_;
  std::thread thread_;
};

}  // namespace fabrictwin

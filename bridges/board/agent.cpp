// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/board/agent.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <thread>
#include <utility>

#include "absl/status/statusor.h"
#include "bridges/board/registers.h"
#include "bridges/board/service.h"
#include "bridges/board/shell/device.h"
#include "bridges/board/shell/element.h"
#include "bridges/board/shell/identity.h"
#include "bridges/board/soft_board.h"
#include "bridges/board/window.h"
#include "bridges/server/server.h"
#include "bridges/server/service_metrics.h"
#include "fmt/format.h"
#include "rtl/shell/shell_registers.h"

namespace fabrictwin::bridges::board {

namespace {

absl::Status serve_window(const AgentOptions& options, Window& window, int32_t ports) {
  server::ServerEnd end;
  Service service(window, ports, options.clock, options.once, end);
  const server::MeasuredService measured(options.metrics, [&service] { return service.state(); });
  return server::serve_bridge(options, service, end);
}

/// The agent of a board with a shell is the executor of its element, too: behind a window of its own, which is like
/// that of a soft board.
absl::Status serve_shell(const AgentOptions& options, shell::Device& device) {
  const absl::StatusOr<shell::Identity> identity = shell::read_identity(device);
  if (!identity.ok()) return identity.status();
  absl::StatusOr<std::unique_ptr<Window>> window = Window::create_private(kBoardBasePorts);
  if (!window.ok()) return window.status();
  (*window)->registers().identity.element_type =
      identity->element == Element::kExternalRouter ? kBoardExternalRouter : kBoardExanetRouter;
  const ElementFactory element = [&](const Config& config) -> absl::StatusOr<std::unique_ptr<engine::Partition>> {
    absl::StatusOr<std::unique_ptr<shell::Element>> made = shell::Element::create(device, config, options.clock);
    if (!made.ok()) return made.status();
    return *std::move(made);
  };
  shell::Pulse pulse(device, shell::heartbeat_patience(*identity));
  const ElementPulse look = [&pulse] { return pulse.check(); };
  const std::jthread board(
      [&](const std::stop_token& stop) { serve_elements(**window, element, look, stop, nullptr); });
  return serve_window(options, **window, identity->ports);
}

}  // namespace

absl::Status serve_board_agent(const AgentOptions& options) {
  absl::StatusOr<std::unique_ptr<shell::Device>> device = shell::Device::open(options.window, options.rings);
  if (!device.ok()) return device.status();
  // A soft board has another magic, of which a register of a shell would be the lower half.
  if ((*device)->read32(rtl::shell::registers::kIdentificationOffset) != static_cast<uint32_t>(kBoardMagic))
    return serve_shell(options, **device);
  *device = nullptr;
  if (options.clock != shell::ClockMode::kGated) {
    return absl::UnimplementedError(
        fmt::format("{}: is a soft board, which is gated and cannot be {}", options.window, name_of(options.clock)));
  }
  if (options.rings != shell::RingMemory::kWindow)
    return absl::UnimplementedError(fmt::format("{}: is a soft board, whose rings are in its window", options.window));
  absl::StatusOr<std::unique_ptr<Window>> window = Window::attach(options.window);
  if (!window.ok()) return window.status();
  return serve_window(options, **window, (*window)->ports());
}

}  // namespace fabrictwin::bridges::board

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Windows that are BARs of devices of vfio-pci (Linux, Documentation/driver-api/vfio.rst).
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "bridges/board/shell/window_source.h"

namespace fabrictwin::bridges::board::shell {

/// Opens "vfio:BDF" or "vfio:BDF/barN", BAR 0 if none is named, and switches the device's memory and its access to
/// that of the host on. With `rings` in the host, there is memory that the IOMMU lets the device reach. Errors say
/// which step is missing on this machine: NotFound for a device or a module, FailedPrecondition for an IOMMU, a driver,
/// a group or a BAR, PermissionDenied for the files of the group.
absl::StatusOr<WindowSource> open_vfio(const std::string& name, RingMemory rings, const SystemFolders& folders);

}  // namespace fabrictwin::bridges::board::shell

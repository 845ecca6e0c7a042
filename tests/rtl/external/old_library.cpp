// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A shared library with a router of an interface that this program does not have.
#include "rtl/external/router.h"

extern "C" {
const int32_t fabrictwin_external_router_version = 99;
fabrictwin::rtl::external::Router* fabrictwin_make_external_router(const fabrictwin::rtl::external::Setup&) {
  return nullptr;
}
}

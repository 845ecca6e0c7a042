// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "rtl/transactor/external/library.h"

#include <dlfcn.h>

#include <exception>

#include "fmt/format.h"

namespace fabrictwin::rtl::external {

absl::StatusOr<std::unique_ptr<Router>> make_router(const std::string& file, const Setup& setup) {
  const auto wrong = [&](const std::string& what) {
    return absl::InvalidArgumentError(fmt::format("{}: {}: {}", setup.name, file, what));
  };
  if (file.empty()) {
    return absl::InvalidArgumentError(fmt::format(
        "{}: the experiment names no library with its RTL; write router {{ library: \"FILE.so\" }}", setup.name));
  }
  // It is loaded once, however many routers there are, and their code must outlive them.
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    return wrong(fmt::format("cannot be loaded ({}); build it for this machine, with all that it needs", dlerror()));
  const auto* const version = static_cast<const int32_t*>(dlsym(library, "fabrictwin_external_router_version"));
  auto* const make =
      reinterpret_cast<decltype(&fabrictwin_make_external_router)>(dlsym(library, "fabrictwin_make_external_router"));
  if (version == nullptr || make == nullptr)
    return wrong("is no library with a router; define what rtl/external/router.h declares");
  if (*version != kInterfaceVersion) {
    return wrong(fmt::format("is for interface {} of routers, and this program has {}; compile it anew", *version,
                             kInterfaceVersion));
  }
  try {
    std::unique_ptr<Router> router(make(setup));
    if (router == nullptr) return wrong("has no such router; see what it is made for");
    return router;
  } catch (const std::exception& error) {
    return wrong(fmt::format("cannot make it: {}", error.what()));
  } catch (...) {
    // A library may have a C++ run time of its own, whose exceptions are strangers here.
    return wrong("cannot make it, and does not say why");
  }
}

}  // namespace fabrictwin::rtl::external

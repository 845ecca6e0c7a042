// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "rtl/transactor/external/library.h"

#include <dlfcn.h>

#include <exception>

#include "fmt/format.h"

namespace fabrictwin::rtl::external {

namespace {

/// What a library must define to make a thing of one kind.
struct Symbols {
  const char* version;
  const char* make;
  int32_t interface;
  const char* thing;   ///< "router".
  const char* header;  ///< Which declares the two.
};

/// Makes a thing by what `symbols` say, by `make(function)`. `name`, which may be empty, is the element's.
template <class Thing, class Function, class Make>
absl::StatusOr<std::unique_ptr<Thing>> make_of(const std::string& file, const std::string& name, const Symbols& symbols,
                                               Make make) {
  const auto wrong = [&](const std::string& what) {
    return absl::InvalidArgumentError(fmt::format("{}{}: {}", name.empty() ? "" : name + ": ", file, what));
  };
  // It is loaded once, however many routers there are, and their code must outlive them.
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    return wrong(fmt::format("cannot be loaded ({}); build it for this machine, with all that it needs", dlerror()));
  const auto* const version = static_cast<const int32_t*>(dlsym(library, symbols.version));
  auto* const function = reinterpret_cast<Function>(dlsym(library, symbols.make));
  if (version == nullptr || function == nullptr)
    return wrong(fmt::format("is no library with a {}; define what {} declares", symbols.thing, symbols.header));
  if (*version != symbols.interface) {
    return wrong(fmt::format("is for interface {} of {}s, and this program has {}; compile it anew", *version,
                             symbols.thing, symbols.interface));
  }
  try {
    std::unique_ptr<Thing> made(make(function));
    if (made == nullptr) return wrong(fmt::format("has no such {}; see what it is made for", symbols.thing));
    return made;
  } catch (const std::exception& error) {
    return wrong(fmt::format("cannot make it: {}", error.what()));
  } catch (...) {
    // A library may have a C++ run time of its own, whose exceptions are strangers here.
    return wrong("cannot make it, and does not say why");
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<Router>> make_router(const std::string& file, const Setup& setup) {
  if (file.empty()) {
    return absl::InvalidArgumentError(fmt::format(
        "{}: the experiment names no library with its RTL; write router {{ library: \"FILE.so\" }}", setup.name));
  }
  constexpr Symbols kSymbols{.version = "fabrictwin_external_router_version",
                             .make = "fabrictwin_make_external_router",
                             .interface = kInterfaceVersion,
                             .thing = "router",
                             .header = "rtl/external/router.h"};
  return make_of<Router, decltype(&fabrictwin_make_external_router)>(file, setup.name, kSymbols,
                                                                     [&](auto* function) { return function(setup); });
}

absl::StatusOr<std::unique_ptr<Shell>> make_shell(const std::string& file) {
  constexpr Symbols kSymbols{.version = "fabrictwin_external_shell_version",
                             .make = "fabrictwin_make_external_shell",
                             .interface = kShellInterfaceVersion,
                             .thing = "shell",
                             .header = "rtl/external/shell.h"};
  return make_of<Shell, decltype(&fabrictwin_make_external_shell)>(file, "", kSymbols,
                                                                   [](auto* function) { return function(); });
}

}  // namespace fabrictwin::rtl::external

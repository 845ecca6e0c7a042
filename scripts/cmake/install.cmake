# SPDX-FileCopyrightText: The FabricTwin authors
# SPDX-License-Identifier: Apache-2.0
#
# What `cmake --install` puts under a prefix, which may be moved afterwards: the command with its manual page and completion, experiments, dashboards and the
# SystemVerilog of a board's shell (share/fabrictwin), the recorders that were built, and the CMake package FabricTwin with what it links and includes. scripts/cmake/package.cmake says what the
# package has.
include(GNUInstallDirs)
set(data_folder ${CMAKE_INSTALL_DATADIR}/fabrictwin)
set(header_folder ${CMAKE_INSTALL_INCLUDEDIR}/fabrictwin)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/FabricTwin)

install(TARGETS fabrictwin RUNTIME)
install(DIRECTORY workloads/experiments DESTINATION ${data_folder}/workloads)
install(DIRECTORY dashboards/grafana dashboards/prometheus DESTINATION ${data_folder}/dashboards)
install(FILES README.md LICENSE CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

# Made by the command itself, so that they have the options that it has.
set(texts ${PROJECT_BINARY_DIR}/command-texts)
install(CODE "set(command \"$<TARGET_FILE:fabrictwin>\")
set(texts \"${texts}\")
set(data \"${CMAKE_INSTALL_DATADIR}\")
set(man \"${CMAKE_INSTALL_MANDIR}\")")
install(CODE [[
file(MAKE_DIRECTORY ${texts})
foreach(text "man:fabrictwin.1:${man}/man1" "bash:fabrictwin:${data}/bash-completion/completions" "zsh:_fabrictwin:${data}/zsh/site-functions")
  string(REPLACE ":" ";" text ${text})
  list(GET text 0 kind)
  list(GET text 1 name)
  list(GET text 2 folder)
  execute_process(COMMAND ${command} command-texts ${kind} OUTPUT_FILE ${texts}/${name} COMMAND_ERROR_IS_FATAL ANY)
  file(INSTALL ${texts}/${name} DESTINATION ${CMAKE_INSTALL_PREFIX}/${folder})
endforeach()
]])

# Recorders find the command beside the folder that they are in. Builds of the command alone have none.
foreach(mpi IN LISTS FABRICTWIN_RECORDERS)
  install(TARGETS fabrictwin_record_${mpi} LIBRARY DESTINATION lib OPTIONAL)
endforeach()
if(TARGET fabrictwin_record_openmpi)
  install(FILES ${PROJECT_BINARY_DIR}/lib/libfabrictwin-record.so DESTINATION lib OPTIONAL)
endif()

# So does the command find what it loads for runs by MPI.
if(FABRICTWIN_MPI_WORLDS)
  install(TARGETS ${FABRICTWIN_MPI_WORLDS} LIBRARY DESTINATION lib OPTIONAL)
endif()

install(TARGETS ${package_targets} EXPORT FabricTwin ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} INCLUDES DESTINATION ${header_folder})
install(EXPORT FabricTwin NAMESPACE fabrictwin:: FILE FabricTwinTargets.cmake DESTINATION ${package_folder})
install(FILES ${PROJECT_BINARY_DIR}/installed/FabricTwinConfig.cmake ${PROJECT_BINARY_DIR}/FabricTwinConfigVersion.cmake DESTINATION ${package_folder})
foreach(name IN LISTS shell_names)
  get_filename_component(folder ${name} DIRECTORY)
  install(FILES ${name} DESTINATION ${data_folder}/${folder})
endforeach()
# Headers are included from the root of the project, there as here.
set(folders)
foreach(target IN LISTS package_targets)
  get_target_property(folder ${target} SOURCE_DIR)
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${folder})
  if(folder AND NOT folder MATCHES "^(\\.\\.|proto)")
    list(APPEND folders ${folder})
  endif()
endforeach()
list(REMOVE_DUPLICATES folders)
foreach(folder IN LISTS folders)
  install(DIRECTORY ${folder}/ DESTINATION ${header_folder}/${folder} FILES_MATCHING PATTERN "*.h" PATTERN cli EXCLUDE)
endforeach()
install(DIRECTORY ${PROJECT_BINARY_DIR}/proto/fabrictwin DESTINATION ${header_folder} FILES_MATCHING PATTERN "*.pb.h")

include(CMakePackageConfigHelpers)

get_property(libraries GLOBAL PROPERTY WARPIPE_LIBRARIES)
install(TARGETS ${libraries} EXPORT warpipe ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} FILE_SET HEADERS FILE_SET version)
install(EXPORT warpipe NAMESPACE warpipe:: FILE warpipeTargets.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/warpipe)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/warpipeConfig.cmake.in warpipeConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/warpipe)
write_basic_package_version_file(warpipeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/warpipeConfig.cmake ${PROJECT_BINARY_DIR}/warpipeConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/warpipe)

# Static libraries are linked users first.
set(pc_libraries "")
foreach(library IN LISTS libraries)
  string(PREPEND pc_libraries "-l${library} ")
endforeach()
file(RELATIVE_PATH pc_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(${PROJECT_SOURCE_DIR}/cmake/warpipe.pc.in warpipe.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/warpipe.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
# The kernels of the README, at the paths that it gives.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/kernels/cuda DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples/kernels
  FILES_MATCHING PATTERN *.cu PATTERN *.ptx PATTERN sm_75 EXCLUDE PATTERN sm_80 EXCLUDE PATTERN cubins EXCLUDE)

add_custom_target(uninstall
  COMMAND ${CMAKE_COMMAND} -D MANIFEST=${PROJECT_BINARY_DIR}/install_manifest.txt
    -P ${PROJECT_SOURCE_DIR}/cmake/uninstall.cmake
  COMMENT "Removing what the last installation wrote" VERBATIM)

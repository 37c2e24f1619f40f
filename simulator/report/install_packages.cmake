# Installs the packages of the lock file and makes of them what a page embeds: scripts.html and licences.txt in TO, both
# empty where that is not possible.
# usage: cmake -D NPM=... -D NODE=... -D FROM=web -D TO=DIR -P install_packages.cmake
file(MAKE_DIRECTORY ${TO})
file(COPY ${FROM}/package.json ${FROM}/package-lock.json ${FROM}/.npmrc DESTINATION ${TO})

set(problem "")
if(NOT NPM OR NOT NODE)
  set(problem "npm and Node.js were not found when the build was configured")
else()
  execute_process(COMMAND ${NPM} ci --no-progress --loglevel=error WORKING_DIRECTORY ${TO}
    RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE said TIMEOUT 300)
  if(status EQUAL 0)
    execute_process(COMMAND ${NODE} ${FROM}/bundle.mjs ${TO}/node_modules ${TO} RESULT_VARIABLE status ERROR_VARIABLE said)
  endif()
  if(NOT status EQUAL 0)
    set(problem "npm ci or the bundling failed: ${said}")
  endif()
endif()

if(problem)
  message(WARNING "The program is built without charts: ${problem}\n"
    "--html will say so. To try again: remove ${TO}/scripts.html and build.")
  file(WRITE ${TO}/scripts.html "")
  file(WRITE ${TO}/licences.txt "")
endif()

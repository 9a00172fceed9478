# cmake -DLOADER=FILE -P cut_loader.cmake: removes the code by which Emscripten's loader
# fetches its module. The page always passes a compiled one (`instantiateWasm`), and
# bundlers follow the `new URL` in that code. Emscripten has no option for it.
file(READ "${LOADER}" text)

# cut(FROM TO): removes the text from FROM up to TO, both found exactly once.
function(cut from to)
  string(FIND "${text}" "${from}" begin)
  string(FIND "${text}" "${from}" last REVERSE)
  if(begin EQUAL -1 OR NOT begin EQUAL last)
    message(FATAL_ERROR "${LOADER}: expected once: ${from}")
  endif()
  string(SUBSTRING "${text}" 0 ${begin} before)
  string(SUBSTRING "${text}" ${begin} -1 rest)
  string(FIND "${rest}" "${to}" end)
  if(end EQUAL -1)
    message(FATAL_ERROR "${LOADER}: expected after ${from}: ${to}")
  endif()
  string(SUBSTRING "${rest}" ${end} -1 after)
  set(text "${before}${after}" PARENT_SCOPE)
endfunction()

string(FIND "${text}" "var _scriptDir = import.meta.url;" at)
if(NOT at EQUAL -1) # Emscripten 3.1.6
  cut("var _scriptDir = import.meta.url;" "\n")
  cut("var ENVIRONMENT_IS_WEB=" "var out=")
  cut("var dataURIPrefix=" "function createWasm()")
  cut("function receiveInstantiationResult(" "if(Module[\"instantiateWasm\"])")
  cut("instantiateAsync().catch(" "function callRuntimeCallbacks")
  string(REPLACE "return false}}function callRuntimeCallbacks"
         "return false}}}function callRuntimeCallbacks" text "${text}")
else() # 6.0.5
  cut("var ENVIRONMENT_IS_WEB=" "var out=")
  cut("var wasmBinary;" "var ABORT=")
  cut("var wasmBinaryFile;" "function getWasmImports()")
  cut("function receiveInstantiationResult(" "var info=getWasmImports()")
  cut("wasmBinaryFile??=" "}class ExitStatus")
endif()
foreach(gone IN ITEMS import.meta fetch\( XMLHttpRequest ENVIRONMENT_IS locateFile
                      scriptDirectory isDataURI getBinary readAsync)
  string(FIND "${text}" "${gone}" at)
  if(NOT at EQUAL -1)
    message(FATAL_ERROR "${LOADER}: still has ${gone}")
  endif()
endforeach()
file(WRITE "${LOADER}" "${text}")

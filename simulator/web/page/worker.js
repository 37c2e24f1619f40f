// Runs the engine, away from the page, which goes on meanwhile. A request in, an answer out; the page ends the worker
// where an answer is no longer wanted.
"use strict";

let engine = null;
let said = "";  // what the engine wrote to standard error

const text = new TextDecoder(), messages = new TextDecoder();
const view = () => new DataView(engine.memory.buffer);
const bytes = (address, size) => new Uint8Array(engine.memory.buffer, address, size);

/** What the C library asks of its host: a stream for messages, no files, an empty environment. */
const kBadDescriptor = 8, kNotThere = 52;
const host = {
  fd_write(descriptor, parts, count, written) {
    if (descriptor !== 1 && descriptor !== 2) return kBadDescriptor;
    let size = 0;
    for (let part = parts; part < parts + 8 * count; part += 8) {
      const length = view().getUint32(part + 4, true);
      said += messages.decode(bytes(view().getUint32(part, true), length), { stream: true });
      size += length;
    }
    view().setUint32(written, size, true);
    return 0;
  },
  environ_sizes_get(count, size) {
    view().setUint32(count, 0, true);
    view().setUint32(size, 0, true);
    return 0;
  },
  environ_get: () => 0,
  fd_prestat_get: () => kBadDescriptor,
  fd_fdstat_get: () => kBadDescriptor,
  clock_time_get(clock, precision, time) {
    view().setBigUint64(time, BigInt(Math.round(performance.now() * 1e6)), true);
    return 0;
  },
  random_get(address, size) {
    crypto.getRandomValues(bytes(address, size));
    return 0;
  },
  proc_exit(status) {
    throw new Error(`the engine ended with status ${status}`);
  },
};
const imports = { wasi_snapshot_preview1: new Proxy(host, { get: (known, name) => known[name] ?? (() => kNotThere) }) };

async function start(module) {
  const instance = await WebAssembly.instantiate(module, imports);
  engine = instance.exports;
  engine._initialize();
}

function ask(request) {
  const json = new TextEncoder().encode(JSON.stringify(request));
  bytes(engine.request(json.length), json.length).set(json);
  said = "";
  const began = performance.now();
  const status = engine.answer();
  const milliseconds = performance.now() - began;
  const answer = text.decode(bytes(engine.response(), engine.response_size()));
  return { status, said, milliseconds, answer: answer ? JSON.parse(answer) : null };
}

onmessage = async ({ data: { module, request } }) => {
  try {
    if (module) await start(module);
    else postMessage({ request, ...ask(request) });
  } catch (error) {
    postMessage({ request, status: 1, said: `${said}warpipe: error: internal error: ${error.message}\n`, answer: null });
  }
};

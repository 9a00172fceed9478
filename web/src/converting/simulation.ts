import { XzReadableStream } from "xz-decompress";
import { BevError, toBevError } from "../base/errors.js";
import type { Core, Handle } from "../core/core.js";
import { naming, wholeOf } from "./files.js";
import type { ConvertRequest } from "./protocol.js";

const XZ = "\ufffd7zXZ\0";

/** Counts the bytes of a stream that were read. */
function counted(stream: ReadableStream<Uint8Array>): {
	readonly stream: ReadableStream<Uint8Array>;
	readonly read: () => number;
} {
	let read = 0;
	const count = new TransformStream<Uint8Array, Uint8Array>({
		transform(bytes, to) {
			read += bytes.length;
			to.enqueue(bytes);
		},
	});
	return { stream: stream.pipeThrough(count), read: () => read };
}

/** Passes the bytes of a file, inflated if it is compressed; the core refuses bombs. */
async function pushFile(
	core: Core,
	files: Handle<"SimulationFiles">,
	file: Blob,
): Promise<void> {
	if ((await file.slice(0, 6).text()) !== XZ) {
		const bytes = new Uint8Array(await wholeOf(file));
		core.run("simulation_push", { files, bytes, read: bytes.length });
		return;
	}
	const { stream, read } = counted(file.stream());
	const reader = new XzReadableStream(stream).getReader();
	try {
		for (;;) {
			const { done, value } = await reader.read();
			if (done) return;
			core.run("simulation_push", { files, bytes: value, read: read() });
		}
	} catch (error) {
		void reader.cancel().catch(() => {});
		const { code, message } = toBevError(error);
		if (code !== "internal") throw error;
		throw new BevError("corrupt_chunk", `xz: ${message}`, { cause: error });
	}
}

/** Reads a simulation of nuPlan from its files. */
export async function readSimulation(
	core: Core,
	converter: Handle<"Converter">,
	{ files: given, name }: Extract<ConvertRequest, { kind: "simulation" }>,
): Promise<void> {
	const files = core.run("simulation_files", {});
	try {
		for (const one of given) {
			core.run("simulation_begin", { files, name: one.name });
			await naming(one.name, () => pushFile(core, files, one.file));
			core.run("simulation_end", { files });
		}
		core.run("read_simulation", { converter, files, id: name });
	} finally {
		core.release(files);
	}
}

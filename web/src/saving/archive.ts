import type { CoreSave, CoreZipWriter } from "../core-save.js";
import { called } from "./core.js";
import type { Destination } from "./destination.js";

/** A destination of objects that writes them to one of an archive's bytes. */
export function archived(archive: Destination, core: CoreSave): Destination {
	let writer: CoreZipWriter | undefined;
	return {
		name: archive.name,
		async begin(options) {
			await archive.begin(options);
			writer = called(() => core.makeZipWriter());
		},
		async put(key, bytes, options) {
			const more = called(() => writer?.put(key, bytes));
			if (more) await archive.put("", more, options);
		},
		async publish(options) {
			const rest = called(() => writer?.finish());
			writer?.delete();
			writer = undefined;
			if (rest) await archive.put("", rest, options);
			await archive.publish(options);
		},
		async discard() {
			writer?.delete();
			writer = undefined;
			await archive.discard?.();
		},
	};
}
